// SPDX-License-Identifier: MPL-2.0
#include <ositrace/record_sink.hpp>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "lib/convert/left_out.hpp"

namespace ositrace {

/// If no more frames arrive (a model hangs, a peer is silent), a separate thread writes the collected ones to the file.
class RecordSink::Flusher {
public:
    explicit Flusher(TraceWriter& writer) : writer_(writer), thread_([this](const std::stop_token& stop) { run(stop); })
    {
    }

    /// Locks the writer as long as it is used. Throws the error of the thread.
    [[nodiscard]] std::unique_lock<std::mutex> frame_comes()
    {
        std::unique_lock lock(mutex_);
        if (failure_) std::rethrow_exception(failure_);
        came_ = true;
        return lock;
    }

private:
    void run(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            came_ = false;
            ended_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
            if (came_ || failure_ || stop.stop_requested()) continue;
            try {
                writer_.hand_on();
            } catch (...) {
                failure_ = std::current_exception();
            }
        }
    }

    TraceWriter& writer_;
    std::mutex mutex_;  // guards the writer and the members below
    std::condition_variable_any ended_;
    bool came_ = false;
    std::exception_ptr failure_;
    std::jthread thread_;  // the last member: it uses the above
};

RecordSink::RecordSink(std::filesystem::path file, WriteOptions options)
    : file_(std::move(file)), options_(std::move(options))
{
    options_.recording = true;
}

RecordSink::~RecordSink() = default;

void RecordSink::begin(const TraceInfo& info, const PlayStart&)
{
    writer_ = create_trace(file_, info, options_);
    channels_ = info.channels.size();
    metadata_ = info.metadata.size();
    attachments_ = info.attachments.size();
    flusher_ = std::make_unique<Flusher>(*writer_);
}

void RecordSink::take(std::span<const Frame> frames, Nanoseconds, const TraceInfo& info)
{
    const auto lock = flusher_->frame_comes();
    for (; channels_ < info.channels.size(); ++channels_) writer_->add_channel(info.channels[channels_]);
    follow_records(info);
    for (const auto& frame : frames) {
        writer_->write(frame);
        count(frame, info);
    }
}

void RecordSink::count(const Frame& frame, const TraceInfo& info)
{
    ++result_.frames;
    if (!writer_->holds_records())
        count_kept_time(kept_time_of(frame, info.channels.at(frame.channel)), result_.other_times, result_.lost_times);
}

void RecordSink::source_ended(const TraceInfo& info)
{
    const auto lock = flusher_->frame_comes();
    follow_records(info);
}

/// Metadata and attachments that are new.
void RecordSink::follow_records(const TraceInfo& info)
{
    count_left_out(info, *writer_, result_);
    if (!writer_->holds_records()) return;
    for (; metadata_ < info.metadata.size(); ++metadata_) writer_->add_metadata(info.metadata[metadata_]);
    for (; attachments_ < info.attachments.size(); ++attachments_)
        writer_->add_attachment(info.attachments[attachments_]);
}

void RecordSink::give_up()
{
    if (finished_ || !writer_) return;
    if (frames() != 0) return finish();
    flusher_.reset();
    writer_->discard();
    writer_.reset();
}

void RecordSink::finish()
{
    flusher_.reset();
    finished_ = true;  // there is nothing left to abandon
    result_.dropped_unknown_fields = writer_->dropped_unknown_fields();
    result_.replaced_publish_times = writer_->replaced_publish_times();
    result_.replaced_texts = writer_->replaced_texts();
    bytes_ = writer_->close();
}

}  // namespace ositrace
