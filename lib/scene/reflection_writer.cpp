// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/reflection_writer.hpp"

#include <array>
#include <cstring>

#include "formats/protobuf/wire.hpp"
#include "lib/scene/osi_writer.hpp"
#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

namespace {

constexpr double no_return = -200.0;     // dB
constexpr std::size_t length_place = 1;  // of the reflection's length, behind its tag of one byte

}  // namespace

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

}  // namespace ositrace::scene
