// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/frame.hpp>

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

}  // namespace ositrace
