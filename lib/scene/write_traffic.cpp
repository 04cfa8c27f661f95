// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

constexpr double ground_clearance = 0.15;

/// A lane that an object covers in part.
struct Coverage {
    std::size_t lane;
    double percent;
};

std::vector<Coverage> lanes_under(RoadPlace place, double width)
{
    std::vector<Coverage> covered;
    for (std::size_t lane = 0; lane < RingRoad::lanes.size(); ++lane) {
        const auto& row = RingRoad::lanes[lane];
        const double from = std::max(row.right, place.t - width / 2);
        const double to = std::min(row.left, place.t + width / 2);
        if (to > from) covered.push_back({lane, 100 * (to - from) / width});
    }
    return covered;
}

void write_lane_assignment(OsiWriter& out, const RingRoad& road, const Body& body)
{
    const auto place = road.place(body.position);
    const auto section = road.section_of(place.s);
    const auto covered = lanes_under(place, body.dimension.y);
    if (covered.empty()) return;
    out.message("moving_object_classification", [&] {
        for (const auto& lane : covered) out.id("assigned_lane_id", road.lane_id(section, lane.lane));
        for (const auto& lane : covered) out.real("assigned_lane_percentage", lane.percent);
        for (const auto& lane : covered) {
            out.message("logical_lane_assignment", [&] {
                out.id("assigned_lane_id", road.logical_lane_id(section, lane.lane));
                out.real("s_position", place.s);
                out.real("t_position", place.t);
                out.real("angle_to_lane", wrapped(body.orientation.yaw - road.heading(place.s)));
            });
        }
    });
}

std::string_view indicator(const RoadUserState& state) noexcept
{
    constexpr double changing_lanes = 0.25;  // m/s
    if (state.left_speed > changing_lanes) return "INDICATOR_STATE_LEFT";
    if (state.left_speed < -changing_lanes) return "INDICATOR_STATE_RIGHT";
    return "INDICATOR_STATE_OFF";
}

std::string_view brake_light(const RoadUserState& state) noexcept
{
    if (state.along_acceleration < -0.45) return "BRAKE_LIGHT_STATE_STRONG";
    if (state.along_acceleration < -0.15) return "BRAKE_LIGHT_STATE_NORMAL";
    return "BRAKE_LIGHT_STATE_OFF";
}

void write_light_state(OsiWriter& out, const RoadUser& user, const RoadUserState& state)
{
    const bool emergency = user.row->role == "ROLE_AMBULANCE";
    out.enumeration("indicator_state", indicator(state));
    out.enumeration("head_light", "GENERIC_LIGHT_STATE_ON");
    out.enumeration("high_beam", "GENERIC_LIGHT_STATE_OFF");
    out.enumeration("reversing_light", "GENERIC_LIGHT_STATE_OFF");
    out.enumeration("brake_light_state", brake_light(state));
    out.enumeration("emergency_vehicle_illumination",
                    emergency ? "GENERIC_LIGHT_STATE_FLASHING_BLUE" : "GENERIC_LIGHT_STATE_OFF");
    out.enumeration("tail_light", "GENERIC_LIGHT_STATE_ON");
}

/// Angle of the front wheels by the single-track model without slip.
double steering_angle(const RoadUserRow& row, const RoadUserState& state) noexcept
{
    return arctangent((row.front_axle - row.rear_axle) * state.body.yaw_rate, state.speed);
}

void write_wheel(OsiWriter& out, const RoadUserRow& row, const RoadUserState& state, unsigned axle, unsigned index)
{
    constexpr double tyre_width = 0.22;
    const bool front = axle == 0;
    const double side = (index == 0 ? -0.5 : 0.5) * (row.dimension.y - tyre_width);
    out.unsigned_integer("axle", axle);
    out.unsigned_integer("index", index);
    out.vector("position", (front ? to_front_axle(row) : to_rear_axle(row)) + Vector{0, side, 0});
    out.real("wheel_radius", row.wheel_radius);
    out.real("rim_radius", 0.7 * row.wheel_radius);
    out.real("width", tyre_width);
    out.orientation("orientation", {0, 0, front ? steering_angle(row, state) : 0});
    out.real("rotation_rate", state.speed / row.wheel_radius);
}

void write_vehicle_attributes(OsiWriter& out, const World& world, const RoadUser& user, const RoadUserState& state)
{
    constexpr double steering_ratio = 15;
    const bool host = user.id == SceneIds::host;
    const auto& row = *user.row;
    if (host) out.id("driver_id", world.ids.still(SceneIds::occupant, 0));
    out.unsigned_integer("number_wheels", row.wheels);
    out.vector("bbcenter_to_rear", to_rear_axle(row));
    out.vector("bbcenter_to_front", to_front_axle(row));
    out.real("ground_clearance", ground_clearance);
    if (!host) return;
    for (unsigned wheel = 0; wheel < row.wheels; ++wheel) {
        out.message("wheel_data", [&] { write_wheel(out, row, state, wheel / 2, wheel % 2); });
    }
    out.real("steering_wheel_angle", steering_ratio * steering_angle(row, state));
}

void write_moving_object(OsiWriter& out, const World& world, const RoadUser& user, const RoadUserState& state)
{
    const auto& row = *user.row;
    const bool vehicle = !row.vehicle_type.empty();
    out.id("id", user.id);
    out.message("base", [&] { write_base_moving(out, state); });
    out.enumeration("type", row.type);
    if (vehicle) {
        out.message("vehicle_attributes", [&] { write_vehicle_attributes(out, world, user, state); });
        out.message("vehicle_classification", [&] { write_vehicle_classification(out, user, state); });
    }
    out.text("model_reference", row.name);
    if (world.options.static_data != StaticData::never) write_lane_assignment(out, world.road, state.body);
    out.colour("color_description", user.colour);
    if (row.type == "TYPE_PEDESTRIAN") {
        out.message("pedestrian_attributes", [&] { out.vector("bbcenter_to_root", {0, 0, 0.05 * row.dimension.z}); });
    }
}

}  // namespace

void write_base_moving(OsiWriter& out, const RoadUserState& state)
{
    out.dimension("dimension", state.body.dimension);
    out.vector("position", state.body.position);
    out.orientation("orientation", state.body.orientation);
    out.vector("velocity", state.body.velocity);
    out.vector("acceleration", state.acceleration);
    out.orientation("orientation_rate", {0, 0, state.body.yaw_rate});
}

void write_vehicle_classification(OsiWriter& out, const RoadUser& user, const RoadUserState& state)
{
    out.enumeration("type", user.row->vehicle_type);
    out.message("light_state", [&] { write_light_state(out, user, state); });
    out.boolean("has_trailer", false);
    out.enumeration("role", user.row->role);
}

void write_moving_objects(OsiWriter& out, const World& world, const WorldState& moment)
{
    const auto& users = world.traffic.users();
    for (std::size_t i = 0; i < users.size(); ++i) {
        out.message("moving_object", [&] { write_moving_object(out, world, users[i], moment.users[i]); }, 400);
    }
}

}  // namespace ositrace::scene
