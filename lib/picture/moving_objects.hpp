// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/trail_finder.hpp>

#include "lib/picture/layer_builder.hpp"

namespace ositrace::picture {

/// The type of a MovingObject, or of a candidate for a detected one: `heavy truck`.
struct MovingKind {
    Look look = Look::unknown;
    std::string type;
    BodyShape shape = BodyShape::box;
};
[[nodiscard]] MovingKind kind_of_moving_object(const MessageView& classified);

/// The MovingObjects of `field` as bodies with their velocity, lamps and future trajectory; the one with the id `host`
/// as the host. `trails`: where they were before; may be null.
void add_moving_objects(LayerBuilder& to, const MessageView& parent, std::string_view field,
                        std::optional<std::uint64_t> host, const Trails* trails = nullptr);

/// HostVehicleData, or another message with the place of the host in a field `location`: a box.
void add_host_location(LayerBuilder& to, const MessageView& host_vehicle_data, std::string_view path, ThingId id);

/// The lamps of a vehicle, from a VehicleClassification.LightState, on the body of the last added thing. A lamp whose
/// state is unknown has none.
void add_vehicle_lights(LayerBuilder& to, const MessageView& light_state, BodyShape shape);

/// Where the last added thing was, as a line on the ground, fainter the longer ago. `global`: places it in the picture.
/// `id`: of the thing; without one, or without a trail, nothing is added.
void add_trail(LayerBuilder& to, const Trails::ById& trails, ThingId id, const Placement& global);

/// Positions of StatePoints as a line of the last added thing.
void add_trajectory(LayerBuilder& to, const MessageView& parent, std::string_view field);

}  // namespace ositrace::picture
