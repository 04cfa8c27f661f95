// SPDX-License-Identifier: MPL-2.0
#include <ositrace/table.hpp>

#include <functional>

#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/table/arrow_batch.hpp"

using namespace ositrace;
using arrow_test::Batch;
using by_hand::Message;
using Texts = std::vector<std::string>;

namespace {

constexpr Format flat_format{Encoding::flatbuffers, Layout::numbered};

const MessageTable& ground_truth() { return Schema::built_in()->root(MessageType::ground_truth); }

TablePlan plan_of(std::vector<TableColumn> columns, TableOptions options = {},
                  const MessageTable& root = ground_truth())
{
    return TablePlan::columns(Schema::built_in(), root, columns, options);
}

/// Object with an id, x, lanes and a type; what is empty is left out.
Message object(std::optional<std::uint64_t> id, std::optional<double> x, const std::vector<std::uint64_t>& lanes = {},
               std::optional<std::uint64_t> type = {})
{
    Message object;
    if (id) object.message(1, Message().varint(1, *id));
    if (x) object.message(2, Message().message(2, Message().real(1, *x)));
    if (type) object.varint(3, *type);
    for (const auto lane : lanes) object.message(4, Message().varint(1, lane));
    return object;
}

Message frame_of(std::vector<Message> objects, std::uint64_t seconds = 0)
{
    Message frame;
    frame.message(2, Message().varint(1, seconds).varint(2, 500'000'000));
    for (const auto& each : objects) frame.message(5, each);
    return frame;
}

/// The rows of frames in both encodings, which must be the same; the batch breaks no rule.
Texts rows(const TablePlan& plan, const std::vector<Message>& frames)
{
    TableBuilder proto(plan, {});
    TableBuilder flat(plan, flat_format);
    Transcoder transcoder(plan.root(), {}, flat_format);
    for (std::size_t i = 0; i != frames.size(); ++i) {
        Frame frame;
        frame.index = i;
        frame.bytes = frames[i].bytes();
        proto.add(frame);
        ByteBuffer buffer;
        transcoder.transcode(frame.bytes, buffer);
        frame.bytes = buffer.bytes();
        flat.add(frame);
    }
    const Batch batch(plan, proto);
    CHECK(batch.broken() == "");
    const Batch flat_batch(plan, flat);
    CHECK(flat_batch.broken() == "");
    CHECK(flat_batch.row_texts() == batch.row_texts());
    return batch.row_texts();
}

std::string refusal(std::vector<TableColumn> columns, TableOptions options = {})
{
    return error_of([&] { return plan_of(std::move(columns), options); });
}

}  // namespace

TEST_CASE("a table has a row per element of the first repeated field, and repeats what is once in a frame")
{
    const auto plan = plan_of({{"frame", "@frame"},
                               {"time", "@time"},
                               {"s", "timestamp.seconds"},
                               {"id", "moving_object[*].id"},
                               {"x", "moving_object[*].base.position.x"},
                               {"type", "moving_object[*].type"}});
    CHECK(rows(plan,
               {frame_of({object(7, 1.5, {}, 2), object({}, {})}, 3), frame_of({}), frame_of({object(8, {})}, 4)}) ==
          Texts{"frame=0 time=3.5 s=3 id=7 x=1.5 type=TYPE_VEHICLE", "frame=0 time=3.5 s=3 id=null x=null type=null",
                "frame=2 time=4.5 s=4 id=8 x=null type=null"});
}

TEST_CASE("a second repeated field is a list column, or rows of its own")
{
    const std::vector<TableColumn> columns{{"id", "moving_object[*].id"},
                                           {"lane", "moving_object[*].assigned_lane_id[*].value"}};
    const std::vector<Message> frames{frame_of({object(1, {}, {10, 11}), object(2, {})}), frame_of({}),
                                      frame_of({object(3, {}, {12})})};
    CHECK(rows(plan_of(columns), frames) == Texts{"id=1 lane=[10,11]", "id=2 lane=[]", "id=3 lane=[12]"});
    CHECK(rows(plan_of(columns, {.rows = TableRows::innermost}), frames) ==
          Texts{"id=1 lane=10", "id=1 lane=11", "id=2 lane=null", "id=3 lane=12"});
    CHECK(rows(plan_of(columns, {.rows = TableRows::frames}), frames) ==
          Texts{"id=[1,2] lane=[[10,11],[]]", "id=[] lane=[]", "id=[3] lane=[[12]]"});
}

TEST_CASE("a picked element is a column without a list")
{
    const auto plan = plan_of({{"first", "moving_object[*].assigned_lane_id[0].value"},
                               {"second", "moving_object[*].assigned_lane_id[1]"},
                               {"all", "moving_object[*].assigned_lane_id"},
                               {"x8", "moving_object[id=8].base.position.x"},
                               {"x0", "moving_object[0].base.position.x"}});
    CHECK(rows(plan, {frame_of({object(7, 1, {5}), object(8, 2, {6, 9}), object(8, 3)})}) ==
          Texts{"first=5 second=null all=[5] x8=2 x0=1", "first=6 second=9 all=[6,9] x8=2 x0=1",
                "first=null second=null all=[] x8=2 x0=1"});
}

TEST_CASE("an object is picked by its name")
{
    const auto named = [](std::uint64_t id, double x, std::string_view name) {
        return object(id, x).message(10, Message().text(3, "Vehicle").text(3, name));
    };
    const auto plan = plan_of({{"x", "moving_object[name=Ego].base.position.x"}});
    CHECK(rows(plan, {frame_of({named(1, 1.5, "Truck"), object(2, 2.5), named(3, 3.5, "Ego"), named(4, 4.5, "Ego")}),
                      frame_of({named(1, 5.5, "Truck")}), frame_of({named(1, 6.5, "Ego")})}) ==
          Texts{"x=3.5", "x=null", "x=6.5"});
}

TEST_CASE("a detected object is picked by its tracking id")
{
    const auto detected = [](const Message& header, double x) {
        return Message().message(1, header).message(2, Message().message(2, Message().real(1, x)));
    };
    const auto with_id = [](const Message& id) { return Message().message(1, id); };
    const auto plan = plan_of({{"x7", "moving_object[id=7].base.position.x"},
                               {"x0", "moving_object[id=0].base.position.x"},
                               {"x1", "moving_object[id=1].base.position.x"}},
                              {}, Schema::built_in()->root(MessageType::sensor_data));
    CHECK(rows(plan, {Message()
                          .message(13, detected(Message(), 1))
                          .message(13, detected(with_id(Message().varint(1, 7)), 2))
                          .message(13, detected(with_id(Message()), 3))}) == Texts{"x7=2 x0=3 x1=null"});
}

TEST_CASE("defaults are filled in on request")
{
    const auto plan = plan_of({{"id", "moving_object[*].id"},
                               {"x", "moving_object[*].base.position.x"},
                               {"type", "moving_object[*].type"},
                               {"model", "moving_object[*].model_reference"}},
                              {.fill_defaults = true});
    CHECK(rows(plan, {frame_of({object({}, {})})}) == Texts{"id=0 x=0 type=TYPE_UNKNOWN model=\"\""});
}

TEST_CASE("an enum number without a name is its digits, and later batches keep the indices")
{
    const auto plan = plan_of({{"type", "moving_object[*].type"}});
    TableBuilder builder(plan, {});
    const auto add = [&](std::uint64_t type) {
        const auto message = frame_of({object(1, {}, {}, type)});
        Frame frame;
        frame.bytes = message.bytes();
        builder.add(frame);
    };
    add(77);
    add(std::uint64_t(-3));
    const Batch first(plan, builder);
    add(78);
    add(77);
    const Batch second(plan, builder);
    CHECK(first.row_texts() == Texts{"type=77", "type=-3"});
    CHECK(second.row_texts() == Texts{"type=78", "type=77"});
    CHECK(second.array().children[0]->dictionary->length == first.array().children[0]->dictionary->length + 1);
}

TEST_CASE("pieces of a message are one, and its later values count")
{
    const auto plan = plan_of({{"s", "timestamp.seconds"},
                               {"n", "timestamp.nanos"},
                               {"x", "moving_object[*].base.position.x"},
                               {"y", "moving_object[*].base.position.y"},
                               {"model", "moving_object[*].model_reference"}});
    const auto split = Message()
                           .message(2, Message().message(2, Message().real(1, 1)))
                           .text(7, "a longer text")
                           .message(2, Message().message(2, Message().real(2, 2).real(1, 3)))
                           .text(7, "b");
    const auto frame = Message()
                           .message(2, Message().varint(1, 1).varint(2, 5))
                           .message(5, split)
                           .message(5, Message().text(7, "c"))
                           .message(2, Message().varint(1, 2));
    CHECK(rows(plan, {frame}) == Texts{"s=2 n=5 x=3 y=2 model=\"b\"", "s=2 n=5 x=null y=null model=\"c\""});
}

TEST_CASE("lists of scalars are read packed and unpacked, and as rows")
{
    const auto& root = Schema::built_in()->root(MessageType::sensor_view);
    const auto plan = plan_of({{"timing", "lidar_sensor_view[*].view_configuration.timings"}}, {}, root);
    const auto view = [](const Message& configuration) {
        return Message().message(1002, Message().message(1, configuration));
    };
    const auto packed = view(Message().text(12, Message().raw_varint(1).raw_varint(300).str()));
    const auto mixed = view(Message().varint(12, 4).text(12, Message().raw_varint(5).str()).text(12, ""));
    CHECK(rows(plan, {packed, mixed, view(Message())}) == Texts{"timing=[1,300]", "timing=[4,5]", "timing=[]"});
    const auto inner = plan_of({{"timing", "lidar_sensor_view[0].view_configuration.timings[*]"}}, {}, root);
    CHECK(rows(inner, {packed, mixed}) == Texts{"timing=1", "timing=300", "timing=4", "timing=5"});
}

TEST_CASE("a field of another wire type is unknown")
{
    const auto plan = plan_of({{"id", "moving_object[*].id"}, {"type", "moving_object[*].type"}});
    TableBuilder builder(plan, {});
    const auto message = Message().message(5, Message().varint(1, 5).text(3, "x")).varint(5, 9);
    Frame frame;
    frame.bytes = message.bytes();
    builder.add(frame);
    CHECK(Batch(plan, builder).row_texts() == Texts{"id=null type=null"});
}

TEST_CASE("text that is no UTF-8 is replaced")
{
    const auto plan = plan_of({{"model", "moving_object[*].model_reference"}});
    CHECK(rows(plan, {frame_of({Message().text(7,
                                               "a\xff"
                                               "b"),
                                Message().text(7, "")})}) == Texts{"model=\"a\xef\xbf\xbd"
                                                                   "b\"",
                                                                   "model=\"\""});
}

TEST_CASE("a path that fits no table is refused with its column")
{
    CHECK(refusal({{"a", "moving_object[*].bas"}}) ==
          "column 'a': field path 'moving_object[*].bas': osi3.MovingObject has no field 'bas' (known: id, base, type, "
          "assigned_lane_id, vehicle_attributes, vehicle_classification, model_reference, future_trajectory, "
          "moving_object_classification, source_reference, color_description, pedestrian_attributes)");
    CHECK(refusal({{"a", "moving_object[*].base.position"}}) ==
          "column 'a': field path 'moving_object[*].base.position': is a message, expected one of its fields: x, y, z");
    CHECK(
        refusal({{"a", "moving_object[*].id"}, {"b", "lane[*].id"}}) ==
        "the columns do not fit into one table: their first [*] differ, expected the same field (or a row per frame)");
}

TEST_CASE("a broken frame names byte and field, and leaves no row")
{
    const auto plan = plan_of({{"id", "moving_object[*].id"}, {"x", "moving_object[*].base.position.x"}});
    TableBuilder builder(plan, {});
    const auto whole = frame_of({object(1, {})});
    const auto broken =
        frame_of({object(2, 1), Message().message(1, Message().varint(1, 3)).raw("\x12\x05\x12\x03\x09zz")});
    Frame frame;
    frame.bytes = whole.bytes();
    builder.add(frame);
    frame.bytes = broken.bytes();
    CHECK(error_of([&] { return builder.add(frame), 0; }) ==
          "byte 39: moving_object[1].base.position.x: expected 8 bytes, found 2 before the end of the message");
    frame.bytes = whole.bytes();
    builder.add(frame);
    CHECK(Batch(plan, builder).row_texts() == Texts{"id=1 x=null", "id=1 x=null"});
}

TEST_CASE("a reader hands out batches of bounded size, and a stream of them")
{
    const auto table = TablePlan::named(TableKind::objects, Schema::built_in(), ground_truth());
    const SceneOptions options{.type = MessageType::ground_truth, .frames = 40};
    TableReader reader(std::make_shared<SceneSource>(options, 1), table, {.batch_bytes = 20'000});
    std::size_t batches = 0;
    std::size_t all = 0;
    ArrowArray array{};
    for (; reader.read(&array); ++batches) {
        const Batch batch(table, &array);
        CHECK(batch.broken() == "");
        all += batch.rows();
    }
    CHECK(batches > 4);
    ArrowArrayStream stream{};
    export_stream(TableReader(std::make_shared<SceneSource>(options, 1), table), &stream);
    REQUIRE(stream.get_next(&stream, &array) == 0);
    CHECK(static_cast<std::size_t>(array.length) == all);
    array.release(&array);
    REQUIRE(stream.get_next(&stream, &array) == 0);
    CHECK(array.release == nullptr);
    stream.release(&stream);
    CHECK(stream.release == nullptr);
}

TEST_CASE("frames without rows end no table, however many there are")
{
    const ScratchFolder folder;
    const auto empty = frame_of({});
    const auto without_lanes = frame_of({object(1, {})});
    const auto with_lane = frame_of({object(2, {}, {20})});
    const auto rows_of = [&](const Message& before, const TableOptions& options) {
        std::string text;
        for (int i = 0; i != 1000; ++i) text += trace_by_hand::frame(before);
        write_file(folder / "a.osi", text + trace_by_hand::frame(with_lane));
        const auto table = plan_of({{"frame", "@frame"},
                                    {"id", "moving_object[*].id"},
                                    {"lane", "moving_object[*].assigned_lane_id[*].value"}},
                                   options);
        OpenOptions open;
        open.type = MessageType::ground_truth;
        TableReader reader(open_stream(folder / "a.osi", open), table, {.batch_bytes = 1000});
        std::size_t rows = 0;
        ArrowArray array{};
        while (reader.read(&array)) {
            const Batch batch(table, &array);
            CHECK(batch.broken() == "");
            CHECK(batch.rows() != 0);
            rows += batch.rows();
        }
        return rows;
    };
    CHECK(rows_of(empty, {}) == 1);
    CHECK(rows_of(empty, {.rows = TableRows::innermost}) == 1);
    CHECK(rows_of(without_lanes, {}) == 1001);
    CHECK(rows_of(without_lanes, {.rows = TableRows::innermost}) == 1001);
    CHECK(rows(plan_of({{"lane", "moving_object[*].assigned_lane_id[*].value"}}, {.rows = TableRows::innermost}),
               {frame_of({object(1, {})})}) == Texts{"lane=null"});
}

TEST_CASE("a column of payloads decodes row by row")
{
    const auto plan = plan_of({{"id", "moving_object[*].id"}, {"s", "timestamp.seconds"}}, {.rows = TableRows::frames});
    const auto a = frame_of({object(1, {}), object(2, {})}, 9).str();
    const std::string text = a + a;
    const std::int32_t offsets[] = {0, static_cast<std::int32_t>(a.size()), static_cast<std::int32_t>(a.size()),
                                    static_cast<std::int32_t>(text.size())};
    const std::uint8_t validity = 0b101;
    const void* buffers[] = {&validity, offsets, text.data()};
    ArrowArray payloads{};
    payloads.length = 3;
    payloads.null_count = 1;
    payloads.n_buffers = 3;
    payloads.buffers = buffers;
    ArrowSchema schema{};
    schema.format = "z";
    ArrowArray array{};
    decode_payloads(plan, {}, schema, payloads, &array);
    const Batch batch(plan, &array);
    CHECK(batch.broken() == "");
    CHECK(batch.array().null_count == 1);
    CHECK(batch.row_texts() == Texts{"id=[1,2] s=9", "id=null row s=null row", "id=[1,2] s=9"});
}

TEST_CASE("units are in the metadata of the columns")
{
    const auto plan = TablePlan::named(TableKind::objects, Schema::built_in(), ground_truth());
    TableBuilder builder(plan, {});
    const Batch batch(plan, builder);
    CHECK(batch.rows() == 0);
    CHECK(batch.broken() == "");
    CHECK(batch.unit("speed") == "m/s");
    CHECK(batch.unit("kind") == "");
    const auto own = plan_of({{"v", "moving_object[*].base.velocity.x"}});
    TableBuilder other(own, {});
    CHECK(Batch(own, other).unit("v") == "m/s");
}

TEST_CASE("a batch that would exceed its limit is refused, and what fits is kept")
{
    const auto plan = plan_of({{"id", "moving_object[*].id"}, {"x", "moving_object[*].base.position.x"}});
    TableBuilder builder(plan, {}, std::size_t{1} << 20);
    const auto small = frame_of({object(1, {})});
    const auto large = frame_of(std::vector<Message>(200000, Message()));
    Frame frame;
    frame.bytes = small.bytes();
    builder.add(frame);
    frame.bytes = large.bytes();
    CHECK(error_of([&] { return builder.add(frame), 0; }) == "the columns of a batch exceed the limit of 1 MiB");
    CHECK(Batch(plan, builder).row_texts() == Texts{"id=1 x=null"});
}
