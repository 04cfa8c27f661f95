// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <limits>

#include "gui/scene/paint_picture.hpp"
#include "gui/scene/visibility.hpp"
#include "tests/catch.hpp"
#include "tests/gui/render/hand_made.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {
const Camera above{.view = View::bird, .distance = 30, .yaw = 0};
}

TEST_CASE("the painter paints the car in its colour, at its place")
{
    const auto picture = picture_of({car_at({5, 3, 0.75F}, 7)});
    RenderOptions options;
    const auto image = paint_picture(*picture, above, options, {320, 240});
    const auto at = ViewTransform(above, {}, {320, 240}).project({4.2, 3, 0});
    const auto ink = image.pixelColor(static_cast<int>(at->x), static_cast<int>(at->y));
    const auto car = colour_of(Look::car, Theme::dark);
    CHECK(ink.redF() == Approx(car[0]).margin(0.02));
    CHECK(ink.greenF() == Approx(car[1]).margin(0.02));
    const auto background = background_of(Theme::dark);
    CHECK(image.pixelColor(5, 5).redF() == Approx(background[0]).margin(0.1));
}

TEST_CASE("a painted picture is picked like one of OpenGL")
{
    const auto picture = picture_of({boundary_from({-10, 4, 0}, {10, 4, 0}, 9), car_at({5, 0, 0.75F}, 7)});
    const ViewTransform view(above, {}, {320, 240});
    const auto pick = [&](Vector place, const RenderOptions& options = {}) {
        const auto at = view.project(place);
        return pick_painted(*picture, view, at->x, at->y, options);
    };
    REQUIRE(pick({5.5, 0.5, 0}));
    CHECK(pick({5.5, 0.5, 0})->key.id == 7);
    REQUIRE(pick({-3, 4, 0}));
    CHECK(pick({-3, 4, 0})->key.category == Category::lane_boundary);
    CHECK_FALSE(pick({-3, -5, 0}));
    RenderOptions hidden;
    hidden.hidden.set(static_cast<std::size_t>(Category::moving_object));
    CHECK_FALSE(pick({5.5, 0.5, 0}, hidden));
}

TEST_CASE("the painter paints shapes that extend far beyond the picture, and roofs")
{
    auto road = boundary_from({-1e6F, 4, 0}, {1e6F, 4, 0}, 9);
    road.things[0].key.category = Category::stationary_object;
    road.points.insert(road.points.end(), {{-1, -1, 0}, {-1, -3, 0}, {1, -1, 0}});
    road.strips.push_back({.thing = 0, .look = Look::boundary_yellow, .first = 2, .count = 3});
    RenderOptions options;
    options.grid = false;
    const auto image = paint_picture(*picture_of({road}), above, options, {320, 240});
    const auto ink_at = [&](Vector place) {
        const auto at = ViewTransform(above, {}, {320, 240}).project(place);
        return image.pixel(static_cast<int>(at->x), static_cast<int>(at->y));
    };
    CHECK(ink_at({0, 4, 0}) != image.pixel(0, 0));
    CHECK(ink_at({-0.5, -1.5, 0}) != image.pixel(0, 0));
    CHECK(ink_at({0.8, -2.8, 0}) == image.pixel(0, 0));
}

TEST_CASE(
    "a line that leaves the picture far out and comes back is not joined across it, and what is larger than all is "
    "filled")
{
    auto far = boundary_from({0, 2, 0}, {1e6F, 2, 0}, 9);
    far.points.insert(far.points.end(), {{1e6F, 1e6F, 0}, {-1e6F, 1e6F, 0}, {-1e6F, -2, 0}, {0, -2, 0}});
    far.lines[0].count = 6;
    RenderOptions options;
    options.grid = false;
    const auto ink_at = [&](Vector place) {
        const auto at = ViewTransform(above, {}, {320, 240}).project(place);
        return paint_picture(*picture_of({far}), above, options, {320, 240})
            .pixel(static_cast<int>(at->x), static_cast<int>(at->y));
    };
    const auto ground = ink_at({0, 0, 0});
    CHECK(ink_at({2, 2, 0}) != ground);
    CHECK(ink_at({-2, -2, 0}) != ground);
    CHECK(ink_at({1, 0, 0}) == ground);
    far.points.insert(far.points.end(), {{-1e6F, -1e6F, 0}, {1e6F, -1e6F, 0}, {0, 1e6F, 0}});
    far.strips.push_back({.thing = 0, .look = Look::boundary_yellow, .first = 6, .count = 3});
    CHECK(ink_at({0, 0, 0}) != ground);
}

TEST_CASE("a line to infinity has no part that can be painted")
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    CHECK_FALSE(clipped({0, 0}, {infinite, 0}, 100));
    CHECK_FALSE(clipped({infinite, 0}, {infinite, 0}, 100));
    CHECK(clipped({0, 0}, {1e300, 0}, 100) == QLineF(0, 0, 100, 0));
}

TEST_CASE("the painter survives coordinates that are not numbers and marks without points")
{
    constexpr auto none = std::numeric_limits<float>::quiet_NaN();
    auto broken = car_at({none, 0, 0}, 1);
    broken.points = {{none, 0, 0}, {1e30F, 1e30F, 0}, {0, 0, 0}};
    broken.lines.push_back({.thing = 0, .first = 0, .count = 0xffffffff});
    broken.lines.push_back({.thing = 99, .count = 2});
    broken.strips.push_back({.thing = 0, .first = 2, .count = 0xffffffff});
    auto picture = std::make_shared<Picture>(*picture_of({broken}));
    auto cloud = std::make_shared<Cloud>(*square_cloud(100));
    cloud->points[0] = {none, none, none};
    picture->clouds.push_back(cloud);
    CHECK_FALSE(paint_picture(*picture, above, {}, {160, 120}).isNull());
}

TEST_CASE("points of a cloud are painted in the colours of the map")
{
    auto picture = std::make_shared<Picture>();
    picture->clouds.push_back(square_cloud(10000));
    RenderOptions options;
    options.grid = false;
    const auto image = paint_picture(*picture, above, options, {320, 240});
    int coloured = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto ink = image.pixelColor(x, y);
            if (std::max({ink.red(), ink.green(), ink.blue()}) - std::min({ink.red(), ink.green(), ink.blue()}) > 60)
                ++coloured;
        }
    }
    CHECK(coloured > 5000);
}

TEST_CASE("a scene in which nothing is visible says so, and how to return")
{
    SceneState state{.picture = picture_of({car_at({5, 3, 0.75F}, 7)}), .camera = above};
    CHECK(why_nothing_is_seen(state, {320, 240}).isEmpty());
    state.camera.target = {500, 0, 0};
    CHECK(why_nothing_is_seen(state, {320, 240}).contains(QStringLiteral("R (Reset camera)")));
    state.picture = picture_of({boundary_from({-1000, 4, 0}, {1000, 4, 0}, 9)});  // no point of it is in view
    CHECK(why_nothing_is_seen(state, {320, 240}).isEmpty());
    state.options.hidden.set();
    CHECK(why_nothing_is_seen(state, {320, 240}).contains(QStringLiteral("hidden")));
    state.picture = picture_of({});
    CHECK(why_nothing_is_seen(state, {320, 240}).isEmpty());
}
