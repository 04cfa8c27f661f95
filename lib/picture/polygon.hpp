// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ositrace::picture {

/// A corner on the ground of the thing's own frame, m.
struct Corner {
    double x = 0, y = 0;
};

/// Cutting costs their square.
constexpr std::size_t most_cut_corners = 64;

/// Cuts a polygon without holes into triangles, as places in `corners`; either way round, and with dents. Empty for one
/// that crosses itself, has no area, or more than most_cut_corners.
[[nodiscard]] std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const Corner> corners);

}  // namespace ositrace::picture
