// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include <ositrace/error.hpp>
#include <ositrace/lane_graph.hpp>

#include "tests/catch.hpp"
#include "tests/lib/traffic/traffic_scene.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

/// Two lanes side by side along x, of which the right one goes on in a second piece whose points run backwards.
std::vector<MapLane> two_lanes()
{
    return {{1, {{0, 0}, {100, 0}}, 2, {3}, {}},
            {2, {{200, 0}, {100, 0}}, {}, {}, {}},
            {3, {{0, 3.5}, {200, 3.5}}, {}, {}, {1}}};
}

const Row& row_with(const std::vector<Row>& rows, double id, double other)
{
    for (const auto& row : rows)
        if (number(row, "id") == id && number(row, "other_id") == other) return row;
    FAIL("there is no such pair");
    throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("leader, follower and neighbours by lane")
{
    const Moment moment{.time = 1,
                        .cars = {{.id = 7, .x = 90, .speed = 20, .acceleration = 1, .lane = 1},
                                 {.id = 8, .x = 120, .speed = 15, .acceleration = -2, .lane = 2},
                                 {.id = 9, .x = 150, .speed = 15, .lane = 2},
                                 {.id = 10, .x = 60, .speed = 25, .lane = 1},
                                 {.id = 11, .x = 91, .y = 3.5, .speed = 25, .lane = 3},
                                 {.id = 12, .x = 130, .y = 3.5, .yaw = scene::pi, .speed = 25, .lane = 3}},
                        .lanes = two_lanes(),
                        .host = 7};
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto rows = rows_of("interactions", std::vector{moment}, {}, encoding);
        REQUIRE(rows.size() == 5);
        for (const auto& row : rows) CHECK(text(row, "related_by") == "lane");
        const auto& leader = row_with(rows, 7, 8);
        CHECK(text(leader, "relation") == "leader");
        CHECK(number(leader, "time") == 1);
        CHECK(number(leader, "clearance") == Approx(26));
        CHECK(number(leader, "gap") == Approx(26));
        CHECK(number(leader, "time_gap") == Approx(26.0 / 20));
        CHECK(number(leader, "closing_speed") == Approx(5));
        CHECK(number(leader, "ttc") == Approx(26.0 / 5));
        CHECK(number(leader, "ttc_2d") == Approx(26.0 / 5));
        CHECK(number(leader, "ettc") == Approx((-5 + std::sqrt(25 + 2 * 3 * 26.0)) / 3));
        CHECK(number(leader, "drac") == Approx(25 / 52.0));
        CHECK(text(leader, "motion") == "stated");
        CHECK(text(row_with(rows, 7, 9), "relation") == "ahead");
        const auto& follower = row_with(rows, 7, 10);
        CHECK(text(follower, "relation") == "follower");
        CHECK(number(follower, "closing_speed") == Approx(5));
        CHECK(number(follower, "time_gap") == Approx(26.0 / 25));
        const auto& beside = row_with(rows, 7, 11);
        CHECK(text(beside, "relation") == "left_alongside");
        CHECK(number(beside, "gap") == Approx(1.5));
        CHECK(is_null(beside, "clearance"));
        CHECK(is_null(beside, "ttc"));
        CHECK(is_null(beside, "ttc_2d"));
        CHECK(text(row_with(rows, 7, 12), "relation") == "oncoming");
    }
}

TEST_CASE("the map is sent once, and a car of another lane is no leader")
{
    const std::vector<Moment> moments{
        {.time = 0, .cars = {{.id = 1, .x = 10, .speed = 10, .lane = 1}}, .lanes = two_lanes(), .host = 1},
        {.time = 0.1,
         .cars = {{.id = 1, .x = 11, .speed = 10, .lane = 1}, {.id = 2, .x = 50, .y = 3.5, .speed = 10, .lane = 3}}}};
    const auto rows = rows_of("interactions", moments);
    REQUIRE(rows.size() == 1);
    CHECK(text(rows[0], "related_by") == "lane");
    CHECK(text(rows[0], "relation") == "left_ahead");
    CHECK(number(rows[0], "frame") == 1);
}

TEST_CASE("the clearance in a bend is along the lane, not through the air")
{
    // A quarter of a circle of 50 m around (0, 50): centres a quarter of it apart.
    std::vector<std::array<double, 2>> arc;
    for (int i = 0; i <= 400; ++i)
        arc.push_back({50 * std::sin(i * scene::pi / 800), 50 - 50 * std::cos(i * scene::pi / 800)});
    const auto on_arc = [](std::uint64_t id, double angle, double speed) {
        return Car{.id = id,
                   .x = 50 * std::sin(angle),
                   .y = 50 - 50 * std::cos(angle),
                   .yaw = angle,
                   .speed = speed,
                   .lane = 1};
    };
    const auto rows =
        rows_of("interactions",
                std::vector<Moment>{
                    {.time = 0, .cars = {on_arc(1, 0.2, 12), on_arc(2, 1.0, 10)}, .lanes = {{1, arc}}, .host = 1}});
    REQUIRE(rows.size() == 1);
    CHECK(text(rows[0], "relation") == "leader");
    CHECK(number(rows[0], "clearance") == Approx(0.8 * 50 - 4).margin(0.01));
    CHECK(number(rows[0], "closing_speed") == Approx(2).margin(0.01));
    CHECK(number(rows[0], "gap") < number(rows[0], "clearance"));
}

TEST_CASE("without lanes a corridor decides, and the pairs of a trace without a host are all of them, follower first")
{
    const std::vector<Moment> moments{{.time = 0,
                                       .cars = {{.id = 1, .x = 40, .speed = 10},
                                                {.id = 2, .x = 0, .y = 0.5, .speed = 20},
                                                {.id = 3, .x = 20, .y = 3.5, .speed = 10},
                                                {.id = 4, .x = 300, .speed = 10}}}};
    const auto rows = rows_of("interactions", moments);
    REQUIRE(rows.size() == 3);  // the fourth one is too far away
    const auto& leader = row_with(rows, 2, 1);
    CHECK(text(leader, "related_by") == "corridor");
    CHECK(text(leader, "relation") == "leader");
    CHECK(number(leader, "ttc") == Approx(3.6));
    CHECK(text(row_with(rows, 2, 3), "relation") == "left_ahead");
    CHECK(rows_of("interactions", moments, {{"max-gap", "1000"}}).size() == 6);
}

TEST_CASE("a host is named by its id or its name, one that nobody has is an error")
{
    const std::vector<Moment> moments{
        {.time = 0,
         .cars = {{.id = 1, .x = 0, .speed = 10, .name = "Ego"}, {.id = 2, .x = 30, .speed = 5, .name = "Other"}},
         .host = 2}};
    for (const auto* const host : {"1", "Ego"}) {
        const auto rows = rows_of("interactions", moments, {{"host", host}});
        REQUIRE(rows.size() == 1);
        CHECK(number(rows[0], "id") == 1);
        CHECK(text(rows[0], "name") == "Ego");
        CHECK(text(rows[0], "other_name") == "Other");
        CHECK(text(rows[0], "relation") == "leader");
    }
    CHECK(text(rows_of("interactions", moments)[0], "relation") == "follower");
    CHECK_THROWS_WITH(rows_of("interactions", moments, {{"host", "Nobody"}}),
                      "no frame has an object 'Nobody' (expected an id, or a name of the scenario)");
    CHECK_THROWS_WITH(rows_of("interactions", moments, {{"host", "1"}, {"all-pairs", "true"}}),
                      "all-pairs and host exclude each other");
}

TEST_CASE("motion that is not stated is derived from the frame before, and unknown in the first one")
{
    std::vector<Moment> moments;
    for (int i = 0; i != 3; ++i) {
        const double t = 0.1 * i;
        // The second one brakes with 6 m/s²: the difference of two steps is exact for a constant acceleration.
        moments.push_back({.time = t,
                           .cars = {{.id = 1, .x = 20 * t, .states_motion = false},
                                    {.id = 2, .x = 40 + 20 * t - 3 * t * t, .states_motion = false}},
                           .host = 1});
    }
    const auto rows = rows_of("interactions", moments);
    REQUIRE(rows.size() == 3);
    CHECK(is_null(rows[0], "closing_speed"));
    CHECK(is_null(rows[0], "ttc"));
    CHECK(is_null(rows[0], "motion"));
    CHECK(number(rows[0], "clearance") == Approx(36));
    CHECK(number(rows[1], "closing_speed") == Approx(0.3));  // the mean of the step
    CHECK(is_null(rows[1], "ettc"));
    CHECK(text(rows[2], "motion") == "derived");
    CHECK(number(rows[2], "ettc") == Approx((-0.9 + std::sqrt(0.81 + 2 * 6 * number(rows[2], "clearance"))) / 6));
}

TEST_CASE("the grid finds the pairs that all combinations have")
{
    std::vector<Car> cars;
    for (std::uint64_t i = 0; i != 60; ++i)
        cars.push_back({.id = i,
                        .x = std::fmod(static_cast<double>(i) * 137.3, 900) - 450,
                        .y = std::fmod(static_cast<double>(i) * 71.9, 400) - 200,
                        .yaw = static_cast<double>(i),
                        .speed = 3});
    std::size_t expected = 0;
    for (const auto& a : cars)
        for (const auto& b : cars) {
            const Footprint one{{a.x, a.y}, 4, 2, a.yaw, {}, {}}, other{{b.x, b.y}, 4, 2, b.yaw, {}, {}};
            expected += a.id < b.id && shortest_way(one, other).length <= 100 ? 1 : 0;
        }
    CHECK(expected > 50);
    CHECK(rows_of("interactions", std::vector<Moment>{{.time = 0, .cars = cars}}).size() == expected);
}

TEST_CASE("lanes are one line however they are paired and whichever way their points run")
{
    const auto bytes = truth_of({.time = 0, .cars = {}, .lanes = two_lanes()});
    const auto channel = channel_of(MessageType::ground_truth, Encoding::protobuf);
    LaneGraph graph(std::make_shared<const TrafficMap>(read_traffic_map({bytes, *channel.root, channel.format})));
    REQUIRE(graph.are_chained(0, 1));
    CHECK(graph.are_chained(1, 0));
    CHECK(!graph.are_chained(0, 2));
    const auto chain = graph.chain_of(0);
    REQUIRE(chain.size() == 2);
    CHECK(chain[1].direction == -1);
    CHECK(chain[1].origin == Approx(200));
    CHECK(graph.spot_on(0, {25, 1})->s == Approx(25));
    CHECK(graph.spot_on(0, {25, 1})->aside == Approx(1));
    CHECK(graph.spot_on(0, {-5, 0})->s == Approx(-5));
    CHECK(graph.left_of(0, true).size() == 1);
    CHECK(graph.right_of(0, false).size() == 1);
}
