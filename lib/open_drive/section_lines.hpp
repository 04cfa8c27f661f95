// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "lib/open_drive/road_surface.hpp"

namespace ositrace::open_drive {

/// The borders of all lanes of a section at one station.
struct SectionRow {
    RoadFrame frame;
    std::vector<double> t;       ///< from left to right: border i is left of lane i, border i + 1 right of it
    std::vector<Vector> border;  ///< on the road's surface
};

/// The lanes of a section as polylines with common stations, so that no line is further from its curve than OSI allows:
/// 5 cm in the plane (osi_lane.proto) and 2 cm in height (osi_logicallane.proto). Where a function jumps, two rows have
/// the same s.
struct SectionLines {
    const Road* road = nullptr;
    const LaneSection* section = nullptr;
    std::vector<SectionRow> rows;  ///< at least two

    /// The left (right) edge of lane `lane` in a row: its border, raised by the lane's height.
    [[nodiscard]] Vector left_edge(const SectionRow& row, std::size_t lane) const noexcept;
    [[nodiscard]] Vector right_edge(const SectionRow& row, std::size_t lane) const noexcept;

private:
    [[nodiscard]] double height(const SectionRow& row, std::size_t lane, bool left) const noexcept;
};

/// `max_deviation` in metres, in the plane. Throws Error (limit) where the lines have more than `points_left` points,
/// and counts it down. Stations are no further apart than `max_step`.
[[nodiscard]] SectionLines sample(const RoadSurface& surface, const LaneSection& section, double max_deviation,
                                  std::size_t& points_left, double max_step = std::numeric_limits<double>::infinity());

}  // namespace ositrace::open_drive
