// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/trace_cursor.hpp"

#include <string>

#include "lib/trace/payload_header.hpp"

namespace ositrace {

bool TraceCursor::read(Frame& frame, std::stop_token stop)
{
    if (!stream_)
        stream_ = std::make_unique<LengthPrefixedStream>(trace_->read_from(next_), TraceInfo{}, FirstBatches{},
                                                         trace_->options().on_skip);
    if (!stream_->read(frame, stop)) {
        if (stop.stop_requested()) stream_.reset();  // it would say for ever that it has ended
        return false;
    }
    frame.time = readable_timestamp(frame.bytes, info().channels.front());
    next_ = frame.index + 1;
    return true;
}

std::optional<std::uint64_t> TraceCursor::bytes_total() const noexcept { return trace_->file_bytes(); }

void TraceCursor::seek_frame(std::uint64_t i)
{
    if (i == next_) return;
    stream_.reset();
    next_ = i;
}

void TraceCursor::seek_time(Nanoseconds t) { seek_frame(trace_->frame_at(0, t).value_or(0)); }

}  // namespace ositrace
