// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/catch.hpp"
#include "tests/lib/scene/decoded.hpp"

using namespace ositrace;
using namespace decoded;

namespace {

SceneOptions sensor_data()
{
    SceneOptions options;
    options.type = MessageType::sensor_data;
    return options;
}

std::map<std::uint64_t, Node> by_id(const std::vector<Node>& things)
{
    std::map<std::uint64_t, Node> found;
    for (const auto& thing : things) found.emplace(thing.id("id"), thing);
    return found;
}

/// The distance of a detection from the nearest surface, the ground included.
double to_anything(const std::vector<Box>& all, Triple point)
{
    double nearest = std::abs(point[2]);
    for (const auto& box : all) {
        if (box.id != 1) nearest = std::min(nearest, box.distance(point));
    }
    return nearest;
}

void check_on_surfaces(const SceneFrame& frame, const Node& detections)
{
    const auto all = boxes(frame.ground_truth());
    const SensorPose pose(frame.ground_truth(), detections["header"]["mounting_position"]);
    const auto found = detections.all("detection");
    CHECK_FALSE(found.empty());
    CHECK(detections["header"].number("number_of_valid_detections") == found.size());
    for (const auto& detection : found) {
        const auto at = detection["position"];
        const auto point =
            pose.to_global(from_spherical(at.real("distance"), at.real("azimuth"), at.real("elevation")));
        CHECK(to_anything(all, point) < 0.01);
    }
}

}  // namespace

TEST_CASE("detected objects lie where the ground truth says, seen from the virtual sensor")
{
    const Scene scene(sensor_data());
    for (const std::uint64_t i : {0, 25, 60}) {
        const SceneFrame frame(scene, i);
        const auto truth = by_id(frame.ground_truth().all("moving_object"));
        const SensorPose pose(frame.ground_truth(), frame.root()["mounting_position"]);
        const auto detected = frame.root().all("moving_object");
        REQUIRE_FALSE(detected.empty());
        for (const auto& object : detected) {
            const auto& real = truth.at(object["header"].all("ground_truth_id").at(0).number("value"));
            CHECK(length(minus(pose.to_global(object["base"].triple("position")), real["base"].triple("position"))) <
                  1e-9);
            CHECK(object["base"].triple("dimension") == real["base"].triple("dimension"));
            // The direction of the local x axis, too.
            const auto origin = pose.to_global({0, 0, 0});
            const auto ahead = minus(pose.to_global(turned({1, 0, 0}, object["base"].triple("orientation"))), origin);
            CHECK(length(minus(ahead, turned({1, 0, 0}, real["base"].triple("orientation")))) < 1e-9);
            CHECK(object["header"].real("existence_probability") > 0.5);
            CHECK(object["header"].real("existence_probability") <= 1);
            CHECK(object.all("candidate").at(0).name("type") == real.name("type"));
        }
    }
}

TEST_CASE("detected lanes lie between boundaries that the same frame has")
{
    const Scene scene(sensor_data());
    for (std::uint64_t i = 0; i < 100; i += 7) {
        CAPTURE(i);
        const SceneFrame frame(scene, i);
        std::map<std::uint64_t, Node> boundaries;
        for (const auto& boundary : frame.root().all("lane_boundary"))
            boundaries.emplace(boundary["header"].id("tracking_id"), boundary);
        const auto lanes = frame.root().all("lane");
        CHECK_FALSE(lanes.empty());
        for (const auto& lane : lanes) {
            const auto classification = lane.all("candidate").at(0)["classification"];
            for (const auto* const side : {"left_lane_boundary_id", "right_lane_boundary_id"})
                CHECK(boundaries.contains(classification.all(side).at(0).number("value")));
        }
    }
}

TEST_CASE("detected velocities are derivatives in the sensor frame")
{
    auto options = sensor_data();
    options.period = std::chrono::milliseconds(1);
    const Scene scene(options);
    const SceneFrame before(scene, 999), now(scene, 1000), after(scene, 1001);
    const auto a = before.root().all("moving_object"), b = now.root().all("moving_object"),
               c = after.root().all("moving_object");
    REQUIRE(a.size() == c.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
        const auto rate = times(1 / 0.002, minus(c[i]["base"].triple("position"), a[i]["base"].triple("position")));
        CHECK(length(minus(b[i]["base"].triple("velocity"), rate)) < 1e-3);
    }
}

TEST_CASE("lidar and radar detections lie on surfaces")
{
    const Scene scene(sensor_data());
    for (const std::uint64_t i : {0, 33}) {
        const SceneFrame frame(scene, i);
        const auto features = frame.root()["feature_data"];
        check_on_surfaces(frame, features.all("lidar_sensor").at(0));
        check_on_surfaces(frame, features.all("radar_sensor").at(0));
    }
}

TEST_CASE("there is a lidar detection for every ray that returned")
{
    const Scene scene(sensor_data());
    const SceneFrame frame(scene, 12);
    std::size_t returned = 0;
    for (const auto& reflection :
         frame.root().all("sensor_view").at(0).all("lidar_sensor_view").at(0).all("reflection")) {
        returned += reflection.real("time_of_flight") > 0;
    }
    CHECK(frame.root()["feature_data"].all("lidar_sensor").at(0).all("detection").size() == returned);
}

TEST_CASE("SensorData has one of everything that can be detected")
{
    const SceneFrame frame(Scene(sensor_data()), 0);
    for (const auto* field : {"stationary_object", "moving_object", "traffic_sign", "traffic_light", "road_marking",
                              "lane_boundary", "lane"}) {
        INFO(field);
        CHECK_FALSE(frame.root().all(field).empty());
        CHECK(frame.root()[std::string(field) + "_header"].name("data_qualifier") == "DATA_QUALIFIER_AVAILABLE");
    }
    CHECK(frame.root()["virtual_detection_area"].all("polygon").at(0).all("vertex").size() > 3);
}

TEST_CASE("detected boundaries lie on the road, seen from the virtual sensor")
{
    const SceneFrame frame(Scene(sensor_data()), 8);
    const SensorPose pose(frame.ground_truth(), frame.root()["mounting_position"]);
    const auto truth = by_id(frame.ground_truth().all("lane_boundary"));
    for (const auto& boundary : frame.root().all("lane_boundary")) {
        const auto& real = truth.at(boundary["header"].all("ground_truth_id").at(0).number("value"));
        const auto expected = real.all("boundary_line").at(0).triple("position");
        for (const auto& point : boundary.all("boundary_line")) {
            const auto global = pose.to_global(point.triple("position"));
            CHECK(global[2] == Approx(0).margin(1e-9));
            CHECK(std::hypot(global[0], global[1]) == Approx(std::hypot(expected[0], expected[1])).epsilon(1e-9));
        }
    }
}

TEST_CASE("the input is carried when asked for, to the last byte")
{
    auto options = sensor_data();
    const SceneFrame with(Scene(options), 3);
    options.carry_input = false;
    const SceneFrame without(Scene(options), 3);
    CHECK_FALSE(without.root().has("sensor_view"));
    options.type = MessageType::sensor_view;
    const SceneFrame input(Scene(options), 3);
    const auto text = text_of(with.bytes());
    CHECK(text.find(text_of(input.bytes())) != std::string_view::npos);
}
