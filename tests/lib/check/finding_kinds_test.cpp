// SPDX-License-Identifier: MPL-2.0
// Every kind of finding has a trace that is broken in this one way, and the exact findings that come of it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/trace_summary.hpp>

#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace trace_by_hand;

namespace {

struct Fixture {
    std::string_view kind;  ///< that it is made for
    std::string file_name;
    std::string bytes;
    std::string_view findings;  ///< `rule: frame: field: message` a line; what is not there is left out
};

constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();

std::string name(std::string_view frames) { return "20210818T150542Z_gt_380_32112_" + std::string(frames) + "_x.osi"; }
std::string mcap_name() { return "20210818T150542Z_gt_380_32112_2_x.mcap"; }

/// Two good frames and one more.
std::string with(const Message& third) { return ground_truths(2) + frame(third); }

std::string steps(std::initializer_list<std::uint64_t> milliseconds)
{
    std::string bytes;
    for (const auto time : milliseconds) bytes += frame(truth(time));
    return bytes;
}

template <class Change>
std::string mcap(Change change)
{
    McapFile file;
    change(file);
    return file.bytes();
}

std::vector<Fixture> framing()
{
    const auto good = ground_truths(2);
    return {
        {"framing.truncated", name("1"), good.substr(0, good.size() - 5),
         "framing.truncated: frame 1: 24 of 29 bytes before the end of the file\n"},
        {"framing.oversize", name("2"), good + Message().raw_value(std::uint32_t{0x8000'0001}).raw("rest").str(),
         "framing.oversize: frame 2: length 2147483649 exceeds the limit of 536870912 bytes (--max-message raises "
         "it)\n"},
        {"framing.tail_of_zeros", name("2"), good + std::string(512, '\0'),
         "framing.tail_of_zeros: frame 2: 512 zero bytes up to the end of the file: preallocated and never written\n"},
        {"framing.garbage", name("2"), Message().raw_value(std::uint32_t{4}).raw("\xff\xff\xff\xff").str(),
         "framing.garbage: the content is no OSI message: no FlatBuffers identifier, and in Protobuf none of 10 types "
         "fits "
         "(closest: SensorView (sv), a tag that the end of the message cuts off)\n"},
        {"framing.empty_frame", name("3"), good + std::string(4, '\0'),
         "framing.empty_frame: frame 2: found a length of 0\n"},
        {"framing.no_frames", name("0"), "", "framing.no_frames: found none\n"},
        {"deserialization.possible", name("3"), with(head(200).message(moving_object, Message().tag(1, 7))),
         "deserialization.possible: frame 2: moving_object[0]: at byte 19 of the message: field 1, unknown to the "
         "schema: wire "
         "type 7, expected 0, 1, 2 or 5\n"},
        {"deserialization.expected_type", name("3"), good + frame(head(200).message(7, truth(200))),
         "deserialization.expected_type: frame 2: fits SensorView, not GroundTruth\n"},
        {"deserialization.unknown_fields", name("3"), with(head(200).varint(9999, 1)),
         "deserialization.unknown_fields: frame 2: found 1 that the schema of OSI 3.8.0 does not know\n"},
        {"deserialization.version_is_set", name("3"), with(Message().message(2, time(200))),
         "deserialization.version_is_set: frame 2: version: is not set\n"},
        {"deserialization.version_is_constant", name("3"),
         with(Message().message(1, version(3, 7, 0)).message(2, time(200))),
         "deserialization.version_is_constant: frame 2: version: found 3.7.0, before it 3.8.0\n"},
    };
}

std::vector<Fixture> names()
{
    const auto good = ground_truths(2);
    return {
        {"name.form", "truth.osi", good,
         "name.form: expected "
         "<timestamp>_<type>_<osi-version>_<protobuf-version>_<number-of-frames>_<custom-trace-name>.<extension> "
         "(osiconvert "
         "rename gives it)\n"},
        {"name.timestamp", "20210231T150542Z_gt_380_32112_2_x.osi", good,
         "name.timestamp: there is no time 20210231T150542Z\n"},
        {"name.type", "20210818T150542Z_sv_380_32112_2_x.osi", good,
         "name.type: the name says sv, the messages are gt\n"},
        {"name.osi_version", "20210818T150542Z_gt_370_32112_2_x.osi", good,
         "name.osi_version: the name says 370, the messages 3.8.0\n"},
        {"name.protobuf_version", "20210818T150542Z_gt_380_3213_2_x.mcap", McapFile().bytes(),
         "name.protobuf_version: the name says 3213, the metadata 3.21.12\n"},
        {"name.frames", name("3"), good, "name.frames: the name says 3, the file has 2\n"},
        {"name.extension", "20210818T150542Z_gt_380_32112_2_x.osifb", good,
         "name.extension: the extension stands for flatbuffers, found protobuf\n"},
    };
}

std::vector<Fixture> times()
{
    constexpr std::uint64_t before_zero = ~std::uint64_t{0};
    const auto at = [](std::uint64_t seconds, std::uint64_t nanos) {
        return Message().message(1, version(3, 8, 0)).message(2, Message().varint(1, seconds).varint(2, nanos));
    };
    return {
        {"timestamp.is_set", name("3"), with(Message().message(1, version(3, 8, 0))),
         "timestamp.is_set: frame 2: timestamp: is not set\n"},
        {"timestamp.nanos_in_range", name("3"), with(at(1, 1'000'000'000)),
         "timestamp.nanos_in_range: frame 2: timestamp.nanos: found 1000000000, expected less than 1000000000\n"},
        {"timestamp.fits", name("3"), with(at(10'000'000'000, 0)),
         "timestamp.fits: frame 2: timestamp: 10000000000 s and 0 ns do not fit into 64 bits of nanoseconds\n"},
        {"timestamp.not_negative", name("2"), frame(at(before_zero, 0)) + frame(at(0, 0)),
         "timestamp.not_negative: frame 0: timestamp: found -1 s\n"},
        {"timestamp.not_repeated", name("3"), with(head(100)),
         "timestamp.not_repeated: frame 2: timestamp: 0.1 s is the time of the frame before, too\n"},
        {"timestamp.not_backward", name("3"), with(head(50)),
         "timestamp.not_backward: frame 2: timestamp: 0.05 s is earlier than 0.1 s of the frame before\n"},
        {"timestamp.no_gap", name("7"), steps({0, 100, 200, 300, 400, 600, 700}),
         "timestamp.no_gap: frame 5: timestamp: 0.2 s after the frame before, where 0.1 s is usual\n"},
        {"timestamp.constant_rate", name("19"),
         steps({0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350}),
         "timestamp.constant_rate: frame 10: timestamp: from here on a frame comes every 0.05 s, before it every 0.1 "
         "s\n"},
    };
}

std::vector<Fixture> contents()
{
    const auto object_of = [](std::uint64_t type) { return thing(7).varint(3, type); };
    const auto lane_with = [](std::uint32_t field, std::uint64_t other) {
        return thing(2).message(2, Message().message(field, id(other)));
    };
    const auto logical = thing(3).message(5, id(77));
    const auto detected = [](std::uint32_t field, std::uint64_t value) {
        const auto view = head(0).message(3, id(4)).message(7, head(0).message(moving_object, thing(1)));
        const auto object = Message().message(1, Message().message(1, id(1)).message(field, id(value)));
        return frame(head(0).message(5, id(9)).message(8, view).message(13, object));
    };
    const std::string sensor_data = "20210818T150542Z_sd_380_32112_1_x.osi";
    const auto numbers = [](double x, double y, double z) { return Message().real(1, x).real(2, y).real(3, z); };
    const auto base = Message()
                          .message(1, numbers(4, not_a_number, 1))
                          .message(2, numbers(infinity, 2, 3))
                          .message(4, numbers(1, 0, -infinity));
    const auto point = [](double height) { return Message().real(2, 0.1).real(3, height); };
    const auto boundary = thing(2).message(2, point(0)).message(2, point(not_a_number));
    return {
        {"id.unique_in_frame", name("3"),
         with(head(200).message(moving_object, thing(5)).message(stationary_object, thing(5))),
         "id.unique_in_frame: frame 2: moving_object[0].id: id 5 stands in this frame already, as a "
         "StationaryObject\n"},
        {"id.valid", name("3"), with(head(200).message(moving_object, thing(~std::uint64_t{0}))),
         "id.valid: frame 2: moving_object[0].id: found 2^64 - 1, which is reserved for no id\n"},
        {"id.keeps_kind", name("3"), with(head(200).message(stationary_object, thing(1))),
         "id.keeps_kind: frame 2: stationary_object[0].id: id 1 is a StationaryObject now and was a MovingObject\n"},
        {"id.keeps_type", name("4"),
         with(head(200).message(moving_object, object_of(2))) + frame(head(300).message(moving_object, object_of(3))),
         "id.keeps_type: frame 3: moving_object[0].id: id 7 is of TYPE_PEDESTRIAN now and was of TYPE_VEHICLE\n"},
        {"reference.host_vehicle", name("3"), with(head(200).message(host_vehicle, id(1))),
         "reference.host_vehicle: frame 2: host_vehicle_id: no MovingObject of this frame has the id 1\n"},
        {"reference.lane", name("4"),
         with(head(200).message(lane, lane_with(5, 2))) + frame(head(300).message(lane, lane_with(5, 77))),
         "reference.lane: frame 3: lane[0].classification.left_adjacent_lane_id[0]: no Lane has the id 77\n"},
        {"reference.lane_boundary", name("3"),
         with(head(200).message(lane_boundary, thing(6)).message(lane, lane_with(9, 2))),
         "reference.lane_boundary: frame 2: lane[0].classification.left_lane_boundary_id[0]: id 2 is a Lane, expected "
         "a "
         "LaneBoundary\n"},
        {"reference.logical_lane", name("3"), with(head(200).message(logical_lane, logical)),
         "reference.logical_lane: frame 2: logical_lane[0].reference_line_id: no ReferenceLine has the id 77\n"},
        {"reference.object", sensor_data, detected(2, 77),
         "reference.object: frame 0: moving_object[0].header.ground_truth_id[0]: no object has the id 77\n"},
        {"reference.sensor", sensor_data, detected(6, 77),
         "reference.sensor: frame 0: moving_object[0].header.sensor_id[0]: no sensor has the id 77\n"},
        {"value.is_finite", name("3"),
         with(head(200).message(moving_object, thing(7).message(2, base)).message(lane_boundary, boundary)),
         "value.is_finite: frame 2: moving_object[0].base.dimension.width: found NaN\n"
         "value.is_finite: frame 2: moving_object[0].base.position.x: found infinity\n"
         "value.is_finite: frame 2: moving_object[0].base.velocity.z: found -infinity\n"
         "value.is_finite: frame 2: lane_boundary[0].boundary_line[1].height: found NaN\n"},
    };
}

std::vector<Fixture> mcap_files()
{
    const auto whole = McapFile().bytes();
    return {
        {"mcap.record", mcap_name(), whole.substr(0, whole.size() - 40),
         "mcap.record: frame 2: the file ends in its summary, the messages are complete\n"},
        {"mcap.chunk_index", mcap_name(), mcap([](McapFile& f) { f.chunk_index = false; }),
         "mcap.chunk_index: there is no chunk index at all\n"},
        {"mcap.chunk_times", mcap_name(), mcap([](McapFile& f) { f.wrong_end = 1; }),
         "mcap.chunk_times: the index in the summary says 0 to 100000001, its messages have 0 to 100000000 (osiconvert "
         "recover writes the index anew)\n"
         "mcap.chunk_times: the chunk says 0 to 100000001, its messages have 0 to 100000000 (osiconvert recover writes "
         "the index anew)\n"},
        {"mcap.message_index", mcap_name(), mcap([](McapFile& f) { f.indexed = 1; }),
         "mcap.message_index: the message index lists 1 messages, the chunk holds 2 (osiconvert recover writes the "
         "index anew)\n"},
        {"mcap.statistics", mcap_name(), mcap([](McapFile& f) { f.counted = 99; }),
         "mcap.statistics: message_count: the Statistics say 99, the file has 2 (osiconvert recover writes the index "
         "anew)\n"},
        {"mcap.record_in_chunk", mcap_name(), mcap([](McapFile& f) { f.in_chunk = chunk_record(); }),
         "mcap.record_in_chunk: found a record Chunk, which no reader looks at\nframing.no_frames: found none\n"
         "name.frames: the name says 2, the file has 0\n"},
        {"mcap.behind_data_end", mcap_name(), mcap([](McapFile& f) { f.behind_data_end = chunk_record(); }),
         "framing.empty_frame: frame 2: found a length of 0\nmcap.behind_data_end: found a record Chunk, which no "
         "reader looks at\n"
         "name.frames: the name says 2, the file has 3\n"},
        {"mcap.key_once", mcap_name(), mcap([](McapFile& f) { f.repeated_key = "min_osi_version"; }),
         "mcap.key_once: min_osi_version: found '3.8.0' behind 'first'\n"},
        {"mcap.message_in_chunk", mcap_name(), mcap([](McapFile& f) { f.chunked = false; }),
         "mcap.message_in_chunk: found a message outside of a chunk\n"
         "mcap.message_in_chunk: found a message outside of a chunk\n"},
        {"mcap.data_crc", mcap_name(), mcap([](McapFile& f) { f.data_crc = 1; }),
         "mcap.data_crc: stated is 1, which is not that of the bytes it covers\n"},
        {"mcap.summary_crc", mcap_name(), mcap([](McapFile& f) { f.summary_crc = 1; }),
         "mcap.summary_crc: stated is 1, which is not that of the bytes it covers\n"},
        {"mcap.compression", mcap_name(), mcap([](McapFile& f) { f.compression = "brotli"; }),
         "mcap.record: frame 0: a chunk is compressed by 'brotli', known are lz4, zstd and none\n"
         "mcap.compression: found 'brotli'\n"
         "framing.no_frames: found none\n"
         "name.frames: the name says 2, the file has 0\n"},
        {"mcap.metadata_is_set", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 0; }),
         "mcap.metadata_is_set: found none\n"},
        {"mcap.metadata_once", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 2; }),
         "mcap.metadata_once: found another one\n"},
        {"mcap.metadata_mandatory_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("max_osi_version"); }),
         "mcap.metadata_mandatory_key: max_osi_version: is missing\n"},
        {"mcap.metadata_version_form", mcap_name(), mcap([](McapFile& f) { f.metadata["version"] = "3.8.0-rc1"; }),
         "mcap.metadata_version_form: version: found '3.8.0-rc1', expected major.minor.patch\n"},
        {"mcap.metadata_time_form", mcap_name(),
         mcap([](McapFile& f) { f.metadata["zero_time"] = "2021-08-18T15:05:42"; }),
         "mcap.metadata_time_form: zero_time: found '2021-08-18T15:05:42', expected a time with its zone, "
         "2021-08-18T15:05:42Z\n"},
        {"mcap.metadata_recommended_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("authors"); }),
         "mcap.metadata_recommended_key: authors: is missing\n"},
        {"mcap.reserved_name", mcap_name(), mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.mine"] = "x"; }),
         "mcap.reserved_name: net.asam.osi.mine: the standard knows no such key\n"},
        {"mcap.schema_id", mcap_name(), mcap([](McapFile& f) { f.channel_schema = 0; }),
         "mcap.schema_id: found schema id 0, which no schema has\n"},
        {"mcap.schema_encoding", mcap_name(), mcap([](McapFile& f) { f.schema_encoding = "jsonschema"; }),
         "mcap.schema_encoding: the schema osi3.GroundTruth has the encoding 'jsonschema'\n"},
        {"mcap.schema_name", mcap_name(), mcap([](McapFile& f) { f.schema_name = "GroundTruth"; }),
         "mcap.schema_name: found GroundTruth, expected osi3.GroundTruth\n"},
        {"mcap.schema_data", mcap_name(), mcap([](McapFile& f) { f.schema_data = "no descriptor set"; }),
         "mcap.schema_data: the data of osi3.GroundTruth are no descriptor set: not a descriptor set: wire type 6, "
         "expected 0, "
         "1, 2 or 5\n"},
        {"mcap.schema_in_summary", mcap_name(), mcap([](McapFile& f) { f.schema_in_summary = false; }),
         "mcap.schema_in_summary: osi3.GroundTruth (id 1) is missing there\n"},
        {"mcap.channel_in_summary", mcap_name(), mcap([](McapFile& f) { f.channel_in_summary = false; }),
         "mcap.channel_in_summary: channel 1 is missing there\n"},
        {"mcap.channel_version", mcap_name(),
         mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.8"; }),
         "mcap.channel_version: net.asam.osi.trace.channel.osi_version: found '3.8', expected major.minor.patch\n"},
        {"mcap.channel_description", mcap_name(),
         mcap([](McapFile& f) { f.channel_metadata.erase("net.asam.osi.trace.channel.description"); }),
         "mcap.channel_description: net.asam.osi.trace.channel.description: is missing\n"},
        {"mcap.channel_osi_version", mcap_name(), mcap([](McapFile& f) {
             f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.7.0";
             f.metadata["min_osi_version"] = "3.7.0";
         }),
         "mcap.channel_osi_version: net.asam.osi.trace.channel.osi_version: the channel says 3.7.0, messages 3.8.0\n"},
        {"mcap.topic_unique", mcap_name(), mcap([](McapFile& f) { f.topics.push_back("truth"); }),
         "mcap.topic_unique: channels 1 and 2 have the topic 'truth'\n"},
        {"mcap.message_encoding", mcap_name(), mcap([](McapFile& f) { f.message_encoding = "json"; }),
         "mcap.message_encoding: found 'json'\n"},
        {"mcap.osi_version_range", mcap_name(), mcap([](McapFile& f) {
             f.metadata["max_osi_version"] = "3.7.0";
             f.metadata["min_osi_version"] = "3.7.0";
         }),
         "mcap.osi_version_range: messages have 3.8.0, the range is 3.7.0 to 3.7.0\n"
         "mcap.osi_version_range: the channel has 3.8.0, the range is 3.7.0 to 3.7.0\n"},
        {"mcap.protobuf_version_range", mcap_name(), mcap([](McapFile& f) {
             f.metadata["max_protobuf_version"] = "3.20.0";
             f.metadata["min_protobuf_version"] = "3.20.0";
         }),
         "mcap.protobuf_version_range: the channel has 3.21.12, the range is 3.20.0 to 3.20.0\n"
         "name.protobuf_version: the name says 32112, the metadata 3.20.0\n"},
        {"mcap.publish_time", mcap_name(), mcap([](McapFile& f) { f.publish_delay = 5; }),
         "mcap.publish_time: frame 0: found 0.000000005 s, expected the timestamp, 0 s\n"
         "mcap.publish_time: frame 1: found 0.100000005 s, expected the timestamp, 0.1 s\n"},
        {"mcap.log_time", mcap_name(), mcap([](McapFile& f) { f.log_delay = 5; }),
         "mcap.log_time: frame 0: found 0.000000005 s, published at 0 s\n"
         "mcap.log_time: frame 1: found 0.100000005 s, published at 0.1 s\n"},
    };
}

std::vector<Fixture> fixtures()
{
    std::vector<Fixture> all;
    for (const auto& some : {framing(), names(), times(), contents(), mcap_files()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

std::string findings_of(const std::string& file_name, const std::string& bytes)
{
    const ScratchFolder folder;
    write_file(folder / file_name, bytes);
    std::ostringstream text;
    for (const auto& finding : check_trace(folder / file_name).findings) {
        text << finding.id.substr(finding.id.rfind(':') + 1) << ": ";
        if (finding.frame) text << "frame " << *finding.frame << ": ";
        if (!finding.field.empty()) text << finding.field << ": ";
        text << finding.message << '\n';
    }
    return text.str();
}

}  // namespace

TEST_CASE("every kind of finding is found in a trace that is broken so")
{
    for (const auto& fixture : fixtures()) {
        INFO(fixture.kind);
        CHECK(findings_of(fixture.file_name, fixture.bytes) == fixture.findings);
        CHECK(fixture.findings.find(fixture.kind) != std::string_view::npos);
    }
}

TEST_CASE("every kind in the table has its broken trace")
{
    std::set<std::string_view> tried;
    for (const auto& fixture : fixtures()) tried.insert(fixture.kind);
    for (const auto& kind : finding_kinds()) {
        INFO(kind.rule);
        CHECK(tried.contains(kind.rule));
        CHECK_FALSE(kind.description.empty());
    }
    CHECK(tried.size() == finding_kinds().size());
}

TEST_CASE("good traces have no findings")
{
    CHECK(findings_of(name("20"), ground_truths(20)).empty());
    CHECK(findings_of(mcap_name(), McapFile().bytes()).empty());
}

TEST_CASE("findings of one id are listed up to a number, and all counted")
{
    const ScratchFolder folder;
    std::string bytes;
    for (std::uint64_t i = 0; i < 30; ++i) bytes += frame(Message().message(2, time(100 * i)));
    write_file(folder / name("30"), bytes);
    CheckOptions options;
    options.listed_per_kind = 3;
    options.open.type = MessageType::ground_truth;
    const auto result = check_trace(folder / name("30"), options);
    CHECK(result.findings.size() == 3);
    REQUIRE(result.counts.size() == 1);
    CHECK(result.counts.front().count == 30);
    CHECK(result.errors == 30);
    CHECK(result.frames == 30);
}

TEST_CASE("a disabled id is not found, and an unknown one is refused")
{
    const ScratchFolder folder;
    write_file(folder / "x.osi", ground_truths(2));
    CheckOptions options;
    options.disabled = {"name.form"};
    CHECK(check_trace(folder / "x.osi", options).findings.empty());
    options.disabled = {"asam.net:osi:3.8.0:name.form"};
    CHECK(check_trace(folder / "x.osi", options).findings.empty());
    options.disabled = {"name.shape"};
    CHECK_THROWS_WITH(check_trace(folder / "x.osi", options), "no finding has the id 'name.shape' (--list shows them)");
}

TEST_CASE("a map that was sent once stays known")
{
    const auto object = thing(1).message(4, id(2));
    const auto first = head(0).message(lane, thing(2)).message(moving_object, object);
    CHECK(findings_of(name("2"), frame(first) + frame(head(100).message(moving_object, object))).empty());
}

TEST_CASE("a ray that hits nothing may have no normal and no time of flight")
{
    const auto normal = Message().real(1, not_a_number).real(2, not_a_number).real(3, not_a_number);
    const auto reflection = Message().real(1, -infinity).real(2, not_a_number).message(5, normal);
    const auto view = head(0).message(3, id(4)).message(1002, Message().message(2, reflection));
    CHECK(findings_of("20210818T150542Z_sv_380_32112_1_x.osi", frame(view)).empty());
}

TEST_CASE("the gaps that are found are those of the summary")
{
    const auto gap_in = [](std::uint64_t where, std::uint64_t jitter) {
        std::string bytes;
        for (std::uint64_t i = 0, at = 0; i < 60; ++i, at += i == where ? 5000 : 100 + i * 7 % 3 * jitter)
            bytes += frame(truth(at));
        return bytes;
    };
    for (const std::uint64_t jitter : {0, 20})
        for (const std::uint64_t where : {1, 2, 3, 4, 5, 30, 58, 59}) {
            const ScratchFolder folder;
            write_file(folder / "x.osi", gap_in(where, jitter));
            const auto summary = summarize(*open_trace(folder / "x.osi"), {.full = true});
            const auto& gaps = summary.channels.at(0).steps->listed_gaps;
            REQUIRE(gaps.size() == 1);
            CHECK(gaps[0].frame == where);
            CHECK(findings_of("x.osi", gap_in(where, jitter))
                      .starts_with("timestamp.no_gap: frame " + std::to_string(where) + ": timestamp: "));
        }
}

TEST_CASE("ids beyond those that are kept in mind are a note, once")
{
    constexpr std::uint64_t frames = 5, ids_of_a_frame = std::uint64_t{1} << 18;
    std::string bytes;
    for (std::uint64_t i = 0; i < frames; ++i) {
        auto message = head(100 * i);
        for (std::uint64_t id = 0; id < ids_of_a_frame; ++id) message.message(lane, thing(i * ids_of_a_frame + id));
        bytes += frame(message);
    }
    const ScratchFolder folder;
    write_file(folder / "x.osi", bytes);
    const auto notes = check_trace(folder / "x.osi").notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "more than 1048576 ids: those behind them are not kept in mind, their doubles and changes and what refers to "
          "an id are not checked from there on");
    write_file(folder / "x.osi", ground_truths(3));
    CHECK(check_trace(folder / "x.osi").notes.empty());
}
