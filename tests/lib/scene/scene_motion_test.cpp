// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/scene/decoded.hpp"

using namespace ositrace;
using namespace decoded;

namespace {

Triple rate(Triple before, Triple after, double seconds) { return times(1 / seconds, minus(after, before)); }

double angle_between(double from, double to) { return std::remainder(to - from, 2 * std::acos(-1.0)); }

void check_near(Triple found, Triple expected, double margin)
{
    for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(expected[i]).margin(margin));
}

}  // namespace

TEST_CASE("velocity, acceleration and yaw rate are derivatives")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.period = std::chrono::milliseconds(1);
    options.moving_objects = 24;
    const Scene scene(options);
    for (const std::uint64_t i : {1, 3333, 9500, 100'000}) {
        const SceneFrame before(scene, i - 1), now(scene, i), after(scene, i + 1);
        const auto first = before.root().all("moving_object"), all = now.root().all("moving_object"),
                   last = after.root().all("moving_object");
        REQUIRE(all.size() == 25);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const auto a = first[k]["base"], b = all[k]["base"], c = last[k]["base"];
            check_near(b.triple("velocity"), rate(a.triple("position"), c.triple("position"), 0.002), 1e-4);
            check_near(b.triple("acceleration"), rate(a.triple("velocity"), c.triple("velocity"), 0.002), 1e-4);
            const double turn = angle_between(a.triple("orientation")[2], c.triple("orientation")[2]) / 0.002;
            CHECK(b.triple("orientation_rate")[2] == Approx(turn).margin(1e-4));
        }
    }
}

TEST_CASE("vehicles look where they go and stand on the ground")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const Scene scene(options);
    const SceneFrame frame(scene, 42);
    for (const auto& object : frame.root().all("moving_object")) {
        const auto base = object["base"];
        const auto v = base.triple("velocity");
        CHECK(angle_between(std::atan2(v[1], v[0]), base.triple("orientation")[2]) == Approx(0).margin(1e-9));
        double lowest = 1e9;
        const auto size = base.triple("dimension");
        for (int corner = 0; corner < 4; ++corner) {
            const Triple local{0, corner & 1 ? size[1] / 2 : -size[1] / 2, corner & 2 ? size[2] / 2 : -size[2] / 2};
            lowest = std::min(lowest, plus(base.triple("position"), turned(local, base.triple("orientation")))[2]);
        }
        CHECK(lowest == Approx(0).margin(1e-9));
    }
}

TEST_CASE("road users keep clear of each other and of what stands beside the road")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = GENERATE(12u, 100u, 500u);
    options.period = std::chrono::milliseconds(3700);
    const Scene scene(options);
    for (std::uint64_t i = 0; i < 30; i += 3) {
        const SceneFrame frame(scene, i);
        const auto all = boxes(frame.root());
        for (const auto& moving : frame.root().all("moving_object")) {
            const auto centre = moving["base"].triple("position");
            const auto id = moving.id("id");
            for (const auto& other : all) {
                if (other.id == id || length(minus(other.position, centre)) > 15) continue;
                // Points along the middle of the one, 20 cm apart, stay out of the other.
                const auto size = moving["base"].triple("dimension");
                for (double x = -size[0] / 2; x <= size[0] / 2; x += 0.2) {
                    CHECK_FALSE(other.contains(plus(centre, turned({x, 0, 0}, moving["base"].triple("orientation")))));
                }
            }
        }
    }
}

TEST_CASE("a brake light is on when its vehicle slows down, an indicator when it changes lanes")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const Scene scene(options);
    std::size_t braking = 0, left = 0, right = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const SceneFrame frame(scene, i);
        for (const auto& object : frame.root().all("moving_object")) {
            if (!object.has("vehicle_classification")) continue;
            const auto v = object["base"].triple("velocity"), a = object["base"].triple("acceleration");
            const double along = (v[0] * a[0] + v[1] * a[1]) / length(v);
            const auto lights = object["vehicle_classification"]["light_state"];
            const bool on = lights.name("brake_light_state") != "BRAKE_LIGHT_STATE_OFF";
            if (on) CHECK(along < 0);
            if (along < -0.2) CHECK(on);
            braking += on;
            left += lights.name("indicator_state") == "INDICATOR_STATE_LEFT";
            right += lights.name("indicator_state") == "INDICATOR_STATE_RIGHT";
        }
    }
    CHECK(braking > 0);
    CHECK(left > 0);
    CHECK(right > 0);
}
