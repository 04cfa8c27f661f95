// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <numbers>

#include <ositrace/error.hpp>

#include <osi3/osi_sensordata.pb.h>
#include <osi3/osi_sensorview.pb.h>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/model/forms.hpp"
#include "tests/model/sample_views.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

osi3::MovingObject& add_object(osi3::SensorView& view, std::uint64_t id, double x, double y, double z)
{
    auto& object = *view.mutable_global_ground_truth()->add_moving_object();
    object.mutable_id()->set_value(id);
    object.mutable_base()->mutable_position()->set_x(x);
    object.mutable_base()->mutable_position()->set_y(y);
    object.mutable_base()->mutable_position()->set_z(z);
    return object;
}

osi3::SensorData sensed(const osi3::SensorView& view, const DummySensorOptions& options = {})
{
    const auto results = require_agreement({encoded(view)}, options);
    osi3::SensorData data;
    REQUIRE(data.ParseFromArray(results[0].data(), static_cast<int>(results[0].size())));
    return data;
}

/// A host at (100, 200, 0) that looks along y.
osi3::SensorView turned_host()
{
    osi3::SensorView view;
    view.mutable_host_vehicle_id()->set_value(1);
    view.mutable_sensor_id()->set_value(7);
    add_object(view, 1, 100, 200, 0).mutable_base()->mutable_orientation()->set_yaw(std::numbers::pi / 2);
    return view;
}

}  // namespace

TEST_CASE("all forms of the dummy sensor give the same SensorData on generated scenes")
{
    for (const auto carry : {true, false})
        for (const auto objects : {0u, 10u, 200u / test::stride, 500u / test::stride}) {
            INFO(objects << " objects, carried: " << carry);
            require_agreement(source_views(objects, 0, false, 3), {.carry_input = carry});
            require_agreement(scene_views(objects, 500, 5, 3), {.carry_input = carry});
        }
}

TEST_CASE("all forms of the dummy sensor give the same detections of many reflections")
{
    constexpr std::uint32_t reflections = 100'000 / test::stride;
    for (const auto carry : {true, false}) {
        INFO("carried: " << carry);
        const auto results = require_agreement(source_views(10, reflections, false, 2), {.carry_input = carry});
        osi3::SensorData data;
        REQUIRE(data.ParseFromArray(results[0].data(), static_cast<int>(results[0].size())));
        REQUIRE(data.feature_data().lidar_sensor_size() == 1);
        CHECK(data.feature_data().lidar_sensor(0).detection_size() == (reflections + 17) / 18);
        require_agreement(source_views(10, reflections, true, 1), {.carry_input = carry});
        require_agreement(scene_views(10, reflections, 3, 1), {.carry_input = carry});
    }
}

TEST_CASE("all forms of the dummy sensor agree on what no simulator makes")
{
    std::vector<Message> views;
    for (std::uint32_t seed = 0; seed < 400; seed += test::stride) views.push_back(odd_view(seed));
    views.emplace_back();  // an empty frame
    require_agreement(views, {.carry_input = true});
    require_agreement(views, {.carry_input = false});
    require_agreement(views, {.nominal_range = 0});
    require_agreement(views, {.nominal_range = 1e6, .carry_input = false});
}

TEST_CASE("an object is seen in the frame of the virtual sensor")
{
    auto view = turned_host();
    view.mutable_mounting_position()->mutable_position()->set_x(2);
    view.mutable_mounting_position()->mutable_position()->set_z(1);
    auto& object = add_object(view, 42, 100, 252, 1);  // 50 m ahead of the sensor
    object.mutable_base()->mutable_orientation()->set_yaw(std::numbers::pi / 2);
    object.mutable_base()->mutable_dimension()->set_length(4);
    object.set_type(osi3::MovingObject_Type_TYPE_VEHICLE);
    object.mutable_vehicle_classification()->set_has_trailer(false);

    const auto data = sensed(view, {.nominal_range = 100});
    REQUIRE(data.moving_object_size() == 1);
    const auto& seen = data.moving_object(0);
    CHECK(seen.base().position().x() == Approx(50));
    CHECK(seen.base().position().y() == Approx(0).margin(1e-9));
    CHECK(seen.base().position().z() == Approx(0).margin(1e-9));
    CHECK(seen.base().orientation().yaw() == Approx(0).margin(1e-9));
    CHECK(seen.base().dimension().length() == 4);
    CHECK(seen.header().tracking_id().value() == 0);
    CHECK(seen.header().ground_truth_id(0).value() == 42);
    CHECK(seen.header().sensor_id(0).value() == 7);
    CHECK(seen.header().existence_probability() == Approx(std::cos((2 * 50.0 - 110) / 110)));
    CHECK(seen.candidate(0).type() == osi3::MovingObject_Type_TYPE_VEHICLE);
    CHECK(seen.candidate(0).vehicle_classification().has_has_trailer());
    CHECK(data.mounting_position().position().x() == 2);
    CHECK(data.sensor_view_size() == 1);
    CHECK(data.timestamp().nanos() == 100'000'000);
}

TEST_CASE("a pedestrian is seen with head and upper body turned as the body is, relative to the host")
{
    auto view = turned_host();
    view.mutable_mounting_position()->mutable_orientation()->set_yaw(
        0.1);  // of no concern to what is relative to the host
    auto& pedestrian = add_object(view, 42, 100, 220, 0);
    pedestrian.mutable_base()->mutable_orientation()->set_yaw(std::numbers::pi / 2 + 0.25);
    pedestrian.set_type(osi3::MovingObject_Type_TYPE_PEDESTRIAN);
    add_object(view, 43, 100, 225, 0).set_type(osi3::MovingObject_Type_TYPE_VEHICLE);
    add_object(view, 44, 100, 230, 0);

    const auto data = sensed(view);
    REQUIRE(data.moving_object_size() == 3);
    const auto& candidate = data.moving_object(0).candidate(0);
    CHECK(candidate.head_pose().yaw() == Approx(0.25));
    CHECK(candidate.head_pose().pitch() == Approx(0).margin(1e-9));
    CHECK(candidate.upper_body_pose().yaw() == candidate.head_pose().yaw());
    for (const auto other : {1, 2}) {
        CHECK_FALSE(data.moving_object(other).candidate(0).has_head_pose());
        CHECK_FALSE(data.moving_object(other).candidate(0).has_upper_body_pose());
    }
}

TEST_CASE("the rear axle of the host is where its attributes say")
{
    auto view = turned_host();
    view.mutable_global_ground_truth()
        ->mutable_moving_object(0)
        ->mutable_vehicle_attributes()
        ->mutable_bbcenter_to_rear()
        ->set_x(-1.5);
    add_object(view, 2, 100, 210, 0);
    CHECK(sensed(view).moving_object(0).base().position().x() == Approx(11.5));
}

TEST_CASE("what is too far, to the side or behind is not seen")
{
    auto view = turned_host();
    add_object(view, 2, 100, 200 + 110.1, 0);       // too far
    add_object(view, 3, 100, 200 + 109.9, 0);       // seen
    add_object(view, 4, 100 + 58, 200 + 100, 0);    // 30.1 degrees
    add_object(view, 5, 100 - 57.5, 200 + 100, 0);  // 29.9 degrees, but 115 m
    add_object(view, 6, 100 - 28.8, 200 + 50, 0);   // 29.9 degrees: seen
    add_object(view, 7, 100, 150, 0);               // behind
    add_object(view, 8, 100, 200, 0);               // where the sensor is
    const auto data = sensed(view, {.nominal_range = 100});
    REQUIRE(data.moving_object_size() == 2);
    CHECK(data.moving_object(0).header().ground_truth_id(0).value() == 3);
    CHECK(data.moving_object(1).header().ground_truth_id(0).value() == 6);
    CHECK(data.moving_object(1).header().tracking_id().value() == 1);
}

TEST_CASE("a frame without a host has no detected objects, and its lidar all the same")
{
    osi3::SensorView view;
    view.mutable_host_vehicle_id()->set_value(1);
    add_object(view, 2, 10, 0, 0);
    for (int i = 0; i < 19; ++i) view.add_lidar_sensor_view()->add_reflection()->set_time_of_flight(1e-7);
    for (int i = 0; i < 18; ++i) view.mutable_lidar_sensor_view(0)->add_reflection()->set_time_of_flight(2e-7);
    const auto data = sensed(view);
    CHECK(data.moving_object_size() == 0);
    REQUIRE(data.feature_data().lidar_sensor_size() == 19);
    REQUIRE(data.feature_data().lidar_sensor(0).detection_size() == 2);
    CHECK(data.feature_data().lidar_sensor(0).detection(0).position().distance() == 1e-7 * 299792458.0 / 2);
    CHECK(data.feature_data().lidar_sensor(0).detection(1).position().distance() == 2e-7 * 299792458.0 / 2);
}

TEST_CASE("submessages and lidar entries that are split on the wire merge as libprotobuf merges them")
{
    const auto first = odd_view(3), second = odd_view(5);
    auto both = first;
    both.insert(both.end(), second.begin(), second.end());
    require_agreement({both}, {.carry_input = false});
}

TEST_CASE("the dummy sensor names what it lacks")
{
    const auto model = dummy_sensor();
    CHECK(error_of([&] { model->initialize(info_of(MessageType::ground_truth, protobuf_format), {}); }) ==
          "the dummy sensor takes osi3.SensorView, and the trace holds osi3.GroundTruth. `osiconvert wrap gt2sv` makes "
          "a SensorView of "
          "GroundTruth.");
}

TEST_CASE("the stages of a step are told in their order")
{
    std::vector<std::pair<PerformanceEvent, std::uint64_t>> events;
    const auto model =
        dummy_sensor({.carry_input = false, .observer = [&](PerformanceEvent event, MessageType, std::uint64_t bytes) {
                          events.emplace_back(event, bytes);
                      }});
    model->initialize(info_of(MessageType::sensor_view, protobuf_format), {});
    const auto view = source_views(10, 0, false, 1).front();
    const auto result = step(*model, view, 100ms);
    using enum PerformanceEvent;
    CHECK(events == std::vector<std::pair<PerformanceEvent, std::uint64_t>>{{start_deserialize, view.size()},
                                                                            {stop_deserialize, view.size()},
                                                                            {start_serialize, 0},
                                                                            {stop_serialize, result.size()}});
}
