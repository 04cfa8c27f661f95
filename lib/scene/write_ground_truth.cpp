// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

template <class Write>
ByteBuffer block(const Schema& schema, const Write& write)
{
    ByteBuffer bytes;
    OsiWriter out(bytes, schema.root(MessageType::ground_truth));
    write(out);
    return bytes;
}

void write_environment(OsiWriter& out, const WorldState& moment)
{
    constexpr std::int64_t noon = 12 * 3600, day = 24 * 3600;
    constexpr std::int64_t start = 1'718'877'600;  // 2024-06-20, 12 o'clock in Munich
    const auto seconds = moment.time.count() / 1'000'000'000;
    out.enumeration("ambient_illumination", "AMBIENT_ILLUMINATION_LEVEL9");
    out.message("time_of_day", [&] {
        out.unsigned_integer("seconds_since_midnight", static_cast<std::uint64_t>((noon + seconds) % day));
    });
    out.real("atmospheric_pressure", 101'325);
    out.real("temperature", 293.15);
    out.real("relative_humidity", 55);
    out.enumeration("precipitation", "PRECIPITATION_NONE");
    out.enumeration("fog", "FOG_EXCELLENT_VISIBILITY");
    out.integer("unix_timestamp", start + seconds);
    out.message("clouds", [&] { out.enumeration("fractional_cloud_cover", "FRACTIONAL_CLOUD_COVER_TWO_OKTAS"); });
    out.message("wind", [&] {
        out.real("origin_direction", 1.0);
        out.real("speed", 3.0);
    });
    out.message("sun", [&] {
        out.real("azimuth", 2.5);
        out.real("elevation", 1.1);
        out.real("intensity", 800);
    });
}

void write_driver(OsiWriter& out, const World& world)
{
    out.id("id", world.ids.still(SceneIds::occupant, 0));
    out.message("classification", [&] {
        out.boolean("is_driver", true);
        out.enumeration("seat", "SEAT_FRONT_LEFT");
        out.enumeration("steering_control", "STEERING_CONTROL_BOTH_HANDS");
    });
}

void append(OsiWriter& out, const ByteBuffer& block) { out.raw().buffer().append(block.bytes()); }

}  // namespace

StaticBlocks::StaticBlocks(const World& world, const Schema& schema)
    : stationary_objects(block(schema, [&](OsiWriter& out) { write_stationary_objects(out, world.roadside); })),
      traffic_signs(block(schema, [&](OsiWriter& out) { write_traffic_signs(out, world); })),
      markings_and_boundaries(block(schema,
                                    [&](OsiWriter& out) {
                                        write_road_markings(out, world);
                                        write_lane_boundaries(out, world.road);
                                    })),
      logical_road(block(schema, [&](OsiWriter& out) {
          write_reference_line(out, world.road);
          write_logical_lane_boundaries(out, world.road);
          write_logical_lanes(out, world.road);
      }))
{
}

void write_ground_truth(OsiWriter& out, const World& world, const WorldState& moment, const StaticBlocks& blocks)
{
    constexpr std::uint64_t germany = 276;
    const bool all = moment.with_static_data;
    out.version("version", world.options.schema->osi_version());
    out.time("timestamp", moment.time);
    out.id("host_vehicle_id", SceneIds::host);
    if (all) append(out, blocks.stationary_objects);
    write_moving_objects(out, world, moment);
    if (all) append(out, blocks.traffic_signs);
    write_traffic_lights(out, world, moment);
    if (all) append(out, blocks.markings_and_boundaries);
    if (all) write_lanes(out, world.road, world.road.place(moment.host().body.position));
    out.message("occupant", [&] { write_driver(out, world); });
    out.message("environmental_conditions", [&] { write_environment(out, moment); });
    out.unsigned_integer("country_code", germany);
    out.text("proj_string", "+proj=utm +zone=32 +ellps=WGS84");
    if (all) append(out, blocks.logical_road);
    out.message("proj_frame_offset", [&] {
        out.vector("position", {691'000, 5'335'000, 515});
        out.real("yaw", 0);
    });
}

}  // namespace ositrace::scene
