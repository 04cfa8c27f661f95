// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/lidar.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

namespace {

/// A smallest and a largest value.
struct Interval {
    double from = 1e300, to = -1e300;
    void include(double value) noexcept
    {
        from = std::min(from, value);
        to = std::max(to, value);
    }
};

struct Cells {
    std::uint32_t first, end;
};

/// The rays of a fan, from +field/2 down to -field/2, that point between two angles, and one more on each side.
Cells cells(Interval angles, double field, std::uint32_t count) noexcept
{
    const double per_radian = count / field;
    const auto cell = [&](double value) {
        return static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(count)));
    };
    return {cell(std::floor((field / 2 - angles.to) * per_radian) - 1),
            cell(std::ceil((field / 2 - angles.from) * per_radian) + 1)};
}

struct Outline {
    Interval azimuth, elevation;
};

/// The range of angles in which a body is visible; all angles if it is too near to bound them.
Outline outline_of(const MovingFrame& sensor, const Body& body) noexcept
{
    const Vector centre = sensor.to_local(body.position);
    const double away = std::sqrt(centre.x * centre.x + centre.y * centre.y);
    const double reach = body.dimension.length() / 2;
    if (away <= reach) return {{-pi, pi}, {-pi / 2, pi / 2}};
    const double middle = arctangent(centre.y, centre.x);
    const auto frame = body.frame();
    Interval azimuth, height;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vector local{(corner & 1 ? 0.5 : -0.5) * body.dimension.x, (corner & 2 ? 0.5 : -0.5) * body.dimension.y,
                           (corner & 4 ? 0.5 : -0.5) * body.dimension.z};
        const Vector seen = sensor.to_local(frame.to_parent(local));
        azimuth.include(middle + wrapped(arctangent(seen.y, seen.x) - middle));
        height.include(seen.z);
    }
    // A point of an edge may be nearer than its corners, so elevations are bounded by the sphere around the body.
    const double nearest = away - reach, farthest = away + reach;
    return {azimuth,
            {arctangent(height.from, height.from < 0 ? nearest : farthest),
             arctangent(height.to, height.to > 0 ? nearest : farthest)}};
}

}  // namespace

Vector direction_of(SineCosine azimuth, SineCosine elevation) noexcept
{
    return {elevation.cosine * azimuth.cosine, elevation.cosine * azimuth.sine, elevation.sine};
}

Scan::Scan(const MovingFrame& sensor, const RayGrid& grid, std::span<const Body> bodies)
    : sensor_(sensor), grid_(grid), directions_(grid.columns), nearest_(grid.columns), hits_(grid.columns)
{
    azimuths_.reserve(grid.columns);
    for (std::uint32_t column = 0; column < grid.columns; ++column)
        azimuths_.push_back(sine_cosine(grid.azimuth(column)));
    for (const auto& body : bodies) add(body);
}

void Scan::add(const Body& body)
{
    if ((body.position - sensor_.position).length() - body.dimension.length() / 2 > ray_range) return;
    const auto outline = outline_of(sensor_, body);
    const auto columns = cells(outline.azimuth, grid_.field_of_view_horizontal, grid_.columns);
    const auto rows = cells(outline.elevation, grid_.field_of_view_vertical, grid_.rows);
    if (columns.first == columns.end || rows.first == rows.end) return;
    visible_.push_back({Target(sensor_, body), columns.first, columns.end, rows.first, rows.end});
}

std::span<const Hit> Scan::row(std::uint32_t row)
{
    const auto elevation = sine_cosine(grid_.elevation(row));
    for (std::uint32_t column = 0; column < grid_.columns; ++column) {
        directions_[column] = direction_of(azimuths_[column], elevation);
        nearest_[column] = ground_on(sensor_, directions_[column]);
    }
    for (const auto& seen : visible_) {
        if (row < seen.first_row || row >= seen.end_row) continue;
        for (auto column = seen.first_column; column < seen.end_column; ++column) {
            look_for(seen.target, directions_[column], nearest_[column]);
        }
    }
    for (std::uint32_t column = 0; column < grid_.columns; ++column) {
        hits_[column] = hit_of(sensor_, nearest_[column], directions_[column]);
    }
    return hits_;
}

double signal_strength(const Hit& hit) noexcept
{
    constexpr double aperture = 5e-4;
    constexpr double grazing = 1e-3;  // the model is not valid below it
    return decibels(hit.reflectivity * std::max(hit.incidence, grazing) * aperture /
                    (pi * hit.distance * hit.distance));
}

Target::Target(const MovingFrame& sensor, const Body& hit_body) noexcept
    : body(hit_body), half(0.5 * hit_body.dimension)
{
    const auto frame = body.frame();
    origin = frame.to_local(sensor.position);
    for (int i = 0; i < 3; ++i) axes[static_cast<std::size_t>(i)] = sensor.rotation.to_local(frame.rotation.axis(i));
}

Nearest ground_on(const MovingFrame& sensor, Vector direction) noexcept
{
    const double down = -sensor.rotation.to_parent(direction).z;
    Nearest nearest;
    if (down > 0) nearest.distance = std::min(ray_range, sensor.position.z / down);
    return nearest;
}

Hit hit_of(const MovingFrame& sensor, const Nearest& nearest, Vector direction) noexcept
{
    constexpr double ground_reflectivity = 0.2;
    Hit hit;
    hit.object_id = SceneIds::none;
    if (nearest.distance >= ray_range) return hit;
    hit.distance = nearest.distance;
    const Vector way = sensor.rotation.to_parent(direction);
    if (nearest.target == nullptr) {
        hit.normal = sensor.rotation.to_local({0, 0, 1});
        hit.incidence = -way.z;
        hit.closing_speed = dot(sensor.velocity, way);
        hit.reflectivity = ground_reflectivity;
        return hit;
    }
    const auto& body = nearest.target->body;
    const auto& axis = nearest.target->axes[static_cast<std::size_t>(nearest.axis)];
    const double along = dot(axis, direction);
    const MovingFrame moving{body.position, {}, body.velocity, body.yaw_rate};
    hit.normal = along > 0 ? -1.0 * axis : axis;
    hit.incidence = std::abs(along);
    hit.closing_speed = -dot(moving.velocity_at(sensor.position + hit.distance * way) - sensor.velocity, way);
    hit.reflectivity = body.reflectivity;
    hit.object_id = body.id;
    return hit;
}

Hit first_hit(const MovingFrame& sensor, Vector direction, std::span<const Target> targets) noexcept
{
    auto nearest = ground_on(sensor, direction);
    for (const auto& target : targets) look_for(target, direction, nearest);
    return hit_of(sensor, nearest, direction);
}

}  // namespace ositrace::scene
