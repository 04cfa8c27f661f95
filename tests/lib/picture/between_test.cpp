// SPDX-License-Identifier: MPL-2.0
// The motion between two messages, against a motion that is known at every time.
#include <cmath>
#include <memory>

#include <ositrace/picture_between.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

namespace {

constexpr double turn_rate = 0.8, radius = 20;  // rad/s, m

/// A car on a circle, with a lamp, an arrow of its velocity and a trail; a parked box; a road.
Picture on_circle(double time, GlobalPoint origin)
{
    const double angle = turn_rate * time;
    const auto at = [&](double ahead, double left) {
        const double heading = angle + std::acos(0.0);
        return Point{static_cast<float>(radius * std::cos(angle) + ahead * std::cos(heading) -
                                        left * std::sin(heading) - origin[0]),
                     static_cast<float>(radius * std::sin(angle) + ahead * std::sin(heading) +
                                        left * std::cos(heading) - origin[1]),
                     static_cast<float>(1 - origin[2])};
    };
    const auto yaw = static_cast<float>(std::remainder(angle + std::acos(0.0), 4 * std::acos(0.0)));
    auto layer = std::make_shared<Layer>();
    layer->things.push_back({.key = {.category = Category::host, .id = 7},
                             .centre = at(0, 0),
                             .size = {4, 2, 1.5F},
                             .rotation = {0, 0, yaw}});
    layer->things.push_back({.key = {.category = Category::stationary_object, .id = 8}, .centre = {3, 4, 0}});
    layer->boxes.push_back({.thing = 0, .centre = at(0, 0), .size = {4, 2, 1.5F}, .rotation = {0, 0, yaw}});
    layer->boxes.push_back({.thing = 0, .look = Look::brake_on, .centre = at(-2, 0.8), .rotation = {0, 0, yaw}});
    layer->boxes.push_back({.thing = 1, .centre = {3, 4, 0}});
    layer->points = {at(0, 0), at(5, 0), Point{1, 2, 3}, Point{2, 2, 3}};
    layer->lines.push_back({.thing = 0, .look = Look::velocity, .arrow = true, .first = 0, .count = 2});
    layer->lines.push_back({.thing = 0, .first = 2, .count = 2});  // a trail
    Picture picture;
    picture.origin = origin;
    picture.host = layer->things[0];
    picture.layers = {layer};
    picture.axes.push_back({.name = "lidar", .centre = at(1, 0), .rotation = {0, 0, yaw}});
    return picture;
}

double apart(const Point& a, const Point& b)
{
    return std::hypot(static_cast<double>(a[0] - b[0]), static_cast<double>(a[1] - b[1]),
                      static_cast<double>(a[2] - b[2]));
}

}  // namespace

TEST_CASE("between two messages a car is where its motion brings it, with its lamps and its arrow")
{
    constexpr double step = 0.1;
    for (const double begin : {0.0, 1.9, 2.9, 3.85})  // at 1.96 and 5.9 s the angle jumps
        for (const double share : {0.0, 0.3, 0.5, 0.9, 1.0}) {
            const auto from = on_circle(begin, {0, 0, 0}), to = on_circle(begin + step, {4, -2, 0.5}),
                       exact = on_circle(begin + share * step, {0, 0, 0});
            const auto between = picture_between(from, to, share);
            const auto &layer = *between->layers[0], &expected = *exact.layers[0];
            constexpr double sagitta = 0.02;  // m: the chord of the circle
            CHECK(apart(layer.things[0].centre, expected.things[0].centre) < sagitta);
            CHECK(std::remainder(layer.things[0].rotation[2] - expected.things[0].rotation[2], 6.2831853F) ==
                  Approx(0).margin(1e-5));
            for (std::size_t i = 0; i != 2; ++i) {
                CHECK(apart(layer.boxes[i].centre, expected.boxes[i].centre) < sagitta);
                CHECK(std::remainder(layer.boxes[i].rotation[2] - expected.boxes[i].rotation[2], 6.2831853F) ==
                      Approx(0).margin(1e-5));
                CHECK(apart(layer.points[i], expected.points[i]) < sagitta);
            }
            CHECK(layer.points[2] == from.layers[0]->points[2]);  // where it was stays
            CHECK(layer.boxes[2] == from.layers[0]->boxes[2]);
            CHECK(layer.things[1] == from.layers[0]->things[1]);
            CHECK(apart(between->host->centre, expected.things[0].centre) < sagitta);
            CHECK(apart(between->axes[0].centre, exact.axes[0].centre) < sagitta);
            REQUIRE(between->notes.size() == 1);
            CHECK(between->notes[0].text == "motion between messages is interpolated");
        }
}

TEST_CASE("what has no partner, no id, or is suddenly elsewhere stays, a map is shared")
{
    const auto from = on_circle(0, {0, 0, 0});
    auto to = on_circle(0.1, {0, 0, 0});
    auto other = *to.layers[0];
    other.things[0].key.id = 9;
    to.layers = {std::make_shared<Layer>(other)};
    CHECK(picture_between(from, to, 0.5)->layers[0] == from.layers[0]);
    auto far = *from.layers[0];
    far.things[0].centre = {500, 0, 0};
    to.layers = {std::make_shared<Layer>(far)};
    CHECK(picture_between(from, to, 0.5)->layers[0] == from.layers[0]);
    auto nameless = from;
    auto without_id = *from.layers[0];
    without_id.things[0].has_id = false;
    nameless.layers = {std::make_shared<Layer>(without_id)};
    CHECK(picture_between(nameless, on_circle(0.1, {0, 0, 0}), 0.5)->layers[0] == nameless.layers[0]);
    auto map = *from.layers[0];
    map.is_static = true;
    auto fixed = from;
    fixed.layers = {std::make_shared<Layer>(map)};
    CHECK(picture_between(fixed, on_circle(0.1, {0, 0, 0}), 0.5)->layers[0] == fixed.layers[0]);
    CHECK(picture_between(Picture{}, Picture{}, 0.5)->layers.empty());
}
