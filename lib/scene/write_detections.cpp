// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

void write_header(OsiWriter& out, const WorldState& moment, const Mounting& mounting, std::uint64_t sensor,
                  std::uint64_t detections)
{
    out.time("measurement_time", moment.time);
    out.unsigned_integer("cycle_counter", moment.frame);
    out.mounting_position("mounting_position", mounting.position, mounting.orientation);
    out.enumeration("data_qualifier", "DATA_QUALIFIER_AVAILABLE");
    out.unsigned_integer("number_of_valid_detections", detections);
    out.id("sensor_id", sensor);
}

/// The detections of one sensor, encoded before the header that counts them.
struct Detections {
    ByteBuffer bytes;
    std::uint64_t count = 0;
};

void write_lidar_detection(OsiWriter& out, const RayGrid& grid, std::uint32_t row, std::uint32_t column, const Hit& hit)
{
    const bool ground = hit.object_id == SceneIds::none;
    out.real("existence_probability", 1 - 0.5 * hit.distance / ray_range);
    out.id("object_id", hit.object_id);
    out.spherical("position", hit.distance, grid.azimuth(column), grid.elevation(row));
    out.real("intensity", 100 * hit.reflectivity * hit.incidence);
    out.real("free_space_probability", 1);
    out.enumeration("classification",
                    ground ? "DETECTION_CLASSIFICATION_OVERDRIVABLE" : "DETECTION_CLASSIFICATION_OTHER");
    out.real("reflectivity", hit.reflectivity);
    out.real("radial_velocity", hit.closing_speed);
    out.id("beam_id", row);
}

Detections lidar_detections(const World& world, const WorldState& moment, const MessageTable& data)
{
    Detections found;
    OsiWriter out(found.bytes, data);
    const auto& grid = world.lidar_grid;
    Scan scan(moment.sensor(lidar_mounting), grid, bodies(world, moment));
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
        const auto hits = scan.row(row);
        for (std::uint32_t column = 0; column < grid.columns; ++column) {
            if (!hits[column].returned()) continue;
            out.message("detection", [&] { write_lidar_detection(out, grid, row, column, hits[column]); });
            ++found.count;
        }
    }
    return found;
}

void write_radar_detection(OsiWriter& out, Vector towards, const Hit& hit)
{
    constexpr double strength_at_1_m = 40;
    out.real("existence_probability", 0.95);
    out.id("object_id", hit.object_id);
    out.spherical("position", hit.distance, arctangent(towards.y, towards.x),
                  arctangent(towards.z, std::sqrt(towards.x * towards.x + towards.y * towards.y)));
    out.spherical("position_rmse", 0.1, 0.005, 0.01);
    out.real("radial_velocity", hit.closing_speed);
    out.real("radial_velocity_rmse", 0.05);
    out.real("rcs", decibels(10 * hit.reflectivity * std::max(hit.incidence, 0.01)));
    out.real("snr", strength_at_1_m - decibels(hit.distance));
}

/// A detection on the nearest surface in the direction of each body's centre.
Detections radar_detections(const World& world, const WorldState& moment, const MessageTable& data)
{
    constexpr double range = 150, half_field_of_view = pi / 4;
    Detections found;
    OsiWriter out(found.bytes, data);
    const auto sensor = moment.sensor(radar_mounting);
    std::vector<Target> targets;
    for (const auto& body : bodies(world, moment)) targets.emplace_back(sensor, body);
    for (const auto& target : targets) {
        const Vector centre = sensor.to_local(target.body.position);
        const double distance = centre.length();
        if (distance > range || std::abs(arctangent(centre.y, centre.x)) > half_field_of_view) continue;
        const Vector towards = (1 / distance) * centre;
        const auto hit = first_hit(sensor, towards, targets);
        if (hit.object_id != target.body.id) continue;  // hidden behind another body, which has its own detection
        out.message("detection", [&] { write_radar_detection(out, towards, hit); });
        ++found.count;
    }
    return found;
}

void write_detection_data(OsiWriter& out, const WorldState& moment, const Mounting& mounting, std::uint64_t sensor,
                          const Detections& found)
{
    out.message("header", [&] { write_header(out, moment, mounting, sensor, found.count); });
    out.raw().buffer().append(found.bytes.bytes());
}

}  // namespace

void write_feature_data(OsiWriter& out, const World& world, const WorldState& moment)
{
    out.version("version", world.options.schema->osi_version());
    out.message("radar_sensor", [&] {
        write_detection_data(out, moment, radar_mounting, SceneIds::radar,
                             radar_detections(world, moment, out.table()));
    });
    if (world.options.reflections == 0) return;
    out.message("lidar_sensor", [&] {
        const auto found = lidar_detections(world, moment, out.table());
        write_detection_data(out, moment, lidar_mounting, SceneIds::lidar, found);
    });
}

}  // namespace ositrace::scene
