// SPDX-License-Identifier: MPL-2.0
#include <ositrace/record_sink.hpp>

#include <utility>

namespace ositrace {

RecordSink::RecordSink(std::filesystem::path file, WriteOptions options) : file_(std::move(file)), options_(std::move(options))
{
    options_.recording = true;
}

void RecordSink::begin(const TraceInfo& info, const PlayStart&)
{
    writer_ = create_trace(file_, info, options_);
    channels_ = info.channels.size();
    metadata_ = info.metadata.size();
    attachments_ = info.attachments.size();
}

void RecordSink::take(std::span<const Frame> frames, Nanoseconds, const TraceInfo& info)
{
    for (; channels_ < info.channels.size(); ++channels_) writer_->add_channel(info.channels[channels_]);
    follow_records(info);
    for (const auto& frame : frames) writer_->write(frame);
    frames_ += frames.size();
}

void RecordSink::source_ended(const TraceInfo& info) { follow_records(info); }

/// Metadata and attachments that are new.
void RecordSink::follow_records(const TraceInfo& info)
{
    if (!writer_->holds_records()) return;
    for (; metadata_ < info.metadata.size(); ++metadata_) writer_->add_metadata(info.metadata[metadata_]);
    for (; attachments_ < info.attachments.size(); ++attachments_) writer_->add_attachment(info.attachments[attachments_]);
}

void RecordSink::give_up()
{
    if (writer_) finish();
}

void RecordSink::finish()
{
    const auto writer = std::exchange(writer_, nullptr);  // a sink that is finished has nothing to give up
    bytes_ = writer->close();
}

}  // namespace ositrace
