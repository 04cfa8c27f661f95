// SPDX-License-Identifier: MPL-2.0
// Lane boundaries that were moved by a known distance.
#include <cmath>

#include <ositrace/compare_boundaries.hpp>
#include <ositrace/error.hpp>

#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

constexpr double to_the_left = scene::pi / 2;
using BoundaryLine = std::vector<scene::Vector>;

struct BoundarySide {
    MessageType type = MessageType::ground_truth;
    Bytestring bytes;
    ObjectSet set = ObjectSet::ground_truth;
};

void write_boundary_line(OsiWriter& out, const BoundaryLine& line)
{
    for (const auto& each : line) out.message("boundary_line", [&] { out.vector("position", each); });
}

/// The host at (100, 200) looks to the left (+y); its rear axle is 1.5 m behind its centre.
BoundarySide boundary_truth(const std::vector<BoundaryLine>& lines, bool has_host = true)
{
    return {MessageType::ground_truth, written(MessageType::ground_truth, [&](OsiWriter& out) {
                if (has_host) out.id("host_vehicle_id", 7);
                out.message("moving_object", [&] {
                    out.id("id", 7);
                    out.message("base", [&] {
                        out.dimension("dimension", {4, 2, 1.5});
                        out.vector("position", {100, 200, 0.75});
                        out.orientation("orientation", {0, 0, to_the_left});
                    });
                    out.message("vehicle_attributes", [&] { out.vector("bbcenter_to_rear", {-1.5, 0, -0.4}); });
                });
                std::uint64_t id = 50;
                for (const auto& line : lines)
                    out.message("lane_boundary", [&] {
                        out.id("id", id++);
                        write_boundary_line(out, line);
                    });
            })};
}

/// Of a sensor 2 m ahead of the rear axle and 0.5 m to the left, which looks ahead.
BoundarySide boundary_detections(const std::vector<BoundaryLine>& lines)
{
    return {MessageType::sensor_data,
            written(MessageType::sensor_data,
                    [&](OsiWriter& out) {
                        out.mounting_position("mounting_position", {2, 0.5, 1}, {0, 0, 0});
                        std::uint64_t id = 3;
                        for (const auto& line : lines)
                            out.message("lane_boundary", [&] {
                                out.message("header", [&] { out.id("tracking_id", id++); });
                                write_boundary_line(out, line);
                            });
                    }),
            ObjectSet::detections};
}

BoundaryComparison compared_lines(const BoundarySide& a, const BoundarySide& b,
                                  const BoundaryCompareOptions& options = {}, Encoding encoding = Encoding::protobuf)
{
    const auto channel = [&](const BoundarySide& side) {
        return std::make_shared<Channel>(channel_of(side.type, encoding));
    };
    const auto bytes = [&](const BoundarySide& side) {
        return encoding == Encoding::protobuf ? side.bytes : to_flat(side.bytes, side.type);
    };
    const auto bytes_a = bytes(a), bytes_b = bytes(b);
    const auto frame_a = frame_of(bytes_a), frame_b = frame_of(bytes_b);
    return compare_boundaries({channel(a), channel(b)}, {a.set, b.set}, {&frame_a, nullptr}, {&frame_b, nullptr},
                              options);
}

/// In the frame of the sensor a global place: the sensor is at (99.5, 200.5) and looks to +y.
scene::Vector seen_by_sensor(scene::Vector global) { return {global.y - 200.5, -(global.x - 99.5), 0}; }

}  // namespace

TEST_CASE("a boundary that was moved by 0.2 m has a lateral error of 0.2 m")
{
    // Two boundaries ahead of the host, the second one cut into pieces and against the direction of the first.
    const auto a =
        boundary_truth({{{98, 180, 0}, {98, 300, 0}}, {{102, 230, 0}, {102, 180, 0}}, {{102, 300, 0}, {102, 230, 0}}});
    for (const double moved : {0.2, -0.2, 0.0, 1.5}) {
        // To the left of the host is -x.
        const auto at = [&](double x, double y) { return seen_by_sensor({x - moved, y, 0}); };
        const auto b = boundary_detections({{at(98, 205), at(98, 215), at(98, 250)}, {at(102, 250), at(102, 205)}});
        for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
            const auto result = compared_lines(a, b, {}, encoding);
            REQUIRE(result.boundaries.size() == 2);
            CHECK(result.counts == std::array<std::size_t, 2>{3, 2});
            CHECK(result.mean_absolute == Approx(std::abs(moved)).margin(1e-9));
            CHECK(result.matched == Approx(90));
            CHECK(result.unmatched == Approx(0).margin(1e-9));
            for (const auto& each : result.boundaries) {
                CHECK(each.mean == Approx(moved).margin(1e-9));
                CHECK(each.largest == Approx(moved).margin(1e-9));
                CHECK(each.from == Approx(4.5));
                CHECK(each.to == Approx(49.5));
            }
            CHECK(result.boundaries[0].id == 3);
            CHECK(result.boundaries[1].id == 4);
            for (const auto& place : result.places) CHECK(place.lateral == Approx(moved).margin(1e-9));
            // A place at most every metre, so that the error is known over the distance.
            CHECK(result.places.size() >= 90);
        }
    }
}

TEST_CASE("the error grows with the distance where a boundary is turned, and on a bend it is that to the arc")
{
    const double slope = 0.01;
    const auto a = boundary_truth({{{98, 180, 0}, {98, 400, 0}}});
    const auto turned = compared_lines(a, boundary_detections({{{0, 1.5, 0}, {100, 1.5 + 100 * slope, 0}}}));
    for (const auto& each : turned.places) CHECK(each.lateral == Approx(each.ahead * slope).margin(1e-9));
    CHECK(turned.boundaries.at(0).largest == Approx(1));
    CHECK(turned.boundaries.at(0).largest_ahead == Approx(100));
    CHECK(turned.boundaries.at(0).largest_place[0] == Approx(97));
    CHECK(turned.boundaries.at(0).largest_place[1] == Approx(300.5));
    CHECK(turned.boundaries.at(0).mean == Approx(0.5).margin(0.01));

    // An arc of 200 m to the left around (-100, 200), and one of 199.7 m.
    BoundaryLine arc, moved;
    for (int i = 0; i <= 600; ++i) {
        const auto angle = i * 0.001;
        arc.push_back({-100 + 200 * std::cos(angle), 200 + 200 * std::sin(angle), 0});
        if (i > 50 && i < 550)
            moved.push_back(seen_by_sensor({-100 + 199.7 * std::cos(angle), 200 + 199.7 * std::sin(angle), 0}));
    }
    const auto bend = compared_lines(boundary_truth({arc}), boundary_detections({moved}));
    CHECK(bend.mean_absolute == Approx(0.3).margin(1e-4));
    for (const auto& each : bend.places) CHECK(each.lateral == Approx(0.3).margin(1e-4));
}

TEST_CASE("what has no boundary near it is not measured")
{
    const auto a = boundary_truth({{{98, 180, 0}, {98, 220, 0}}});
    // 10 m along it, 10 m past its end; and one that is 3 m beside it.
    const auto result =
        compared_lines(a, boundary_detections({{{9.5, 1.5, 0}, {29.5, 1.5, 0}}, {{0, 4.5, 0}, {10, 4.5, 0}}}));
    REQUIRE(result.boundaries.size() == 2);
    CHECK(result.boundaries[0].matched == Approx(10).margin(1.1));
    CHECK(result.boundaries[0].unmatched == Approx(10).margin(1.1));
    CHECK(result.boundaries[0].mean_absolute == Approx(0).margin(1e-9));
    CHECK(result.boundaries[1].matched == 0);
    CHECK(std::isnan(result.boundaries[1].mean));
    CHECK(compared_lines(a, boundary_detections({{{0, 4.5, 0}, {10, 4.5, 0}}}), {.gate = 4}).mean_absolute ==
          Approx(3));
    CHECK(std::isnan(compared_lines(a, boundary_detections({})).mean_absolute));
    CHECK(std::isnan(compared_lines(boundary_truth({}), boundary_detections({{{0, 0, 0}, {10, 0, 0}}})).mean_absolute));
}

TEST_CASE("two ground truths are compared along the heading of the host, detections need a host")
{
    const BoundaryLine line{{98, 180, 0}, {98, 300, 0}}, moved{{97.8, 180, 0}, {97.8, 300, 0}};
    const auto result = compared_lines(boundary_truth({line}), boundary_truth({moved}));
    CHECK(result.boundaries.at(0).mean == Approx(0.2).margin(1e-9));
    CHECK(result.boundaries.at(0).id == 50);
    CHECK_THROWS_AS(compared_lines(boundary_truth({line}, false), boundary_detections({line})), Error);
    const BoundarySide update{MessageType::traffic_update, {}, ObjectSet::ground_truth};
    CHECK_THROWS_AS(compared_lines(boundary_truth({line}), update), Error);
}

TEST_CASE("many and strange points end in time")
{
    BoundaryLine many, crossing;
    for (int i = 0; i != 50'000; ++i) many.push_back({98, 200 + 1e-4 * i, 0});
    for (int i = 0; i != 20'000; ++i) crossing.push_back({1e-4 * i, i % 2 == 0 ? 1.4 : 1.6, 0});
    const auto result = compared_lines(boundary_truth({many}), boundary_detections({crossing}));
    REQUIRE(result.notes.size() == 1);
    CHECK(result.notes[0] == "the boundaries have too many points: not all are compared");
    const double infinite = std::numeric_limits<double>::infinity(), none = std::nan("");
    const auto strange =
        compared_lines(boundary_truth({{{98, none, 0}, {infinite, 1, 0}, {98, 200, 0}, {98, 260, 0}}}),
                       boundary_detections({{{1, 1.5, 0}, {none, 1, 0}, {5, 1.5, 0}}, {{1e300, 0, 0}}, {}}));
    CHECK(strange.mean_absolute == Approx(0).margin(1e-9));
    CHECK(strange.notes.size() == 2);
}
