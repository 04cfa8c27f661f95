// SPDX-License-Identifier: MPL-2.0
// Vectors and convex shapes in the ground plane.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace ositrace::traffic {

struct Vec2 {
    double x = 0, y = 0;
    friend bool operator==(const Vec2&, const Vec2&) = default;
};

[[nodiscard]] constexpr Vec2 operator+(Vec2 a, Vec2 b) noexcept { return {a.x + b.x, a.y + b.y}; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 a, Vec2 b) noexcept { return {a.x - b.x, a.y - b.y}; }
[[nodiscard]] constexpr Vec2 operator*(double k, Vec2 a) noexcept { return {k * a.x, k * a.y}; }
[[nodiscard]] constexpr double dot(Vec2 a, Vec2 b) noexcept { return a.x * b.x + a.y * b.y; }
[[nodiscard]] constexpr double cross(Vec2 a, Vec2 b) noexcept { return a.x * b.y - a.y * b.x; }
/// Of metres: unlike std::hypot(), it overflows from 1e154, and takes a fifth of the time.
[[nodiscard]] inline double norm(Vec2 a) noexcept { return std::sqrt(dot(a, a)); }
/// To the left of `a`.
[[nodiscard]] constexpr Vec2 left_of(Vec2 a) noexcept { return {-a.y, a.x}; }
[[nodiscard]] inline Vec2 direction(double yaw) noexcept { return {std::cos(yaw), std::sin(yaw)}; }

/// A rectangle on the ground.
struct Pose {
    Vec2 centre;
    double yaw = 0;
    double length = 0, width = 0;

    /// Of a place on it, measured from its centre: ahead, and to the left.
    [[nodiscard]] Vec2 at(double ahead, double left) const noexcept
    {
        const auto along = direction(yaw);
        return centre + ahead * along + left * left_of(along);
    }
};

/// Of two poses of one object, `part` of the way; the angle turns the short way.
[[nodiscard]] Pose between(const Pose& a, const Pose& b, double part) noexcept;

/// A convex polygon, counter-clockwise, of at most eight corners, with the box around it.
class Convex {
public:
    explicit Convex(const Pose& pose) noexcept;
    /// Around both: what an object covers that moves from one to the other without turning.
    Convex(const Pose& from, const Pose& to) noexcept;

    [[nodiscard]] std::span<const Vec2> corners() const noexcept { return {corners_.data(), count_}; }
    [[nodiscard]] Vec2 least() const noexcept { return least_; }
    [[nodiscard]] Vec2 most() const noexcept { return most_; }

private:
    void bound() noexcept;

    std::array<Vec2, 8> corners_{};
    std::size_t count_ = 0;
    Vec2 least_, most_;
};

/// By how much they overlap: the shortest way that separates them, in metres; 0 or less if they do not overlap.
[[nodiscard]] double overlap_depth(const Convex& a, const Convex& b) noexcept;

}  // namespace ositrace::traffic
