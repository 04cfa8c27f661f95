// SPDX-License-Identifier: MPL-2.0
// Closed forms of what one object that follows another one has; pair_motion_test.cpp has gaps and contacts.
#include <cmath>
#include <random>

#include <ositrace/footprint.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

TEST_CASE("times and deceleration of one that closes in")
{
    const PathMotion motion{.clearance = 30, .closing_speed = 10, .closing_acceleration = 0, .follower_speed = 20};
    CHECK(time_gap_of(motion).value() == Approx(1.5));
    CHECK(time_to_collision_of(motion).value() == Approx(3));
    CHECK(enhanced_time_to_collision_of(motion).value() == Approx(3));
    CHECK(required_deceleration_of(motion).value() == Approx(100.0 / 60));
}

TEST_CASE("what does not close has no time to collision")
{
    for (const double speed : {0.0, -5.0}) {
        const PathMotion motion{
            .clearance = 30, .closing_speed = speed, .closing_acceleration = 0, .follower_speed = 0};
        CHECK(!time_to_collision_of(motion));
        CHECK(!enhanced_time_to_collision_of(motion));
        CHECK(!required_deceleration_of(motion));
        CHECK(!time_gap_of(motion));
    }
}

TEST_CASE("a leader that brakes is reached although the speeds are equal")
{
    // 27 m = 6 m/s² * (3 s)² / 2
    const PathMotion motion{.clearance = 27, .closing_speed = 0, .closing_acceleration = 6, .follower_speed = 20};
    CHECK(!time_to_collision_of(motion));
    CHECK(enhanced_time_to_collision_of(motion).value() == Approx(3));
}

TEST_CASE("a follower that brakes enough never arrives, and just in time at the vertex")
{
    PathMotion motion{.clearance = 10, .closing_speed = 10, .closing_acceleration = -5.001, .follower_speed = 20};
    CHECK(!enhanced_time_to_collision_of(motion));
    motion.closing_acceleration = -5;
    CHECK(enhanced_time_to_collision_of(motion).value() == Approx(2));
}

TEST_CASE("the enhanced time to collision is the first root, for any signs")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> clearances(0.1, 100), speeds(-30, 30), accelerations(-10, 10);
    int found = 0;
    for (int round = 0; round != 2000; ++round) {
        const PathMotion motion{.clearance = clearances(random),
                                .closing_speed = speeds(random),
                                .closing_acceleration = accelerations(random),
                                .follower_speed = 0};
        const auto left = [&](double t) {
            return motion.clearance - motion.closing_speed * t - motion.closing_acceleration * t * t / 2;
        };
        const auto time = enhanced_time_to_collision_of(motion);
        const double end = time.value_or(1000);
        if (time) {
            ++found;
            CHECK(std::abs(left(*time)) < 1e-6 * (1 + *time * *time * 10));
        }
        for (int i = 0; i != 200; ++i) CHECK(left(end * i / 200 * 0.999) > 0);
    }
    CHECK(found > 500);
}

TEST_CASE("the corridor is as wide as the follower and goes where it drives")
{
    const Footprint follower{{0, 0}, 4, 2, 0, {10, 0}, {1, 0}};
    CHECK(in_corridor(follower, {{20, 1.9}, 4, 2, 0, {5, 0}, {-2, 0}}).has_value());
    CHECK(!in_corridor(follower, {{20, 2.1}, 4, 2, 0, {5, 0}, {}}));
    CHECK(!in_corridor(follower, {{-20, 0}, 4, 2, 0, {5, 0}, {}}));
    CHECK(!in_corridor(follower, {{20, 0}, 4, 2, 0, {-5, 0}, {}}));  // oncoming
    const auto motion = in_corridor(follower, {{20, 1.9}, 4, 2, 0, {5, 0}, {-2, 0}});
    CHECK(motion->clearance == Approx(16));
    CHECK(motion->closing_speed == Approx(5));
    CHECK(motion->closing_acceleration == Approx(3));
    CHECK(motion->follower_speed == Approx(10));
}
