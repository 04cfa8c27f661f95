// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/edit_source.hpp"

#include "lib/mcap/open_mcap.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

bool may_grow(const FrameSource& source) noexcept
{
    return source.info().container == mcap_container && dynamic_cast<const TraceReader*>(&source) == nullptr;
}

std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel)
{
    if (frame.time) return frame.time;
    if (channel.root != nullptr && channel.type) {
        if (const auto time = readable_timestamp(frame.bytes, channel)) return time;
    }
    return frame.log_time;
}

}  // namespace ositrace
