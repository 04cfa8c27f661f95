// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/reflection_writer.hpp"
#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

constexpr std::size_t direction_bytes = 29, configuration_bytes = 160;

void write_directions(OsiWriter& out, const World& world)
{
    const auto& grid = world.lidar_grid;
    out.unsigned_integer("num_of_pixels", grid.rays());
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
        const auto elevation = sine_cosine(grid.elevation(row));
        for (std::uint32_t column = 0; column < grid.columns; ++column) {
            out.vector("directions", direction_of(sine_cosine(grid.azimuth(column)), elevation));
        }
    }
    // The rays of a frame leave at once: the scene stands still while it is scanned.
    for (std::uint64_t i = 0; i < grid.rays(); ++i) out.unsigned_integer("timings", 0);
}

void write_configuration(OsiWriter& out, const World& world)
{
    const auto& grid = world.lidar_grid;
    out.id("sensor_id", SceneIds::lidar);
    out.mounting_position("mounting_position", lidar_mounting.position, lidar_mounting.orientation);
    out.real("field_of_view_horizontal", grid.field_of_view_horizontal);
    out.real("field_of_view_vertical", grid.field_of_view_vertical);
    out.unsigned_integer("number_of_rays_horizontal", grid.columns);
    out.unsigned_integer("number_of_rays_vertical", grid.rows);
    out.unsigned_integer("max_number_of_interactions", 1);
    out.real("emitter_frequency", lidar_emitter_frequency);
    if (world.options.ray_directions) write_directions(out, world);
}

void write_reflections(OsiWriter& out, const World& world, const Moment& moment)
{
    const ReflectionWriter writer(out.table(), world.options.reflection_fields);
    auto& bytes = out.raw().buffer();
    if (world.options.equal_reflections) return writer.write_equal(world.lidar_grid.rays(), bytes);
    Scan scan(moment.sensor(lidar_mounting), world.lidar_grid, bodies(world, moment));
    for (std::uint32_t row = 0; row < world.lidar_grid.rows; ++row) {
        for (const auto& hit : scan.row(row)) writer.write(hit, bytes);
    }
}

}  // namespace

void write_lidar_sensor_view(OsiWriter& out, const World& world, const Moment& moment)
{
    const auto configuration =
        configuration_bytes + (world.options.ray_directions ? world.lidar_grid.rays() * (direction_bytes + 3) : 0);
    out.message("view_configuration", [&] { write_configuration(out, world); }, configuration);
    write_reflections(out, world, moment);
}

}  // namespace ositrace::scene
