// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/placement.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::picture {

namespace {

constexpr double farthest_coordinate = 1e8;      // m, for coordinates
constexpr double farthest_drawn = 1e7;           // m, from the origin of the picture: floats still resolve metres there
constexpr double largest_placement_angle = 1e4;  // rad

bool within(Vector v, double limit) noexcept  // false for what is not a number
{
    return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}

}  // namespace

bool is_place(Vector v) noexcept { return within(v, farthest_coordinate); }
bool is_turn(Orientation o) noexcept { return within({o.roll, o.pitch, o.yaw}, largest_placement_angle); }

Point to_point(Vector v) noexcept
{
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

std::array<float, 3> to_angles(Orientation o) noexcept
{
    return {static_cast<float>(o.roll), static_cast<float>(o.pitch), static_cast<float>(o.yaw)};
}

std::optional<Pose> pose_of(const MessageView& mounting)
{
    const Pose pose{vector_in(mounting, "position").value_or(Vector{}), orientation_in(mounting, "orientation")};
    return is_place(pose.position) && is_turn(pose.orientation) ? std::optional(pose) : std::nullopt;
}

Placement Placement::mounted(const Pose& pose) const noexcept
{
    auto inner = *this;
    inner.shift_ = to_picture(pose.position);
    inner.rotation_ = rotation_.after(Rotation(pose.orientation));
    inner.turned_ = true;
    return inner;
}

std::optional<Point> Placement::point(Vector local) const noexcept
{
    if (!is_place(local)) return std::nullopt;
    const auto placed = to_picture(local);
    return within(placed, farthest_drawn) ? std::optional(to_point(placed)) : std::nullopt;
}

}  // namespace ositrace::picture
