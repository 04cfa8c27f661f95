// SPDX-License-Identifier: MPL-2.0
#include <ositrace/field_path.hpp>

#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

const MessageTable& sensor_view() { return Schema::built_in()->root(MessageType::sensor_view); }

constexpr std::uint32_t ground_truth = 7, moving_object = 5;

Message object(std::uint64_t id, double x)
{
    return Message().message(1, Message().varint(1, id)).message(2, Message().message(2, Message().real(1, x)));
}

/// A ground truth in two pieces with three objects, one of them without a position.
std::string scene()
{
    return Message()
        .message(ground_truth, Message()
                                   .message(moving_object, object(7, 1.5))
                                   .message(moving_object, Message().message(1, Message().varint(1, 8))))
        .message(ground_truth, Message().message(moving_object, object(42, 4.5)))
        .str();
}

template <class Check>
void in_both_encodings(Check&& check)
{
    const auto message = scene();
    check(MessageView(bytes_of(message), sensor_view(), {}));
    constexpr Format flat{Encoding::flatbuffers, Layout::numbered};
    ByteBuffer buffer;
    Transcoder(sensor_view(), {}, flat).transcode(bytes_of(message), buffer);
    check(MessageView(buffer.bytes(), sensor_view(), flat));
}

FieldPath path(std::string_view text) { return FieldPath::compile(sensor_view(), text); }

std::optional<double> real_at(const MessageView& view, std::string_view text) { return as_real(path(text).get(view)); }

}  // namespace

TEST_CASE("a path names an element by place or by id")
{
    in_both_encodings([](const MessageView& view) {
        CHECK(real_at(view, "global_ground_truth.moving_object[0].base.position.x") == 1.5);
        CHECK(real_at(view, "global_ground_truth.moving_object[2].base.position.x") == 4.5);
        CHECK(real_at(view, "global_ground_truth.moving_object[id=42].base.position.x") == 4.5);
        CHECK(real_at(view, "global_ground_truth.moving_object[id=42].id.value") == 42.0);
    });
}

TEST_CASE("an identifier without a value is 0, an element without an identifier is none")
{
    const auto message =
        Message()
            .message(
                ground_truth,
                Message()
                    .message(moving_object, Message().message(2, Message().message(2, Message().real(1, 1.0))))
                    .message(moving_object,
                             Message().message(1, Message()).message(2, Message().message(2, Message().real(1, 2.0)))))
            .str();
    const MessageView view(bytes_of(message), sensor_view(), {});
    CHECK(real_at(view, "global_ground_truth.moving_object[id=0].base.position.x") == 2.0);
    constexpr Format flat{Encoding::flatbuffers, Layout::numbered};
    ByteBuffer buffer;
    Transcoder(sensor_view(), {}, flat).transcode(bytes_of(message), buffer);
    CHECK(real_at({buffer.bytes(), sensor_view(), flat}, "global_ground_truth.moving_object[id=0].base.position.x") ==
          2.0);
}

TEST_CASE("a detected object, which has no id of its own, is named by its tracking id")
{
    const auto& sensor_data = Schema::built_in()->root(MessageType::sensor_data);
    const auto detected = [](const Message& header, double x) {
        return Message().message(1, header).message(2, Message().message(2, Message().real(1, x)));
    };
    const auto message = Message()
                             .message(13, detected(Message(), 1))
                             .message(13, detected(Message().message(1, Message().varint(1, 7)), 2))
                             .message(13, detected(Message().message(1, Message()), 3))
                             .str();
    constexpr Format flat{Encoding::flatbuffers, Layout::numbered};
    ByteBuffer buffer;
    Transcoder(sensor_data, {}, flat).transcode(bytes_of(message), buffer);
    for (const auto& view :
         {MessageView(bytes_of(message), sensor_data, {}), MessageView(buffer.bytes(), sensor_data, flat)}) {
        const auto x_of = [&](std::string_view element) {
            return as_real(FieldPath::compile(sensor_data, std::string(element) + ".base.position.x").get(view));
        };
        CHECK(x_of("moving_object[id=7]") == 2.0);
        CHECK(x_of("moving_object[id=0]") == 3.0);
        CHECK_FALSE(x_of("moving_object[id=1]"));
    }
    CHECK(id_path(*sensor_data.find("moving_object")->child) == "header.tracking_id.value");
    CHECK(id_path(*sensor_view().find("global_ground_truth")->child->find("lane")->child) == "id.value");
    CHECK(id_path(*sensor_data.find("sensor_view")->child).empty());
}

TEST_CASE("a path through something unset has no value")
{
    in_both_encodings([](const MessageView& view) {
        for (const auto* const text : {"global_ground_truth.moving_object[1].base.position.x",
                                       "global_ground_truth.moving_object[3].base.position.x",
                                       "global_ground_truth.moving_object[id=9].base.position.x", "timestamp.seconds",
                                       "sensor_id", "global_ground_truth.moving_object[18446744073709551615]"})
            CHECK(std::holds_alternative<std::monostate>(path(text).get(view)));
    });
}

TEST_CASE("a path to many values collects those that are set")
{
    in_both_encodings([](const MessageView& view) {
        std::vector<Value> found;
        path("global_ground_truth.moving_object[*].base.position.x").collect(view, found);
        REQUIRE(found.size() == 2);
        CHECK(as_real(found[0]) == 1.5);
        CHECK(as_real(found[1]) == 4.5);
        found.clear();
        path("global_ground_truth.moving_object").collect(view, found);
        CHECK(found.size() == 3);
        found.clear();
        path("global_ground_truth.moving_object[id=8].id.value").collect(view, found);
        CHECK(found.size() == 1);
    });
}

TEST_CASE("a path to many values can keep a place for each that is not set")
{
    in_both_encodings([](const MessageView& view) {
        const auto set_ones = [&](std::string_view text) {
            std::vector<Value> found;
            path(text).collect(view, found, FieldPath::Unset::kept);
            std::string set;
            for (const auto& value : found) set += std::holds_alternative<std::monostate>(value) ? '-' : 'x';
            return set;
        };
        CHECK(set_ones("global_ground_truth.moving_object[*].id.value") == "xxx");
        CHECK(set_ones("global_ground_truth.moving_object[*].base.position.x") == "x-x");
        CHECK(set_ones("global_ground_truth.moving_object[*].base.orientation.yaw") == "---");
        CHECK(set_ones("global_ground_truth.lane[*].id.value").empty());
        CHECK(set_ones("sensor_id.value") == "-");
    });
}

TEST_CASE("a path tells whether it names one value or many")
{
    CHECK_FALSE(path("global_ground_truth.moving_object[0].base").has_many());
    CHECK(path("global_ground_truth.moving_object[*].base").has_many());
    CHECK(path("global_ground_truth.moving_object").has_many());
    CHECK(path("timestamp.nanos").leaf().name == "nanos");
    CHECK(path("timestamp.nanos").text() == "timestamp.nanos");
}

TEST_CASE("an invalid path says what is there")
{
    const auto refusal = [](std::string_view text) { return error_of([&] { return path(text); }); };
    CHECK(refusal("timestamp.hours") ==
          "field path 'timestamp.hours': osi3.Timestamp has no field 'hours' (known: seconds, nanos)");
    CHECK(refusal("timestamp[0]") == "field path 'timestamp[0]': 'timestamp' is not repeated");
    CHECK(refusal("timestamp.seconds.x") == "field path 'timestamp.seconds.x': 'seconds' has no fields");
    CHECK(refusal("global_ground_truth.moving_object.id") ==
          "field path 'global_ground_truth.moving_object.id': 'moving_object' is repeated: select elements with "
          "[INDEX], [id=NUMBER], [name=NAME] or [*]");
    CHECK(refusal("global_ground_truth.moving_object[-1]") ==
          "field path 'global_ground_truth.moving_object[-1]': '[-1]' is none of [INDEX], [id=NUMBER], "
          "[name=NAME], [*]");
    CHECK(refusal("global_ground_truth.moving_object[id=x]") ==
          "field path 'global_ground_truth.moving_object[id=x]': '[x]' is none of [INDEX], [id=NUMBER], "
          "[name=NAME], [*]");
    CHECK(refusal("global_ground_truth.moving_object[0") ==
          "field path 'global_ground_truth.moving_object[0': ']' is missing in 'moving_object[0'");
    CHECK(refusal("global_ground_truth.moving_object[name=\"a]") ==
          "field path 'global_ground_truth.moving_object[name=\"a]': ']' is missing in 'moving_object[name=\"a]'");
    CHECK(refusal("lidar_sensor_view[name=a]") ==
          "field path 'lidar_sensor_view[name=a]': the elements of 'lidar_sensor_view' have no name");
    CHECK(refusal("lidar_sensor_view[id=1]") ==
          "field path 'lidar_sensor_view[id=1]': the elements of 'lidar_sensor_view' have no id");
    CHECK(refusal("").starts_with("field path '': osi3.SensorView has no field ''"));
    CHECK(error_of([] { return path("camera_sensor_view").get(MessageView({}, sensor_view(), {})); }) ==
          "field path 'camera_sensor_view': names many values, expected one");
}
