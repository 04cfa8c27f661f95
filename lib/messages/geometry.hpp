// SPDX-License-Identifier: MPL-2.0
// Vectors, rotations, boxes and colours as defined by OSI: right-handed, x forward, y left, z up, metres, radians.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "lib/messages/exact_math.hpp"

namespace ositrace::scene {

struct Vector {
    double x = 0, y = 0, z = 0;
    friend Vector operator+(Vector a, Vector b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vector operator-(Vector a, Vector b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vector operator*(double k, Vector a) noexcept { return {k * a.x, k * a.y, k * a.z}; }
    friend double dot(Vector a, Vector b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
    [[nodiscard]] double length() const noexcept { return std::sqrt(dot(*this, *this)); }
};

[[nodiscard]] inline bool is_finite(Vector v) noexcept
{
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

struct Colour {
    double red, green, blue;
};

struct Orientation {
    double roll = 0, pitch = 0, yaw = 0;
};

/// Rotates a local vector into its parent frame.
class Rotation {
public:
    Rotation() = default;
    /// Rz(yaw) Ry(pitch) Rx(roll).
    explicit Rotation(Orientation o) noexcept : Rotation(sine_cosine(o.roll), sine_cosine(o.pitch), sine_cosine(o.yaw))
    {
    }
    Rotation(SineCosine roll, SineCosine pitch, SineCosine yaw) noexcept
    {
        const auto [sr, cr] = roll;
        const auto [sp, cp] = pitch;
        const auto [sy, cy] = yaw;
        axes_ = {Vector{cy * cp, sy * cp, -sp}, Vector{cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
                 Vector{cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
    }
    [[nodiscard]] Vector to_parent(Vector v) const noexcept { return v.x * axes_[0] + v.y * axes_[1] + v.z * axes_[2]; }
    [[nodiscard]] Vector to_local(Vector v) const noexcept
    {
        return {dot(axes_[0], v), dot(axes_[1], v), dot(axes_[2], v)};
    }
    /// The local x, y and z axis in the parent frame.
    [[nodiscard]] const Vector& axis(int i) const noexcept { return axes_[static_cast<std::size_t>(i)]; }
    /// This rotation after `inner`.
    [[nodiscard]] Rotation after(const Rotation& inner) const noexcept
    {
        Rotation both;
        for (std::size_t i = 0; i < 3; ++i) both.axes_[i] = to_parent(inner.axes_[i]);
        return both;
    }
    [[nodiscard]] Rotation inverse() const noexcept
    {
        const auto& [x, y, z] = axes_;
        Rotation back;
        back.axes_ = {Vector{x.x, y.x, z.x}, Vector{x.y, y.y, z.y}, Vector{x.z, y.z, z.z}};
        return back;
    }

private:
    std::array<Vector, 3> axes_{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
};

/// The inverse of Rotation(Orientation).
[[nodiscard]] inline Orientation orientation_of(const Rotation& rotation) noexcept
{
    const auto& forward = rotation.axis(0);
    const auto& left = rotation.axis(1);
    const double pitch = std::asin(std::clamp(-forward.z, -1.0, 1.0));
    if (std::abs(forward.z) > 1 - 1e-12)
        return {0, pitch, std::atan2(-left.x, left.y)};  // straight up or down: only the sum of roll and yaw matters
    return {std::atan2(left.z, rotation.axis(2).z), pitch, std::atan2(forward.y, forward.x)};
}

/// A moving frame: its position, orientation and motion, in the parent frame.
struct MovingFrame {
    Vector position;
    Rotation rotation;
    Vector velocity;
    double yaw_rate = 0;  ///< about the parent's z axis

    [[nodiscard]] Vector to_local(Vector point) const noexcept { return rotation.to_local(point - position); }
    [[nodiscard]] Vector to_parent(Vector point) const noexcept { return position + rotation.to_parent(point); }
    /// The velocity of a point that is fixed to this frame; `point` in the parent frame.
    [[nodiscard]] Vector velocity_at(Vector point) const noexcept
    {
        const Vector lever = point - position;
        return velocity + Vector{-yaw_rate * lever.y, yaw_rate * lever.x, 0};
    }
    /// A frame fixed to this one.
    [[nodiscard]] MovingFrame mounted(Vector at, Orientation turned) const noexcept
    {
        const Vector origin = to_parent(at);
        return {origin, rotation.after(Rotation(turned)), velocity_at(origin), yaw_rate};
    }
};

/// The base of an object in OSI, which a ray can hit.
struct Body {
    std::uint64_t id = 0;
    Vector position;  ///< of the centre
    Orientation orientation;
    Vector dimension;  ///< length, width, height
    Vector velocity;
    double yaw_rate = 0;
    double reflectivity = 0.5;  ///< Lambertian, 0 to 1

    [[nodiscard]] MovingFrame frame() const noexcept { return {position, Rotation(orientation), velocity, yaw_rate}; }
};

}  // namespace ositrace::scene
