// SPDX-License-Identifier: MPL-2.0
#include <ositrace/footprint.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ositrace {

namespace {

using Corners = std::array<GroundPoint, 4>;

GroundPoint minus(const GroundPoint& a, const GroundPoint& b) noexcept { return {a[0] - b[0], a[1] - b[1]}; }
double product(const GroundPoint& a, const GroundPoint& b) noexcept { return a[0] * b[0] + a[1] * b[1]; }
double norm(const GroundPoint& a) noexcept { return std::sqrt(product(a, a)); }
GroundPoint left_of(const GroundPoint& direction) noexcept { return {-direction[1], direction[0]}; }

struct Rectangle {
    Corners corners;  ///< in order
    std::array<GroundPoint, 2> axes;
};

Rectangle rectangle_of(const Footprint& box) noexcept
{
    const GroundPoint along{std::cos(box.yaw), std::sin(box.yaw)}, across = left_of(along);
    Rectangle made{{}, {along, across}};
    constexpr Corners signs{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
    for (std::size_t i = 0; i != made.corners.size(); ++i) {
        const double ahead = signs[i][0] * box.length / 2, aside = signs[i][1] * box.width / 2;
        made.corners[i] = {box.centre[0] + ahead * along[0] + aside * across[0],
                           box.centre[1] + ahead * along[1] + aside * across[1]};
    }
    return made;
}

struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
};

Range projected(const Corners& corners, const GroundPoint& axis) noexcept
{
    Range range;
    for (const auto& corner : corners) {
        const double at = product(corner, axis);
        range.least = std::min(range.least, at);
        range.most = std::max(range.most, at);
    }
    return range;
}

/// From a corner to the nearest point of an edge.
GroundPoint step_to(const GroundPoint& corner, const GroundPoint& begin, const GroundPoint& end) noexcept
{
    const auto edge = minus(end, begin);
    const double square = product(edge, edge);
    const double share = square > 0 ? std::clamp(product(minus(corner, begin), edge) / square, 0.0, 1.0) : 0;
    return {begin[0] + share * edge[0] - corner[0], begin[1] + share * edge[1] - corner[1]};
}

/// The shortest step from a corner of one to an edge of the other.
struct ShortestStep {
    double square = std::numeric_limits<double>::infinity();
    GroundPoint step{};

    ShortestStep(const Corners& from, const Corners& to) noexcept
    {
        for (const auto& corner : from)
            for (std::size_t i = 0; i != to.size(); ++i) {
                const auto next = step_to(corner, to[i], to[(i + 1) % to.size()]);
                if (const double length = product(next, next); length < square) {
                    square = length;
                    step = next;
                }
            }
    }
};

/// When two rectangles that move apart along every axis of both are in contact: the intersection of the times at which
/// their projections overlap.
class ContactTimes {
public:
    ContactTimes(const Rectangle& one, const Rectangle& other, const GroundPoint& approach) noexcept
    {
        for (const auto* const axes : {&one.axes, &other.axes})
            for (const auto& axis : *axes)
                add(projected(one.corners, axis), projected(other.corners, axis), product(approach, axis));
    }
    [[nodiscard]] bool overlaps_now() const noexcept { return overlaps_now_; }
    [[nodiscard]] std::optional<double> first() const noexcept
    {
        return begin_ <= end_ ? std::optional(begin_) : std::nullopt;
    }

private:
    void add(const Range& a, const Range& b, double speed) noexcept
    {
        const double until_touch = b.least - a.most, until_passed = b.most - a.least;
        if (until_touch > 0 || until_passed < 0) overlaps_now_ = false;
        if (speed == 0) {
            if (until_touch > 0 || until_passed < 0) end_ = -1;
            return;
        }
        begin_ = std::max(begin_, std::min(until_touch / speed, until_passed / speed));
        end_ = std::min(end_, std::max(until_touch / speed, until_passed / speed));
    }

    bool overlaps_now_ = true;
    double begin_ = 0;
    double end_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Footprint footprint_of(const TrafficObject& object) noexcept
{
    return {.centre = {object.position[0], object.position[1]},
            .length = object.length,
            .width = object.width,
            .yaw = object.yaw,
            .velocity = {object.velocity[0], object.velocity[1]},
            .acceleration = {object.acceleration[0], object.acceleration[1]}};
}

std::array<GroundPoint, 4> corners_of(const Footprint& footprint) noexcept { return rectangle_of(footprint).corners; }

GroundPoint direction_of(const Footprint& footprint) noexcept
{
    const double speed = norm(footprint.velocity);
    if (speed == 0) return {std::cos(footprint.yaw), std::sin(footprint.yaw)};
    return {footprint.velocity[0] / speed, footprint.velocity[1] / speed};
}

bool is_finite(const Footprint& footprint) noexcept
{
    const auto& [centre, length, width, yaw, velocity, acceleration] = footprint;
    return std::ranges::all_of(std::array{centre[0], centre[1], length, width, yaw, velocity[0], velocity[1],
                                          acceleration[0], acceleration[1]},
                               [](double number) { return std::isfinite(number); });
}

ShortestWay shortest_way(const Footprint& a, const Footprint& b) noexcept
{
    const auto one = rectangle_of(a), other = rectangle_of(b);
    if (ContactTimes(one, other, {0, 0}).overlaps_now()) return {};
    const ShortestStep there(one.corners, other.corners), back(other.corners, one.corners);
    if (there.square <= back.square) return {std::sqrt(there.square), there.step};
    return {std::sqrt(back.square), {-back.step[0], -back.step[1]}};
}

std::optional<double> time_to_contact(const Footprint& a, const Footprint& b) noexcept
{
    return ContactTimes(rectangle_of(a), rectangle_of(b), minus(a.velocity, b.velocity)).first();
}

std::optional<PathMotion> in_corridor(const Footprint& follower, const Footprint& leader) noexcept
{
    const auto along = direction_of(follower), across = left_of(along);
    if (product(along, direction_of(leader)) <= 0) return std::nullopt;
    const auto own = corners_of(follower), its = corners_of(leader);
    const auto own_side = projected(own, across), its_side = projected(its, across);
    if (!(own_side.least <= its_side.most && its_side.least <= own_side.most)) return std::nullopt;
    const double clearance = projected(its, along).least - projected(own, along).most;
    if (!(clearance >= 0)) return std::nullopt;
    return PathMotion{.clearance = clearance,
                      .closing_speed = product(minus(follower.velocity, leader.velocity), along),
                      .closing_acceleration = product(minus(follower.acceleration, leader.acceleration), along),
                      .follower_speed = product(follower.velocity, along)};
}

std::optional<double> time_gap_of(const PathMotion& motion) noexcept
{
    return motion.follower_speed > 0 ? std::optional(motion.clearance / motion.follower_speed) : std::nullopt;
}

std::optional<double> time_to_collision_of(const PathMotion& motion) noexcept
{
    return motion.closing_speed > 0 ? std::optional(motion.clearance / motion.closing_speed) : std::nullopt;
}

std::optional<double> enhanced_time_to_collision_of(const PathMotion& motion) noexcept
{
    const double c = motion.clearance, v = motion.closing_speed, a = motion.closing_acceleration;
    if (c <= 0) return 0;
    if (a == 0) return time_to_collision_of(motion);
    const double root = v * v + 2 * a * c;
    if (root < 0) return std::nullopt;
    // 2c / (v + sqrt(v² + 2ac)): the least positive root without cancellation, whatever the sign of a.
    const double divisor = v + std::sqrt(root);
    return divisor > 0 ? std::optional(2 * c / divisor) : std::nullopt;
}

std::optional<double> required_deceleration_of(const PathMotion& motion) noexcept
{
    if (!(motion.closing_speed > 0 && motion.clearance > 0)) return std::nullopt;
    return motion.closing_speed * motion.closing_speed / (2 * motion.clearance);
}

}  // namespace ositrace
