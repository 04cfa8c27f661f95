// SPDX-License-Identifier: MPL-2.0
// Writes the parts of a scene as OSI messages. A function named after a message writes its fields; the writer must be
// inside this message.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <ositrace/byte_buffer.hpp>

#include "lib/messages/osi_writer.hpp"
#include "lib/scene/lidar.hpp"
#include "lib/scene/world.hpp"

namespace ositrace::scene {

/// The fields of a GroundTruth that are the same in every frame, encoded once: whole fields with their tags. The other
/// fields are written between them.
struct StaticBlocks {
    StaticBlocks(const World& world, const Schema& schema);
    ByteBuffer stationary_objects;
    ByteBuffer traffic_signs;
    ByteBuffer markings_and_boundaries;
    ByteBuffer logical_road;
};

/// An estimate of the size of a frame of this world, rather too large than too small.
[[nodiscard]] std::size_t expected_bytes(const World& world) noexcept;

// The top-level messages.
void write_ground_truth(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks);
void write_sensor_view(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks);
void write_sensor_data(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks);

// Inside GroundTruth.
void write_stationary_objects(OsiWriter& out, const Roadside& roadside);
void write_traffic_signs(OsiWriter& out, const World& world);
void write_traffic_lights(OsiWriter& out, const World& world, const WorldState& moment);
void write_road_markings(OsiWriter& out, const World& world);
void write_lane_boundaries(OsiWriter& out, const RingRoad& road);
void write_lanes(OsiWriter& out, const RingRoad& road, RoadPlace host);
void write_reference_line(OsiWriter& out, const RingRoad& road);
void write_logical_lane_boundaries(OsiWriter& out, const RingRoad& road);
void write_logical_lanes(OsiWriter& out, const RingRoad& road);
void write_moving_objects(OsiWriter& out, const World& world, const WorldState& moment);

// Inside those messages; also used by the candidates of SensorData.
void write_base_moving(OsiWriter& out, const RoadUserState& state);
void write_base_stationary(OsiWriter& out, const Body& body, bool outlined = false);
void write_classification(OsiWriter& out, const StationaryObject& object);
void write_classification(OsiWriter& out, const TrafficSign& sign);
void write_classification(OsiWriter& out, const TrafficLight& light, double seconds);
void write_classification(OsiWriter& out, const RoadMarking& marking);
void write_vehicle_classification(OsiWriter& out, const RoadUser& user, const RoadUserState& state);
void write_classification(OsiWriter& out, const BoundaryRow& boundary);

/// A point of a lane boundary; `dash` is empty if the line is not dashed.
struct BoundaryPoint {
    RoadPlace place;
    std::string_view dash;
};
[[nodiscard]] std::vector<BoundaryPoint> boundary_points(const RingRoad& road, std::size_t section,
                                                         const BoundaryRow& boundary);
void write_boundary_point(OsiWriter& out, const BoundaryPoint& point, Vector position, const BoundaryRow& boundary);

// Inside SensorView and SensorData.
void write_lidar_sensor_view(OsiWriter& out, const World& world, const WorldState& moment);
void write_feature_data(OsiWriter& out, const World& world, const WorldState& moment);

}  // namespace ositrace::scene
