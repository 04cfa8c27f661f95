// SPDX-License-Identifier: MPL-2.0
// What little linear algebra a camera needs.
#pragma once

#include <array>
#include <cmath>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

using Vector = std::array<double, 3>;

inline Vector operator+(const Vector& a, const Vector& b) noexcept { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) noexcept { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(double s, const Vector& a) noexcept { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector& a, const Vector& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vector cross(const Vector& a, const Vector& b) noexcept
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vector& a) noexcept { return std::sqrt(dot(a, a)); }
inline Vector to_vector(const Point& p) noexcept
{
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
inline Point to_point(const Vector& v) noexcept
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Four columns of four, as OpenGL wants them.
struct Matrix {
    std::array<double, 16> m{};
    [[nodiscard]] double operator()(int row, int column) const noexcept
    {
        return m[static_cast<std::size_t>(4 * column + row)];
    }
    double& operator()(int row, int column) noexcept { return m[static_cast<std::size_t>(4 * column + row)]; }
};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b) noexcept;
/// Column vectors of Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] std::array<Vector, 3> rotation_axes(const std::array<float, 3>& roll_pitch_yaw) noexcept;

}  // namespace ositrace::gui
