// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/road.hpp"

#include <cmath>

namespace ositrace::scene {

namespace {

std::size_t chords_of_quarter(double outer_radius) noexcept
{
    constexpr double max_error = 0.05;
    // A chord of length c is c^2 / 8r away from its circle.
    const double longest = std::sqrt(8 * outer_radius * max_error);
    return static_cast<std::size_t>(std::ceil(pi / 2 * outer_radius / longest));
}

}  // namespace

RingRoad::RingRoad(double radius, SceneIds ids) noexcept
    : radius_(radius), ids_(ids), chords_(chords_of_quarter(radius - boundaries.back().t))
{
}

Vector RingRoad::point(RoadPlace place, double z) const noexcept
{
    const auto [sin, cos] = sine_cosine(place.s / radius_ - pi / 2);
    const double distance = radius_ - place.t;
    return {distance * cos, distance * sin, z};
}

double RingRoad::heading(double s) const noexcept { return wrapped(s / radius_); }

RoadPlace RingRoad::place(Vector point) const noexcept
{
    double angle = arctangent(point.y, point.x) + pi / 2;
    if (angle < 0) angle += 2 * pi;
    return {angle * radius_, radius_ - std::sqrt(point.x * point.x + point.y * point.y)};
}

std::size_t RingRoad::section_of(double s) const noexcept
{
    return static_cast<std::size_t>(s / section_length()) % sections;
}

std::uint64_t RingRoad::lane_id(std::size_t section, std::size_t lane) const noexcept
{
    return ids_.still(SceneIds::lane, section * 10 + lane);
}
std::uint64_t RingRoad::boundary_id(std::size_t section, std::size_t boundary) const noexcept
{
    return ids_.still(SceneIds::boundary, section * 10 + boundary);
}
std::uint64_t RingRoad::logical_lane_id(std::size_t section, std::size_t lane) const noexcept
{
    return ids_.still(SceneIds::logical_lane, section * 10 + lane);
}
std::uint64_t RingRoad::logical_boundary_id(std::size_t section, std::size_t boundary) const noexcept
{
    return ids_.still(SceneIds::logical_boundary, section * 10 + boundary);
}
std::uint64_t RingRoad::reference_line_id() const noexcept { return ids_.still(SceneIds::reference_line, 0); }

}  // namespace ositrace::scene
