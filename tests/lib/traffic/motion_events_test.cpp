// SPDX-License-Identifier: MPL-2.0
// Events of the motion of one object, whose answer a formula gives.
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.hpp"
#include "tests/lib/traffic/moving_scene.hpp"

using namespace moving;
using Catch::Matchers::WithinAbs;

namespace {

/// Brakes at 1.2 s with -6 m/s^2 from 20 m/s, stands from 4.533 s on.
std::optional<Mover> braking_car(double time, bool with_velocity, bool with_acceleration)
{
    constexpr double v0 = 20, begin = 1.2, a = 6;
    const double braked = std::clamp(time - begin, 0.0, v0 / a);
    const double x = v0 * std::min(time, begin) + v0 * braked - a * braked * braked / 2;
    auto mover = car(7, {x, 0});
    if (with_velocity) mover.velocity = Vec2{v0 - a * braked, 0};
    if (with_acceleration) mover.acceleration = Vec2{time >= begin && time < begin + v0 / a ? -a : 0, 0};
    return mover;
}

Scene braking_scene(bool with_velocity, bool with_acceleration)
{
    Scene scene;
    scene.paths = {[=](double time) { return braking_car(time, with_velocity, with_acceleration); }};
    scene.duration = 8;
    return scene;
}

}  // namespace

TEST_CASE("braking at 1.2 s with -6 m/s^2 is found to the frame, stated or derived")
{
    struct Row {
        bool velocity, acceleration;
        double tolerance_of_time, tolerance_of_value;
        std::string_view source;
    };
    const auto row = GENERATE(Row{true, true, 1e-6, 1e-9, "acceleration"}, Row{true, false, 1e-6, 1e-6, "velocity"},
                              Row{false, false, 0.4, 0.01, "position"});
    CAPTURE(row.source);
    const auto events = braking_scene(row.velocity, row.acceleration).events(EventKind::hard_braking);
    REQUIRE(events.size() == 1);
    const auto& event = events.front();
    CHECK(event.object == 7);
    CHECK_THAT(seconds(event.begin), WithinAbs(1.2, row.tolerance_of_time));
    CHECK_THAT(seconds(event.end), WithinAbs(1.2 + 20.0 / 6, row.source == "position" ? 0.4 : 0.05));
    REQUIRE(event.value);
    CHECK_THAT(*event.value, WithinAbs(-6, row.tolerance_of_value));
    CHECK(event.source == row.source);
    CHECK(event.frame == (row.source == "velocity" ? 31 : event.frame));
}

TEST_CASE("noise of positions is no acceleration")
{
    Scene scene;
    scene.step = 0.05;
    std::minstd_rand random(1);
    std::uniform_real_distribution<double> noise(-0.1, 0.1);
    scene.paths = {[&](double time) { return car(1, {20 * time + noise(random), noise(random)}); }};
    CHECK(scene.events(EventKind::hard_braking).empty());
    CHECK(scene.events(EventKind::hard_acceleration).empty());
}

TEST_CASE("a threshold and a least time decide what is hard braking")
{
    const auto scene = braking_scene(true, true);
    CHECK(scene.events(EventKind::hard_braking, {.braking = 6.01}).empty());
    CHECK(scene.events(EventKind::hard_braking, {.acceleration_time = 3.4}).empty());
    CHECK(scene.events(EventKind::hard_braking, {.acceleration_time = 3.2}).size() == 1);
    CHECK(scene.events(EventKind::hard_acceleration).empty());
}

TEST_CASE("the standstill after it lasts until the end")
{
    const auto events = braking_scene(true, false).events(EventKind::standstill);
    REQUIRE(events.size() == 1);
    // From 0.1 m/s on.
    CHECK_THAT(seconds(events[0].begin), WithinAbs(1.2 + 19.9 / 6, 0.04));
    CHECK_THAT(seconds(events[0].end), WithinAbs(8, 1e-9));
    CHECK(braking_scene(true, false).events(EventKind::standstill, {.standstill_time = 3.6}).empty());
}

TEST_CASE("acceleration counts along the velocity: in a bend at constant speed there is none")
{
    Scene scene;
    scene.paths = {[](double time) {
        const double w = 0.5, r = 40;  // 20 m/s, 10 m/s^2 to the centre
        return car(1, {r * std::sin(w * time), r - r * std::cos(w * time)}, w * time,
                   Vec2{r * w * std::cos(w * time), r * w * std::sin(w * time)});
    }};
    CHECK(scene.events(EventKind::hard_braking).empty());
    CHECK(scene.events(EventKind::hard_acceleration).empty());
}

TEST_CASE("who drives backwards and slows down brakes")
{
    Scene scene;
    scene.duration = 1;
    scene.paths = {[](double time) { return car(1, {-10 * time + 3 * time * time, 0}, 0, Vec2{-10 + 6 * time, 0}); }};
    REQUIRE(scene.events(EventKind::hard_braking).size() == 1);
    CHECK_THAT(*scene.events(EventKind::hard_braking)[0].value, WithinAbs(-6, 1e-6));
}

TEST_CASE("objects appear and vanish, and tracks have gaps")
{
    Scene scene;
    scene.duration = 4;
    scene.step = 0.1;
    scene.paths = {
        [](double time) { return car(1, {time, 0}); },
        [](double time) { return time > 0.95 && time < 2.95 ? std::optional(car(2, {time, 9})) : std::nullopt; },
        [](double time) { return time < 1.05 || time > 1.45 ? std::optional(car(3, {time, 19})) : std::nullopt; }};
    const auto only = [&](EventKind kind) {
        const auto events = scene.events(kind);
        REQUIRE(events.size() == 1);
        return events.front();
    };
    CHECK(only(EventKind::appears).object == 2);
    CHECK(only(EventKind::appears).begin == std::chrono::seconds(1));
    CHECK(only(EventKind::appears).frame == 10);
    CHECK(only(EventKind::vanishes).object == 2);
    CHECK_THAT(seconds(only(EventKind::vanishes).begin), WithinAbs(2.9, 1e-9));
    const auto gap = only(EventKind::gap);
    CHECK(gap.object == 3);
    CHECK_THAT(seconds(gap.begin), WithinAbs(1.0, 1e-9));
    CHECK_THAT(seconds(gap.end), WithinAbs(1.5, 1e-9));
}

TEST_CASE("of two objects with one id the first one counts")
{
    Scene scene;
    scene.duration = 2;
    scene.paths = {[](double time) { return car(1, {10 * time, 0}, 0, Vec2{10, 0}); },
                   [](double) { return car(1, {500, 0}, 0, Vec2{0, 0}); }};
    CHECK(scene.events().empty());
}
