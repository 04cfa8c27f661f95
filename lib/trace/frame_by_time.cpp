// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/frame_by_time.hpp"

#include <algorithm>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// Below this, reading frame after frame is faster than looking at the times of all.
constexpr std::uint64_t frames_worth_a_look = std::uint64_t{64} << 10;

}  // namespace

std::optional<FrameRange> frames_in_time(const Trace& trace, const TimeSpan& time)
try {
    const auto& info = trace.info();
    if (info.channels.size() != 1 || !info.container.payloads_in_place || trace.frame_count() == 0) return std::nullopt;
    if (trace.frame_sizes().total / trace.frame_count() < frames_worth_a_look) return std::nullopt;
    std::optional<Nanoseconds> last;  // a frame without a time belongs to the frame before it
    FrameRange found{UINT64_MAX, 0};
    for (std::uint64_t i = 0; i != trace.frame_count(); ++i) {
        if (const auto own = trace.frame_time(0, i)) last = own;
        if (!last || !time.contains(*last)) continue;
        found.from = std::min(found.from, i);
        found.to = i + 1;
    }
    return found.from < found.to ? std::optional(found) : std::nullopt;
} catch (const Error&) {
    return std::nullopt;  // who reads the frames says what is wrong, and where
}

}  // namespace ositrace
