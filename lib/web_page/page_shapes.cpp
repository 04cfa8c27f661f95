// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <ositrace/web_page.hpp>

namespace ositrace::web_page {

namespace {

constexpr double degrees = 180 / std::numbers::pi;

std::int64_t metres(double value) noexcept { return steps_of(value, page_metres); }
std::int64_t percent(float strength) noexcept { return steps_of(static_cast<double>(strength), 0.01); }
std::int64_t angle(double radians) noexcept { return steps_of(radians * degrees, page_degrees); }

/// Of a place relative to the origin of a picture.
std::array<double, 3> local(const Point& place, const Pose& origin, const Pose& relative_to) noexcept
{
    std::array<double, 3> offset{}, turned{};
    for (std::size_t k = 0; k < 3; ++k)
        offset[k] = static_cast<double>(place[k]) + origin.centre[k] - relative_to.centre[k];
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t row = 0; row < 3; ++row) turned[k] += relative_to.rotation[row][k] * offset[row];
    return turned;
}

/// Roll, pitch and yaw of a rotation relative to another.
std::array<double, 3> local(const Rotation& rotation, const Rotation& relative_to) noexcept
{
    Rotation turned{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) turned[i][j] += relative_to[k][i] * rotation[k][j];
    return {std::atan2(turned[2][1], turned[2][2]), -std::asin(std::clamp(turned[2][0], -1.0, 1.0)),
            std::atan2(turned[1][0], turned[0][0])};
}

template <std::size_t count>
void append(std::array<Steps, count>& columns, const std::array<std::int64_t, count>& row)
{
    for (std::size_t i = 0; i < count; ++i) columns[i].push_back(row[i]);
}

template <std::size_t count>
bool are_within_a_step(const std::array<Steps, count>& a, const std::array<Steps, count>& b, std::size_t exact)
{
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t most = i < exact ? 0 : 1;
        if (!std::ranges::equal(a[i], b[i],
                                [&](std::int64_t one, std::int64_t other) { return std::abs(one - other) <= most; }))
            return false;
    }
    return true;
}

template <std::size_t count>
void write_columns(PageData& to, const std::array<Steps, count>& columns, Order order)
{
    for (const auto& column : columns) to.block(column, order);
}

}  // namespace

Rotation rotation_of(const std::array<float, 3>& roll_pitch_yaw) noexcept
{
    const auto [roll, pitch, yaw] = roll_pitch_yaw;
    const double cr = std::cos(static_cast<double>(roll)), sr = std::sin(static_cast<double>(roll));
    const double cp = std::cos(static_cast<double>(pitch)), sp = std::sin(static_cast<double>(pitch));
    const double cy = std::cos(static_cast<double>(yaw)), sy = std::sin(static_cast<double>(yaw));
    return {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
             {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
             {-sp, cp * sr, cp * cr}}};
}

Pose pose_of(const Picture& picture, const GlobalPoint& page_origin) noexcept
{
    Pose pose;
    for (std::size_t k = 0; k < 3; ++k) pose.centre[k] = picture.origin[k] - page_origin[k];
    return pose;
}

std::span<const Point> points_of(const Layer& layer, std::uint32_t first, std::uint32_t count) noexcept
{
    const std::span all(layer.points);
    return first <= all.size() && count <= all.size() - first ? all.subspan(first, count) : std::span<const Point>();
}

void Shapes::add(const BoxMark& box, std::uint32_t thing, const Pose& origin, const Pose& relative_to)
{
    const auto centre = local(box.centre, origin, relative_to);
    const auto turned = local(rotation_of(box.rotation), relative_to.rotation);
    append(boxes, {thing, static_cast<std::int64_t>(box.look), static_cast<std::int64_t>(box.shape), box.wire_only,
                   percent(box.strength), metres(centre[0]), metres(centre[1]), metres(centre[2]),
                   metres(static_cast<double>(box.size[0])), metres(static_cast<double>(box.size[1])),
                   metres(static_cast<double>(box.size[2])), angle(turned[0]), angle(turned[1]), angle(turned[2])});
}

namespace {

void add_points(std::array<Steps, 3>& to, std::span<const Point> places, const Pose& origin, const Pose& relative_to)
{
    for (const auto& each : places) {
        const auto place = local(each, origin, relative_to);
        for (std::size_t k = 0; k < 3; ++k) to[k].push_back(metres(place[k]));
    }
}

}  // namespace

void Shapes::add(const LineMark& line, std::uint32_t thing, std::span<const Point> of_line, const Pose& origin,
                 const Pose& relative_to)
{
    append(lines, {thing, static_cast<std::int64_t>(line.look), line.arrow, metres(static_cast<double>(line.width)),
                   metres(static_cast<double>(line.height)), percent(line.strength),
                   static_cast<std::int64_t>(of_line.size())});
    add_points(points, of_line, origin, relative_to);
}

void Shapes::add(const StripMark& strip, std::uint32_t thing, std::span<const Point> of_strip, const Pose& origin,
                 const Pose& relative_to)
{
    append(strips, {thing, static_cast<std::int64_t>(strip.look), strip.fading, percent(strip.strength),
                    static_cast<std::int64_t>(of_strip.size())});
    add_points(points, of_strip, origin, relative_to);
}

bool Shapes::resembles(const Shapes& other) const noexcept
{
    return are_within_a_step(boxes, other.boxes, exact_box_columns) &&
           are_within_a_step(lines, other.lines, line_columns) &&
           are_within_a_step(strips, other.strips, strip_columns) && are_within_a_step(points, other.points, 0);
}

void Shapes::write(PageData& to) const
{
    write_columns(to, boxes, Order::similar);
    write_columns(to, lines, Order::similar);
    write_columns(to, strips, Order::similar);
    write_columns(to, points, Order::on_a_line);
}

}  // namespace ositrace::web_page
