// SPDX-License-Identifier: MPL-2.0
// Many to one: open, choose channels, merge, create, convert, close.
#include "app/osiconvert/convert_job.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <ositrace/attach.hpp>
#include <ositrace/error.hpp>
#include <ositrace/merge.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/osiconvert/misnamed.hpp"
#include "app/terminal/printable.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view trace_record = "net.asam.osi.trace";

Error usage(const std::string& reason) { return {Cause::usage, reason}; }

/// What to type, in a shell, to have this topic and no other: `--topic '^GroundTruth$'`.
std::string option_for(std::string_view topic)
{
    std::string pattern;
    for (const char c : topic) {
        if (std::string_view(R"(^$\.*+?()[]{}|)").find(c) != std::string_view::npos) pattern += '\\';
        pattern += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    }
    return "--topic '^" + pattern + "$'";
}

std::string options_for(const std::vector<std::string>& topics)
{
    constexpr std::size_t most_told = 8;
    std::string all;
    for (std::size_t i = 0; i != std::min(topics.size(), most_told); ++i)
        all += (all.empty() ? "" : " or ") + option_for(topics[i]);
    return topics.size() > most_told ? all + " or ..." : all;
}

class Job {
public:
    Job(const ConvertRequest& request, const FileJob& job, Messages& messages, std::stop_token stop)
        : request_(request), output_(job.output), messages_(messages), stop_(std::move(stop))
    {
        outcome_.job = job;
    }

    FileOutcome run()
    {
        auto in = merged(open_all());
        const auto to = output_format(in->info());
        auto info = converted_info(in->info(), to);
        add_own_records(info);
        const auto out = create_trace(output_, info, request_.files.write);
        outcome_.result = convert(*in, *out, convert_options(to), stop_);
        outcome_.bytes_in = in->bytes_total().value_or(in->bytes_consumed());
        outcome_.channels = in->info().channels;
        in.reset();  // while the last chunks are compressed
        outcome_.bytes_out = out->close();
        tell_about(*out, output_, messages_);
        outcome_.version_channels = out->version_channels();
        outcome_.seconds = Clock::now() - started_;
        return std::move(outcome_);
    }

private:
    std::vector<std::unique_ptr<FrameSource>> open_all();
    std::unique_ptr<FrameSource> open(const std::filesystem::path& file, const OpenOptions& options) const;
    std::unique_ptr<FrameSource> merged(std::vector<std::unique_ptr<FrameSource>> sources);
    void choose_channel(const std::vector<std::unique_ptr<FrameSource>>& sources);
    bool wants(const Channel& channel);
    std::optional<Format> output_format(const TraceInfo& info) const;
    void without_own_entries(MetadataRecord& record) const;
    void add_own_records(TraceInfo& info) const;
    [[nodiscard]] bool is_mcap() const { return app::is_mcap(output_, request_.files.write); }
    ConvertOptions convert_options(std::optional<Format> to);
    void tell(const SkippedBytes& skipped);
    void warn_of_zero_times(const std::vector<std::unique_ptr<FrameSource>>& sources) const;
    void warn_of_profiles(const std::vector<std::unique_ptr<FrameSource>>& sources) const;

    const ConvertRequest& request_;
    const std::filesystem::path output_;
    Messages& messages_;
    std::stop_token stop_;
    FileOutcome outcome_;
    std::optional<std::string> only_topic_;  ///< the channel of a file that holds one
    std::mutex mutex_;
    Clock::time_point started_ = Clock::now();
};

std::vector<std::unique_ptr<FrameSource>> Job::open_all()
{
    auto options = request_.files.input.open_options(messages_);
    options.skip_bad_frames = request_.skip_bad_frames;
    options.on_skip = [this](const SkippedBytes& skipped) { tell(skipped); };
    options.stop = stop_;
    std::vector<std::unique_ptr<FrameSource>> sources;
    for (const auto& input : outcome_.job.inputs) sources.push_back(open(input, options));
    for (const auto& source : sources) tell_misnamed(source->info(), messages_);
    warn_of_zero_times(sources);
    warn_of_profiles(sources);
    return sources;
}

// One MCAP file to another is read as it stands, and so is every file whose bad frames are passed over: then the
// channels come from its summary, where it has one. All else needs the index, which knows the channels before the first
// frame and gives the messages by time.
std::unique_ptr<FrameSource> Job::open(const std::filesystem::path& file, const OpenOptions& options) const
{
    const bool one_to_one = is_mcap() && outcome_.job.inputs.size() == 1 && request_.rename.empty() && !request_.topic;
    return one_to_one || request_.skip_bad_frames ? open_stream(file, options) : open_source(file, options);
}

std::unique_ptr<FrameSource> Job::merged(std::vector<std::unique_ptr<FrameSource>> sources)
{
    if (!is_mcap()) choose_channel(sources);
    auto in = merge(std::move(sources), {request_.rename, [this](const Channel& channel) { return wants(channel); },
                                         [this](MetadataRecord& record) { without_own_entries(record); }});
    if (in->info().channels.empty() && request_.topic)
        throw usage("--topic: no channel matches '" + request_.topic->text() + "'");
    return in;
}

/// Of the channels that are wanted, the one of an OSI type.
void Job::choose_channel(const std::vector<std::unique_ptr<FrameSource>>& sources)
{
    const auto input = outcome_.job.input().string();
    const auto output = shown_file(output_, "standard output");
    const std::string mcap = output_ == "-" ? "add --to mcap" : "name an .mcap file";
    std::vector<std::string> topics;
    for (const auto& source : sources)
        for (const auto& channel : source->info().channels)
            if (channel.root && (!request_.topic || request_.topic->matches(channel.topic)))
                topics.push_back(channel.topic);
    if (topics.size() == 1) {
        only_topic_ = topics.front();
    } else if (sources.size() > 1) {
        throw usage(output + " holds one channel, and " + std::to_string(sources.size()) + " inputs are several: " +
                    mcap + ", use `concat` to put them one after the other, or --out-dir DIR to make a file of each");
    } else if (!topics.empty()) {
        throw usage(output + " holds one channel, and " + input + " has " + std::to_string(topics.size()) +
                    " channels: choose one (" + options_for(topics) + "), " + mcap +
                    " for all, or make a file of each with `split " + input + " --channels --out-dir DIR`");
    }
}

bool Job::wants(const Channel& channel)
{
    if (request_.topic && !request_.topic->matches(channel.topic)) return false;
    if (!only_topic_ || (channel.root && channel.topic == *only_topic_)) return true;
    outcome_.loss.left_out_topics.push_back(channel.topic);
    return false;
}

/// As the extension says, else as asked for; nullopt: everything as it is.
std::optional<Format> Job::output_format(const TraceInfo& info) const
{
    const auto extension = output_extension(output_, request_.files.write);
    const auto encoding = request_.encoding ? request_.encoding : extension ? extension->encoding : std::nullopt;
    if (!encoding) return std::nullopt;
    const auto fits = [&](const Channel& channel) { return channel.format.encoding == *encoding; };
    return std::ranges::all_of(info.channels, fits) ? std::nullopt : std::optional(Format{*encoding, Layout::numbered});
}

/// What --meta says takes the place of what the inputs say.
void Job::without_own_entries(MetadataRecord& record) const
{
    if (record.name != trace_record) return;
    for (const auto& [key, value] : request_.meta) record.entries.erase(key);
}

void Job::add_own_records(TraceInfo& info) const
{
    if (!request_.meta.empty()) info.metadata.insert(info.metadata.begin(), {std::string(trace_record), request_.meta});
    for (const auto& file : request_.attach) info.attachments.push_back(attachment_of(file));
}

ConvertOptions Job::convert_options(std::optional<Format> to)
{
    ConvertOptions options;
    options.to = to;
    options.threads = request_.files.write.threads;
    options.skip_bad_frames = request_.skip_bad_frames;
    options.max_message_bytes = max_encodable_bytes;
    options.on_skip = [this](const SkippedBytes& skipped) { tell(skipped); };
    options.on_progress = [this](const ConvertProgress& progress) {
        messages_.progress(progress_of(output_.string(), progress, started_));
    };
    return options;
}

void Job::tell(const SkippedBytes& skipped)
{
    const std::lock_guard lock(mutex_);  // the reading and the converting side both report
    outcome_.loss.add(skipped, messages_);
}

void Job::warn_of_zero_times(const std::vector<std::unique_ptr<FrameSource>>& sources) const
{
    if (request_.meta.contains("zero_time")) return;
    std::set<std::string> times;
    for (const auto& source : sources) times.merge(zero_times_of(source->info().metadata));
    tell_zero_times(times, ". Give --meta zero_time=...", messages_);
}

/// merge() keeps the first.
void Job::warn_of_profiles(const std::vector<std::unique_ptr<FrameSource>>& sources) const
{
    const std::string* kept = nullptr;
    for (const auto& source : sources) {
        const auto& profile = source->info().profile;
        if (profile.empty() || !is_mcap()) continue;
        if (kept == nullptr) kept = &profile;
        if (profile != *kept)
            messages_.warning(source->info().file.string() + ": its profile '" + profile +
                              "' is left out: the output has '" + *kept + "', that of an input in front");
    }
}

}  // namespace

FileOutcome run_convert_job(const ConvertRequest& request, const FileJob& job, Messages& messages, std::stop_token stop)
{
    return Job(request, job, messages, std::move(stop)).run();
}

}  // namespace ositrace::app
