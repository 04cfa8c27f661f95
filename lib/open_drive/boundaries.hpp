// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

/// The ids of the boundaries of one lane, in the order of s. Where two lines separate two lanes, each lane has the one
/// on its side (osi_lane.proto).
struct LaneBoundaries {
    std::vector<std::uint64_t> left, right;
    std::vector<std::uint64_t> logical_left, logical_right;
};

/// Is a border without a mark a LaneBoundary? Of the borders of connecting lanes only the outline of all is one.
enum class Unmarked : bool { left_out, written };

/// The mark of an outer border (0 or the number of lanes) at s that is a single line on it; null: there is none. On the
/// outline of an intersection it is a free boundary.
[[nodiscard]] const RoadMark* line_on_border(const LaneSection& section, std::size_t border, double s);

/// Of each outer border by row, from it to the next one: the free boundary that has its mark; 0: none.
struct OutlineRows {
    std::vector<std::uint64_t> leftmost, rightmost;
};

/// Writes a LaneBoundary with a mark that is a single line.
void write_mark(MapWriter& map, std::uint64_t id, const RoadMark& mark, const std::vector<Vector>& line);

/// Writes the LaneBoundary and LogicalLaneBoundary elements of a section, and returns those of each lane.
[[nodiscard]] std::vector<LaneBoundaries> write_boundaries(MapWriter& map, const SectionLines& lines,
                                                           std::uint64_t reference_line_id,
                                                           Unmarked unmarked = Unmarked::written,
                                                           const OutlineRows* outline = nullptr);

}  // namespace ositrace::open_drive
