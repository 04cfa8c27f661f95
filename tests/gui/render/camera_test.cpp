// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <limits>

#include "gui/render/camera.hpp"
#include "tests/catch.hpp"

using namespace ositrace;
using namespace ositrace::gui;

namespace {

constexpr PixelSize size{640, 480};

void same_place(const Vector& a, const Vector& b, double within = 1e-6)
{
    for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(within));
}

}  // namespace

TEST_CASE("the target is in the middle of the screen, whatever the view")
{
    for (const auto view : {View::orbit, View::bird}) {
        const Camera camera{.view = view, .target = {100, 50, 3}, .distance = 20, .yaw = 1.1, .pitch = 0.4};
        const ViewTransform transform(camera, {90, 40, 0}, size);
        const auto at = transform.project({10, 10, 3});
        REQUIRE(at);
        CHECK(at->x == Approx(320));
        CHECK(at->y == Approx(240));
    }
}

TEST_CASE("a place is projected to a pixel and back")
{
    for (const auto view : {View::orbit, View::bird}) {
        const ViewTransform transform({.view = view, .distance = 30, .yaw = -2, .pitch = 0.6}, {}, size);
        const Vector place{3, -4, 1};
        const auto at = transform.project(place);
        REQUIRE(at);
        const auto back = transform.on_level(at->x, at->y, 1);
        REQUIRE(back);
        same_place(*back, place);
        std::array<double, 4> clip{};
        for (int row = 0; row < 4; ++row) {
            const auto& m = transform.matrix();
            clip[static_cast<std::size_t>(row)] =
                m(row, 0) * place[0] + m(row, 1) * place[1] + m(row, 2) * place[2] + m(row, 3);
        }
        same_place(transform.at_depth(at->x, at->y, (clip[2] / clip[3] + 1) / 2), place, 1e-4);
    }
}

TEST_CASE("from above, the yaw is up on the screen and y is left of x")
{
    const ViewTransform transform({.view = View::bird, .distance = 30, .yaw = 0}, {}, size);
    const auto ahead = transform.project({5, 0, 0}), left = transform.project({0, 5, 0});
    REQUIRE((ahead && left));
    CHECK(ahead->y < 240);
    CHECK(ahead->x == Approx(320));
    CHECK(left->x < 320);
}

TEST_CASE("a place behind the eye, or that is not a number, has no pixel")
{
    const ViewTransform transform({.distance = 10, .yaw = 0, .pitch = 0}, {}, size);
    CHECK_FALSE(transform.project({-20, 0, 0}));
    CHECK_FALSE(transform.project({std::numeric_limits<double>::quiet_NaN(), 0, 0}));
    CHECK_FALSE(transform.project({std::numeric_limits<double>::infinity(), 0, 0}));
    CHECK_FALSE(transform.on_level(320, 100, 0));  // the sky
}

TEST_CASE("places a thousand kilometres from the origin keep their millimetres")
{
    const GlobalPoint far{1e6 + 0.001, -2e6, 300};
    const ViewTransform transform({.view = View::bird, .target = far, .distance = 1, .yaw = 0}, {1e6, -2e6, 300}, size);
    const auto at = transform.project({0.001, 0, 0});
    REQUIRE(at);
    CHECK(at->x == Approx(320));
    CHECK(at->y == Approx(240).margin(1e-6));
}
