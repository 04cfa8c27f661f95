// SPDX-License-Identifier: MPL-2.0
// Coordinates of ISO 8855, as OpenDRIVE and OSI use them: x east or forward, y north or left, z up; metres, radians.
#pragma once

#include <cmath>

namespace ositrace::open_drive {

inline constexpr double pi = 3.14159265358979323846;

struct Vector {
    double x = 0, y = 0, z = 0;
    friend Vector operator+(Vector a, Vector b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vector operator-(Vector a, Vector b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vector operator*(double k, Vector a) noexcept { return {k * a.x, k * a.y, k * a.z}; }
};

[[nodiscard]] inline Vector between(Vector a, Vector b, double part) noexcept { return a + part * (b - a); }

/// In the xy plane.
[[nodiscard]] inline double distance(Vector a, Vector b) noexcept { return std::hypot(a.x - b.x, a.y - b.y); }

/// The same angle in [-pi, pi].
[[nodiscard]] inline double wrapped(double angle) noexcept { return std::remainder(angle, 2 * pi); }

}  // namespace ositrace::open_drive
