// SPDX-License-Identifier: MPL-2.0
// Lane changes, departures, cut-ins and cut-outs on a road whose markings are known.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/traffic/moving_scene.hpp"

using namespace moving;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double lateral = 1;  // m/s

/// Drives along x at 20 m/s, from `y0` to `y1` from 2 s on, at `lateral`; without a turn.
Path moves_over(std::uint64_t id, double x0, double y0, double y1, double speed = 20)
{
    return [=](double time) {
        const double way = std::clamp((time - 2) * lateral, 0.0, std::abs(y1 - y0));
        const double y = y0 + std::copysign(way, y1 - y0);
        const bool moves = way > 0 && way < std::abs(y1 - y0);
        auto mover = car(id, {x0 + speed * time, y}, 0, Vec2{speed, moves ? std::copysign(lateral, y1 - y0) : 0});
        mover.lane = lane_at(mover.pose.centre);
        return std::optional(mover);
    };
}

Path stays(std::uint64_t id, double x0, double y, double speed) { return moves_over(id, x0, y, y, speed); }

Scene on_road(std::vector<Path> paths)
{
    Scene scene;
    scene.paths = std::move(paths);
    scene.lanes = three_lanes();
    return scene;
}

}  // namespace

TEST_CASE("a lane change lasts from the first corner on the paint to the last one off it")
{
    const bool to_left = GENERATE(true, false);
    const auto events = on_road({moves_over(1, 0, to_left ? 0 : 3.5, to_left ? 3.5 : 0)}).events();
    REQUIRE(events.size() == 1);
    const auto& event = events.front();
    CHECK(event.kind == EventKind::lane_change);
    // The marking is at 1.75 from the middle, its paint begins 0.06 before it; the car is 2 m wide.
    CHECK_THAT(seconds(event.begin), WithinAbs(2 + 1.75 - 0.06 - 1, 1e-6));
    CHECK_THAT(seconds(event.end), WithinAbs(2 + 1.75 + 0.06 + 1, 1e-6));
    CHECK_THAT(event.value.value(), WithinAbs(to_left ? lateral : -lateral, 1e-6));
    CHECK(event.source == "marking, corners");
}

TEST_CASE("where the wheels are known, they count")
{
    auto inner = moves_over(1, 0, 0, 3.5);
    const auto events = on_road({[=](double time) {
                            auto mover = inner(time);
                            mover->front = Axle{1.5, 0.8, true};
                            mover->rear = Axle{-1.4, 0.8, true};
                            return mover;
                        }}).events();
    REQUIRE(events.size() == 1);
    CHECK_THAT(seconds(events[0].begin), WithinAbs(2 + 1.75 - 0.06 - 0.8, 1e-6));
    CHECK_THAT(seconds(events[0].end), WithinAbs(2 + 1.75 + 0.06 + 0.8, 1e-6));
    CHECK(events[0].source == "marking, wheels");
}

TEST_CASE("the next lane of a chain is no lane change, also while one goes on")
{
    // 500 m after 3.6 s, in the middle of it.
    const auto events = on_road({moves_over(1, 428, 0, 3.5), stays(2, 300, 7, 40)}).events(EventKind::lane_change);
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == EventKind::lane_change);
    CHECK(events[0].object == 1);
    CHECK_THAT(seconds(events[0].end - events[0].begin), WithinAbs(2.12, 1e-6));
}

TEST_CASE("returning is a lane departure, as deep as the wheel was beyond the marking")
{
    const double reach = GENERATE(1.5, 2.0);  // the second with the middle in the other lane
    const auto events = on_road({[=](double time) {
                            const double y =
                                time < 5 ? std::clamp(time - 2, 0.0, reach) : reach - std::clamp(time - 5, 0.0, reach);
                            auto mover = car(4, {20 * time, y}, 0, Vec2{20, 0});
                            mover.lane = lane_at(mover.pose.centre);
                            return std::optional(mover);
                        }}).events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == EventKind::lane_departure);
    CHECK_THAT(events[0].value.value(), WithinAbs(reach + 1 - 1.75 - 0.06, 1e-9));
    CHECK_THAT(seconds(events[0].begin), WithinAbs(2.69, 1e-6));
    CHECK_THAT(seconds(events[0].end), WithinAbs(5 + reach - 0.69, 1e-6));
}

TEST_CASE("without markings the stated lane counts, and only adjacent ones")
{
    auto lanes = three_lanes();
    std::vector<NetworkLane> bare;
    for (const std::uint64_t id : {1, 2, 3, 11, 12, 13}) {
        auto lane = *lanes.find(id);
        lane.left_markings.clear();
        lane.right_markings.clear();
        bare.push_back(lane);
    }
    auto scene = on_road({moves_over(1, 0, 0, 3.5)});
    scene.lanes = LaneNetwork(bare, {});
    const auto events = scene.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == EventKind::lane_change);
    CHECK(events[0].source == "assigned lane");
    CHECK_THAT(seconds(events[0].begin), WithinAbs(3.76, 1e-9));  // the first frame in lane 2
    for (auto& lane : bare) lane.left.clear(), lane.right.clear();
    scene.lanes = LaneNetwork(bare, {});
    CHECK(scene.events().empty());
}

TEST_CASE("a lane that ends is left for its neighbour, though both are followed by the same lane")
{
    NetworkLane ending{.id = 5, .left = {4}, .after = {12}, .left_markings = {1}};
    NetworkLane staying{.id = 4, .right = {5}, .after = {12}, .right_markings = {1}};
    NetworkLane next{.id = 12, .before = {4}};
    const LaneNetwork lanes({ending, staying, next}, {});
    CHECK(lanes.side_of(5, 4) == LaneSide::left);
    CHECK_FALSE(lanes.is_chained(5, 4));
    CHECK(lanes.is_chained(5, 12));
    CHECK(lanes.is_chained(12, 5));
}

TEST_CASE("a cut-in has the clearance and the time to collision at 0.3 m beyond the marking")
{
    // The subject follows at 30 m/s in lane 2; the other one comes from lane 1 at 20 m/s.
    auto scene = on_road({stays(1, -40, 3.5, 30), moves_over(2, 0, 0, 3.5)});
    const auto events = scene.events(EventKind::cut_in);
    REQUIRE(events.size() == 1);
    const auto& event = events.front();
    CHECK(event.object == 1);
    CHECK(event.other == 2);
    // The first frame at or after 2 + 1.75 + 0.06 + 0.3 - 1 = 3.11 s.
    CHECK_THAT(seconds(event.begin), WithinAbs(3.12, 1e-9));
    const double clearance = 40 - 10 * 3.12 - 5;
    CHECK_THAT(event.clearance.value(), WithinAbs(clearance, 1e-6));
    CHECK_THAT(event.ttc.value(), WithinAbs(clearance / 10, 1e-6));
    CHECK(event.visible == true);          // since 2 s
    CHECK(event.ttc_sufficient == false);  // 0.38 s against 10 / 12 + 0.35
    CHECK(scene.events(EventKind::cut_in, {.visible_time = 1.2})[0].visible == false);
    CHECK(scene.events(EventKind::cut_in, {.cut_in_distance = 3}).empty());
    scene.host = 2;
    CHECK(scene.events(EventKind::cut_in).empty());
    scene.host = 1;
    CHECK(scene.events(EventKind::cut_in).size() == 1);
}

TEST_CASE("only the next one that follows is cut in on, and one that falls back has no time to collision")
{
    const auto events =
        on_road({stays(1, -30, 3.5, 20), stays(2, -60, 3.5, 20), moves_over(3, 0, 0, 3.5)}).events(EventKind::cut_in);
    REQUIRE(events.size() == 1);
    CHECK(events[0].object == 1);
    CHECK_THAT(events[0].clearance.value(), WithinAbs(25, 1e-6));
    CHECK_FALSE(events[0].ttc);
    CHECK_FALSE(events[0].ttc_sufficient);
}

TEST_CASE("who changes behind another one has not been cut in on")
{
    CHECK(on_road({moves_over(1, -30, 0, 3.5), stays(2, 0, 3.5, 20)}).events(EventKind::cut_in).empty());
}

TEST_CASE("a leader that leaves the lane cuts out")
{
    const auto events = on_road({stays(1, -30, 0, 20), moves_over(2, 0, 0, 3.5)}).events(EventKind::cut_out);
    REQUIRE(events.size() == 1);
    CHECK(events[0].object == 1);
    CHECK(events[0].other == 2);
    CHECK_THAT(events[0].clearance.value(), WithinAbs(25, 1e-6));
}
