// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/wire.hpp"
#include "lib/messages/osi_writer.hpp"
#include "lib/scene/lidar.hpp"
#include "lib/scene/scene_ids.hpp"
#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

/// Writes the reflections of a LidarSensorView: all are encoded equally except for their values, so an encoded
/// reflection is copied and the values are stored into it.
class ReflectionWriter {
public:
    /// `fields`: 2, 3 or 5, as in SceneOptions. `lidar_sensor_view`: the message that contains them. Throws Error
    /// (mismatch).
    ReflectionWriter(const MessageTable& lidar_sensor_view, int fields);

    /// An upper bound for one reflection, tag and length included.
    [[nodiscard]] std::size_t max_bytes() const noexcept;
    /// Appends one field `reflection`.
    void write(const Hit& hit, ByteBuffer& out) const;
    /// Appends `count` equal ones: signal_strength -40 dB, time_of_flight 100 ns, no doppler shift, facing the sensor,
    /// no object.
    void write_equal(std::uint64_t count, ByteBuffer& out) const;

private:
    void append(const double* values, std::uint64_t object_id, ByteBuffer& out) const;

    std::vector<std::byte> image_;           // with object id 0
    std::vector<std::size_t> value_places_;  // of the doubles in the image
    bool with_object_ = false;               // the id is the image's last byte, below two lengths
    std::size_t id_length_place_ = 0;
};

constexpr double no_return = -200.0;     // dB
constexpr std::size_t length_place = 1;  // of the reflection's length, after its tag of one byte

ReflectionWriter::ReflectionWriter(const MessageTable& lidar_sensor_view, int fields) : with_object_(fields == 5)
{
    ByteBuffer bytes;
    OsiWriter out(bytes, lidar_sensor_view);
    const auto real = [&](FieldName name) {
        out.real(name, 0);
        value_places_.push_back(bytes.size() - sizeof(double));
    };
    out.message("reflection", [&] {
        real("signal_strength");
        real("time_of_flight");
        if (fields >= 3) real("doppler_shift");
        if (!with_object_) return;
        out.message("normal_to_surface", [&] {
            real("x");
            real("y");
            real("z");
        });
        out.id("object_id", 0);
    });
    image_.assign(bytes.bytes().begin(), bytes.bytes().end());
    id_length_place_ = image_.size() - 3;  // length, tag of `value`, value
}

std::size_t ReflectionWriter::max_bytes() const noexcept { return image_.size() + wire::max_varint_bytes; }

void ReflectionWriter::append(const double* values, std::uint64_t object_id, ByteBuffer& out) const
{
    auto* const to = out.reserve_back(max_bytes());
    std::memcpy(to, image_.data(), image_.size());
    for (const auto place : value_places_) store(to + place, *values++);
    std::size_t size = image_.size();
    if (with_object_) {
        auto* const end = wire::write_varint(to + size - 1, object_id);
        const auto longer = static_cast<std::size_t>(end - (to + size));
        // Both lengths stay below 128, one byte.
        to[length_place] = static_cast<std::byte>(static_cast<std::size_t>(to[length_place]) + longer);
        to[id_length_place_] = static_cast<std::byte>(static_cast<std::size_t>(to[id_length_place_]) + longer);
        size += longer;
    }
    out.commit_back(size);
}

void ReflectionWriter::write(const Hit& hit, ByteBuffer& out) const
{
    std::array<double, 6> values{no_return, 0, 0, 0, 0, 0};
    if (hit.returned()) {
        values = {signal_strength(hit),
                  2 * hit.distance / speed_of_light,
                  2 * lidar_emitter_frequency * hit.closing_speed / speed_of_light,
                  hit.normal.x,
                  hit.normal.y,
                  hit.normal.z};
    }
    append(values.data(), hit.object_id, out);
}

void ReflectionWriter::write_equal(std::uint64_t count, ByteBuffer& out) const
{
    constexpr std::array<double, 6> values{-40.0, 1e-7, 0, -1, 0, 0};
    for (std::uint64_t i = 0; i < count; ++i) append(values.data(), SceneIds::none, out);
}

}  // namespace

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
    // All rays of a frame are sent at the same time: the scene does not move during a scan.
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

void write_reflections(OsiWriter& out, const World& world, const WorldState& moment)
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

void write_lidar_sensor_view(OsiWriter& out, const World& world, const WorldState& moment)
{
    const auto configuration =
        configuration_bytes + (world.options.ray_directions ? world.lidar_grid.rays() * (direction_bytes + 3) : 0);
    out.message("view_configuration", [&] { write_configuration(out, world); }, configuration);
    write_reflections(out, world, moment);
}

}  // namespace ositrace::scene
