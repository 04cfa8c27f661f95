// SPDX-License-Identifier: MPL-2.0
#include "lib/dummy/dummy_source_rules.hpp"

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <ositrace/columns.hpp>
#include <ositrace/error.hpp>
#include <ositrace/scene.hpp>

namespace ositrace::dummy {

namespace {

struct Row {
    double x, y, speed;
    std::int32_t vehicle_type;
};
// The study's tables; the types by their numbers in osi_object.proto.
constexpr std::int32_t small_car = 2, compact_car = 3, medium_car = 4, luxury_car = 5, delivery_van = 6, motorbike = 10,
                       bus = 12;
constexpr std::array rows{
    Row{0.0, 3.0, 29.0, medium_car},      Row{40.0, 3.0, 30.0, small_car},  Row{100.0, 3.0, 31.0, compact_car},
    Row{100.0, 0.25, 25.0, delivery_van}, Row{0.0, 0.0, 26.0, luxury_car},  Row{150.0, -0.25, 28.0, medium_car},
    Row{5.0, -3.0, 20.0, compact_car},    Row{45.0, -3.0, 22.0, small_car}, Row{85.0, -3.0, 22.5, motorbike},
    Row{125.0, -3.0, 23.0, bus},
};
constexpr std::uint64_t first_id = 10;
constexpr double sway = 0.25;  // metres to each side

constexpr double degree = scene::pi / 180;
constexpr RayGrid study_grid{0, 0, 145.0 * degree, 3.2 * degree};

SourceReflection equal_reflection() noexcept
{
    constexpr double emitted_power = 0.5, rays_per_beam = 18, distance = 10, speed_of_light = 299792458.0;
    return {10 * std::log10(emitted_power) - 10 * std::log10(rays_per_beam), distance * 2.0 / speed_of_light, 0};
}

std::vector<SourceReflection> traced(const Scene& scene)
{
    ByteBuffer frame;
    scene.frame(0, frame);
    const auto& channel = scene.info().channels.front();
    const MessageView view(frame.bytes(), *channel.root, channel.format);
    const auto lidar = std::get<MessageView>(view.repeated(*channel.root->find("lidar_sensor_view"))[0]);
    constexpr std::array<std::string_view, 3> leaves{"signal_strength", "time_of_flight", "doppler_shift"};
    ColumnReader columns(*lidar.table().find("reflection"), leaves);
    columns.read(lidar);
    std::vector<SourceReflection> rays;
    for (std::size_t i = 0; i < columns.rows(); ++i)
        rays.push_back({columns.reals(0)[i], columns.reals(1)[i], columns.reals(2)[i]});
    return rays;
}

}  // namespace

SourceObject source_object(std::uint32_t i, Nanoseconds time) noexcept
{
    const auto& row = rows[i % rows.size()];
    const auto seconds = static_cast<double>(time.count()) / 1e9;
    const auto phase = seconds / row.speed;
    return {first_id + i,
            row.vehicle_type,
            {row.x + seconds * row.speed, row.y + std::sin(phase) * sway, 0.0},
            {row.speed, std::cos(phase) * sway / row.speed, 0.0},
            {0.0, -std::sin(phase) * sway / (row.speed * row.speed), 0.0}};
}

SourceLidar::SourceLidar(const DummySourceOptions& options)
    : size_(options.reflections),
      with_doppler_shift_(options.reflection_fields == 3),
      grid_(study_grid),
      equal_(equal_reflection())
{
    if (options.reflection_fields != 2 && options.reflection_fields != 3)
        throw Error(Cause::usage, std::to_string(options.reflection_fields) +
                                      " fields in a reflection of the dummy source, expected 2 or 3");
    if (!options.ray_scene || size_ == 0) return;
    const Scene scene({.frames = 1, .reflections = size_, .reflection_fields = 3, .static_data = StaticData::never});
    grid_ = scene.lidar_grid();
    rays_ = traced(scene);
    size_ = static_cast<std::uint32_t>(rays_.size());
}

}  // namespace ositrace::dummy
