// SPDX-License-Identifier: MPL-2.0
#include "lib/dummy/dummy_sensor_rules.hpp"

#include <cmath>

namespace ositrace::dummy {

namespace {

constexpr double range_margin = 1.1;
constexpr double cosine_of_30_degrees = 0.866025;  // as in the original, to its last digit

/// Of any angle, those too that no sane message holds: the exact ones of the scene have bounds.
scene::SineCosine sine_cosine(double angle) noexcept { return {std::sin(angle), std::cos(angle)}; }

scene::Rotation rotation_of(const Orientation& o) noexcept
{
    return {sine_cosine(o.roll), sine_cosine(o.pitch), sine_cosine(o.yaw)};
}

Orientation angles_of(Vector x_axis, Vector y_axis, Vector z_axis) noexcept
{
    return {std::atan2(y_axis.z, z_axis.z), std::atan2(-x_axis.z, std::sqrt(x_axis.x * x_axis.x + x_axis.y * x_axis.y)),
            std::atan2(x_axis.y, x_axis.x)};
}

Orientation relative_to(const scene::Rotation& frame, const scene::Rotation& turned) noexcept
{
    return angles_of(frame.to_local(turned.axis(0)), frame.to_local(turned.axis(1)), frame.to_local(turned.axis(2)));
}

}  // namespace

SensorFrame::SensorFrame(double nominal_range, const Pose& host, Vector to_rear, const Pose& mounting) noexcept
    : range_(nominal_range * range_margin), host_(rotation_of(host.orientation))
{
    origin_ = host.position + host_.to_parent(to_rear + mounting.position);
    rotation_ = host_.after(rotation_of(mounting.orientation));
}

std::optional<SensorFrame::Seen> SensorFrame::see(const Pose& object, std::int32_t type) const noexcept
{
    const auto position = rotation_.to_local(object.position - origin_);
    const auto distance = position.length();
    if (!(distance <= range_ && position.x / distance > cosine_of_30_degrees)) return std::nullopt;
    const auto turned = rotation_of(object.orientation);
    const auto body_pose = type == type_pedestrian ? std::optional(relative_to(host_, turned)) : std::nullopt;
    return Seen{{position, relative_to(rotation_, turned)}, std::cos((2.0 * distance - range_) / range_), body_pose};
}

Direction direction_of(const RayGrid& grid, std::uint64_t i) noexcept
{
    if (grid.columns != 0 && grid.rows != 0) return {grid.azimuth(i % grid.columns), grid.elevation(i / grid.columns)};
    constexpr std::uint64_t rays_per_layer = 8640;
    constexpr double azimuth_step = 0.2, elevation_step = 0.3, lowest_elevation = -5;  // degrees
    return {static_cast<double>(i % rays_per_layer) * azimuth_step * scene::pi / 180,
            (static_cast<double>(i / rays_per_layer) * elevation_step + lowest_elevation) * scene::pi / 180};
}

}  // namespace ositrace::dummy
