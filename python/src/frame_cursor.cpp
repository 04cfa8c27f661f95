// SPDX-License-Identifier: MPL-2.0
#include "python/src/frame_cursor.hpp"

#include <utility>

namespace ositrace::python {

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, const std::vector<std::uint32_t>& channels)
    : trace_(std::move(trace)), wanted_(trace_->channels.size())
{
    for (const auto channel : channels) wanted_.at(channel) = true;
}

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, FrameNumbers numbers)
    : trace_(std::move(trace)), numbers_(numbers)
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
    // A reader reads on where it is; in a file of several channels it would read the others, too.
    if (step == 1 && trace_->channels.size() == 1) {
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
