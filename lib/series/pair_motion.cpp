// SPDX-License-Identifier: MPL-2.0
#include <ositrace/pair_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ositrace {

namespace {

constexpr double same_direction = 0.965925826289068;  // cos of 15 degrees

using Vec = std::array<double, 2>;
using Corners = std::array<Vec, 4>;

Vec minus(const Vec& a, const Vec& b) noexcept { return {a[0] - b[0], a[1] - b[1]}; }
double product(const Vec& a, const Vec& b) noexcept { return a[0] * b[0] + a[1] * b[1]; }
double norm(const Vec& a) noexcept { return std::hypot(a[0], a[1]); }

struct Rectangle {
    Corners corners;  ///< in order
    std::array<Vec, 2> axes;
};

Rectangle rectangle_of(const GroundBox& box) noexcept
{
    const Vec along{std::cos(box.yaw), std::sin(box.yaw)};
    const Vec across{-along[1], along[0]};
    Rectangle made{{}, {along, across}};
    constexpr std::array<Vec, 4> signs{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
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

Range projected(const Corners& corners, const Vec& axis) noexcept
{
    Range range;
    for (const auto& corner : corners) {
        const double at = product(corner, axis);
        range.least = std::min(range.least, at);
        range.most = std::max(range.most, at);
    }
    return range;
}

/// From one rectangle to the other.
struct Way {
    double length = std::numeric_limits<double>::infinity();
    Vec step{};
};

/// From a corner to the nearest point of an edge.
Vec step_to(const Vec& corner, const Vec& begin, const Vec& end) noexcept
{
    const auto edge = minus(end, begin);
    const double square = product(edge, edge);
    const double share = square > 0 ? std::clamp(product(minus(corner, begin), edge) / square, 0.0, 1.0) : 0;
    return {begin[0] + share * edge[0] - corner[0], begin[1] + share * edge[1] - corner[1]};
}

/// From the corners of one to the edges of the other. `sign`: -1 if the way is to be turned round.
void shorten(Way& way, const Corners& from, const Corners& to, double sign) noexcept
{
    for (const auto& corner : from)
        for (std::size_t i = 0; i != to.size(); ++i) {
            const auto step = step_to(corner, to[i], to[(i + 1) % to.size()]);
            if (const double length = norm(step); length < way.length) way = {length, {sign * step[0], sign * step[1]}};
        }
}

/// When two rectangles that move apart along every axis of both are in contact: the intersection of the times at which
/// their projections overlap.
class ContactTimes {
public:
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
    [[nodiscard]] bool overlaps_now() const noexcept { return overlaps_now_; }
    [[nodiscard]] std::optional<double> first() const noexcept
    {
        return begin_ <= end_ ? std::optional(begin_) : std::nullopt;
    }

private:
    bool overlaps_now_ = true;
    double begin_ = 0;
    double end_ = std::numeric_limits<double>::infinity();
};

/// Where it drives: the direction of its velocity, or its heading if it does not move.
Vec direction_of(const GroundBox& box) noexcept
{
    const double speed = norm(box.velocity);
    if (speed == 0) return {std::cos(box.yaw), std::sin(box.yaw)};
    return {box.velocity[0] / speed, box.velocity[1] / speed};
}

/// Whether `one` drives towards `other` as they are now: it is ahead, and not wholly aside.
bool has_ahead(const Corners& one, const Vec& direction, const Corners& other) noexcept
{
    const Vec across{-direction[1], direction[0]};
    const auto own_side = projected(one, across), its_side = projected(other, across);
    return projected(other, direction).least > projected(one, direction).most && own_side.least < its_side.most &&
           its_side.least < own_side.most;
}

/// Whether both drive in the same direction and one follows the other, see PairMotion::time_to_collision.
bool share_corridor(const GroundBox& a, const Corners& one, const GroundBox& b, const Corners& other) noexcept
{
    const auto here = direction_of(a), there = direction_of(b);
    if (product(here, there) < same_direction) return false;
    return has_ahead(one, here, other) || has_ahead(other, there, one);
}

bool is_finite(const GroundBox& box) noexcept
{
    return std::ranges::all_of(
        std::array{box.centre[0], box.centre[1], box.length, box.width, box.yaw, box.velocity[0], box.velocity[1]},
        [](double number) { return std::isfinite(number); });
}

}  // namespace

std::optional<PairMotion> pair_motion(const GroundBox& a, const GroundBox& b) noexcept
{
    if (!is_finite(a) || !is_finite(b)) return std::nullopt;
    const auto one = rectangle_of(a), other = rectangle_of(b);
    const auto approach = minus(a.velocity, b.velocity);
    ContactTimes contact;
    for (const auto* const axes : {&one.axes, &other.axes})
        for (const auto& axis : *axes)
            contact.add(projected(one.corners, axis), projected(other.corners, axis), product(approach, axis));
    PairMotion motion{.distance = norm(minus(a.centre, b.centre)),
                      .gap = 0,
                      .closing_speed = {},
                      .time_to_collision = contact.first()};
    if (contact.overlaps_now()) return motion;
    Way way;
    shorten(way, one.corners, other.corners, 1);
    shorten(way, other.corners, one.corners, -1);
    motion.gap = way.length;
    if (!(way.length > 0)) return motion;
    const double closing = product(approach, way.step) / way.length;
    motion.closing_speed = closing;
    if (closing > 0 && share_corridor(a, one.corners, b, other.corners))
        motion.time_to_collision = way.length / closing;
    return motion;
}

}  // namespace ositrace
