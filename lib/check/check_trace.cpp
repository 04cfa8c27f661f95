// SPDX-License-Identifier: MPL-2.0
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/check/channel_check.hpp"
#include "lib/check/findings.hpp"
#include "lib/check/mcap_check.hpp"
#include "lib/check/mcap_metadata_check.hpp"
#include "lib/check/name_check.hpp"
#include "lib/io/file_source.hpp"
#include "lib/mcap/open_mcap.hpp"
#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/record_handler.hpp"

namespace ositrace {

namespace {

/// Is it the file that is broken, rather than its reading?
bool is_damage(const Error& error)
{
    return error.cause() == Cause::malformed || error.cause() == Cause::truncated || error.cause() == Cause::limit;
}

/// A record that stands where none of its kind should.
bool is_misplaced(Kind kind) { return kind == Kind::mcap_record_in_chunk || kind == Kind::mcap_behind_data_end; }

class TraceCheck {
public:
    TraceCheck(const std::filesystem::path& file, const CheckOptions& options)
        : file_(file), options_(options), findings_(file, options)
    {
    }

    CheckResult run(std::stop_token stop);

private:
    void read_frames(FrameSource& source, const std::stop_token& stop);
    void note_damage(const Error& error);
    void note_misplaced(const Error& error);
    void add_damage(Kind kind, const Error& error);
    [[nodiscard]] Kind kind_of(const Error& error) const;
    ChannelCheck& channel(std::uint32_t index);
    [[nodiscard]] bool is_mcap() const;
    [[nodiscard]] bool is_file() const;
    void check_records(const std::stop_token& stop);
    void take_metadata(NamedContent& content) const;
    void report_progress();
    void finish(const std::stop_token& stop);

    const std::filesystem::path& file_;
    const CheckOptions& options_;
    Findings findings_;
    const FrameSource* source_ = nullptr;
    std::vector<std::unique_ptr<ChannelCheck>> channels_;
    TimesInOrder times_;
    std::uint64_t frames_ = 0;
    bool damaged_ = false;
    std::optional<Error> data_crc_problem_;
    std::vector<Error> misplaced_;
};

CheckResult TraceCheck::run(std::stop_token stop)
{
    auto open = options_.open;
    open.stop = stop;
    open.skip_bad_frames = true;
    open.on_skip = [this](const SkippedBytes& skipped) {
        if (skipped.error.where().field == data_crc_field)
            data_crc_problem_ = skipped.error;
        else if (is_misplaced(kind_of(skipped.error)))
            note_misplaced(skipped.error);
        else
            note_damage(skipped.error);
    };
    try {
        const auto source = open_stream(file_, open);
        source_ = source.get();
        read_frames(*source, stop);
        finish(stop);
    } catch (const Error& error) {
        if (!is_damage(error)) throw;
        note_damage(error);
    }
    return findings_.take(frames_);
}

void TraceCheck::read_frames(FrameSource& source, const std::stop_token& stop)
try {
    constexpr std::uint64_t frames_between_reports = 64;
    for (Frame frame; source.read(frame, stop);) {
        channel(frame.channel).look_at(frame);
        if (++frames_ % frames_between_reports == 0) report_progress();
    }
    if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = file_}, "stopped");
} catch (const Error& error) {
    if (!is_damage(error)) throw;
    note_damage(error);
}

ChannelCheck& TraceCheck::channel(std::uint32_t index)
{
    const auto& channels = source_->info().channels;
    while (channels_.size() <= index) {
        const auto& next = channels[channels_.size()];
        channels_.push_back(std::make_unique<ChannelCheck>(next, is_mcap(), options_.rules.get(), times_, findings_));
    }
    return *channels_[index];
}

/// Of a length-prefixed file, whose errors have one meaning each; other containers say what is wrong themselves.
Kind TraceCheck::kind_of(const Error& error) const
{
    if (is_mcap()) {
        if (error.reason().starts_with("a chunk holds a record ")) return Kind::mcap_record_in_chunk;
        return error.reason().find("stands behind the DataEnd record") != std::string::npos ? Kind::mcap_behind_data_end
                                                                                            : Kind::mcap_record;
    }
    if (error.cause() == Cause::truncated) return Kind::truncated;
    if (error.cause() == Cause::limit) return Kind::oversize;
    return error.reason().find("preallocated") != std::string::npos ? Kind::tail_of_zeros : Kind::garbage;
}

void TraceCheck::note_damage(const Error& error)
{
    damaged_ = true;
    add_damage(kind_of(error), error);
}

/// The walk through the records, where there is one, tells them all.
void TraceCheck::note_misplaced(const Error& error)
{
    if (misplaced_.size() < options_.listed_per_kind) misplaced_.push_back(error);
}

void TraceCheck::add_damage(Kind kind, const Error& error)
{
    findings_.add(
        kind, {error.where().frame, std::nullopt, error.where().offset, {}}, [&] { return error.reason(); },
        [&] { return error.where().field; });
}

void TraceCheck::report_progress()
{
    if (options_.on_progress) options_.on_progress(frames_, source_->bytes_consumed(), source_->bytes_total());
}

/// While it is being opened, its name says.
bool TraceCheck::is_mcap() const
{
    if (source_) return source_->info().container == mcap_container;
    const auto name = file_.filename().string();
    const auto extension = trace_extension(name);
    return extension && extension->container == mcap_container;
}

/// A pipe has no name and is not read twice. What is gone or out of reach by now is no file either.
bool TraceCheck::is_file() const
{
    std::error_code failed;
    return file_ != "-" && std::filesystem::is_regular_file(file_, failed);
}

/// A second walk, through the records: a pipe has none, and its frames were all there is to know.
void TraceCheck::check_records(const std::stop_token& stop)
{
    if (!is_file() || source_->info().compression != "none") {
        for (const auto& error : misplaced_) add_damage(kind_of(error), error);
        if (data_crc_problem_)
            findings_.add(Kind::mcap_data_crc, {{}, {}, data_crc_problem_->where().offset, {}},
                          [&] { return data_crc_problem_->reason(); });
        return;
    }
    const SeekableFile file(open_for_reading(file_), file_);
    const auto problem = McapCheck(file, options_.open.max_message_bytes, findings_).run(stop);
    if (problem && !damaged_) note_damage(*problem);
}

void TraceCheck::take_metadata(NamedContent& content) const
{
    for (const auto& record : content.info.metadata) {
        if (record.name != mcap::osi::trace_record) continue;
        const auto value = [&](std::string_view key) {
            const auto found = record.entries.find(std::string(key));
            return found == record.entries.end() ? std::nullopt : std::optional(found->second);
        };
        content.osi_version = value(mcap::osi::version_key);
        content.protobuf_version = value(mcap::osi::min_protobuf_version_key);
    }
}

void TraceCheck::finish(const std::stop_token& stop)
{
    NamedContent content;
    content.info = source_->info();
    times_.finish();
    for (const auto& checked : channels_) {
        checked->finish();
        content.most_frames = std::max(content.most_frames, checked->frames());
        content.osi_versions.insert(checked->osi_versions().begin(), checked->osi_versions().end());
    }
    if (is_mcap()) {
        check_records(stop);
        check_version_ranges(content.info, content.osi_versions, findings_);
        take_metadata(content);
    }
    if (frames_ == 0) findings_.add(Kind::no_frames, {}, [] { return std::string("found none"); });
    if (is_file()) check_name(content, findings_);
}

}  // namespace

CheckResult check_trace(const std::filesystem::path& file, const CheckOptions& options, std::stop_token stop)
{
    return TraceCheck(file, options).run(std::move(stop));
}

}  // namespace ositrace
