// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// The last of `count` frames with a time <= t, by bisection; calls `time_of(i)` for few of them. Frames without a time
/// are ignored: the last frame in [first, middle] that has one decides. Undefined where times go backward.
template <class TimeOf>
[[nodiscard]] std::optional<std::uint64_t> last_frame_until(std::uint64_t count, Nanoseconds t, TimeOf&& time_of)
{
    std::uint64_t first = 0;
    std::uint64_t last = count;
    std::optional<std::uint64_t> found;
    while (first < last) {
        const auto middle = first + (last - first) / 2;
        auto timed = middle;
        auto time = time_of(timed);
        while (!time && timed > first) time = time_of(--timed);
        if (time && *time <= t) found = timed;
        if (!time || *time <= t)
            first = middle + 1;
        else
            last = timed;
    }
    return found;
}

/// The frames from the first to the last whose time is wanted, found by the times of all, whose payloads are not read.
/// What lies outside of them is not wanted, whatever order the times have. Only of a trace of one channel whose
/// payloads are in place and large (64 KiB on average); nullopt: the frames must be read.
[[nodiscard]] std::optional<FrameRange> frames_in_time(const Trace& trace, const TimeSpan& time);

}  // namespace ositrace
