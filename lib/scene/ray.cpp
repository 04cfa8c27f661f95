// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/ray.hpp"

#include <cmath>

#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

double signal_strength(const Hit& hit) noexcept
{
    constexpr double aperture = 5e-4;
    constexpr double grazing = 1e-3;  // below it the model says nothing
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
