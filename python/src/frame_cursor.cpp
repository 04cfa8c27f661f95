// SPDX-License-Identifier: MPL-2.0
#include "python/src/frame_cursor.hpp"

#include <utility>

namespace ositrace::python {

namespace {

/// A reader unpacks chunks ahead, which a few frames do not need.
constexpr std::uint64_t least_to_read_on = 32;

}  // namespace

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, const std::vector<std::uint32_t>& channels)
    : trace_(std::move(trace)), wanted_(trace_->channels.size())
{
    for (const auto channel : channels) wanted_.at(channel) = true;
}

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, FrameNumbers numbers)
    : trace_(std::move(trace)),
      numbers_(numbers),
      reads_on_(numbers.step == 1 && numbers.count >= least_to_read_on && trace_->channels.size() == 1)
{
}

bool FrameCursor::read(Frame& frame)
{
    if (numbers_) return read_numbered(frame);
    if (!reader_) reader_ = trace_->trace->reader();
    while (reader_->read(frame))
        if (wanted_[frame.channel]) return true;
    return false;
}

bool FrameCursor::read_numbered(Frame& frame)
{
    auto& [channel, start, count, step] = *numbers_;
    if (count == 0) return false;
    if (reads_on_) {
        if (!reader_) {
            reader_ = trace_->trace->reader();
            reader_->seek_frame(start);
        }
        --count;
        return reader_->read(frame);
    }
    frame = trace_->trace->frame(channel, start);
    start += static_cast<std::uint64_t>(step);
    --count;
    return true;
}

}  // namespace ositrace::python
