// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <vector>

#include "lib/picture/layer_builder.hpp"
#include "lib/picture/line_reader.hpp"

namespace ositrace::picture {

using Line = std::span<const Point>;

/// The lines on both sides of a lane.
struct LaneSides {
    std::vector<Line> left, right;
    std::vector<Point> centre;  ///< empty where there is none
};

/// How the strips along the edges look: opaque at the edge, nothing `width` metres inside, or in the middle of a
/// narrower lane.
struct EdgeStyle {
    Look look = Look::lane_other;
    float width = 0.75F;  ///< as the OSI converter of Lichtblick has it
    float lift = 0;       ///< metres above the edge
};

/// Strips of the thing added last. Which side is inside follows from the opposite side, else from the centre line:
/// boundaries may run against the lane. False when there is no edge.
bool add_lane_edges(LayerBuilder& to, const LaneSides& sides, const EdgeStyle& style);

/// The centre line with an arrow every few metres, in driving direction.
void add_centreline(LayerBuilder& to, std::span<const Point> line, bool is_driving_direction);

}  // namespace ositrace::picture
