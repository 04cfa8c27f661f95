// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/plane.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

namespace ositrace::traffic {

namespace {

std::array<Vec2, 4> corners_of_pose(const Pose& pose) noexcept
{
    const double l = pose.length / 2, w = pose.width / 2;
    return {pose.at(l, w), pose.at(-l, w), pose.at(-l, -w), pose.at(l, -w)};
}

struct Extent {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
};

Extent extent_along(std::span<const Vec2> corners, Vec2 axis) noexcept
{
    Extent extent;
    for (const auto corner : corners) {
        const double at = dot(corner, axis);
        extent.least = std::min(extent.least, at);
        extent.most = std::max(extent.most, at);
    }
    return extent;
}

/// Of `a` and `b`, along the normals of the edges of `a`.
double depth_along_normals(std::span<const Vec2> a, std::span<const Vec2> b) noexcept
{
    double depth = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i != a.size(); ++i) {
        const auto edge = a[(i + 1) % a.size()] - a[i];
        const double length = norm(edge);
        if (!(length > 0)) continue;
        const auto axis = (1 / length) * left_of(edge);
        const auto one = extent_along(a, axis), other = extent_along(b, axis);
        depth = std::min({depth, one.most - other.least, other.most - one.least});
        if (depth <= 0) return depth;
    }
    return depth;
}

}  // namespace

Pose between(const Pose& a, const Pose& b, double part) noexcept
{
    const double turn = std::remainder(b.yaw - a.yaw, 2 * std::numbers::pi);
    return {a.centre + part * (b.centre - a.centre), a.yaw + part * turn, b.length, b.width};
}

Convex::Convex(const Pose& pose) noexcept
{
    for (const auto corner : corners_of_pose(pose)) corners_[count_++] = corner;
    bound();
}

Convex::Convex(const Pose& from, const Pose& to) noexcept
{
    // Andrew's monotone chain.
    std::array<Vec2, 8> points{};
    std::ranges::copy(corners_of_pose(from), points.begin());
    std::ranges::copy(corners_of_pose(to), points.begin() + 4);
    std::ranges::sort(points, [](Vec2 a, Vec2 b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    std::array<Vec2, 17> hull{};
    std::size_t size = 0;
    const auto add = [&](Vec2 point, std::size_t least) {
        while (size > least && cross(hull[size - 1] - hull[size - 2], point - hull[size - 1]) <= 0) --size;
        hull[size++] = point;
    };
    for (const auto point : points) add(point, 1);
    const auto lower = size;
    for (std::size_t i = points.size() - 1; i != 0; --i) add(points[i - 1], lower);
    for (std::size_t i = 0; i + 1 < size && count_ != corners_.size(); ++i) corners_[count_++] = hull[i];
    bound();
}

void Convex::bound() noexcept
{
    const auto x = extent_along(corners(), {1, 0}), y = extent_along(corners(), {0, 1});
    least_ = {x.least, y.least};
    most_ = {x.most, y.most};
}

double overlap_depth(const Convex& a, const Convex& b) noexcept
{
    const double apart = std::max(
        {a.least().x - b.most().x, b.least().x - a.most().x, a.least().y - b.most().y, b.least().y - a.most().y});
    if (apart >= 0) return -apart;
    const double depth = depth_along_normals(a.corners(), b.corners());
    return depth <= 0 ? depth : std::min(depth, depth_along_normals(b.corners(), a.corners()));
}

}  // namespace ositrace::traffic
