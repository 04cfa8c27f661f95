// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include <ositrace/error.hpp>

#include "tests/catch.hpp"
#include "tests/lib/traffic/traffic_scene.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

struct Seen {
    std::uint64_t tracking_id = 0;
    double x = 0, y = 0;
    std::optional<std::uint64_t> truth_id = {};
};

/// Of a sensor in the middle of a host that stands at the origin.
Sent detections_at(double time, double measured, const std::vector<Seen>& objects)
{
    const auto ns = [](double seconds) { return Nanoseconds(std::llround(seconds * 1e9)); };
    return {MessageType::sensor_data, written(MessageType::sensor_data, [&](OsiWriter& out) {
                out.time("timestamp", ns(time));
                out.mounting_position("mounting_position", {0, 0, 0}, {0, 0, 0});
                if (measured >= 0) out.time("last_measurement_time", ns(measured));
                for (const auto& each : objects)
                    out.message("moving_object", [&] {
                        out.message("header", [&] {
                            out.id("tracking_id", each.tracking_id);
                            if (each.truth_id) out.id("ground_truth_id", *each.truth_id);
                        });
                        out.message("base", [&] {
                            out.dimension("dimension", {5, 2, 1.5});
                            out.vector("position", {each.x, each.y, 0});
                        });
                        out.message("candidate", [&] {
                            out.real("probability", 1);
                            out.enumeration("type", "TYPE_VEHICLE");
                        });
                    });
            })};
}

Sent truth_at(double time, double x)
{
    return {MessageType::ground_truth,
            truth_of({.time = time, .cars = {{.id = 1}, {.id = 2, .x = x, .speed = 10}}, .host = 1})};
}

}  // namespace

TEST_CASE("a detection is compared with the ground truth at the time of its measurement")
{
    // The object moves 1 m in 0.1 s; what is sent at 0.3 s was measured at 0.1 s, 0.2 m too far and 0.5 m to the left.
    const std::vector<Sent> messages{truth_at(0, 30), truth_at(0.1, 31), truth_at(0.2, 32), truth_at(0.3, 33),
                                     detections_at(0.3, 0.1, {{50, 31.2, 0.5, 2}})};
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto rows = rows_of("matches", messages, {}, encoding);
        REQUIRE(rows.size() == 1);
        const auto& row = rows[0];
        CHECK(text(row, "match") == "pair");
        CHECK(text(row, "paired_by") == "id");
        CHECK(number(row, "frame") == 4);
        CHECK(number(row, "time") == Approx(0.3));
        CHECK(number(row, "measurement_time") == Approx(0.1));
        CHECK(number(row, "truth_time") == Approx(0.1));
        CHECK(number(row, "id") == 2);
        CHECK(number(row, "detected_id") == 50);
        CHECK(text(row, "detected_type") == "TYPE_VEHICLE");
        CHECK(number(row, "dx") == Approx(0.2));
        CHECK(number(row, "dy") == Approx(0.5));
        CHECK(number(row, "dlength") == Approx(1));
        CHECK(number(row, "range") == Approx(31));
        CHECK(number(row, "azimuth") == Approx(0).margin(1e-9));
    }
    // Without a time of measurement the timestamp counts.
    auto later = messages;
    later.back() = detections_at(0.3, -1, {{50, 31.2, 0.5, 2}});
    CHECK(number(rows_of("matches", later)[0], "dx") == Approx(-1.8));
}

TEST_CASE("the ground truth may come after the detections")
{
    const auto rows =
        rows_of("matches", std::vector{truth_at(0, 30), detections_at(0.1, 0.1, {{50, 31, 0, 2}}), truth_at(0.1, 31)});
    REQUIRE(rows.size() == 1);
    CHECK(number(rows[0], "truth_time") == Approx(0.1));
    CHECK(number(rows[0], "dx") == Approx(0).margin(1e-9));
}

TEST_CASE("missed objects, ghosts and the gate")
{
    const std::vector<Sent> messages{truth_at(0, 30), detections_at(0, 0, {{50, 33, 0, {}}})};
    const auto rows = rows_of("matches", messages);
    REQUIRE(rows.size() == 2);
    CHECK(text(rows[0], "match") == "missed");
    CHECK(number(rows[0], "id") == 2);
    CHECK(is_null(rows[0], "detected_id"));
    CHECK(is_null(rows[0], "dx"));
    CHECK(text(rows[1], "match") == "ghost");
    CHECK(number(rows[1], "range") == Approx(33).margin(0.02));
    const auto paired = rows_of("matches", messages, {{"gate", "5"}});
    REQUIRE(paired.size() == 1);
    CHECK(text(paired[0], "paired_by") == "gate");
    CHECK(number(paired[0], "dx") == Approx(3));
    const auto near = rows_of("matches", messages, {{"max-range", "20"}});
    REQUIRE(near.size() == 1);  // an object that the sensor cannot see is not missed
    CHECK(text(near[0], "match") == "ghost");
}

TEST_CASE("the summary counts by type and range, with mean and root mean square")
{
    const auto rows =
        rows_of("matches_summary", std::vector{truth_at(0, 30), detections_at(0, 0, {{50, 31, 0, 2}, {51, 80, 0, {}}}),
                                               truth_at(1, 32), detections_at(1, 1, {{50, 29, 0, 2}})});
    REQUIRE(rows.size() == 2);
    const auto& ghost = text(rows[0], "type") == "TYPE_VEHICLE" ? rows[0] : rows[1];
    const auto& pairs = &ghost == &rows[0] ? rows[1] : rows[0];
    CHECK(number(ghost, "ghosts") == 1);
    CHECK(number(ghost, "range_from") == 80);
    CHECK(is_null(ghost, "recall"));
    CHECK(number(pairs, "pairs") == 2);
    CHECK(number(pairs, "range_from") == 30);
    CHECK(number(pairs, "range_to") == 40);
    CHECK(number(pairs, "recall") == 1);
    CHECK(number(pairs, "dx_mean") == Approx(-1));  // (1 - 3) / 2
    CHECK(number(pairs, "dx_rms") == Approx(std::sqrt(5)));
}

TEST_CASE("a stretch is where an expression holds for the same object")
{
    std::vector<Moment> moments;
    for (int i = 0; i != 6; ++i)
        moments.push_back({.time = 0.1 * i,
                           .cars = {{.id = 5, .speed = i >= 1 && i <= 3 ? 20.0 + i : 1.0},
                                    {.id = 6, .x = 50, .speed = i == 2 || i == 5 ? 30.0 : 1.0}}});
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto rows = rows_of("find", moments, {{"expression", "moving_object.base.velocity.x > 10"}}, encoding);
        REQUIRE(rows.size() == 3);
        CHECK(number(rows[0], "id") == 5);
        CHECK(number(rows[0], "begin") == Approx(0.1));
        CHECK(number(rows[0], "end") == Approx(0.4));
        CHECK(number(rows[0], "messages") == 3);
        CHECK(number(rows[0], "last_frame") == 3);
        CHECK(text(rows[0], "object") == "moving_object");
        CHECK(text(rows[0], "values") == R"({"base.velocity.x": {"first": 21, "least": 21, "least_time": 0.1, )"
                                         R"("greatest": 23, "greatest_time": 0.3}})");
        CHECK(number(rows[1], "id") == 6);
        CHECK(number(rows[1], "duration") == Approx(0.1));
        CHECK(number(rows[2], "begin") == Approx(0.5));
        CHECK(number(rows[2], "duration") == 0);  // the last message
    }
    CHECK_THROWS_WITH(rows_of("find", moments, {{"expression", "nothing > 1"}}),
                      Catch::Matchers::StartsWith("nothing > 1: "));
    CHECK_THROWS_AS(rows_of("find", moments), Error);
}
