// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/error.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace_name.hpp>

#include "lib/check/channel_check.hpp"
#include "lib/check/findings.hpp"
#include "lib/check/mcap_check.hpp"
#include "lib/check/profile_check.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

namespace {

/// The content of a trace that is compared with its file name.
struct NamedContent {
    TraceInfo info;
    std::set<OsiVersion> osi_versions;            ///< of the messages
    std::uint64_t most_frames = 0;                ///< of the channel with the most
    std::optional<std::string> osi_version;       ///< MCAP: the metadata's `version`
    std::optional<std::string> protobuf_version;  ///< MCAP: the metadata's `min_protobuf_version`
};

/// `20210818T150542Z`
bool is_calendar_time(const std::string& text)
{
    const auto part = [&](std::size_t at, std::size_t count) {
        unsigned value = 0;
        std::from_chars(text.data() + at, text.data() + at + count, value);
        return value;
    };
    if (text.size() < 15) return false;
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                          std::chrono::month(part(4, 2)), std::chrono::day(part(6, 2))};
    return day.ok() && part(9, 2) < 24 && part(11, 2) < 60 && part(13, 2) <= 60;
}

std::string types_of(const TraceInfo& info)
{
    std::set<std::string> codes;
    for (const auto& channel : info.channels)
        if (channel.type) codes.insert(std::string(row_of(*channel.type).code));
    if (codes.size() > 1) return "multi";
    return codes.empty() ? std::string() : *codes.begin();
}

std::string listed(const std::set<OsiVersion>& versions)
{
    std::string text;
    for (const auto& version : versions) text.append(text.empty() ? "" : ", ").append(version.to_string());
    return text;
}

bool has_digits_of(const std::set<OsiVersion>& versions, const std::string& digits)
{
    return std::ranges::any_of(
        versions, [&](const OsiVersion& version) { return version_digits(version.to_string()) == digits; });
}

class NameCheck {
public:
    NameCheck(const TraceName& name, const NamedContent& content, Findings& findings)
        : name_(name), content_(content), findings_(findings)
    {
    }

    void check_type()
    {
        const auto found = types_of(content_.info);
        const auto named = name_.type ? std::string(row_of(*name_.type).code) : std::string("multi");
        if (!found.empty() && found != named)
            add(Kind::file_name_type, "found " + named + " in the file name, " + found + " in the messages");
    }
    void check_osi_version()
    {
        if (name_.osi_version.empty()) return;
        const auto& metadata = content_.osi_version;
        if (!name_.type && metadata) {
            if (version_digits(*metadata) != name_.osi_version)
                add(Kind::file_name_osi_version,
                    "found " + name_.osi_version + " in the file name, " + *metadata + " in the metadata");
        } else if (!content_.osi_versions.empty() && !has_digits_of(content_.osi_versions, name_.osi_version)) {
            add(Kind::file_name_osi_version, "found " + name_.osi_version + " in the file name, " +
                                                 listed(content_.osi_versions) + " in the messages");
        }
    }
    void check_protobuf_version()
    {
        const auto& metadata = content_.protobuf_version;
        if (!metadata || name_.protobuf_version.empty() || is_protobuf_version(name_.protobuf_version, *metadata))
            return;
        add(Kind::file_name_protobuf_version,
            "found " + name_.protobuf_version + " in the file name, " + *metadata + " in the metadata");
    }
    void check_frames()
    {
        if (!name_.frames || *name_.frames == content_.most_frames) return;
        add(Kind::file_name_number_of_frames, "found " + std::to_string(*name_.frames) + " in the file name, " +
                                                  std::to_string(content_.most_frames) + " in the file");
    }
    void check_timestamp()
    {
        if (!is_calendar_time(name_.timestamp))
            add(Kind::file_name_timestamp, "found " + name_.timestamp + ", expected a valid date and time");
    }

private:
    void add(Kind kind, std::string message)
    {
        findings_.add(kind, {}, [&] { return message; });
    }

    const TraceName& name_;
    const NamedContent& content_;
    Findings& findings_;
};

void check_extension(const std::string& file_name, const NamedContent& content, Findings& findings)
{
    const auto& info = content.info;
    const auto extension = trace_extension(file_name);
    const auto add = [&](const std::string& found, std::string_view named) {
        findings.add(Kind::file_name_extension, {},
                     [&] { return "found " + found + ", expected " + std::string(named) + " (from the extension)"; });
    };
    if (!extension) return add("a trace (" + std::string(info.container.name) + ")", "the extension of a trace");
    if (extension->container != info.container) return add(std::string(info.container.name), extension->container.name);
    if (extension->compression != info.compression && !info.compression.empty())
        return add("compression " + info.compression, "compression " + std::string(extension->compression));
    if (info.channels.empty() || !extension->encoding || *extension->encoding == info.channels.front().format.encoding)
        return;
    add(std::string(row_of(info.channels.front().format.encoding).name), row_of(*extension->encoding).name);
}

bool is_named(const TraceName& name)
{
    return !name.osi_version.empty() && !name.protobuf_version.empty() && name.frames.has_value();
}

void check_name(const NamedContent& content, Findings& findings)
{
    const auto file_name = content.info.file.filename().string();
    check_extension(file_name, content, findings);
    if (content.info.container.map) return;  // a map_reference names it
    const auto name = parse_trace_name(file_name);
    if (!name || !is_named(*name))
        findings.add(Kind::file_name_convention, {}, [] {
            return std::string(
                "expected "
                "<timestamp>_<type>_<osi-version>_<protobuf-version>_<number-of-frames>_<custom-trace-name>.<extension>"
                ". "
                "osiconvert rename renames the file.");
        });
    if (!name) return;
    NameCheck check(*name, content, findings);
    check.check_timestamp();
    check.check_type();
    check.check_osi_version();
    check.check_protobuf_version();
    check.check_frames();
}

void check_has_osi_channel(const TraceInfo& info, Findings& findings)
{
    const auto is_foreign = [](const Channel& channel) {  // and does not try to be OSI, which has findings of its own
        return !channel.type && channel.unviewable.empty() && !message_type_by_full_name(channel.type_name) &&
               !(channel.type_name.empty() && encoding_by_mcap_name(channel.message_encoding));
    };
    if (info.channels.empty() || !std::ranges::all_of(info.channels, is_foreign)) return;
    for (const auto& channel : info.channels)
        findings.add(Kind::mcap_has_osi_channel, {},
                     [&] { return "the channel '" + channel.topic + "': " + why_not_osi(channel); });
}

class TraceCheck {
public:
    TraceCheck(const std::filesystem::path& file, const CheckOptions& options)
        : file_(file),
          options_(options),
          findings_(file, options),
          mcap_(findings_),
          types_(options.rules.get()),
          map_(file, options, findings_)
    {
    }

    CheckResult run(std::stop_token stop);

private:
    void read_frames(FrameSource& source, const std::stop_token& stop);
    void note_damage(const Error& error);
    ChannelCheck& channel(std::uint32_t index);
    [[nodiscard]] bool is_mcap() const;
    [[nodiscard]] bool is_file() const;
    void add_metadata(NamedContent& content) const;
    void report_progress();
    void finish();

    const std::filesystem::path& file_;
    const CheckOptions& options_;
    Findings findings_;
    McapCheck mcap_;
    TypeChecks types_;
    MapCheck map_;
    std::optional<ProfileCheck> profile_;
    const FrameSource* source_ = nullptr;
    std::vector<std::unique_ptr<ChannelCheck>> channels_;
    TimesInOrder times_;
    std::uint64_t frames_ = 0;
};

CheckResult TraceCheck::run(std::stop_token stop)
{
    auto open = options_.open;
    open.stop = stop;
    open.skip_bad_frames = true;
    open.depth = DamageDepth::structure;  // findings state what of a message cannot be read
    open.on_skip = [this](const SkippedBytes& skipped) { note_damage(skipped.error); };
    open.on_warning = [this](const Error& error) {
        if (error.damage() == Damage::declared_twice)
            findings_.add(Kind::mcap_repeated_record, {}, [&] { return error.reason(); });
        else if (error.damage() == Damage::other_framing)
            findings_.add(Kind::framing_only_messages, {}, [&] { return error.reason(); });
        else if (options_.open.on_warning)
            options_.open.on_warning(error);
    };
    open.mcap_observer = &mcap_;
    try {
        const auto source = open_stream(file_, open);
        source_ = source.get();
        if (options_.profile != Profile::none) profile_.emplace(is_mcap(), findings_);
        read_frames(*source, stop);
        finish();
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
        if (channel(frame.channel).check(frame) && profile_)
            profile_->check(frame, source.info().channels[frame.channel]);
        if (++frames_ % frames_between_reports == 0) report_progress();
    }
    if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = file_}, "stopped");
} catch (const Error& error) {
    if (!is_damage(error)) throw;
    note_damage(error);
}

ChannelCheck& TraceCheck::channel(std::uint32_t index)
{
    while (channels_.size() <= index) {
        channels_.push_back(std::make_unique<ChannelCheck>(source_->info(), channels_.size(), is_mcap(), types_, times_,
                                                           map_, findings_));
    }
    return *channels_[index];
}

void TraceCheck::note_damage(const Error& error)
{
    findings_.add(
        broken_by(error, is_mcap()), {error.where().frame, std::nullopt, error.where().offset, {}},
        [&] { return error.reason(); }, [&] { return error.where().field; });
}

void TraceCheck::report_progress()
{
    if (options_.on_progress) options_.on_progress(frames_, source_->bytes_consumed(), source_->bytes_total());
}

/// Of an empty file, its name says.
bool TraceCheck::is_mcap() const
{
    if (source_) return source_->info().container.index;
    if (mcap_.has_begun()) return true;
    const auto name = file_.filename().string();
    const auto extension = trace_extension(name);
    return extension && extension->container.index;
}

/// A pipe has no name and is not read twice. What is gone or out of reach by now is no file either.
bool TraceCheck::is_file() const
{
    std::error_code failed;
    return file_ != "-" && std::filesystem::is_regular_file(file_, failed);
}

void TraceCheck::add_metadata(NamedContent& content) const
{
    content.osi_version = trace_entry(content.info, osi_metadata::version_key);
    content.protobuf_version = trace_entry(content.info, osi_metadata::min_protobuf_version_key);
}

void TraceCheck::finish()
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
        check_has_osi_channel(content.info, findings_);
        check_version_ranges(content.info, content.osi_versions, findings_);
        add_metadata(content);
    }
    if (profile_)
        profile_->finish(content.info, content.info.container, is_file() ? file_ : std::filesystem::path(),
                         options_.open.max_message_bytes);
    if (frames_ == 0) findings_.add(Kind::framing_has_frames, {}, [] { return std::string("found none"); });
    if (is_file()) check_name(content, findings_);
}

}  // namespace

CheckResult check_trace(const std::filesystem::path& file, const CheckOptions& options, std::stop_token stop)
{
    return TraceCheck(file, options).run(std::move(stop));
}

}  // namespace ositrace
