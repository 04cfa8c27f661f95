// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <vector>

#include <ositrace/picture.hpp>

namespace ositrace::picture {

using Line = std::span<const Point>;

/// A boundary of a lane.
struct LaneEdge {
    Line line;
    double gap = 0;  ///< m: the distance of its dashes, with which it may begin and end
};

/// The lines around a lane. They may run in any direction and be in any order.
struct LaneSides {
    std::vector<LaneEdge> left, right;
    std::vector<LaneEdge> free;  ///< around an intersection
    std::vector<Point> centre;   ///< empty without one
};

/// The surface of a lane, as triangle strips.
struct LaneArea {
    std::vector<std::vector<Point>> strips;
    std::size_t cost = 0;  ///< distances that were computed
};

/// The surface between the left and the right boundaries, only where the lane has both: consecutive boundaries of a
/// side are joined, a gap between them stays open unless it is one between dashes. Each strip contains the points of
/// the boundaries themselves, so that the surfaces of neighbours have no seam. Stops at about `most_cost`.
[[nodiscard]] LaneArea area_between_sides(const LaneSides& sides, std::size_t most_cost);

/// The surface that the free boundaries enclose: each is connected to the nearest one. A closed one inside of others is
/// a hole. Empty if the outline crosses itself, or is a single open line.
[[nodiscard]] LaneArea area_inside(std::span<const LaneEdge> free);

}  // namespace ositrace::picture
