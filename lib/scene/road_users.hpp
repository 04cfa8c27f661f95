// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <string_view>

#include "lib/messages/geometry.hpp"

namespace ositrace::scene {

/// The part of the road that a road user uses.
enum class Track : unsigned char { oncoming_lane, left_lane, right_lane, both_lanes, bicycle_lane, sidewalk, verge };

/// A kind of road user; enumerators as in OSI.
struct RoadUserRow {
    std::string_view name;
    std::string_view type;          ///< MovingObject.Type
    std::string_view vehicle_type;  ///< empty if it is not a vehicle
    std::string_view role;
    Track track;
    Vector dimension;
    double rear_axle, front_axle;  ///< x from the centre
    double wheel_radius;
    unsigned wheels;
    Colour colour;
    double reflectivity;
};

[[nodiscard]] const RoadUserRow& host_row() noexcept;
/// One row per kind; road user i is of kind i modulo the number of rows.
[[nodiscard]] std::span<const RoadUserRow> road_user_rows() noexcept;

}  // namespace ositrace::scene
