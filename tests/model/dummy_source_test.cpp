// SPDX-License-Identifier: MPL-2.0
#include <ositrace/equal_content.hpp>
#include <ositrace/error.hpp>

#include <osi3/osi_sensorview.pb.h>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/model/forms.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

void require_agreement_of_sources(const DummySourceOptions& options)
{
    auto models = sources(options);
    for (auto& [name, format, model] : models) {
        model->initialize({}, {});
        REQUIRE(model->outputs().channels.front().format == format);
    }
    const auto& root = Schema::built_in()->root(MessageType::sensor_view);
    for (const auto now : {0ms, 100ms, 1700ms, -100ms}) {
        INFO(now.count());
        const auto ours = step(*models[0].model, now);
        for (std::size_t i = 1; i != models.size(); ++i) {
            auto& [name, format, model] = models[i];
            INFO(name);
            const auto result = step(*model, now);
            if (format == protobuf_format)
                REQUIRE(result == ours);
            else
                REQUIRE(equal_content(MessageView(ours, root, protobuf_format), MessageView(result, root, format)));
        }
    }
}

}  // namespace

TEST_CASE("all forms of the dummy source give the same SensorView")
{
    for (const auto objects : {0u, 10u, 200u / test::stride, 500u / test::stride}) {
        INFO(objects);
        require_agreement_of_sources({.moving_objects = objects});
    }
}

TEST_CASE("all forms of the dummy source give the same reflections, dummies and rays, of two and three numbers")
{
    for (const auto fields : {2, 3})
        for (const auto rays : {false, true})
            require_agreement_of_sources({.moving_objects = 10,
                                          .reflections = 20'000 / test::stride,
                                          .reflection_fields = fields,
                                          .ray_scene = rays});
}

TEST_CASE("the dummy source says what the study's source says")
{
    const auto source = dummy_source({.moving_objects = 10, .reflections = 36});
    source->initialize({}, {});
    const auto bytes = step(*source, 2500ms);
    osi3::SensorView view;
    REQUIRE(view.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    CHECK(view.timestamp().seconds() == 2);
    CHECK(view.timestamp().nanos() == 500'000'000);
    CHECK(view.host_vehicle_id().value() == 14);
    REQUIRE(view.global_ground_truth().moving_object_size() == 10);
    const auto& host = view.global_ground_truth().moving_object(4);
    CHECK(host.id().value() == 14);
    CHECK(host.base().position().x() == 26.0 * 2.5);
    CHECK(host.base().velocity().x() == 26.0);
    CHECK(host.vehicle_classification().type() == osi3::MovingObject_VehicleClassification_Type_TYPE_LUXURY_CAR);
    REQUIRE(view.lidar_sensor_view_size() == 1);
    CHECK(view.lidar_sensor_view(0).reflection_size() == 36);
    CHECK(view.lidar_sensor_view(0).reflection(35).time_of_flight() == 20.0 / 299792458.0);
}

TEST_CASE("a source without reflections has no lidar, and the study's sizes")
{
    const auto size_of = [](std::uint32_t objects, std::uint32_t reflections, Encoding encoding) {
        const auto source = dummy_source({.moving_objects = objects, .reflections = reflections, .encoding = encoding});
        source->initialize({}, {});
        return step(*source, 100ms).size();
    };
    osi3::SensorView view;
    const auto source = dummy_source({.moving_objects = 10});
    source->initialize({}, {});
    const auto bytes = step(*source, 100ms);
    REQUIRE(view.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    CHECK(view.lidar_sensor_view_size() == 0);
    CHECK(size_of(10, 829'440, Encoding::protobuf) / 100'000 == 165);      // 16 MB
    CHECK(size_of(10, 829'440, Encoding::flatbuffers) / 1'000'000 == 23);  // 23 MB
}

TEST_CASE("a reflection has two or three numbers")
{
    CHECK(error_of([] { static_cast<void>(dummy_source({.reflections = 1, .reflection_fields = 5})); }) ==
          "5 fields in a reflection of the dummy source, expected 2 or 3");
}
