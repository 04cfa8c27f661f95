// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/frame.hpp>

namespace ositrace {

/// The last of `count` frames with a time <= t, by bisection; `time_of(i)` is asked for few of them. Frames without a
/// time are passed over: [first, middle] is decided by the last frame in it that has one. Meaningful where times do not
/// go backward.
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

}  // namespace ositrace
