// SPDX-License-Identifier: MPL-2.0
// Columns against libprotobuf's objects.
#include <array>
#include <bit>

#include <ositrace/columns.hpp>
#include <ositrace/error.hpp>

#include <osi3/osi_sensorview.pb.h>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/model/forms.hpp"
#include "tests/model/sample_views.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace ositrace::test;
using namespace std::string_view_literals;

namespace {

constexpr std::array object_leaves{"id.value"sv,
                                   "base.position.x"sv,
                                   "base.position.z"sv,
                                   "base.orientation.yaw"sv,
                                   "type"sv,
                                   "base"sv,
                                   "vehicle_classification.has_trailer"sv,
                                   "vehicle_classification.light_state.head_light"sv,
                                   "vehicle_attributes.bbcenter_to_rear.y"sv};
constexpr std::array reflection_leaves{"time_of_flight"sv, "signal_strength"sv, "object_id.value"sv,
                                       "normal_to_surface.x"sv};

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

const MessageTable& root() { return Schema::built_in()->root(MessageType::sensor_view); }

MessageView ground_truth_of(Bytes bytes, Format format) { return *MessageView(bytes, root(), format).message(7); }

void compare(const ColumnReader& columns, std::size_t row, const osi3::MovingObject& object)
{
    REQUIRE(columns.integers(0)[row] == object.id().value());
    REQUIRE(columns.has(0, row) == object.id().has_value());
    REQUIRE(same(columns.reals(1)[row], object.base().position().x()));
    REQUIRE(columns.has(1, row) == object.base().position().has_x());
    REQUIRE(same(columns.reals(2)[row], object.base().position().z()));
    REQUIRE(same(columns.reals(3)[row], object.base().orientation().yaw()));
    REQUIRE(columns.integers(4)[row] == static_cast<std::uint64_t>(object.type()));
    REQUIRE(columns.has(4, row) == object.has_type());
    REQUIRE(columns.has(5, row) == object.has_base());
    REQUIRE(columns.integers(6)[row] == static_cast<std::uint64_t>(object.vehicle_classification().has_trailer()));
    REQUIRE(columns.integers(7)[row] ==
            static_cast<std::uint64_t>(object.vehicle_classification().light_state().head_light()));
    REQUIRE(same(columns.reals(8)[row], object.vehicle_attributes().bbcenter_to_rear().y()));
    const auto id = columns.element(row).message(1);
    REQUIRE(id.has_value() == object.has_id());
}

void compare(const ColumnReader& columns, std::size_t row, const osi3::LidarSensorView::Reflection& reflection)
{
    REQUIRE(same(columns.reals(0)[row], reflection.time_of_flight()));
    REQUIRE(columns.has(0, row) == reflection.has_time_of_flight());
    REQUIRE(same(columns.reals(1)[row], reflection.signal_strength()));
    REQUIRE(columns.integers(2)[row] == reflection.object_id().value());
    REQUIRE(same(columns.reals(3)[row], reflection.normal_to_surface().x()));
}

/// Reads with every stride; the readers are reused, so that what they have learned is wrong at times.
class Comparison {
public:
    void run(const Message& bytes)
    {
        REQUIRE(view_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
        run(bytes, protobuf_format);
        run(to_flat(bytes, MessageType::sensor_view), flat_format);
    }

private:
    void run(const Message& bytes, Format format)
    {
        if (view_.has_global_ground_truth())
            check(objects_, ground_truth_of(bytes, format), view_.global_ground_truth().moving_object());
        const auto lidars = MessageView(bytes, root(), format).repeated(*root().find("lidar_sensor_view"));
        for (int i = 0; i < view_.lidar_sensor_view_size(); ++i)
            check(reflections_, std::get<MessageView>(lidars[static_cast<std::size_t>(i)]),
                  view_.lidar_sensor_view(i).reflection());
    }
    template <class Elements>
    static void check(ColumnReader& columns, const MessageView& parent, const Elements& elements)
    {
        for (const std::size_t every : {1, 2, 18, 1000}) {
            columns.read(parent, every);
            const auto count = static_cast<std::size_t>(elements.size());
            REQUIRE(columns.elements() == count);
            REQUIRE(columns.rows() == (count + every - 1) / every);
            for (std::size_t row = 0; row != columns.rows(); ++row)
                compare(columns, row, elements[static_cast<int>(row * every)]);
        }
    }

    osi3::SensorView view_;
    ColumnReader objects_{*root().find("global_ground_truth")->child->find("moving_object"), object_leaves};
    ColumnReader reflections_{*root().find("lidar_sensor_view")->child->find("reflection"), reflection_leaves};
};

}  // namespace

TEST_CASE("columns hold what libprotobuf reads, in both encodings")
{
    Comparison comparison;
    for (std::uint32_t seed = 0; seed < 400; seed += test::stride) comparison.run(odd_view(seed));
    for (const auto fields : {2, 3, 5}) comparison.run(scene_views(300, 10'000, fields, 1).front());
}

TEST_CASE("columns of an element that is split and repeated on the wire: the last value counts, messages merge")
{
    const auto& field = *root().find("global_ground_truth")->child->find("moving_object");
    // moving_object { id {value 3}, base { position {x 1} }, id {value 4}, base { position { z 2 } } }
    osi3::GroundTruth first, second, both;
    first.add_moving_object()->mutable_id()->set_value(3);
    first.mutable_moving_object(0)->mutable_base()->mutable_position()->set_x(1);
    second.add_moving_object()->mutable_id()->set_value(4);
    second.mutable_moving_object(0)->mutable_base()->mutable_position()->set_z(2);
    const auto object = first.moving_object(0).SerializeAsString() + second.moving_object(0).SerializeAsString();
    REQUIRE(both.add_moving_object()->ParseFromString(object));
    const std::string wire = "\x2a" + std::string(1, static_cast<char>(object.size())) + object;
    const std::string twice = wire + wire;
    ColumnReader columns(field, object_leaves);
    columns.read(MessageView(bytes_of(twice), *root().find("global_ground_truth")->child, protobuf_format));
    REQUIRE(columns.rows() == 2);
    compare(columns, 0, both.moving_object(0));
    compare(columns, 1, both.moving_object(0));
}

TEST_CASE("a column that cannot be is refused")
{
    const auto& objects = *root().find("global_ground_truth")->child->find("moving_object");
    const auto refusal = [&](std::string_view leaf) {
        return error_of([&] { return ColumnReader(objects, std::array{leaf}); });
    };
    CHECK(refusal("base.speed") == "column 'base.speed': osi3.BaseMoving has no field 'speed'");
    CHECK(refusal("assigned_lane_id.value") == "column 'assigned_lane_id.value': 'assigned_lane_id' is repeated");
    CHECK(refusal("model_reference") == "column 'model_reference': 'model_reference' is not a number");
    CHECK(refusal("type.x") == "column 'type.x': 'type' has no fields");
    CHECK(error_of([&] { return ColumnReader(objects, std::array{"type"sv, "type"sv}); }) ==
          "column 'type': named twice");
    CHECK(error_of([&] { return ColumnReader(*root().find("timestamp"), std::array{"seconds"sv}); }) ==
          "timestamp: no repeated message, and only those have columns");
}

TEST_CASE("columns of a broken element name field and byte")
{
    const auto& truth = *root().find("global_ground_truth")->child;
    // moving_object of 4 bytes: base of 2 bytes: position of 9 bytes, which are not there
    const std::string wire("\x2a\x04\x12\x02\x12\x09", 6);
    ColumnReader columns(*truth.find("moving_object"), object_leaves);
    const MessageView view(bytes_of(wire), truth, protobuf_format);
    const auto what = error_of([&] { return columns.read(view), 0; });
    CHECK(what.starts_with("byte 4: moving_object.position: "));
    CHECK(columns.rows() == 0);
}
