// SPDX-License-Identifier: MPL-2.0
// Where a measurement is, in the frame of its sensor.
#pragma once

#include <array>
#include <cmath>

#include "lib/messages/geometry.hpp"

namespace ositrace::picture {

inline constexpr double farthest_measured = 1e5;   // m
inline constexpr double largest_beam_angle = 100;  // rad

/// Half of the way that light travels in this time, m; 0 for no return, and for a place that is too far away.
[[nodiscard]] inline double distance_of(double time_of_flight) noexcept
{
    constexpr double speed_of_light = 299'792'458;  // m/s
    const double distance = time_of_flight * (speed_of_light / 2);
    return distance > 0 && distance <= farthest_measured ? distance : 0;
}

/// Of a Spherical3d, in the frame of the sensor: OSI's x = distance * cos(elevation) * cos(azimuth), y = distance *
/// cos(elevation) * sin(azimuth), z = distance * sin(elevation).
template <class Real>
[[nodiscard]] std::array<Real, 3> spherical_point(Real distance, Real azimuth, Real elevation) noexcept
{
    const Real level = distance * std::cos(elevation);
    return {level * std::cos(azimuth), level * std::sin(azimuth), distance * std::sin(elevation)};
}

/// Can it be the place of a detection?
[[nodiscard]] inline bool is_spherical(double distance, double azimuth, double elevation) noexcept
{
    return std::abs(distance) <= farthest_measured && std::abs(azimuth) <= largest_beam_angle &&
           std::abs(elevation) <= largest_beam_angle;  // false for NaN
}

/// Is it the length of a direction? Else it is 0.
[[nodiscard]] inline bool is_direction(scene::Vector direction) noexcept { return dot(direction, direction) > 0.5; }

}  // namespace ositrace::picture
