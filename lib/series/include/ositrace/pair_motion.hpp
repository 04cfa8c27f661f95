// SPDX-License-Identifier: MPL-2.0
// Distance, gap, closing speed and time to collision of two objects.
#pragma once

#include <array>
#include <optional>

namespace ositrace {

/// An object on the ground: the rectangle of its bounding box, seen from above. Roll, pitch and height are ignored.
struct GroundBox {
    std::array<double, 2> centre{};    ///< m
    double length = 0;                 ///< m, in the direction of yaw
    double width = 0;                  ///< m
    double yaw = 0;                    ///< rad
    std::array<double, 2> velocity{};  ///< m/s, in the directions of `centre`
};

/// Relative motion of two objects.
struct PairMotion {
    double distance = 0;  ///< m, between the centres, in the ground plane
    double gap = 0;       ///< m, the shortest distance of the rectangles; 0 if they touch or overlap
    /// m/s, by which the gap shrinks: the relative velocity along the line between the nearest points of the
    /// rectangles. Negative: it grows. Empty if the rectangles overlap.
    std::optional<double> closing_speed;
    /// s; 0 if the rectangles overlap. If both drive in one corridor and the gap shrinks: gap / closing_speed. One
    /// corridor: their directions (of the velocity; of the heading without one) differ by less than 15 degrees, and one
    /// is ahead of the other within the width of its rectangle. So two cars in a lane of a bend, or one that has not
    /// quite finished changing to it, are no miss. Else until the rectangles touch if both keep their velocity and
    /// heading; empty if they never touch.
    std::optional<double> time_to_collision;
};

/// Symmetric. Empty if a number is not finite.
[[nodiscard]] std::optional<PairMotion> pair_motion(const GroundBox& a, const GroundBox& b) noexcept;

}  // namespace ositrace
