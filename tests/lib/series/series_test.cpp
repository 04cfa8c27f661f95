// SPDX-License-Identifier: MPL-2.0
#include <ositrace/series.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <ositrace/live_trace.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/lib/series/memory_trace.hpp"
#include "tests/lib/series/sample_text.hpp"

using namespace ositrace;
using by_hand::Message;
using test::MemoryTrace;
using Texts = std::vector<std::string>;

namespace {

const MessageTable& ground_truth() { return Schema::built_in()->root(MessageType::ground_truth); }

/// Object with an id and x; what is empty is left out.
Message object(std::optional<std::uint64_t> id, std::optional<double> x)
{
    Message object;
    if (id) object.message(1, Message().varint(1, *id));
    if (x) object.message(2, Message().message(2, Message().real(1, *x)));
    return object;
}

Message message_of(std::uint64_t seconds, const std::vector<Message>& objects)
{
    Message message;
    message.message(2, Message().varint(1, seconds).varint(2, 0));
    for (const auto& each : objects) message.message(5, each);
    return message;
}

std::vector<std::string> payloads_of(const std::vector<Message>& messages)
{
    std::vector<std::string> payloads;
    for (const auto& each : messages) payloads.push_back(each.str());
    return payloads;
}

std::vector<std::string> in_flatbuffers(const std::vector<std::string>& payloads)
{
    Transcoder transcoder(ground_truth(), {}, {Encoding::flatbuffers});
    std::vector<std::string> flat;
    for (const auto& each : payloads) {
        ByteBuffer buffer;
        transcoder.transcode(bytes_of(each), buffer);
        flat.emplace_back(text_of(buffer.bytes()));
    }
    return flat;
}

struct Read {
    std::map<std::string, std::string> curves;  ///< `number:value` of each sample
    std::map<std::string, std::optional<std::uint64_t>> ids;
    std::size_t batches = 0;
    SeriesEnd end;
};

Read read_trace(const MemoryTrace& trace, const Texts& paths, const SeriesOptions& options = {},
                const std::stop_token& stop = {})
{
    const SeriesPlan plan(*trace.channel().root, paths);
    Read read;
    std::vector<SeriesCurve> curves;
    Texts texts;
    const auto on_batch = [&](const SeriesBatch& batch) {
        ++read.batches;
        curves.insert(curves.end(), batch.new_curves.begin(), batch.new_curves.end());
        texts.insert(texts.end(), batch.new_texts.begin(), batch.new_texts.end());
        for (const auto& each : batch.new_curves) read.ids[each.text] = each.id;
        for (const auto& each : batch.samples) {
            const auto& curve = curves.at(each.curve);
            auto& text = read.curves[curve.text];
            text += (text.empty() ? "" : " ") + std::to_string(batch.first + each.message) + ":" +
                    test::sample_text(plan.paths()[curve.path].leaf(), each.bits, texts);
            CHECK(each.message < batch.times.size());
        }
    };
    read.end = read_series(trace, 0, trace.channel(), plan, options, on_batch, stop);
    return read;
}

/// Reads both encodings, which must say the same.
Read read_messages(const std::vector<Message>& messages, const Texts& paths, const SeriesOptions& options = {})
{
    const auto payloads = payloads_of(messages);
    const MemoryTrace trace(ground_truth(), Schema::built_in(), {}, payloads);
    const MemoryTrace flat(ground_truth(), Schema::built_in(), {Encoding::flatbuffers}, in_flatbuffers(payloads));
    auto read = read_trace(trace, paths, options);
    CHECK(read_trace(flat, paths, options).curves == read.curves);
    return read;
}

const std::string x_of_all = "moving_object[*].base.position.x";

}  // namespace

TEST_CASE("a path to every element gives a curve per id, whatever the place of the object")
{
    const auto read = read_messages({message_of(0, {object(1, 10), object(2, 20)}),
                                     message_of(1, {object(2, 21), object(1, 11)}), message_of(2, {object(2, 22)})},
                                    {x_of_all});
    CHECK(read.curves == std::map<std::string, std::string>{{"moving_object[id=1].base.position.x", "0:10 1:11"},
                                                            {"moving_object[id=2].base.position.x", "0:20 1:21 2:22"}});
    CHECK(read.ids.at("moving_object[id=2].base.position.x") == 2);
    CHECK(read.end.messages == 3);
    CHECK_FALSE(read.end.problem);
}

TEST_CASE("an object that leaves and comes back, and a field that is not set, are gaps")
{
    const auto read = read_messages({message_of(0, {object(7, 1)}), message_of(1, {}), message_of(2, {object(7, {})}),
                                     message_of(3, {object(7, 4)})},
                                    {"moving_object[id=7].base.position.x"});
    CHECK(read.curves == std::map<std::string, std::string>{{"moving_object[id=7].base.position.x", "0:1 3:4"}});
}

TEST_CASE("a zero that is set is a value")
{
    const auto read = read_messages({message_of(0, {object(7, 0.0)})}, {x_of_all});
    CHECK(read.curves.at("moving_object[id=7].base.position.x") == "0:0");
}

TEST_CASE("of elements with the same id the first one counts")
{
    const auto all = read_messages({message_of(0, {object(7, 1), object(7, 2)})}, {x_of_all});
    CHECK(all.curves == std::map<std::string, std::string>{{"moving_object[id=7].base.position.x", "0:1"}});
    const auto one =
        read_messages({message_of(0, {object(7, 1), object(7, 2)})}, {"moving_object[id=7].base.position.x"});
    CHECK(one.curves == all.curves);
}

TEST_CASE("an element without an id is named by its index, an id without a value is 0")
{
    auto zero = Message().message(1, Message()).message(2, Message().message(2, Message().real(1, 5)));
    const auto read = read_messages({message_of(0, {object(3, 1), object({}, 2), zero})}, {x_of_all});
    CHECK(read.curves == std::map<std::string, std::string>{{"moving_object[id=3].base.position.x", "0:1"},
                                                            {"moving_object[1].base.position.x", "0:2"},
                                                            {"moving_object[id=0].base.position.x", "0:5"}});
    CHECK_FALSE(read.ids.at("moving_object[1].base.position.x"));
}

TEST_CASE("several paths of any form are read in one walk")
{
    auto message = message_of(5, {object(9, 1.5)});
    message.message(3, Message().varint(1, 9)).text(14, "+proj=utm");
    const auto read =
        read_messages({message}, {x_of_all, "moving_object[id=9].id", "moving_object[0].base.position.x",
                                  "host_vehicle_id", "timestamp.seconds", "proj_string", "moving_object[*].id.value"});
    CHECK(read.curves.at("moving_object[id=9].base.position.x") == "0:1.5");
    CHECK(read.curves.at("moving_object[0].base.position.x") == "0:1.5");
    CHECK(read.curves.at("timestamp.seconds") == "0:5");
    CHECK(read.curves.at("host_vehicle_id.value") == "0:9");
    CHECK(read.curves.at("proj_string") == "0:+proj=utm");
    // Two paths with curves of one name.
    CHECK(read.curves.at("moving_object[id=9].id.value") == "0:9 0:9");
}

TEST_CASE("enums, bools and texts keep their names")
{
    const auto& lights = *ground_truth().find("traffic_light");
    const auto& classification = *lights.child->find("classification");
    const auto& color = *classification.child->find("color");
    const auto& is_out = *classification.child->find("is_out_of_service");
    const auto light = Message()
                           .message(1, Message().varint(1, 4))
                           .message(classification.number, Message().varint(color.number, 2).varint(is_out.number, 1));
    const auto read = read_messages({Message().message(lights.number, light)},
                                    {"traffic_light[*].classification.color", "traffic_light[*].classification.mode",
                                     "traffic_light[*].classification.is_out_of_service"});
    CHECK(read.curves ==
          std::map<std::string, std::string>{
              {"traffic_light[id=4].classification.color", "0:" + std::string(color.enumeration->name_of(2))},
              {"traffic_light[id=4].classification.is_out_of_service", "0:true"}});
}

TEST_CASE("curves and texts beyond the limits are left out and counted")
{
    std::vector<Message> objects;
    for (std::uint64_t id = 1; id != 6; ++id) objects.push_back(object(id, 1));
    const auto read = read_messages({message_of(0, objects), message_of(1, objects)}, {x_of_all}, {.most_curves = 3});
    CHECK(read.curves.size() == 3);
    CHECK(read.end.left_out == 4);

    const auto text = [](const std::string& value) { return Message().text(14, value); };
    const auto texts = read_messages({text("a"), text("b"), text("a"), text(std::string(2000, 'c'))}, {"proj_string"},
                                     {.most_text_bytes = 1000});
    CHECK(texts.end.left_out == 1);
}

TEST_CASE("batches are the same values, however they are cut")
{
    std::vector<Message> messages;
    for (std::uint64_t i = 0; i != 10; ++i)
        messages.push_back(message_of(i, {object(i % 3, static_cast<double>(i)), object(100 + i, 1)}));
    const auto whole = read_messages(messages, {x_of_all});
    const auto cut = read_messages(messages, {x_of_all}, {.batch_samples = 1});
    CHECK(cut.curves == whole.curves);
    CHECK(cut.batches == 10);
    CHECK(whole.batches == 1);
}

TEST_CASE("a range of times is half-open")
{
    std::vector<Message> messages;
    for (std::uint64_t i = 0; i != 10; ++i) messages.push_back(message_of(i, {object(1, static_cast<double>(i))}));
    using std::chrono::seconds;
    const auto read = read_messages(messages, {x_of_all}, {.from = seconds(3), .to = seconds(6)});
    CHECK(read.curves.at("moving_object[id=1].base.position.x") == "3:3 4:4 5:5");
    CHECK(read.end.messages == 3);
}

TEST_CASE("a broken message is a gap, and is counted with its first error")
{
    auto payloads =
        payloads_of({message_of(0, {object(1, 1)}), message_of(1, {object(1, 2)}), message_of(2, {object(1, 3)})});
    payloads[1].resize(payloads[1].size() - 3);
    const MemoryTrace trace(ground_truth(), Schema::built_in(), {}, payloads);
    for (const auto* const path : {"moving_object[*].base.position.x", "moving_object[0].base.position.x"}) {
        const auto read = read_trace(trace, {path});
        REQUIRE(read.curves.size() == 1);
        CHECK(read.curves.begin()->second == "0:1 2:3");
        CHECK(read.end.broken == 1);
        REQUIRE(read.end.first_broken);
        CHECK(read.end.first_broken->cause() == Cause::malformed);
        CHECK(read.end.messages == 3);
    }
}

TEST_CASE("damage of the trace ends the series and is its problem")
{
    MemoryTrace trace(ground_truth(), Schema::built_in(), {},
                      payloads_of({message_of(0, {object(1, 1)}), message_of(1, {object(1, 2)})}));
    trace.damaged_from = 1;
    const auto read = read_trace(trace, {x_of_all});
    CHECK(read.curves.at("moving_object[id=1].base.position.x") == "0:1");
    REQUIRE(read.end.problem);
    CHECK(read.end.problem->reason() == "damaged");
}

TEST_CASE("a series goes on with what arrives, after a gap where messages were dropped before")
{
    const MemoryTrace like(ground_truth(), Schema::built_in(), {}, {});
    LiveTrace trace(like.info(), {.frames = 2});
    const auto append = [&](std::uint64_t from, std::uint64_t to) {
        for (; from != to; ++from) {
            const auto payload = message_of(from, {object(1, static_cast<double>(from))}).str();
            Frame frame;
            frame.bytes = bytes_of(payload);
            trace.append(frame);
        }
    };
    append(0, 2);
    const SeriesPlan plan(ground_truth(), std::vector{x_of_all});
    std::vector<std::uint64_t> ends;
    SeriesOptions options;
    options.wait_for_more = [&](std::uint64_t next) {
        ends.push_back(next);
        if (ends.size() == 1) append(2, 4);
        if (ends.size() == 2) append(4, 9);
        return ends.size() < 3;
    };
    std::string read;
    std::uint32_t curves = 0;
    const auto end = read_series(trace, 0, trace.info().channels.front(), plan, options, [&](const SeriesBatch& batch) {
        curves += static_cast<std::uint32_t>(batch.new_curves.size());
        read += '[' + std::to_string(batch.first) + ']';
        for (const auto& each : batch.samples) read += ' ' + test::sample_text(plan.paths()[0].leaf(), each.bits, {});
        read += ' ';
    });
    CHECK(read == "[0] 0 1 [2] 2 3 [7] 7 8 ");
    CHECK(ends == std::vector<std::uint64_t>{2, 4, 9});
    CHECK(curves == 1);
    CHECK(end.messages == 6);
    CHECK_FALSE(end.problem);
}

TEST_CASE("a stop ends the series with what was read")
{
    const MemoryTrace trace(ground_truth(), Schema::built_in(), {}, payloads_of({message_of(0, {object(1, 1)})}));
    std::stop_source source;
    source.request_stop();
    const auto read = read_trace(trace, {x_of_all}, {}, source.get_token());
    CHECK(read.end.stopped);
    CHECK(read.curves.empty());
}

TEST_CASE("a large message is read the same without columns")
{
    auto large = message_of(0, {object(3, 1), object({}, 2), object(3, 9)});
    auto padded = large;
    padded.text(10000, std::string(std::size_t{5} << 20, 'x'));
    const MemoryTrace small(ground_truth(), Schema::built_in(), {}, payloads_of({large}));
    const MemoryTrace big(ground_truth(), Schema::built_in(), {}, payloads_of({padded}));
    const Texts paths{x_of_all, "moving_object[id=3].base.position.x"};
    CHECK(read_trace(big, paths).curves == read_trace(small, paths).curves);
}

TEST_CASE("paths that are no values are refused")
{
    const auto refusal = [](const std::string& path) {
        return error_of([&] { return SeriesPlan(ground_truth(), std::vector{path}).paths().size(); });
    };
    CHECK(refusal("moving_object[*].base.velocity") ==
          "field path 'moving_object[*].base.velocity': is a message, expected one of its fields: x, y, z");
    CHECK(
        refusal("moving_object[*].speed").starts_with("field path 'moving_object[*].speed': osi3.MovingObject has no"));
    const std::string attributes = "moving_object[*].source_reference";
    CHECK_FALSE(refusal(attributes).empty());
}

TEST_CASE("numbers of unsigned fields keep all bits")
{
    const auto most = UINT64_MAX;
    const auto read = read_messages({message_of(0, {object(most, 1)})}, {"moving_object[*].id.value"});
    CHECK(read.curves == std::map<std::string, std::string>{
                             {"moving_object[id=18446744073709551615].id.value", "0:18446744073709551615"}});
    const auto& id = *ground_truth().find("moving_object")->child->find("id")->child->find("value");
    CHECK(series_number(id, most) == 18446744073709551616.0);
    CHECK(std::get<std::uint64_t>(series_value(id, most, {})) == most);
}

TEST_CASE("the path of a field of an element is keyed by its id where that names the same element")
{
    const auto bytes =
        message_of(0, {object(4, 1), object({}, 2), object(7, 3), object(7, 4), Message().message(1, Message())}).str();
    const MessageView root(bytes_of(bytes), ground_truth(), {});
    CHECK(path_by_id(root, "moving_object[0].base.position.x") == "moving_object[id=4].base.position.x");
    CHECK(path_by_id(root, "moving_object[1].base.position.x") == "moving_object[1].base.position.x");
    CHECK(path_by_id(root, "moving_object[2]") == "moving_object[id=7]");
    CHECK(path_by_id(root, "moving_object[3].id") == "moving_object[3].id");
    CHECK(path_by_id(root, "moving_object[4].type") == "moving_object[id=0].type");
    CHECK(path_by_id(root, "moving_object[9].type") == "moving_object[9].type");
    CHECK(path_by_id(root, "moving_object[*].type") == "moving_object[*].type");
    CHECK(path_by_id(root, "timestamp.seconds") == "timestamp.seconds");
    CHECK(path_by_id(root, "moving_object[2].assigned_lane_id[0].value") ==
          "moving_object[id=7].assigned_lane_id[0].value");
}
