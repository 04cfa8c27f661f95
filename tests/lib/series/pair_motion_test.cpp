// SPDX-License-Identifier: MPL-2.0
// Gap, path and time to contact, against points on the outlines that are moved step by step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <ositrace/pair_motion.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

namespace {

constexpr int points_per_side = 400;

/// A point of the outline, in the frame of the box.
std::array<double, 2> outline_point(const GroundBox& box, int i)
{
    const int side = i / points_per_side;
    const double share = 2.0 * (i % points_per_side) / (points_per_side - 1) - 1;
    const double l = box.length / 2, w = box.width / 2;
    switch (side) {
    case 0: return {share * l, w};
    case 1: return {share * l, -w};
    case 2: return {l, share * w};
    default: return {-l, share * w};
    }
}

/// Coordinates in the frame of a box that is turned about its centre, and back.
class BoxFrame {
public:
    explicit BoxFrame(const GroundBox& box) : centre_(box.centre), cos_(std::cos(box.yaw)), sin_(std::sin(box.yaw)) {}
    [[nodiscard]] std::array<double, 2> inside(const std::array<double, 2>& at) const
    {
        const double dx = at[0] - centre_[0], dy = at[1] - centre_[1];
        return {cos_ * dx + sin_ * dy, cos_ * dy - sin_ * dx};
    }
    [[nodiscard]] std::array<double, 2> outside(const std::array<double, 2>& at) const
    {
        return {centre_[0] + cos_ * at[0] - sin_ * at[1], centre_[1] + sin_ * at[0] + cos_ * at[1]};
    }

private:
    std::array<double, 2> centre_;
    double cos_, sin_;
};

double one_way_gap(const GroundBox& from, const GroundBox& to)
{
    const BoxFrame own(from), other(to);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i != 4 * points_per_side; ++i) {
        const auto [x, y] = other.inside(own.outside(outline_point(from, i)));
        const double dx = std::max(std::abs(x) - to.length / 2, 0.0), dy = std::max(std::abs(y) - to.width / 2, 0.0);
        least = std::min(least, dx * dx + dy * dy);
    }
    return std::sqrt(least);
}

double gap_by_points(const GroundBox& a, const GroundBox& b) { return std::min(one_way_gap(a, b), one_way_gap(b, a)); }

GroundBox later(GroundBox box, double seconds)
{
    box.centre[0] += seconds * box.velocity[0];
    box.centre[1] += seconds * box.velocity[1];
    return box;
}

double travel_of(const GroundBox& box) { return std::atan2(box.velocity[1], box.velocity[0]); }

/// Whether a ray from a point of the front of `from`, in its direction of travel, meets `to`: in the frame of the
/// travel.
bool drives_towards(const GroundBox& from, const GroundBox& to)
{
    const BoxFrame travel({from.centre, 0, 0, travel_of(from), {}}), own_frame(from), its_frame(to);
    constexpr double far = 1e9;
    double front = -far, rear = far, left = -far, right = far, its_left = -far, its_right = far;
    for (int i = 0; i != 4 * points_per_side; ++i) {
        const auto own = travel.inside(own_frame.outside(outline_point(from, i)));
        const auto its = travel.inside(its_frame.outside(outline_point(to, i)));
        front = std::max(front, own[0]);
        rear = std::min(rear, its[0]);
        left = std::max(left, own[1]), right = std::min(right, own[1]);
        its_left = std::max(its_left, its[1]), its_right = std::min(its_right, its[1]);
    }
    return rear > front && its_right < left && right < its_left;
}

bool follows(const GroundBox& a, const GroundBox& b)
{
    const double turn = std::remainder(travel_of(a) - travel_of(b), 8 * std::atan(1.0));
    return std::abs(turn) < 2 * std::atan(1.0) && (drives_towards(a, b) || drives_towards(b, a));
}

GroundBox random_box(std::mt19937& random)
{
    const auto between = [&](double least, double most) {
        return std::uniform_real_distribution<double>(least, most)(random);
    };
    return {{between(-20, 20), between(-20, 20)},
            between(0.3, 12),
            between(0.3, 3),
            between(-4, 4),
            {between(-15, 15), between(-15, 15)}};
}

}  // namespace

TEST_CASE("a car behind another one collides after clearance / closing speed")
{
    const GroundBox behind{{0, 0}, 4, 2, 0, {20, 0}}, ahead{{30, 0.5}, 6, 2, 0, {15, 0}};
    for (const auto& motion : {pair_motion(behind, ahead), pair_motion(ahead, behind)}) {
        REQUIRE(motion);
        CHECK(motion->distance == Approx(std::hypot(30, 0.5)));
        CHECK(motion->gap == Approx(25));  // 30 - 2 - 3
        CHECK(motion->path->clearance == Approx(25));
        CHECK(motion->path->closing_speed == Approx(5));
        CHECK(time_to_collision_of(*motion->path).value() == Approx(5));
        CHECK(motion->time_to_contact.value() == Approx(5));
    }
}

TEST_CASE("a car in the next lane is passed without a collision")
{
    const GroundBox passing{{0, 0}, 4, 2, 0, {20, 0}}, passed{{30, 3.5}, 4, 2, 0, {15, 0}};
    const auto motion = pair_motion(passing, passed);
    REQUIRE(motion);
    CHECK(motion->gap == Approx(std::hypot(26, 1.5)));
    CHECK(!motion->path);
    CHECK(!motion->time_to_contact);
}

TEST_CASE("one that follows the other in a slight bend closes the gap and does not miss")
{
    // highway_merge.osi at 5.940 s: car 3 behind car 2.
    const GroundBox behind{{-35.513, 17.172}, 6.04, 2.5, -0.00876, {31.232, -0.2737}},
        ahead{{15.486, 16.581}, 4.5, 1.8, -0.01503, {27.878, -0.4198}};
    for (const auto& motion : {pair_motion(behind, ahead), pair_motion(ahead, behind)}) {
        REQUIRE(motion);
        CHECK(motion->gap == Approx(45.72).margin(0.02));
        CHECK(motion->path->closing_speed == Approx(3.35).margin(0.02));
        CHECK(time_to_collision_of(*motion->path).value() == Approx(45.72 / 3.35).margin(0.05));
    }
}

TEST_CASE("a car that crosses the way ahead is followed by nobody")
{
    const GroundBox driving{{0, 0}, 4, 2, 0, {20, 0}}, crossing{{40, 0}, 4, 2, 1.58, {0, 15}};
    CHECK(!pair_motion(driving, {{40, 0}, 4, 2, 1.58, {-1, 15}})->path);
    CHECK(!pair_motion(driving, crossing)->time_to_contact);
}

TEST_CASE("a car that opens its gap never collides")
{
    const GroundBox behind{{0, 0}, 4, 2, 0, {10, 0}}, ahead{{30, 0.5}, 4, 2, 0.01, {15, 0.1}};
    const auto motion = pair_motion(behind, ahead);
    CHECK(motion->path->closing_speed == Approx(-5));
    CHECK(!time_to_collision_of(*motion->path));
    CHECK(!motion->time_to_contact);
}

TEST_CASE("boxes that overlap have no gap and are in contact now")
{
    const auto motion = pair_motion({{0, 0}, 4, 2, 0.3, {1, 0}}, {{1, 0.5}, 4, 2, -1, {}});
    REQUIRE(motion);
    CHECK(motion->gap == 0);
    CHECK(!motion->path);
    CHECK(motion->time_to_contact == 0);
}

TEST_CASE("what is not finite has no relation")
{
    CHECK(!pair_motion({{NAN, 0}, 4, 2, 0, {}}, {}));
    CHECK(!pair_motion({}, {{0, 0}, 4, 2, 0, {INFINITY, 0}}));
}

TEST_CASE("gap, path and time to contact agree with points that are moved")
{
    std::mt19937 random(19);
    int contacts = 0, misses = 0, followed = 0;
    for (int round = 0; round != 500; ++round) {
        const auto a = random_box(random);
        auto b = random_box(random);
        if (round % 2 == 0) {  // nearly the same direction
            const double turn = std::uniform_real_distribution<double>(-0.3, 0.3)(random), share = 0.2 + 0.01 * round;
            b.velocity = {share * (std::cos(turn) * a.velocity[0] - std::sin(turn) * a.velocity[1]),
                          share * (std::sin(turn) * a.velocity[0] + std::cos(turn) * a.velocity[1])};
        }
        const auto motion = pair_motion(a, b), reverse = pair_motion(b, a);
        REQUIRE(motion);
        CHECK(reverse->gap == Approx(motion->gap));
        CHECK(reverse->time_to_contact.value_or(-1) == Approx(motion->time_to_contact.value_or(-1)));
        // Points 3 cm apart overestimate the gap by 0.4 mm at a gap of 20 cm and more, and by 1.5 cm at none.
        const double gap = gap_by_points(a, b);
        CHECK(motion->gap <= gap + 1e-9);
        CHECK(motion->gap >= gap - 0.016);
        CHECK(motion->path.has_value() == follows(a, b));
        followed += motion->path ? 1 : 0;
        if (motion->time_to_contact) {
            const double t = *motion->time_to_contact;
            ++contacts;
            CHECK(gap_by_points(later(a, t), later(b, t)) < 0.016);
            if (t > 0) CHECK(gap_by_points(later(a, 0.98 * t), later(b, 0.98 * t)) > 0);
            continue;
        }
        ++misses;
        // They stay apart at least until their relative speed has closed the gap.
        const double speed = std::hypot(a.velocity[0] - b.velocity[0], a.velocity[1] - b.velocity[1]);
        double apart_until = 0;
        for (double t = 0; t < 10; t = std::max(t + 0.1, apart_until)) {
            const double gap_then = gap_by_points(later(a, t), later(b, t));
            CHECK(gap_then > 0);
            apart_until = t + gap_then / speed;
        }
    }
    CHECK(contacts > 30);
    CHECK(misses > 30);
    CHECK(followed > 10);
}
