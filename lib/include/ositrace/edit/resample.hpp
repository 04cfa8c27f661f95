// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// What resampling has done so far.
struct ResampleCounts {
    std::uint64_t frames_in = 0;
    std::uint64_t frames_out = 0;
    std::uint64_t unchanged = 0;     ///< frames at the time of one of the source
    std::uint64_t interpolated = 0;  ///< objects between two of their poses
    std::uint64_t held = 0;          ///< objects of a frame that the next one does not have
    std::set<std::string> fields;    ///< that were interpolated: `moving_object.base.position`
    Nanoseconds largest_gap{};       ///< between two frames of the source
};

/// The messages of a trace at equal steps of `period` from its first time to its last. A frame between two of the
/// source is the earlier one at its new time (all points in time are moved), in which the objects that both have, by
/// id, are between their poses: positions, velocities, accelerations and rates in proportion, orientations on the
/// shorter way round the circle. All else is that of the earlier frame. A component that only one of the two sets is 0
/// in the other. Channels that are not OSI and map channels are copied. Throws Error (unsupported) for more than one
/// other OSI channel, (mismatch) for a frame without a time, or one not after that before it, (limit) for one
/// more than 100 000 periods after it. Memory: two frames.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> resample(std::unique_ptr<FrameSource> from, Nanoseconds period,
                                                                 ResampleCounts& counts);

}  // namespace ositrace
