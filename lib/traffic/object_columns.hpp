// SPDX-License-Identifier: MPL-2.0
// The fields of moving objects as columns, whatever the release of OSI has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/picture/leaf_columns.hpp"

namespace ositrace::traffic {

/// Of a message only whether it is present.
enum class ObjectLeaf : std::uint8_t {
    id_value,
    type,
    x,
    y,
    z,
    roll,
    pitch,
    yaw,
    length,
    width,
    height,
    vx,
    vy,
    vz,
    ax,
    ay,
    az,
    yaw_rate,
    to_front_x,
    to_rear_x,
    vehicle_type,
    indicator,
    brake_light,
    has_trailer,
    trailer_value,
    id,
    position,
    dimension,
    velocity,
    acceleration,
    trailer,
};
inline constexpr std::size_t object_leaf_count = 31;
inline constexpr std::array<picture::LeafRow, object_leaf_count> object_leaf_rows{{
    {"id.value", picture::LeafKind::integer},
    {"type", picture::LeafKind::integer},
    {"base.position.x", picture::LeafKind::real},
    {"base.position.y", picture::LeafKind::real},
    {"base.position.z", picture::LeafKind::real},
    {"base.orientation.roll", picture::LeafKind::real},
    {"base.orientation.pitch", picture::LeafKind::real},
    {"base.orientation.yaw", picture::LeafKind::real},
    {"base.dimension.length", picture::LeafKind::real},
    {"base.dimension.width", picture::LeafKind::real},
    {"base.dimension.height", picture::LeafKind::real},
    {"base.velocity.x", picture::LeafKind::real},
    {"base.velocity.y", picture::LeafKind::real},
    {"base.velocity.z", picture::LeafKind::real},
    {"base.acceleration.x", picture::LeafKind::real},
    {"base.acceleration.y", picture::LeafKind::real},
    {"base.acceleration.z", picture::LeafKind::real},
    {"base.orientation_rate.yaw", picture::LeafKind::real},
    {"vehicle_attributes.bbcenter_to_front.x", picture::LeafKind::real},
    {"vehicle_attributes.bbcenter_to_rear.x", picture::LeafKind::real},
    {"vehicle_classification.type", picture::LeafKind::integer},
    {"vehicle_classification.light_state.indicator_state", picture::LeafKind::integer},
    {"vehicle_classification.light_state.brake_light_state", picture::LeafKind::integer},
    {"vehicle_classification.has_trailer", picture::LeafKind::integer},
    {"vehicle_classification.trailer_id.value", picture::LeafKind::integer},
    {"id", picture::LeafKind::message},
    {"base.position", picture::LeafKind::message},
    {"base.dimension", picture::LeafKind::message},
    {"base.velocity", picture::LeafKind::message},
    {"base.acceleration", picture::LeafKind::message},
    {"vehicle_classification.trailer_id", picture::LeafKind::message},
}};
using ObjectColumns = picture::LeafColumns<ObjectLeaf, object_leaf_count>;

}  // namespace ositrace::traffic
