// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

/// An ideal sensor: it sees everything whose centre is in its field of view, and measures it exactly.
class VirtualSensor {
public:
    static constexpr double range = 120;
    static constexpr double half_field_of_view = pi / 3;

    explicit VirtualSensor(const WorldState& moment) noexcept
        : frame_(moment.sensor(virtual_mounting)), yaw_(moment.host().body.orientation.yaw)
    {
    }
    [[nodiscard]] const MovingFrame& frame() const noexcept { return frame_; }
    [[nodiscard]] bool sees(Vector point) const noexcept
    {
        const Vector local = frame_.to_local(point);
        return local.length() <= range && std::abs(arctangent(local.y, local.x)) <= half_field_of_view;
    }
    /// In the sensor frame; the velocity is that of the local position, relative to the turning sensor.
    [[nodiscard]] Body local(const Body& body) const noexcept
    {
        // The host and its virtual sensor are horizontal, so that the frames differ in yaw only.
        Body seen = body;
        seen.position = frame_.to_local(body.position);
        seen.orientation.yaw = wrapped(body.orientation.yaw - yaw_);
        seen.velocity = frame_.rotation.to_local(body.velocity - frame_.velocity_at(body.position));
        seen.yaw_rate = body.yaw_rate - frame_.yaw_rate;
        return seen;
    }
    [[nodiscard]] double existence_probability(const Body& seen) const noexcept
    {
        return 1 - 0.3 * seen.position.length() / range;
    }

private:
    MovingFrame frame_;
    double yaw_;
};

constexpr double sure = 0.9;

void write_entity_header(OsiWriter& out, const WorldState& moment)
{
    out.time("measurement_time", moment.time);
    out.unsigned_integer("cycle_counter", moment.frame);
    out.enumeration("data_qualifier", "DATA_QUALIFIER_AVAILABLE");
}

void write_item_header(OsiWriter& out, const WorldState& moment, std::uint64_t id, double existence_probability)
{
    out.message("header", [&] {
        out.id("tracking_id", id);
        out.id("ground_truth_id", id);
        out.real("existence_probability", existence_probability);
        out.real("age", moment.seconds);
        out.enumeration("measurement_state", "MEASUREMENT_STATE_MEASURED");
        out.id("sensor_id", SceneIds::virtual_sensor);
    });
}

void write_detected_base(OsiWriter& out, const Body& seen)
{
    out.dimension("dimension", seen.dimension);
    out.vector("position", seen.position);
    out.orientation("orientation", seen.orientation);
    out.vector("velocity", seen.velocity);
    out.orientation("orientation_rate", {0, 0, seen.yaw_rate});
}

void write_moving_candidates(OsiWriter& out, const RoadUser& user, const RoadUserState& state)
{
    out.message("candidate", [&] {
        out.real("probability", sure);
        out.enumeration("type", user.row->type);
        if (!user.row->vehicle_type.empty()) {
            out.message("vehicle_classification", [&] { write_vehicle_classification(out, user, state); });
        }
        if (user.row->type == "TYPE_PEDESTRIAN") {  // looks and walks straight on
            out.orientation("head_pose", {});
            out.orientation("upper_body_pose", {});
        }
    });
    out.message("candidate", [&] {
        out.real("probability", 1 - sure);
        out.enumeration("type", "TYPE_OTHER");
    });
}

void write_detected_moving_objects(OsiWriter& out, const World& world, const WorldState& moment,
                                   const VirtualSensor& sensor)
{
    const auto& users = world.traffic.users();
    for (std::size_t i = 1; i < users.size(); ++i) {
        const auto& state = moment.users[i];
        if (!sensor.sees(state.body.position)) continue;
        const auto seen = sensor.local(state.body);
        out.message("moving_object", [&] {
            write_item_header(out, moment, users[i].id, sensor.existence_probability(seen));
            out.message("base", [&] { write_detected_base(out, seen); });
            out.enumeration("reference_point", "REFERENCE_POINT_CENTER");
            out.enumeration("movement_state", "MOVEMENT_STATE_MOVING");
            write_moving_candidates(out, users[i], state);
            out.colour("color_description", users[i].colour);
        });
    }
}

/// Header, base and one candidate: common to all detected stationary things.
template <class Classification>
void write_detected(OsiWriter& out, FieldName field, const WorldState& moment, const VirtualSensor& sensor,
                    const Body& body, const Classification& classification)
{
    if (!sensor.sees(body.position)) return;
    const auto seen = sensor.local(body);
    out.message(field, [&] {
        write_item_header(out, moment, body.id, sensor.existence_probability(seen));
        out.message("base", [&] { write_base_stationary(out, seen); });
        out.message("candidate", [&] {
            out.real("probability", sure);
            out.message("classification", classification);
        });
    });
}

void write_detected_sign(OsiWriter& out, const WorldState& moment, const VirtualSensor& sensor, const TrafficSign& sign)
{
    if (!sensor.sees(sign.body.position)) return;
    const auto seen = sensor.local(sign.body);
    out.message("traffic_sign", [&] {
        write_item_header(out, moment, sign.body.id, sensor.existence_probability(seen));
        out.message("main_sign", [&] {
            out.message("candidate", [&] {
                out.real("probability", sure);
                out.message("classification", [&] { write_classification(out, sign); });
            });
            out.message("base", [&] { write_base_stationary(out, seen); });
        });
    });
}

/// The visible boundaries of each section.
using SeenBoundaries = std::array<std::array<bool, RingRoad::boundaries.size()>, RingRoad::sections>;

/// The visible part of a boundary; returns false if no part is visible.
bool write_detected_boundary(OsiWriter& out, const WorldState& moment, const VirtualSensor& sensor,
                             const RingRoad& road, std::size_t section, std::size_t i)
{
    const auto& row = RingRoad::boundaries[i];
    auto points = boundary_points(road, section, row);
    std::erase_if(points, [&](const BoundaryPoint& point) { return !sensor.sees(road.point(point.place)); });
    if (points.size() < 2) return false;
    out.message("lane_boundary", [&] {
        write_item_header(out, moment, road.boundary_id(section, i), sure);
        out.message("candidate", [&] {
            out.real("probability", sure);
            out.message("classification", [&] { write_classification(out, row); });
        });
        for (const auto& point : points) {
            const auto position = sensor.frame().to_local(road.point(point.place));
            out.message("boundary_line", [&] { write_boundary_point(out, point, position, row); });
        }
    });
    return true;
}

/// A lane in the section of the host, or in the next one ahead if both of its boundaries are visible there.
void write_detected_lane(OsiWriter& out, const WorldState& moment, const RingRoad& road, RoadPlace host,
                         std::size_t lane, const SeenBoundaries& seen)
{
    const auto& row = RingRoad::lanes[lane];
    const auto begin = road.section_of(host.s);
    const auto is_seen = [&](std::size_t ahead) {
        const auto& boundaries = seen.at((begin + ahead) % RingRoad::sections);
        return boundaries.at(lane) && boundaries.at(lane + 1);
    };
    std::size_t ahead = 0;
    while (ahead != RingRoad::sections && !is_seen(ahead)) ++ahead;
    if (ahead == RingRoad::sections) return;
    const auto section = (begin + ahead) % RingRoad::sections;
    out.message("lane", [&] {
        write_item_header(out, moment, road.lane_id(section, lane), sure);
        out.message("candidate", [&] {
            out.real("probability", sure);
            out.message("classification", [&] {
                out.enumeration("type", row.type);
                out.boolean("is_host_vehicle_lane", host.t > row.right && host.t <= row.left);
                out.id("right_lane_boundary_id", road.boundary_id(section, lane + 1));
                out.id("left_lane_boundary_id", road.boundary_id(section, lane));
                out.enumeration("subtype", row.subtype);
            });
        });
    });
}

/// A sector at the height of the sensor.
void write_detection_area(OsiWriter& out)
{
    constexpr int chords = 16;
    out.message("polygon", [&] {
        out.vector("vertex", {0, 0, 0});
        for (int i = 0; i <= chords; ++i) {
            const auto [sin, cos] = sine_cosine(VirtualSensor::half_field_of_view * (2.0 * i / chords - 1));
            out.vector("vertex", {VirtualSensor::range * cos, VirtualSensor::range * sin, 0});
        }
    });
}

void write_still_entities(OsiWriter& out, const World& world, const WorldState& moment, const VirtualSensor& sensor)
{
    const auto header = [&] { write_entity_header(out, moment); };
    const auto& roadside = world.roadside;
    out.message("traffic_sign_header", header);
    for (const auto& sign : roadside.signs) write_detected_sign(out, moment, sensor, sign);
    out.message("traffic_light_header", header);
    for (const auto& light : roadside.lights) {
        write_detected(out, "traffic_light", moment, sensor, light.body,
                       [&] { write_classification(out, light, moment.seconds); });
    }
    out.message("road_marking_header", header);
    for (const auto& marking : roadside.markings) {
        write_detected(out, "road_marking", moment, sensor, marking.body, [&] { write_classification(out, marking); });
    }
    out.message("lane_boundary_header", header);
    SeenBoundaries seen{};
    for (std::size_t section = 0; section < RingRoad::sections; ++section) {
        for (std::size_t i = 0; i < RingRoad::boundaries.size(); ++i)
            seen.at(section).at(i) = write_detected_boundary(out, moment, sensor, world.road, section, i);
    }
    out.message("lane_header", header);
    const auto host = world.road.place(moment.host().body.position);
    for (std::size_t lane = 0; lane < RingRoad::lanes.size(); ++lane)
        write_detected_lane(out, moment, world.road, host, lane, seen);
}

}  // namespace

void write_sensor_data(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks)
{
    const VirtualSensor sensor(moment);
    const auto header = [&] { write_entity_header(out, moment); };
    out.version("version", world.options.schema->osi_version());
    out.time("timestamp", moment.time);
    out.id("sensor_id", SceneIds::virtual_sensor);
    out.mounting_position("mounting_position", virtual_mounting.position, virtual_mounting.orientation);
    if (world.options.carry_input)
        out.message("sensor_view", [&] { write_sensor_view(out, world, moment, blocks); }, expected_bytes(world) / 2);
    out.time("last_measurement_time", moment.time);
    out.message("stationary_object_header", header);
    for (const auto& object : world.roadside.objects) {
        write_detected(out, "stationary_object", moment, sensor, object.body,
                       [&] { write_classification(out, object); });
    }
    out.message("moving_object_header", header);
    write_detected_moving_objects(out, world, moment, sensor);
    write_still_entities(out, world, moment, sensor);
    out.message("feature_data", [&] { write_feature_data(out, world, moment); }, expected_bytes(world) / 2);
    out.message("virtual_detection_area", [&] { write_detection_area(out); });
}

}  // namespace ositrace::scene
