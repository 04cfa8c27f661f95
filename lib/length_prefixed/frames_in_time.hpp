// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// The frames from the first to the last whose time is wanted, found by the times of all, whose payloads are not read.
/// What lies outside of them is not wanted, whatever order the times have. Only of a length-prefixed file of large
/// frames (64 KiB on average); nullopt: the frames must be read.
[[nodiscard]] std::optional<FrameRange> frames_in_time(const Trace& trace, const TimeSpan& time);

}  // namespace ositrace
