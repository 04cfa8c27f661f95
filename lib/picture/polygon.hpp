// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ositrace::picture {

/// A corner on the ground, in the frame of the thing, in metres.
struct Corner {
    double x = 0, y = 0;
};

/// The cost of cutting grows with their square.
constexpr std::size_t most_cut_corners = 64;

/// Cuts a polygon without holes into triangles, as indices into `corners`. The polygon may be concave, of either
/// orientation, and pass a corner twice. Empty if it crosses itself, has no area, or has more than most_cut_corners
/// corners.
[[nodiscard]] std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const Corner> corners);

}  // namespace ositrace::picture
