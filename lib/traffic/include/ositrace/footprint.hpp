// SPDX-License-Identifier: MPL-2.0
// Objects seen from above, as rectangles: distances, and how long until they touch.
#pragma once

#include <array>
#include <optional>

#include <ositrace/traffic_frame.hpp>

namespace ositrace {

using GroundPoint = std::array<double, 2>;  ///< x, y

/// The rectangle of a bounding box. Roll, pitch and height are ignored.
struct Footprint {
    GroundPoint centre{};        ///< m
    double length = 0;           ///< m, in the direction of yaw
    double width = 0;            ///< m
    double yaw = 0;              ///< rad
    GroundPoint velocity{};      ///< m/s, global
    GroundPoint acceleration{};  ///< m/s², global
};

[[nodiscard]] Footprint footprint_of(const TrafficObject& object) noexcept;
/// Front left, rear left, rear right, front right.
[[nodiscard]] std::array<GroundPoint, 4> corners_of(const Footprint& footprint) noexcept;
/// Unit vector of the velocity, or of the heading if it does not move.
[[nodiscard]] GroundPoint direction_of(const Footprint& footprint) noexcept;
[[nodiscard]] bool is_finite(const Footprint& footprint) noexcept;

/// The shortest way from one rectangle to another; length 0: they touch or overlap.
struct ShortestWay {
    double length = 0;
    GroundPoint step{};  ///< from the first to the second
};
[[nodiscard]] ShortestWay shortest_way(const Footprint& a, const Footprint& b) noexcept;

/// Seconds until the rectangles touch if both keep their velocity and heading: 0 if they touch now, empty if they never
/// do. Where a separating axis exists, the intersection of the times at which their projections overlap.
[[nodiscard]] std::optional<double> time_to_contact(const Footprint& a, const Footprint& b) noexcept;

/// How one object is ahead of another on one path: the follower is the one whose path it is.
struct PathMotion {
    double clearance = 0;      ///< m, from the front surface of the follower to the rear surface of the leader; not < 0
    double closing_speed = 0;  ///< m/s, by which it shrinks
    double closing_acceleration = 0;  ///< m/s², by which the closing speed grows
    double follower_speed = 0;        ///< m/s, along the path
};
/// Along the straight path of `follower` (direction_of), as wide as it: empty if no part of `leader` is in it and
/// wholly ahead, or if they drive in opposite directions.
[[nodiscard]] std::optional<PathMotion> in_corridor(const Footprint& follower, const Footprint& leader) noexcept;

/// clearance / follower_speed, s; empty if the follower does not drive forwards.
[[nodiscard]] std::optional<double> time_gap_of(const PathMotion& motion) noexcept;
/// clearance / closing_speed, s; empty if it does not close.
[[nodiscard]] std::optional<double> time_to_collision_of(const PathMotion& motion) noexcept;
/// The least t >= 0 with clearance = closing_speed * t + closing_acceleration * t² / 2, s; empty if there is none.
[[nodiscard]] std::optional<double> enhanced_time_to_collision_of(const PathMotion& motion) noexcept;
/// closing_speed² / (2 * clearance), m/s²; empty if it does not close, or without clearance.
[[nodiscard]] std::optional<double> required_deceleration_of(const PathMotion& motion) noexcept;

}  // namespace ositrace
