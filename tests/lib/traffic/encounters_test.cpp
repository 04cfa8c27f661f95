// SPDX-License-Identifier: MPL-2.0
// Encounters whose post-encroachment time a formula gives.
#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/lib/traffic/moving_scene.hpp"

#include "lib/traffic/encounters.hpp"

using namespace moving;
using Catch::Matchers::WithinAbs;

namespace {

std::vector<Encounter> encounters_of(const Scene& scene, const EncounterOptions& options = {})
{
    EncounterFinder finder(options);
    std::vector<Encounter> found;
    scene.play([&](const TrafficMoment& moment) { finder.step(moment, found); });
    finder.finish(found);
    return found;
}

Path drives(std::uint64_t id, Vec2 from, double yaw, double speed)
{
    return [=](double time) {
        const auto velocity = speed * direction(yaw);
        return std::optional(car(id, from + time * velocity, yaw, velocity));
    };
}

}  // namespace

TEST_CASE("a right-angled crossing: from the rear of the first to the front of the second")
{
    // 5 m by 2 m. The first comes along x at 10 m/s, the second along y at 8 m/s.
    const double step = GENERATE(0.02, 0.1, 0.25);
    Scene scene;
    scene.step = step;
    scene.duration = 12;
    scene.paths = {drives(1, {-30, 0}, 0, 10), drives(2, {0, -45}, std::numbers::pi / 2, 8)};
    const auto found = encounters_of(scene);
    REQUIRE(found.size() == 1);
    const auto& one = found.front();
    CHECK(one.first == 1);
    CHECK(one.second == 2);
    CHECK_FALSE(one.merges);
    const double first_leaves = (30 + 1 + 2.5) / 10, second_enters = (45 - 1 - 2.5) / 8;
    CHECK_THAT(seconds(one.first_enters), WithinAbs((30 - 1 - 2.5) / 10, 1e-4));
    CHECK_THAT(seconds(one.first_leaves), WithinAbs(first_leaves, 1e-4));
    CHECK_THAT(seconds(one.second_enters), WithinAbs(second_enters, 1e-4));
    CHECK_THAT(seconds(one.second_leaves), WithinAbs((45 + 1 + 2.5) / 8, 1e-4));
    REQUIRE(one.pet);
    CHECK_THAT(*one.pet, WithinAbs(second_enters - first_leaves, 1e-4));
    CHECK_THAT(one.angle, WithinAbs(std::numbers::pi / 2, 1e-9));
    CHECK(one.least_gap.value() > 0);
    CHECK_FALSE(one.least_ttc);  // at constant velocity they never touch
}

TEST_CASE("no post-encroachment time, if the second enters before the first has left")
{
    Scene scene;
    scene.paths = {drives(1, {-30, 0}, 0, 10), drives(2, {0, -26}, std::numbers::pi / 2, 8)};
    const auto found = encounters_of(scene);
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].pet);
    CHECK(found[0].least_gap == 0.0);
    CHECK(found[0].least_ttc == 0.0);
}

TEST_CASE("a later one than the limit is no encounter")
{
    Scene scene;
    scene.duration = 20;
    scene.paths = {drives(1, {-30, 0}, 0, 10), drives(2, {0, -100}, std::numbers::pi / 2, 8)};
    CHECK_THAT(*encounters_of(scene)[0].pet, WithinAbs(96.5 / 8 - 3.35, 1e-4));
    CHECK(encounters_of(scene, {.longest = 8}).empty());
}

TEST_CASE("an oblique crossing agrees with the geometry")
{
    const double angle = std::numbers::pi / 3;
    Scene scene;
    scene.duration = 12;
    scene.paths = {drives(1, {-30, 0}, 0, 10), drives(2, -50 * direction(angle), angle, 10)};
    const auto found = encounters_of(scene);
    REQUIRE(found.size() == 1);
    // Along the way of each, the other's strip of 2 m begins and ends this far from the centre of the crossing; the
    // corner that enters first and the one that leaves last are on opposite sides.
    const double half = (1 + std::cos(angle)) / std::sin(angle) + 2.5;
    CHECK_THAT(*found[0].pet, WithinAbs((50 - half) / 10 - (30 + half) / 10, 1e-3));
}

TEST_CASE("following is no encounter, and neighbours that brush a strip are none")
{
    Scene scene;
    scene.paths = {drives(1, {0, 0}, 0, 10), drives(2, {-30, 0.2}, 0, 10)};
    CHECK(encounters_of(scene).empty());
    scene.paths = {drives(1, {0, 0}, 0, 10), [](double time) {
                       return std::optional(
                           car(2, {-30 + 10 * time, 2.1 - 0.3 * std::exp(-std::pow(time - 5, 2))}, 0, Vec2{10, 0}));
                   }};
    CHECK(encounters_of(scene).empty());
}

TEST_CASE("merging: the time from the rear of the first to the front of the second at the place where it enters")
{
    // The second comes from the right at 10 degrees and goes on behind the first.
    const double angle = 10 * std::numbers::pi / 180;
    Scene scene;
    scene.duration = 12;
    scene.paths = {drives(1, {-20, 0}, 0, 10), [=](double time) {
                       const double way = -70 + 10 * time;
                       const auto at = way < 0 ? way * direction(angle) : Vec2{way, 0};
                       const double yaw = way < 0 ? angle : 0;
                       return std::optional(car(2, at, yaw, 10 * direction(yaw)));
                   }};
    const auto found = encounters_of(scene);
    REQUIRE(found.size() == 1);
    CHECK(found[0].merges);
    CHECK(found[0].first == 1);
    // Its front left corner is at y = -1 when it enters; the rear of the first passes that corner.
    const auto corner = 2.5 * direction(angle) + 1 * left_of(direction(angle));
    const double way = (-1 - corner.y) / std::sin(angle);
    const double enters = (70 + way) / 10, x = way * std::cos(angle) + corner.x;
    CHECK_THAT(seconds(found[0].second_enters), WithinAbs(enters, 0.01));
    CHECK_THAT(*found[0].pet, WithinAbs(enters - (x + 2.5 + 20) / 10, 0.02));
}
