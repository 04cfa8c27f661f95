// SPDX-License-Identifier: MPL-2.0
// Distance, gap, closing speed and time to collision of two objects of a picture.
#pragma once

#include <optional>

#include <ositrace/footprint.hpp>

namespace ositrace {

using GroundBox = Footprint;

/// Relative motion of two objects, as the columns of the table `interactions` define it.
struct PairMotion {
    double distance = 0;  ///< m, between the centres, in the ground plane
    double gap = 0;       ///< m, the shortest distance of the rectangles; 0 if they touch or overlap
    /// Of the one that follows the other in its corridor (in_corridor()); empty if none does.
    std::optional<PathMotion> path;
    /// s, until the rectangles touch if both keep their velocity and heading: the column `ttc_2d`.
    std::optional<double> time_to_contact;
};

/// Symmetric. Empty if a number is not finite.
[[nodiscard]] std::optional<PairMotion> pair_motion(const GroundBox& a, const GroundBox& b) noexcept;

}  // namespace ositrace
