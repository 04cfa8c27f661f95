// SPDX-License-Identifier: MPL-2.0
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "lib/traffic/lane_network.hpp"

using namespace ositrace::traffic;

namespace {

LaneNetwork network_of(std::vector<Marking::Point> points)
{
    NetworkLane lane;
    lane.id = 1;
    lane.left_markings = {7};
    Marking marking;
    marking.id = 7;
    marking.points = std::move(points);
    return {{lane}, {marking}};
}

/// Each segment is visited.
double least_distance(const std::vector<Marking::Point>& points, Vec2 place)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto edge = points[i + 1].at - points[i].at, to = place - points[i].at;
        if (edge == Vec2()) continue;
        const double part = std::clamp(dot(to, edge) / dot(edge, edge), 0.0, 1.0);
        const double length = norm(to - part * edge);
        if (length < least) least = length;
    }
    return least;
}

}  // namespace

TEST_CASE("a place beside a marking is as far from it as from its nearest segment")
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> step(0, 4), turn(-0.4, 0.4), aside(-30, 30);
    for (const std::size_t count : {2, 3, 5, 6, 9, 17, 33, 64, 250}) {
        std::vector<Marking::Point> points;
        Vec2 at;
        double yaw = 0;
        for (std::size_t i = 0; i != count; ++i) {
            points.push_back({at, 0.05});
            if (i % 7 == 3) points.push_back(points.back());  // writers repeat points
            yaw += turn(random);
            at = at + (0.1 + step(random)) * direction(yaw);
        }
        const auto network = network_of(points);
        int beside = 0;
        for (int i = 0; i != 200; ++i) {
            const auto& near = points[random() % points.size()].at;
            const Vec2 place{near.x + aside(random), near.y + aside(random)};
            const auto offset = network.offset(1, LaneSide::left, place, {1, 0});
            CHECK_FALSE(network.offset(1, LaneSide::right, place, {1, 0}));
            if (!offset) continue;
            ++beside;
            CHECK(std::abs(offset->left) == Approx(least_distance(points, place)).margin(1e-9));
            CHECK(offset->half_width == Approx(0.05));
            CHECK(norm(offset->along) == Approx(1));
            CHECK(offset->along.x >= 0);
        }
        CHECK(beside > 5);
    }
}

TEST_CASE("a place before or after a marking is not beside it")
{
    const auto network = network_of({{{0, 0}}, {{10, 0}}, {{20, 0}}});
    CHECK_FALSE(network.offset(1, LaneSide::left, {-1, 1}, {1, 0}));
    CHECK_FALSE(network.offset(1, LaneSide::left, {21, 1}, {1, 0}));
    CHECK(network.offset(1, LaneSide::left, {10, 2}, {1, 0})->left == 2);
    CHECK(network.offset(1, LaneSide::left, {10, 2}, {-1, 0})->left == -2);
    CHECK_FALSE(network.offset(2, LaneSide::left, {10, 2}, {1, 0}));
}

TEST_CASE("points of a marking that are no numbers are left out")
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), far = std::numeric_limits<double>::infinity();
    std::vector<Marking::Point> points;
    for (int i = 0; i != 40; ++i) points.push_back({{double(i), 0}});
    points[0].at = {nan, nan};
    points[17].at = {nan, 0};
    points[30].at = {far, 0};
    const auto network = network_of(points);
    CHECK(network.offset(1, LaneSide::left, {5.5, 1}, {1, 0})->left == 1);
    CHECK(network.offset(1, LaneSide::left, {20.5, -3}, {1, 0})->left == -3);
    CHECK_FALSE(network_of({{{nan, nan}}, {{nan, nan}}}).offset(1, LaneSide::left, {0, 0}, {1, 0}));
    CHECK_FALSE(network_of({{{1, 1}}}).offset(1, LaneSide::left, {0, 0}, {1, 0}));
    CHECK_FALSE(network_of({}).offset(1, LaneSide::left, {0, 0}, {1, 0}));
}
