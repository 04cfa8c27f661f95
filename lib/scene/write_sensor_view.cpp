// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

std::size_t expected_ground_truth_bytes(const World& world) noexcept
{
    const std::size_t map = world.options.static_data == StaticData::never ? 0 : 4'000 * world.road.chords();
    return 2'000 + map + 450 * world.traffic.users().size();
}

void write_host_vehicle_data(OsiWriter& out, const World& world, const WorldState& moment)
{
    constexpr double full_throttle = 3.0, full_brake = 8.0;  // m/s2
    const auto& host = moment.host();
    out.message("location", [&] { write_base_moving(out, host); });
    out.message("vehicle_basics", [&] {
        out.real("curb_weight", 1500);
        out.enumeration("operating_state", "OPERATING_STATE_DRIVING");
    });
    out.message("vehicle_powertrain", [&] {
        out.real("pedal_position_acceleration", std::clamp(host.along_acceleration / full_throttle, 0.0, 1.0));
        out.integer("gear_transmission", 3);
    });
    out.message("vehicle_brake_system",
                [&] { out.real("pedal_position_brake", std::clamp(-host.along_acceleration / full_brake, 0.0, 1.0)); });
    out.version("version", world.options.schema->osi_version());
    out.time("timestamp", moment.time);
    out.id("host_vehicle_id", SceneIds::host);
}

std::size_t expected_lidar_bytes(const SceneOptions& options) noexcept
{
    const std::size_t reflection = options.reflection_fields == 2 ? 20 : options.reflection_fields == 3 ? 29 : 66;
    return options.reflections * (reflection + (options.ray_directions ? 33 : 0)) + 160;
}

}  // namespace

std::size_t expected_bytes(const World& world) noexcept
{
    constexpr std::size_t detection = 110;
    const auto& options = world.options;
    const std::size_t truth = 2'000 + expected_ground_truth_bytes(world);
    const std::size_t view = truth + expected_lidar_bytes(options);
    switch (options.type) {
    case MessageType::ground_truth: return truth;
    case MessageType::sensor_data: return (options.carry_input ? view : 0) + truth + detection * options.reflections;
    default: return view;
    }
}

void write_sensor_view(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks)
{
    out.version("version", world.options.schema->osi_version());
    out.time("timestamp", moment.time);
    out.id("sensor_id", SceneIds::virtual_sensor);
    out.mounting_position("mounting_position", virtual_mounting.position, virtual_mounting.orientation);
    out.message("host_vehicle_data", [&] { write_host_vehicle_data(out, world, moment); }, 400);
    out.message(
        "global_ground_truth", [&] { write_ground_truth(out, world, moment, blocks); },
        expected_ground_truth_bytes(world));
    out.id("host_vehicle_id", SceneIds::host);
    if (world.options.reflections == 0) return;
    out.message(
        "lidar_sensor_view", [&] { write_lidar_sensor_view(out, world, moment); }, expected_lidar_bytes(world.options));
}

}  // namespace ositrace::scene
