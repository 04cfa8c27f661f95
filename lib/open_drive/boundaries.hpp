// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

/// The ids of the boundaries of one lane, in the order of s. Where two lines separate two lanes, each lane has the one
/// on its side (osi_lane.proto).
struct LaneBoundaries {
    std::vector<std::uint64_t> left, right;
    std::vector<std::uint64_t> logical_left, logical_right;
};

/// Where the outline of an intersection follows a border: which segments of the border's polyline belong to it.
using IsOutline = std::function<bool(std::size_t border, std::size_t row)>;

/// Writes the LaneBoundary and LogicalLaneBoundary elements of a section, and returns those of each lane. `outline` is
/// set for connecting roads: borders without a mark are then written only where the outline follows them, and
/// `free_boundaries` receives all ids.
[[nodiscard]] std::vector<LaneBoundaries> write_boundaries(MapWriter& map, const SectionLines& lines,
                                                           std::uint64_t reference_line_id,
                                                           const IsOutline& outline = {},
                                                           std::vector<std::uint64_t>* free_boundaries = nullptr);

}  // namespace ositrace::open_drive
