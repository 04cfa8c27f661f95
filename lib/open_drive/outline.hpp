// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/open_drive/vector.hpp"

namespace ositrace::open_drive {

/// What the border of an area is: one of these, or `first_mark` and a number. Where borders lie on each other, the
/// largest one counts.
enum class BorderKind : std::uint32_t { no_line, road_edge, first_mark, mouth = 0xffff'ffff };

/// The area between two lines from one station to the next, in this order of its corners: left and right at its start,
/// then at its end.
struct AreaStrip {
    std::array<Vector, 4> corners;
    BorderKind left = BorderKind::no_line, right = BorderKind::no_line, start = BorderKind::no_line,
               end = BorderKind::no_line;
};

/// A part of the outline that is of one kind. It is closed if its last point is its first one.
struct OutlinePart {
    BorderKind kind = BorderKind::no_line;
    std::vector<Vector> line;
};

/// The outline of the union of strips, exact to 5 mm, with the area on the left of each part. The parts follow each
/// other around the area and around each hole that is wider than 5 cm. Mouths are left out. The cost grows with the
/// number of strips and of places where they cross; empty if it is larger than `most_cost`.
[[nodiscard]] std::optional<std::vector<OutlinePart>> outline_of(std::span<const AreaStrip> strips,
                                                                 std::size_t most_cost);

}  // namespace ositrace::open_drive
