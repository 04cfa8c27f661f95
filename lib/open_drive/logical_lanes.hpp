// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "lib/open_drive/boundaries.hpp"
#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

/// A part of a lane that another lane overlaps (osi3.LogicalLane.LaneRelation).
struct Overlap {
    std::size_t lane = 0;  ///< of the network
    double start = 0, end = 0;
    double start_other = 0, end_other = 0;
};

/// Writes the LogicalLane of each lane of a section. `first_lane`: of the network. `overlaps`: of each lane; may be
/// empty.
void write_logical_lanes(MapWriter& map, const SectionLines& lines, std::size_t first_lane,
                         const std::vector<LaneBoundaries>& boundaries, std::uint64_t reference_line_id,
                         const std::vector<std::vector<Overlap>>& overlaps = {});

/// Writes a ReferenceLine with the stations of a road.
void write_reference_line(MapWriter& map, const std::vector<RoadFrame>& stations, std::uint64_t id);

}  // namespace ositrace::open_drive
