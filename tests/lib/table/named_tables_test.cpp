// SPDX-License-Identifier: MPL-2.0
#include <ositrace/table.hpp>

#include <cmath>

#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/table/arrow_batch.hpp"

using namespace ositrace;
using arrow_test::Batch;
using by_hand::Message;
using Texts = std::vector<std::string>;

namespace {

constexpr Format named_flat_format{Encoding::flatbuffers, Layout::numbered};

Texts rows_of_plan(const TablePlan& plan, Bytes payload, Format format)
{
    TableBuilder builder(plan, format);
    Frame frame;
    frame.bytes = payload;
    builder.add(frame);
    const Batch batch(plan, builder);
    CHECK(batch.broken() == "");
    return batch.row_texts();
}

/// The rows of one message in both encodings, which must be the same.
Texts named_rows(TableKind kind, MessageType type, const Texts& wanted, Bytes payload,
                 const NamedTableOptions& options = {})
{
    const auto& root = Schema::built_in()->root(type);
    const auto plan = TablePlan::named(kind, Schema::built_in(), root, wanted, options);
    ByteBuffer buffer;
    Transcoder(root, {}, named_flat_format).transcode(payload, buffer);
    const auto found = rows_of_plan(plan, payload, {});
    CHECK(rows_of_plan(plan, buffer.bytes(), named_flat_format) == found);
    return found;
}

Message identifier(std::uint64_t number) { return Message().varint(1, number); }
Message vector2(double x, double y) { return Message().real(1, x).real(2, y); }

/// The host (7), on lane 3 and braking, something without an id, and a bridge.
Message three_objects()
{
    const auto host = Message()
                          .message(1, identifier(7))
                          .message(2, Message().message(1, Message().real(1, 4.5)).message(4, vector2(3, 4)))
                          .varint(3, 2)
                          .message(6, Message().message(2, Message().varint(7, 2).varint(1, 4)))
                          .message(9, Message().message(1, identifier(3)));
    const auto bridge =
        Message().message(1, identifier(9)).message(3, Message().varint(1, 2).message(6, identifier(5)));
    return Message()
        .message(2, Message().varint(1, 12))
        .message(3, identifier(7))
        .message(4, bridge)
        .message(5, host)
        .message(5, Message().message(4, identifier(6)));
}

const Texts wanted_columns{"kind",    "id",          "type",      "speed",   "length",
                           "lane_id", "brake_light", "indicator", "is_host", "time_ns"};
const Texts expected_objects{
    "kind=moving_object id=7 type=TYPE_VEHICLE speed=5 length=4.5 lane_id=3 brake_light=BRAKE_LIGHT_STATE_OFF "
    "indicator=INDICATOR_STATE_RIGHT is_host=true time_ns=12000000000",
    "kind=moving_object id=0 type=null speed=null length=null lane_id=6 brake_light=null indicator=null is_host=false "
    "time_ns=12000000000",
    "kind=stationary_object id=9 type=TYPE_BRIDGE speed=null length=null lane_id=5 brake_light=null indicator=null "
    "is_host=false time_ns=12000000000"};

}  // namespace

TEST_CASE("objects are moving and stationary ones, of GroundTruth and SensorView alike")
{
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, wanted_columns, three_objects().bytes()) ==
          expected_objects);
    const auto view = Message().message(2, Message().varint(1, 12)).message(7, three_objects());
    CHECK(named_rows(TableKind::objects, MessageType::sensor_view, wanted_columns, view.bytes()) == expected_objects);
}

TEST_CASE("objects have the names of a scenario, whatever their shapes are")
{
    const auto named = [](std::uint64_t id, std::initializer_list<std::string_view> identifiers) {
        Message reference, object;
        for (const auto each : identifiers) reference.text(3, each);
        object.message(1, identifier(id)).message(2, Message().message(2, vector2(1, 2)));
        return identifiers.size() == 0 ? object : object.message(10, reference);
    };
    Message frame, view;
    Texts expected;
    // As many as it takes to read elements by what is known of their shapes.
    for (std::uint64_t i = 0; i != 40; ++i) {
        const auto digit = std::to_string(i % 10), quoted = "\"Car" + digit + '"';
        for (const auto& [object, name] :
             {std::pair(named(i, {"entity_id:" + digit, "entity_name:Car" + digit}), quoted),
              std::pair(named(i, {"entity_id:" + digit, "entity_mane:Car" + digit}), std::string("null")),
              std::pair(named(i, {"Vehicle", "Car" + digit}), quoted),
              std::pair(named(i, {"Wehicle", "Car" + digit}), std::string("null")),
              std::pair(named(i, {}), std::string("null"))}) {
            frame.message(5, object);
            expected.push_back("id=" + std::to_string(i) + " name=" + name + " x=1");
        }
    }
    view.message(7, frame);
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, {"id", "name", "x"}, frame.bytes()) == expected);
    CHECK(named_rows(TableKind::objects, MessageType::sensor_view, {"id", "name", "x"}, view.bytes()) == expected);
}

TEST_CASE("a host vehicle whose id has no value is that with the id 0")
{
    const auto without_id = Message().message(2, Message().message(2, vector2(10, 0)));
    const auto frame =
        Message().message(3, Message()).message(5, without_id).message(4, Message().message(1, identifier(9)));
    const Texts expected{"id=0 is_host=true x=0", "id=9 is_host=false x=null"};
    const NamedTableOptions from_host{.relative_to_host = true};
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, {"id", "is_host", "x"}, frame.bytes(), from_host) ==
          expected);
    const auto view = Message().message(7, frame);
    CHECK(named_rows(TableKind::objects, MessageType::sensor_view, {"id", "is_host", "x"}, view.bytes(), from_host) ==
          expected);
}

TEST_CASE("an id without a value is 0 wherever a table has an id, and one that is not there is null")
{
    const auto reflections = [](const Message& object) {
        return Message().message(2, Message().real(1, -3).message(6, object)).message(2, Message().real(1, -4));
    };
    const auto lidar = reflections(Message()).message(1, Message().message(1, Message()));
    // As many as it takes to read elements by what is known of their shapes.
    auto view = Message().message(1002, lidar);
    for (int i = 0; i != 3; ++i) view.message(1002, reflections(Message()));
    Texts expected{"sensor_id=0 object_id=0 signal_strength=-3", "sensor_id=0 object_id=null signal_strength=-4"};
    for (int i = 0; i != 3; ++i) {
        expected.emplace_back("sensor_id=null object_id=0 signal_strength=-3");
        expected.emplace_back("sensor_id=null object_id=null signal_strength=-4");
    }
    CHECK(named_rows(TableKind::reflections, MessageType::sensor_view, {"sensor_id", "object_id", "signal_strength"},
                     view.bytes()) == expected);

    const auto lanes_of = [](const Message& first, const Message& second) {
        const auto classification = Message().message(5, first).message(5, second).message(3, vector2(1, 2));
        return Message().message(1, identifier(5)).message(2, classification);
    };
    auto lanes = Message();
    for (int i = 0; i != 3; ++i) lanes.message(10, lanes_of(Message(), identifier(6)));
    CHECK(named_rows(TableKind::lanes, MessageType::ground_truth, {"id", "left_lane_ids"}, lanes.bytes()) ==
          Texts(3, "id=5 left_lane_ids=[0,6]"));
    // Longer than any element whose shape is known.
    auto classification = Message().message(5, Message()).message(5, identifier(6));
    for (int i = 0; i != 500; ++i) classification.message(3, vector2(i, 2));
    const auto lane = Message().message(1, identifier(5)).message(2, classification);
    CHECK(named_rows(TableKind::lanes, MessageType::ground_truth, {"id", "left_lane_ids"},
                     Message().message(10, lane).bytes()) == Texts(1, "id=5 left_lane_ids=[0,6]"));

    auto objects = Message();
    for (int i = 0; i != 3; ++i)
        objects.message(5, Message().message(4, Message())).message(5, Message()).message(5, Message().message(4, {}));
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, {"id", "lane_id"}, objects.bytes()).at(3) ==
          "id=0 lane_id=0");
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, {"id", "lane_id"}, objects.bytes()).at(4) ==
          "id=0 lane_id=null");
    const auto header = Message().message(1, identifier(70)).message(2, Message()).message(2, identifier(8));
    CHECK(named_rows(TableKind::objects, MessageType::sensor_data, {"id", "ground_truth_id"},
                     Message().message(13, Message().message(1, header)).bytes()) == Texts{"id=70 ground_truth_id=0"});
}

TEST_CASE("an id of the host vehicle in two parts is that of the part with a value")
{
    const auto frame = Message().message(3, identifier(7)).message(3, Message()).message(5, Message());
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto plan = TablePlan::named(TableKind::objects, Schema::built_in(), root, Texts{"id", "is_host"});
    CHECK(rows_of_plan(plan, frame.bytes(), {}) == Texts{"id=0 is_host=false"});
}

TEST_CASE("filled tables have no null, and no host where none is named")
{
    const auto frame = Message().message(5, Message()).message(5, Message().message(1, identifier(4)));
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, {"time", "time_ns", "id", "is_host", "x"},
                     frame.bytes(), {.fill_defaults = true}) ==
          Texts{"time=0 time_ns=0 id=0 is_host=false x=0", "time=0 time_ns=0 id=4 is_host=false x=0"});
}

TEST_CASE("objects of SensorData are detected ones, with the id they have in the ground truth")
{
    const auto header = Message().message(1, identifier(70)).message(2, identifier(7)).message(2, identifier(8));
    const auto candidate = Message().real(1, 0.9).varint(2, 3);
    const auto detected =
        Message().message(1, header).message(2, Message().message(2, vector2(1, 2))).message(8, candidate);
    const auto still = Message().message(1, Message().message(1, identifier(71)));
    const auto data = Message().message(11, still).message(13, detected);
    CHECK(named_rows(TableKind::objects, MessageType::sensor_data,
                     {"id", "ground_truth_id", "kind", "type", "x", "is_host"}, data.bytes()) ==
          Texts{"id=70 ground_truth_id=7 kind=moving_object type=TYPE_PEDESTRIAN x=1 is_host=null",
                "id=71 ground_truth_id=null kind=stationary_object type=null x=null is_host=null"});
}

TEST_CASE("of several candidates the most probable one is in the table, without a probability the first")
{
    const auto candidate = [](std::uint64_t type) { return Message().varint(2, type); };
    const auto probable = [](double probability, std::uint64_t type) {
        return Message().real(1, probability).varint(2, type);
    };
    const auto object = [](const std::vector<Message>& candidates) {
        Message detected;
        for (const auto& one : candidates) detected.message(8, one);
        return detected;
    };
    const double nan = std::nan("");
    const std::vector<std::vector<Message>> objects{
        {probable(0.2, 2), probable(0.8, 3)},
        {probable(0.8, 2), probable(0.2, 3)},
        {candidate(2), probable(0, 3)},
        {candidate(2), candidate(3)},
        {probable(0.5, 2), probable(0.5, 3)},
        {probable(nan, 2), probable(0.1, 3)},
        {},
        {candidate(3)},
        {probable(0.8, 2), probable(0.9, 3)},  // the bytes look like those of the first one
        {probable(0.9, 2), probable(0.8, 3)},
    };
    Message data;
    for (int round = 0; round != 20; ++round)
        for (const auto& candidates : objects) data.message(13, object(candidates));
    const Texts once{"TYPE_PEDESTRIAN", "TYPE_VEHICLE", "TYPE_PEDESTRIAN", "TYPE_VEHICLE",    "TYPE_VEHICLE",
                     "TYPE_PEDESTRIAN", "null",         "TYPE_PEDESTRIAN", "TYPE_PEDESTRIAN", "TYPE_VEHICLE"};
    Texts expected;
    for (int round = 0; round != 20; ++round)
        for (const auto& type : once) expected.push_back("type=" + type);
    CHECK(named_rows(TableKind::objects, MessageType::sensor_data, {"type"}, data.bytes()) == expected);
}

TEST_CASE("objects as seen from the host vehicle, in each frame")
{
    const auto vector3 = [](double x, double y, double z) { return Message().real(1, x).real(2, y).real(3, z); };
    const auto object = [&](std::uint64_t id, const Message& base) {
        return Message().message(1, identifier(id)).message(2, base);
    };
    // The host looks along y and drives at 10 m/s; the other one is 20 m before it, 2 m to its left, looks along -x.
    const double right_angle = 1.5707963267948966;
    const auto host = object(
        7,
        Message().message(2, vector3(100, 50, 1)).message(3, vector3(0, 0, right_angle)).message(4, vector3(0, 10, 0)));
    const auto other = object(8, Message()
                                     .message(2, vector3(98, 70, 1))
                                     .message(3, vector3(0, 0, 2 * right_angle))
                                     .message(4, vector3(-3, 10, 0)));
    const auto lonely = object(9, Message().message(4, vector3(1, 0, 0)));
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto plan =
        TablePlan::named(TableKind::objects, Schema::built_in(), root,
                         Texts{"id", "x", "y", "z", "yaw", "vx", "vy", "speed", "ax"}, {.relative_to_host = true});
    TableBuilder builder(plan, {});
    const auto add = [&](const Message& message) {
        const auto payload = message.bytes();
        Frame frame;
        frame.bytes = payload;
        builder.add(frame);
    };
    add(Message().message(3, identifier(7)).message(5, other).message(5, host).message(5, lonely));
    add(Message().message(5, host).message(5, other));  // no host is named
    add(Message().message(3, identifier(8)).message(5, host));
    const Batch batch(plan, builder);
    CHECK(batch.broken() == "");
    const auto number = [&](std::size_t column, std::size_t row) { return std::stod(batch.value(column, row)); };
    const double expected[] = {20, 2, 0, right_angle, 0, 3};
    for (std::size_t i = 0; i != 6; ++i) CHECK(std::abs(number(i + 1, 0) - expected[i]) < 1e-9);
    for (std::size_t i = 1; i != 7; ++i) CHECK(std::abs(number(i, 1)) < 1e-9);  // the host is where it is
    CHECK(batch.value(7, 1) == "10");
    CHECK(batch.value(8, 1) == "null");
    CHECK(batch.value(1, 2) == "null");
    for (std::size_t row = 3; row != 6; ++row) CHECK(batch.value(1, row) == "null");
}

TEST_CASE("reflections and detections of all sensors are rows of one table")
{
    const auto lidar = Message()
                           .message(1, Message().message(1, identifier(2)))
                           .message(2, Message().real(1, -3).message(6, identifier(9)))
                           .message(2, Message().real(2, 0.5));
    const auto radar = Message().message(2, Message().real(4, 0.25));
    const auto view = Message().message(1002, Message()).message(1001, radar).message(1002, lidar);
    CHECK(named_rows(TableKind::reflections, MessageType::sensor_view,
                     {"kind", "sensor_id", "signal_strength", "time_of_flight", "object_id", "horizontal_angle"},
                     view.bytes()) ==
          Texts{"kind=lidar sensor_id=2 signal_strength=-3 time_of_flight=null object_id=9 horizontal_angle=null",
                "kind=lidar sensor_id=2 signal_strength=null time_of_flight=0.5 object_id=null horizontal_angle=null",
                "kind=radar sensor_id=null signal_strength=null time_of_flight=null object_id=null "
                "horizontal_angle=0.25"});
    const auto detection = Message().message(2, identifier(4)).message(3, Message().real(1, 20));
    const auto sensor = Message().message(1, Message().message(7, identifier(3))).message(2, detection);
    const auto data = Message().message(26, Message().message(2, sensor));
    CHECK(named_rows(TableKind::detections, MessageType::sensor_data, {"kind", "sensor_id", "object_id", "distance"},
                     data.bytes()) == Texts{"kind=radar sensor_id=3 object_id=4 distance=20"});
}

TEST_CASE("lanes have their center lines as lists")
{
    const auto lane =
        Message()
            .message(1, identifier(5))
            .message(
                2,
                Message().varint(1, 2).message(3, vector2(1, 2)).message(3, vector2(3, 4)).message(5, identifier(6)));
    const auto frame = Message().message(10, lane).message(10, Message().message(1, identifier(6)));
    CHECK(named_rows(TableKind::lanes, MessageType::ground_truth,
                     {"id", "type", "centerline_x", "centerline_y", "left_lane_ids"}, frame.bytes()) ==
          Texts{"id=5 type=TYPE_DRIVING centerline_x=[1,3] centerline_y=[2,4] left_lane_ids=[6]",
                "id=6 type=null centerline_x=[] centerline_y=[] left_lane_ids=[]"});
}

TEST_CASE("every named table of the scene has rows, all its columns, and breaks no rule")
{
    for (const auto type : {MessageType::ground_truth, MessageType::sensor_view, MessageType::sensor_data}) {
        const auto& root = Schema::built_in()->root(type);
        ByteBuffer payload;
        Scene({.type = type, .frames = 1, .reflections = 50, .carry_input = false}).frame(0, payload);
        for (int kind = 0; kind <= static_cast<int>(TableKind::detections); ++kind) {
            const auto names = TablePlan::names(static_cast<TableKind>(kind), root);
            if (names.empty()) continue;
            INFO(root.full_name << ", table " << kind);
            const auto plan = TablePlan::named(static_cast<TableKind>(kind), Schema::built_in(), root);
            TableBuilder builder(plan, {});
            Frame frame;
            frame.bytes = payload.bytes();
            builder.add(frame);
            const Batch batch(plan, builder);
            CHECK(batch.names() == names);
            CHECK(batch.broken() == "");
            CHECK((batch.rows() > 0 || type == MessageType::sensor_data));
        }
    }
}

TEST_CASE("a column or a table that a type does not have is refused with those it has")
{
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto refusal = [&](TableKind kind, const Texts& wanted) {
        return error_of([&] { return TablePlan::named(kind, Schema::built_in(), root, wanted); });
    };
    CHECK(refusal(TableKind::detections, {}) == "osi3.GroundTruth has no detections");
    CHECK(refusal(TableKind::objects, {"ground_truth_id"}) ==
          "the objects of osi3.GroundTruth have no column 'ground_truth_id' (known: frame, time, time_ns, id, kind, "
          "type, name, "
          "x, y, z, roll, pitch, yaw, vx, vy, vz, speed, ax, ay, az, length, width, height, lane_id, brake_light, "
          "indicator, is_host)");
}

namespace {

/// 20 m along the x axis, which begin at this s.
Message reference_line(std::uint64_t id, double s)
{
    const auto at = [&](double x) { return Message().message(1, Message().real(1, x)).real(2, s + x); };
    return Message().message(1, identifier(id)).message(2, at(0)).message(2, at(20));
}

Message object_at(double x, double y)
{
    return Message().message(1, identifier(7)).message(2, Message().message(2, vector2(x, y)));
}

const Texts lane_columns{"s", "t", "logical_lane_id", "physical_lane_id", "reference_line_id"};

Texts rows_of_frames(const std::vector<Message>& frames, Format format, const TableLanes& lanes)
{
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto plan =
        TablePlan::named(TableKind::objects, Schema::built_in(), root, lane_columns, {.lane_frame = true});
    CHECK(plan.has_lane_frame());
    TableBuilder builder(plan, format, TableBuilder::default_max_batch_bytes, lanes);
    for (const auto& message : frames) {
        ByteBuffer buffer;
        Frame frame;
        frame.bytes = message.bytes();
        if (format.encoding == Encoding::flatbuffers) {
            Transcoder(root, {}, format).transcode(message.bytes(), buffer);
            frame.bytes = buffer.bytes();
        }
        builder.add(frame);
    }
    const Batch batch(plan, builder);
    CHECK(batch.broken() == "");
    CHECK(batch.unit("s") == "m");
    return batch.row_texts();
}

}  // namespace

TEST_CASE("lane coordinates are those of the lanes of the frame, of an earlier one, or of what is given")
{
    const auto object = object_at(3, 2), far = object_at(3, 200);
    const std::vector<Message> frames{
        Message().message(5, object), Message().message(5, object).message(17, reference_line(5, 0)),
        Message().message(5, object).message(5, far), Message().message(5, object).message(17, reference_line(6, 100)),
        Message().message(4, object)};
    const auto row = [](const char* s, const char* line) {
        return "s=" + std::string(s) + " t=" + (std::string(s) == "null" ? "null" : "2") +
               " logical_lane_id=null physical_lane_id=null reference_line_id=" + line;
    };
    const auto given = Message().message(17, reference_line(9, 50));
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto lanes = std::make_shared<const LaneFrame>(MessageView(given.bytes(), root, {}));
    for (const auto format : {Format{}, named_flat_format}) {
        CHECK(rows_of_frames(frames, format, {}) == Texts{row("null", "null"), row("3", "5"), row("3", "5"),
                                                          row("null", "null"), row("103", "6"), row("103", "6")});
        CHECK(rows_of_frames(frames, format, {lanes}) == Texts{row("53", "9"), row("3", "5"), row("3", "5"),
                                                               row("null", "null"), row("103", "6"), row("103", "6")});
        CHECK(rows_of_frames(frames, format, {lanes, true}) == Texts{row("53", "9"), row("53", "9"), row("53", "9"),
                                                                     row("null", "null"), row("53", "9"),
                                                                     row("53", "9")});
    }
}

TEST_CASE("an assignment to a logical lane is used unchanged")
{
    const auto assigned = [](const Message& assignment) {
        return object_at(3, 2).message(9, Message().message(3, assignment));
    };
    const auto lane = Message()
                          .message(1, identifier(30))
                          .message(5, identifier(5))
                          .real(7, 20)
                          .message(4, Message().message(1, identifier(40)).real(3, 20));
    const auto frame = Message()
                           .message(5, assigned(Message().message(1, identifier(30)).real(2, 7).real(3, -1)))
                           .message(5, assigned(Message().message(1, identifier(30)).real(3, 4)))
                           .message(5, assigned(Message().message(1, identifier(30))))
                           .message(5, assigned(Message().message(1, identifier(31)).real(2, 8)))
                           .message(5, assigned(Message().message(1, identifier(31))))
                           .message(17, reference_line(5, 0))
                           .message(19, lane);
    const auto row = [](const char* place, const char* lanes, const char* line) {
        return place + std::string(" ") + lanes + " reference_line_id=" + line;
    };
    const auto* const known = "logical_lane_id=30 physical_lane_id=40";
    const Texts expected{row("s=7 t=-1", known, "5"), row("s=0 t=4", known, "5"), row("s=3 t=2", known, "5"),
                         row("s=8 t=0", "logical_lane_id=31 physical_lane_id=null", "null"),
                         row("s=3 t=2", "logical_lane_id=null physical_lane_id=null", "5")};
    CHECK(named_rows(TableKind::objects, MessageType::ground_truth, lane_columns, frame.bytes(),
                     {.lane_frame = true}) == expected);
    CHECK(named_rows(TableKind::objects, MessageType::sensor_view, lane_columns, Message().message(7, frame).bytes(),
                     {.lane_frame = true}) == expected);
}

TEST_CASE("only objects in the frame of the map have lane coordinates")
{
    const auto refused = [](TableKind kind, MessageType type) {
        return error_of([&] {
            return TablePlan::named(kind, Schema::built_in(), Schema::built_in()->root(type), {}, {.lane_frame = true});
        });
    };
    CHECK(refused(TableKind::objects, MessageType::sensor_data) ==
          "the objects of osi3.SensorData have no lane coordinates (objects of GroundTruth and SensorView have)");
    CHECK(refused(TableKind::lanes, MessageType::ground_truth) ==
          "the lanes of osi3.GroundTruth have no lane coordinates (objects of GroundTruth and SensorView have)");
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    CHECK(TablePlan::names(TableKind::objects, root, {.lane_frame = true}).back() == "reference_line_id");
    CHECK(TablePlan::names(TableKind::objects, root).back() == "is_host");
}
