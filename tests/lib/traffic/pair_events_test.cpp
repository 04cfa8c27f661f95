// SPDX-License-Identifier: MPL-2.0
// Overtaking, collisions, red lights.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/traffic/moving_scene.hpp"

using namespace moving;
using Catch::Matchers::WithinAbs;

namespace {

Path drives(std::uint64_t id, Vec2 from, Vec2 velocity)
{
    return [=](double time) {
        return std::optional(car(id, from + time * velocity, std::atan2(velocity.y, velocity.x), velocity));
    };
}

}  // namespace

TEST_CASE("overtaking lasts from front at rear to rear at front")
{
    Scene scene;
    scene.paths = {drives(1, {-50, 3.5}, {30, 0}), drives(2, {0, 0}, {20, 0})};
    const auto events = scene.events(EventKind::overtaking);
    REQUIRE(events.size() == 1);
    CHECK(events[0].object == 1);
    CHECK(events[0].other == 2);
    CHECK_THAT(seconds(events[0].begin), WithinAbs(4.5, 1e-6));  // 45 m at 10 m/s
    CHECK_THAT(seconds(events[0].end), WithinAbs(5.5, 1e-6));
    CHECK_THAT(events[0].value.value(), WithinAbs(1.5, 1e-9));
    CHECK(scene.events(EventKind::overtaking, {.overtaking_distance = 1.4}).empty());
}

TEST_CASE("oncoming traffic, one that stands and one that falls back again are not overtaken")
{
    Scene scene;
    scene.paths = {drives(1, {-50, 3.5}, {30, 0}), drives(2, {50, 0}, {-20, 0})};
    CHECK(scene.events(EventKind::overtaking).empty());
    scene.paths = {drives(1, {-50, 3.5}, {30, 0}), [](double) { return std::optional(car(2, {0, 0}, 0, Vec2{0, 0})); }};
    CHECK(scene.events(EventKind::overtaking).empty());
    scene.paths = {[](double time) {
                       const double x = 200 * time / 10 - 8 + 8 * std::sin(time);  // beside it, and behind again
                       return std::optional(car(1, {x, 3.5}, 0, Vec2{20 + 8 * std::cos(time), 0}));
                   },
                   drives(2, {4, 0}, {20, 0})};
    scene.duration = 6;
    CHECK(scene.events(EventKind::overtaking).empty());
}

TEST_CASE("a collision begins with the first frame in which the footprints overlap")
{
    Scene scene;
    scene.step = 0.01;
    scene.duration = 5;
    scene.paths = {drives(1, {-50, 0}, {20, 0}), drives(2, {0, -50}, {0, 20})};
    const auto events = scene.events(EventKind::collision);
    REQUIRE(events.size() == 1);
    // Both fronts are within the width of the other when they are 1 m + 2.5 m from the centre of the crossing.
    CHECK_THAT(seconds(events[0].begin), WithinAbs(46.5 / 20, 0.011));
    CHECK_THAT(seconds(events[0].end), WithinAbs(53.5 / 20, 0.011));
    CHECK_THAT(events[0].value.value(), WithinAbs(20 * std::sqrt(2.0), 1e-9));
}

TEST_CASE("above each other, touching and towing are no collisions")
{
    const auto beside = [](double y, double bottom, std::optional<std::uint64_t> trailer) {
        Scene scene;
        scene.duration = 1;
        scene.paths = {[=](double) {
                           auto mover = car(1, {0, 0});
                           mover.trailer = trailer;
                           return std::optional(mover);
                       },
                       [=](double) {
                           auto mover = car(2, {1, y});
                           mover.bottom = bottom;
                           mover.top = bottom + 1.5;
                           return std::optional(mover);
                       }};
        return scene.events(EventKind::collision).size();
    };
    CHECK(beside(1, 0, {}) == 1);
    CHECK(beside(2, 0, {}) == 0);  // touches
    CHECK(beside(1, 5, {}) == 0);  // on a bridge
    CHECK(beside(1, 0, 2) == 0);
    CHECK(beside(1, 0, 3) == 1);
}

TEST_CASE("a red light is passed with the front on the line")
{
    Scene scene;
    double red_until = 100;
    scene.paths = {[](double time) {
        auto mover = car(1, {10 * time, 0}, 0, Vec2{10, 0});
        mover.lane = 1;
        return std::optional(mover);
    }};
    scene.lanes = three_lanes();
    StopPlace line{
        .middle = {43.3, 0}, .along = {0, 1}, .half_length = 1.75, .lane = 1, .light = 77, .is_stop_line = true};
    scene.stops = [&](double time) {
        line.is_red = time < red_until;
        return std::vector{line};
    };
    const auto events = scene.events(EventKind::red_light_passed);
    REQUIRE(events.size() == 1);
    CHECK_THAT(seconds(events[0].begin), WithinAbs(4.08, 1e-6));
    CHECK(events[0].other == 77);
    CHECK_THAT(events[0].value.value(), WithinAbs(10, 1e-9));
    CHECK(events[0].source == "stop line");
    red_until = 4;
    CHECK(scene.events(EventKind::red_light_passed).empty());
    red_until = 100;
    line.lane = 2;  // a neighbour
    CHECK(scene.events(EventKind::red_light_passed).empty());
    line.lane = 11;  // the lane that follows
    CHECK(scene.events(EventKind::red_light_passed).size() == 1);
}
