// SPDX-License-Identifier: MPL-2.0
// Frames of a trace as moments: lanes, places to stop, signals.
#include <array>
#include <chrono>
#include <memory>

#include "tests/catch.hpp"

#include "lib/traffic/encounters.hpp"
#include "lib/traffic/events.hpp"
#include "lib/traffic/moment_builder.hpp"

using namespace ositrace;
using namespace ositrace::traffic;
using Catch::Matchers::WithinAbs;

namespace {

constexpr int red = 2, green = 4, off = 2, constant = 3, flashing = 4;

/// A lane along x to (100, 0), with or without a stop line at x = 90.
std::shared_ptr<TrafficMap> map_with_lane(bool with_line, bool forwards = true)
{
    auto map = std::make_shared<TrafficMap>();
    auto& lane = map->lanes.emplace_back();
    lane.id = 1;
    lane.driven_forwards = forwards;
    lane.centre = {{0, 0, 0}, {50, 0, 0}, {100, 0, 0}};
    if (with_line) {
        auto& line = map->markings.emplace_back();
        line.sign_type = 17;
        line.centre = {90, 0, 0};
        line.yaw = 3.141592653589793;
        line.length = 0.3;
        line.width = 4;
        line.lanes = {1};
    }
    return map;
}

TrafficBulb bulb(std::uint64_t id, int color, int mode)
{
    TrafficBulb made;
    made.id = id;
    made.color = color;
    made.mode = mode;
    made.lanes = {1};
    return made;
}

TrafficFrame frame_at(std::int64_t seconds, std::shared_ptr<const TrafficMap> map, std::vector<TrafficBulb> bulbs)
{
    TrafficFrame frame;
    frame.index = static_cast<std::uint64_t>(seconds);
    frame.time = std::chrono::seconds(seconds);
    frame.map = std::move(map);
    frame.bulbs = std::move(bulbs);
    return frame;
}

}  // namespace

TEST_CASE("the stop line of the lane of a light, else the end of the lane")
{
    const bool with_line = GENERATE(true, false), forwards = GENERATE(true, false);
    MomentBuilder builder;
    const auto* const moment =
        builder.next(frame_at(0, map_with_lane(with_line, forwards), {bulb(5, red, constant)}), {}, false);
    REQUIRE(moment != nullptr);
    REQUIRE(moment->stops.size() == 1);
    const auto& stop = moment->stops.front();
    CHECK(stop.is_red);
    CHECK(stop.light == 5);
    CHECK(stop.lane == 1);
    CHECK(stop.is_stop_line == with_line);
    CHECK_THAT(stop.middle.x, WithinAbs(with_line ? 90 : forwards ? 100 : 0, 1e-9));
    CHECK_THAT(std::abs(stop.along.y), WithinAbs(1, 1e-9));
    CHECK_THAT(stop.half_length, WithinAbs(with_line ? 2 : 2.5, 1e-9));
}

TEST_CASE("a signal is red if a bulb is lit red and none is lit green")
{
    const auto map = map_with_lane(true);
    const auto is_red = [&](std::vector<TrafficBulb> bulbs) {
        MomentBuilder builder;
        return builder.next(frame_at(0, map, std::move(bulbs)), {}, false)->stops.front().is_red;
    };
    CHECK(is_red({bulb(5, red, constant), bulb(6, green, off)}));
    CHECK_FALSE(is_red({bulb(5, red, off), bulb(6, green, constant)}));
    CHECK_FALSE(is_red({bulb(5, red, constant), bulb(6, green, constant)}));
    CHECK_FALSE(is_red({bulb(5, red, flashing)}));
}

TEST_CASE("a light of a lane that is not in the map has no place to stop")
{
    MomentBuilder builder;
    CHECK(builder.next(frame_at(0, nullptr, {bulb(5, red, constant)}), {}, false)->stops.empty());
}

TEST_CASE("a frame that is not later, or without a time, is no moment")
{
    MomentBuilder builder;
    CHECK(builder.next(frame_at(3, nullptr, {}), {}, false) != nullptr);
    CHECK(builder.next(frame_at(3, nullptr, {}), {}, false) == nullptr);
    CHECK(builder.next(frame_at(2, nullptr, {}), {}, false) == nullptr);
    auto frame = frame_at(9, nullptr, {});
    frame.time.reset();
    CHECK(builder.next(frame, {}, false) == nullptr);
    frame.time = Nanoseconds::max();
    CHECK(builder.next(frame, {}, false) == nullptr);
    CHECK(builder.next(frame_at(4, nullptr, {}), {}, false) != nullptr);
}

TEST_CASE("hostile numbers end in no event and no crash")
{
    MomentBuilder builder;
    EventFinder events({});
    EncounterFinder encounters({});
    std::vector<Encounter> found;
    const std::array numbers{0.0, 1e308, -1e308, 1e-308, 1e15, -3.0};
    for (std::int64_t i = 0; i != 200; ++i) {
        auto frame = frame_at(i, map_with_lane(true), {bulb(5, red, constant)});
        for (std::uint64_t id = 0; id != 6; ++id) {
            const auto pick = [&](std::uint64_t k) {
                return numbers[(static_cast<std::uint64_t>(i) * 7 + id * 5 + k * k) % 6];
            };
            TrafficObject object;
            object.id = id;
            object.type = 2;
            object.position = {pick(1), pick(2), pick(3)};
            object.yaw = pick(4);
            object.length = std::abs(pick(5));
            object.width = std::abs(pick(6));
            object.height = std::abs(pick(7));
            object.velocity = {pick(8), pick(9), 0};
            object.velocity_source = id % 2 == 0 ? MotionSource::stated : MotionSource::none;
            object.front_axle = pick(10);
            frame.objects.push_back(object);
        }
        if (const auto* const moment = builder.next(frame, {}, false)) {
            events.step(*moment);
            encounters.step(*moment, found);
        }
    }
    encounters.finish(found);
    for (const auto& event : events.finish()) CHECK(event.begin <= event.end);
}
