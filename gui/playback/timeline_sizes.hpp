// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::gui::timeline_sizes {

// Pixels, from the left and from the top: names of channels, then time; ruler, marks, a lane per channel.
inline constexpr int names_width = 150;
inline constexpr int ruler_height = 20;
inline constexpr int marks_height = 10;
inline constexpr int lane_height = 18;
inline constexpr int most_lanes_at_once = 6;  // further ones are scrolled to
inline constexpr int margin = 8;
inline constexpr int mark_reach = 4;
inline constexpr int mark_pitch = 2 * mark_reach + 2;  // marks that are closer stand together

}  // namespace ositrace::gui::timeline_sizes
