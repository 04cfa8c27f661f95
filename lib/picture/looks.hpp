// SPDX-License-Identifier: MPL-2.0
// OSI's enumerators as looks. Numbers as in OSI 3.8.0; they are never used for anything else in later releases.
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/picture.hpp>

namespace ositrace::picture {

/// MovingObject.Type, and VehicleClassification.Type of a vehicle.
[[nodiscard]] Look look_of_moving_object(std::optional<std::int64_t> type,
                                         std::optional<std::int64_t> vehicle_type) noexcept;
[[nodiscard]] BodyShape shape_of_moving_object(std::optional<std::int64_t> type,
                                               std::optional<std::int64_t> vehicle_type) noexcept;
/// StationaryObject.Classification.Color.
[[nodiscard]] Look look_of_stationary_object(std::optional<std::int64_t> color) noexcept;
/// RoadMarking.Classification.Color.
[[nodiscard]] Look look_of_road_marking(std::optional<std::int64_t> color) noexcept;
/// TrafficLight.Classification.Color.
[[nodiscard]] Look look_of_traffic_light(std::optional<std::int64_t> color) noexcept;
/// Lane.Classification.Type and Subtype.
[[nodiscard]] Look look_of_lane(std::optional<std::int64_t> type, std::optional<std::int64_t> subtype) noexcept;
/// LaneBoundary.Classification.Color; empty: none is known. Paint without a colour is black.
[[nodiscard]] std::optional<Look> look_of_boundary_colour(std::optional<std::int64_t> color, bool is_paint) noexcept;

}  // namespace ositrace::picture
