// SPDX-License-Identifier: MPL-2.0
// One file to one file: open, create, convert, close.
#include <algorithm>
#include <mutex>

#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/osiconvert/misnamed.hpp"
#include "app/osiconvert/transcode.hpp"

namespace ositrace::app {
namespace {

using Clock = std::chrono::steady_clock;

class Job {
public:
    Job(const TranscodeRequest& request, const FileJob& job, Messages& messages)
        : request_(request), messages_(messages)
    {
        outcome_.job = job;
    }

    FileOutcome run(OpenOptions open, const std::stop_token& stop)
    {
        open.follow = request_.follow;
        open.skip_bad_frames = request_.skip_bad_frames;
        open.on_skip = [this](const SkippedBytes& skipped) { tell(skipped); };
        open.stop = stop;
        const auto in = open_stream(outcome_.job.input(), open);
        check_encoding(in->info());
        tell(in->info());
        tell_misnamed(in->info(), messages_);
        const auto out = create_trace(outcome_.job.output, converted_info(in->info(), request_.to), write_options());
        outcome_.result = convert(*in, *out, convert_options(), stop);
        outcome_.bytes_in = in->bytes_consumed();
        take_channels(in->info());
        outcome_.bytes_out = out->close();
        tell_about(*out, outcome_.job.output, messages_);
        outcome_.seconds = Clock::now() - started_;
        return std::move(outcome_);
    }

private:
    WriteOptions write_options() const
    {
        WriteOptions options;
        options.overwrite = request_.overwrite || request_.outputs.resume;
        options.threads = request_.threads;
        options.flush_frames = request_.follow;
        options.inputs = {outcome_.job.input()};
        return options;
    }

    ConvertOptions convert_options()
    {
        ConvertOptions options;
        options.to = request_.to;
        options.threads = request_.threads;
        options.strict = request_.strict;
        options.verify = request_.verify;
        options.skip_bad_frames = request_.skip_bad_frames;
        options.live = request_.follow;
        // A flat frame is legally several times as large as its Protobuf form, but never the other way round.
        options.max_message_bytes =
            request_.to.encoding == Encoding::flatbuffers ? max_encodable_bytes : request_.input.max_message_bytes;
        options.on_skip = [this](const SkippedBytes& skipped) { tell(skipped); };
        options.on_progress = [this](const ConvertProgress& progress) {
            messages_.progress(progress_of(outcome_.job.input().string(), progress, started_));
        };
        return options;
    }

    void check_encoding(const TraceInfo& info) const
    {
        for (const auto& channel : info.channels) {
            if (!channel.root || channel.format.encoding == request_.from) continue;
            const std::string found(row_of(channel.format.encoding).name);
            throw Error(Cause::mismatch, {.file = outcome_.job.input()},
                        "holds " + found + ", expected " + std::string(row_of(request_.from).name) + ": use " +
                            std::string(request_.opposite));
        }
    }

    /// One at least was converted.
    void take_channels(const TraceInfo& info)
    {
        std::string unviewable;
        for (const auto& channel : info.channels)
            if (!channel.unviewable.empty())
                unviewable = ": '" + channel.topic + "' is not viewable, " + channel.unviewable;
        if (!info.channels.empty() &&
            std::ranges::none_of(info.channels, [](const Channel& channel) { return channel.root != nullptr; }))
            throw Error(Cause::mismatch, {.file = info.file},
                        "holds no channel of OSI messages that could be converted" + unviewable);
        outcome_.channels = info.channels;
    }

    void tell(const TraceInfo& info) const
    {
        for (const auto& channel : info.channels) {
            if (!channel.root) continue;
            const auto version = channel.schema->osi_version();
            messages_.detail(outcome_.job.input().string() + ": " + channel.type_name + ", " +
                             std::string(row_of(channel.format.encoding).name) + ", compression " + info.compression +
                             ", read with the schema of OSI " +
                             (version ? version->to_string() : "(no version stated)"));
        }
    }

    void tell(const SkippedBytes& skipped)
    {
        const std::lock_guard lock(mutex_);  // the reading and the converting side both report
        outcome_.loss.add(skipped, messages_);
    }

    const TranscodeRequest& request_;
    Messages& messages_;
    FileOutcome outcome_;
    std::mutex mutex_;
    Clock::time_point started_ = Clock::now();
};

}  // namespace

FileOutcome run_transcode_job(const TranscodeRequest& request, const OpenOptions& open, const FileJob& job,
                              Messages& messages, std::stop_token stop)
{
    return Job(request, job, messages).run(open, stop);
}

}  // namespace ositrace::app
