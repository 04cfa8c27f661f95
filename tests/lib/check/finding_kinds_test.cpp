// SPDX-License-Identifier: MPL-2.0
// Every kind of finding has a trace that is broken in this one way, and the exact findings that come of it.
#include <algorithm>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/trace_summary.hpp>

#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
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
    std::string map = {};       ///< beside it
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
        {"framing.complete", name("1"), good.substr(0, good.size() - 5),
         "framing.complete: frame 1: the file is truncated: the frame needs 29 bytes, and 24 are left\n"},
        {"framing.length_in_range", name("2"), good + Message().raw_value(std::uint32_t{0x8000'0001}).raw("rest").str(),
         "framing.length_in_range: frame 2: length 2147483649 exceeds the limit of 536870912 bytes\n"},
        {"framing.no_trailing_zeros", name("2"), good + std::string(512, '\0'),
         "framing.no_trailing_zeros: frame 2: 512 zero bytes up to the end of the file: preallocated and never "
         "written\n"},
        {"framing.only_messages", name("2"), Message().raw_value(std::uint32_t{4}).raw("\xff\xff\xff\xff").str(),
         "framing.only_messages: the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of "
         "10 "
         "types "
         "fits "
         "(closest: SensorView (sv), a tag that the end of the message cuts off)\n"},
        {"framing.no_empty_frame", name("4"), good + std::string(4, '\0') + frame(truth(200)),
         "framing.no_empty_frame: frame 2: found a length of 0 bytes\n"},
        {"framing.has_frames", name("0"), "", "framing.has_frames: found none\n"},
        {"deserialization.possible", name("3"), with(head(200).message(moving_object, Message().tag(1, 7))),
         "deserialization.possible: frame 2: moving_object[0]: at byte 19 of the message: field 1, unknown to the "
         "schema: wire "
         "type 7, expected 0, 1, 2 or 5\n"},
        {"deserialization.expected_type", name("3"), good + frame(head(200).message(7, truth(200))),
         "deserialization.expected_type: frame 2: fits SensorView, not GroundTruth\n"},
        {"deserialization.no_unknown_fields", name("3"), with(head(200).varint(9999, 1)),
         "deserialization.no_unknown_fields: frame 2: found 1 that the schema of OSI 3.8.0 does not define\n"},
        {"deserialization.version_is_set", name("3"), with(Message().message(2, time(200))),
         "deserialization.version_is_set: frame 2: version: is not set\n"},
        {"deserialization.version_is_constant", name("3"),
         with(Message().message(1, version(3, 7, 0)).message(2, time(200))),
         "deserialization.version_is_constant: frame 2: version: found 3.7.0, expected 3.8.0 as in the previous "
         "frame\n"},
    };
}

std::vector<Fixture> names()
{
    const auto good = ground_truths(2);
    return {
        {"file_name.convention", "truth.osi", good,
         "file_name.convention: expected "
         "<timestamp>_<type>_<osi-version>_<protobuf-version>_<number-of-frames>_<custom-trace-name>.<extension>. "
         "osiconvert rename renames the file.\n"},
        {"file_name.timestamp", "20210231T150542Z_gt_380_32112_2_x.osi", good,
         "file_name.timestamp: found 20210231T150542Z, expected a valid date and time\n"},
        {"file_name.type", "20210818T150542Z_sv_380_32112_2_x.osi", good,
         "file_name.type: found sv in the file name, gt in the messages\n"},
        {"file_name.osi_version", "20210818T150542Z_gt_370_32112_2_x.osi", good,
         "file_name.osi_version: found 370 in the file name, 3.8.0 in the messages\n"},
        {"file_name.protobuf_version", "20210818T150542Z_gt_380_3213_2_x.mcap", McapFile().bytes(),
         "file_name.protobuf_version: found 3213 in the file name, 3.21.12 in the metadata\n"},
        {"file_name.number_of_frames", name("3"), good,
         "file_name.number_of_frames: found 3 in the file name, 2 in the file\n"},
        {"file_name.extension", "20210818T150542Z_gt_380_32112_2_x.osifb", good,
         "file_name.extension: found protobuf, expected flatbuffers (from the extension)\n"},
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
        {"timestamp.in_range", name("3"), with(at(10'000'000'000, 0)),
         "timestamp.in_range: frame 2: timestamp: 10000000000 s and 0 ns do not fit into 64 bits of nanoseconds\n"},
        {"timestamp.not_negative", name("2"), frame(at(before_zero, 0)) + frame(at(0, 0)),
         "timestamp.not_negative: frame 0: timestamp: found -1 s, expected 0 s or later\n"},
        {"timestamp.not_repeated", name("3"), with(head(100)),
         "timestamp.not_repeated: frame 2: timestamp: found 0.1 s as in the previous frame\n"},
        {"timestamp.not_decreasing", name("3"), with(head(50)),
         "timestamp.not_decreasing: frame 2: timestamp: found 0.05 s, earlier than the previous frame (0.1 s)\n"},
        {"timestamp.no_gap", name("7"), steps({0, 100, 200, 300, 400, 600, 700}),
         "timestamp.no_gap: frame 5: timestamp: found a step of 0.2 s, expected 0.1 s (the usual step)\n"},
        {"timestamp.constant_rate", name("19"),
         steps({0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950, 1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350}),
         "timestamp.constant_rate: frame 10: timestamp: found a step of 0.05 s from this frame on, 0.1 s before\n"},
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
         "id.unique_in_frame: frame 2: moving_object[0].id: id 5 is already used in this frame by a "
         "StationaryObject\n"},
        {"id.valid", name("3"), with(head(200).message(moving_object, thing(~std::uint64_t{0}))),
         "id.valid: frame 2: moving_object[0].id: found 2^64 - 1, which is reserved for 'no id'\n"},
        {"id.constant_kind", name("3"), with(head(200).message(stationary_object, thing(1))),
         "id.constant_kind: frame 2: stationary_object[0].id: id 1 belongs to a StationaryObject, in an earlier frame "
         "to a MovingObject\n"},
        {"id.constant_type", name("4"),
         with(head(200).message(moving_object, object_of(2))) + frame(head(300).message(moving_object, object_of(3))),
         "id.constant_type: frame 3: moving_object[0].id: id 7 is TYPE_PEDESTRIAN, in an earlier frame TYPE_VEHICLE\n"},
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

std::vector<Fixture> maps()
{
    const auto line = [](std::uint64_t number, double y) {
        const auto at = [&](double x) { return Message().message(1, Message().real(1, x).real(2, y)); };
        return thing(number).message(2, at(10)).message(2, at(90));
    };
    const auto car = thing(7).message(2, Message().message(2, Message().real(1, 50).real(2, 80)));
    return {
        {"map.readable", name("2"), frame(truth(0)) + frame(truth(100)),
         "map.readable: frame 0: 20210818T150542Z_gt_380_32112_2_x.xodr: line 1: <road>: the attribute id is missing\n",
         "<OpenDRIVE><road/></OpenDRIVE>"},
        {"map.found", name("2"), frame(truth(0).text(15, "town.xodr")) + frame(truth(100)),
         "map.found: frame 0: map_reference: found no map town.xodr in or beside the trace\n"},
        {"map.fits", name("3"), with(head(200).message(moving_object, car)),
         "map.fits: frame 2: found 1 of 1 moving objects (the first has id 7) more than 10 m from any lane of "
         "20210818T150542Z_gt_380_32112_3_x.xodr\n",
         road_map()},
        {"map.projection", name("2"), frame(truth(0).text(14, "EPSG:31467")) + frame(truth(100)),
         "map.projection: frame 0: the projections of the map ('+proj=utm +zone=32') and the trace ('EPSG:31467') "
         "cannot be compared (20210818T150542Z_gt_380_32112_2_x.xodr)\n",
         road_map("<header><geoReference>+proj=utm +zone=32</geoReference></header>")},
        {"map.lanes", name("3"),
         with(head(200).message(lane_boundary, line(8, 3.5)).message(lane_boundary, line(9, -0.5))),
         "map.lanes: frame 2: lane_boundary[1]: found 1 of 2 lane boundaries up to 0.500 m from those of "
         "20210818T150542Z_gt_380_32112_3_x.xodr, expected at most 0.200 m; the farthest place is (10.000, "
         "-0.500)\n",
         road_map()},
    };
}

std::vector<Fixture> mcap_files()
{
    const auto whole = McapFile().bytes();
    return {
        {"mcap.valid_file", mcap_name(), whole.substr(0, whole.size() - 40),
         "mcap.valid_file: frame 2: the file is truncated: it ends in its summary, the messages are complete\n"},
        {"mcap.chunk_index", mcap_name(), mcap([](McapFile& f) { f.chunk_index = false; }),
         "mcap.chunk_index: found no ChunkIndex in the summary\n"},
        {"mcap.chunk_times", mcap_name(), mcap([](McapFile& f) { f.wrong_end = 1; }),
         "mcap.chunk_times: found 0 to 100000001 in its ChunkIndex, expected 0 to 100000000. osiconvert recover writes "
         "a new index.\n"
         "mcap.chunk_times: found 0 to 100000001 in the chunk, expected 0 to 100000000. osiconvert "
         "recover writes a new index.\n"},
        {"mcap.message_index", mcap_name(), mcap([](McapFile& f) { f.indexed = 1; }),
         "mcap.message_index: frame 2: number of messages in a chunk: found 2, its message index lists 1\n"},
        {"mcap.statistics", mcap_name(), mcap([](McapFile& f) { f.counted = 99; }),
         "mcap.statistics: number of messages: found 2, the Statistics record lists 99\n"},
        {"mcap.chunk_content", mcap_name(), mcap([](McapFile& f) { f.in_chunk = chunk_record(); }),
         "framing.no_empty_frame: frame 0: found a length of 0 bytes\n"
         "mcap.chunk_content: frame 0: a chunk holds a record Chunk at byte 70751 of its records, expected Schema, "
         "Channel or Message (osiconvert recover saves the messages)\n"
         "file_name.number_of_frames: found 2 in the file name, 3 in the file\n"},
        {"mcap.data_end_is_last", mcap_name(), mcap([](McapFile& f) { f.behind_data_end = chunk_record(); }),
         "mcap.data_end_is_last: frame 2: a record Chunk follows the DataEnd record, expected the summary (osiconvert "
         "recover saves it)\n"
         "framing.no_empty_frame: frame 2: found a length of 0 bytes\n"
         "mcap.chunk_index: found no ChunkIndex for this chunk\n"
         "file_name.number_of_frames: found 2 in the file name, 3 in the file\n"},
        {"mcap.repeated_record", mcap_name(),
         mcap([](McapFile& f) { f.in_chunk = mcap_bytes::channel(1, 1, "truth", "protobuf"); }),
         "mcap.repeated_record: the channel 'truth' is declared again with other metadata: "
         "net.asam.osi.trace.channel.description is 'a test' (elsewhere not set), "
         "net.asam.osi.trace.channel.osi_version is '3.8.0' (elsewhere not set), "
         "net.asam.osi.trace.channel.protobuf_version is '3.21.12' (elsewhere not set)\n"},
        {"mcap.key_unique", mcap_name(), mcap([](McapFile& f) { f.repeated_key = "min_osi_version"; }),
         "mcap.key_unique: min_osi_version: found '3.8.0' after 'first'\n"},
        {"mcap.message_in_chunk", mcap_name(), mcap([](McapFile& f) { f.chunked = false; }),
         "mcap.message_in_chunk: found a message outside of a chunk\n"
         "mcap.message_in_chunk: found a message outside of a chunk\n"},
        {"mcap.data_crc", mcap_name(), mcap([](McapFile& f) { f.data_crc = 1; }),
         "mcap.data_crc: the data section is damaged: the CRC of its bytes is 420496301, expected 1\n"},
        {"mcap.summary_crc", mcap_name(), mcap([](McapFile& f) { f.summary_crc = 1; }),
         "mcap.summary_crc: the summary is damaged: the CRC of its bytes is 2843212488, expected 1\n"},
        {"mcap.compression", mcap_name(), mcap([](McapFile& f) { f.compression = "brotli"; }),
         "mcap.compression: frame 0: found the chunk compression 'brotli', expected lz4, zstd or none\n"
         "framing.has_frames: found none\n"
         "file_name.number_of_frames: "
         "found 2 in the file name, 0 in the file\n"},
        {"mcap.has_osi_channel", mcap_name(), mcap([](McapFile& f) { f.schema_name = "demo.Vec"; }),
         "mcap.has_osi_channel: the channel 'truth': demo.Vec is not a message of OSI\n"},
        {"mcap.metadata_is_set", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 0; }),
         "mcap.metadata_is_set: found none\n"},
        {"mcap.metadata_unique", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 2; }),
         "mcap.metadata_unique: found another record net.asam.osi.trace\n"},
        {"mcap.metadata_mandatory_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("max_osi_version"); }),
         "mcap.metadata_mandatory_key: max_osi_version: is missing\n"},
        {"mcap.metadata_version_format", mcap_name(), mcap([](McapFile& f) { f.metadata["version"] = "3.8.0-rc1"; }),
         "mcap.metadata_version_format: version: found '3.8.0-rc1', expected major.minor.patch\n"},
        {"mcap.metadata_time_format", mcap_name(),
         mcap([](McapFile& f) { f.metadata["zero_time"] = "2021-08-18T15:05:42"; }),
         "mcap.metadata_time_format: zero_time: found '2021-08-18T15:05:42', expected a time with a time zone such as "
         "2021-08-18T15:05:42Z\n"},
        {"mcap.metadata_recommended_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("authors"); }),
         "mcap.metadata_recommended_key: authors: is missing\n"},
        {"mcap.reserved_name", mcap_name(), mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.mine"] = "x"; }),
         "mcap.reserved_name: net.asam.osi.mine: found a key that the standard does not define\n"},
        {"mcap.schema_id", mcap_name(), mcap([](McapFile& f) { f.channel_schema = 0; }),
         "mcap.schema_id: found schema id 0, expected the id of a schema in the file\n"},
        {"mcap.schema_encoding", mcap_name(), mcap([](McapFile& f) { f.schema_encoding = "jsonschema"; }),
         "mcap.schema_encoding: found 'jsonschema' for osi3.GroundTruth, expected 'protobuf'\n"},
        {"mcap.schema_name", mcap_name(), mcap([](McapFile& f) { f.schema_name = "GroundTruth"; }),
         "mcap.schema_name: found GroundTruth, expected osi3.GroundTruth\n"},
        {"mcap.schema_data", mcap_name(), mcap([](McapFile& f) { f.schema_data = "no descriptor set"; }),
         "mcap.schema_data: found invalid data for osi3.GroundTruth: not a descriptor set: wire type 6, "
         "expected 0, 1, 2 or 5\n"},
        {"mcap.schema_in_summary", mcap_name(), mcap([](McapFile& f) { f.schema_in_summary = false; }),
         "mcap.schema_in_summary: the summary has no schema osi3.GroundTruth (id 1)\n"},
        {"mcap.channel_in_summary", mcap_name(), mcap([](McapFile& f) { f.channel_in_summary = false; }),
         "mcap.channel_in_summary: the summary has no channel 1\n"},
        {"mcap.channel_version_format", mcap_name(),
         mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.8"; }),
         "mcap.channel_version_format: net.asam.osi.trace.channel.osi_version: found '3.8', expected "
         "major.minor.patch\n"},
        {"mcap.channel_mandatory_key", mcap_name(),
         mcap([](McapFile& f) { f.channel_metadata.erase("net.asam.osi.trace.channel.osi_version"); }),
         "mcap.channel_mandatory_key: net.asam.osi.trace.channel.osi_version: is missing\n"},
        {"mcap.channel_recommended_key", mcap_name(),
         mcap([](McapFile& f) { f.channel_metadata.erase("net.asam.osi.trace.channel.description"); }),
         "mcap.channel_recommended_key: net.asam.osi.trace.channel.description: is missing\n"},
        {"mcap.channel_osi_version", mcap_name(), mcap([](McapFile& f) {
             f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.7.0";
             f.metadata["min_osi_version"] = "3.7.0";
         }),
         "mcap.channel_osi_version: net.asam.osi.trace.channel.osi_version: found 3.7.0 in the channel, 3.8.0 in "
         "messages\n"},
        {"mcap.topic_unique", mcap_name(), mcap([](McapFile& f) { f.topics.push_back("truth"); }),
         "mcap.topic_unique: channels 1 and 2 have the topic 'truth'\n"},
        {"mcap.message_encoding", mcap_name(), mcap([](McapFile& f) { f.message_encoding = "json"; }),
         "mcap.message_encoding: found 'json', expected 'protobuf'\n"},
        {"mcap.osi_version_range", mcap_name(), mcap([](McapFile& f) {
             f.metadata["max_osi_version"] = "3.7.0";
             f.metadata["min_osi_version"] = "3.7.0";
         }),
         "mcap.osi_version_range: found 3.8.0 in messages, expected 3.7.0 to 3.7.0\n"
         "mcap.osi_version_range: found "
         "3.8.0 in the channel, expected 3.7.0 to 3.7.0\n"},
        {"mcap.protobuf_version_range", mcap_name(), mcap([](McapFile& f) {
             f.metadata["max_protobuf_version"] = "3.20.0";
             f.metadata["min_protobuf_version"] = "3.20.0";
         }),
         "mcap.protobuf_version_range: found 3.21.12 in the channel, expected 3.20.0 to "
         "3.20.0\n"
         "file_name.protobuf_version: found 32112 in the file name, 3.20.0 in the metadata\n"},
        {"mcap.publish_time", mcap_name(), mcap([](McapFile& f) { f.publish_delay = 5; }),
         "mcap.publish_time: frame 0: found 0.000000005 s, expected the timestamp 0 s\n"
         "mcap.publish_time: frame 1: "
         "found 0.100000005 s, expected the timestamp 0.1 s\n"},
        {"mcap.log_time", mcap_name(), mcap([](McapFile& f) { f.log_delay = 5; }),
         "mcap.log_time: frame 0: found 0.000000005 s, expected the publish time 0 s\n"
         "mcap.log_time: frame 1: found "
         "0.100000005 s, expected the publish time 0.1 s\n"},
    };
}

std::vector<Fixture> fixtures()
{
    std::vector<Fixture> all;
    for (const auto& some : {framing(), names(), times(), contents(), maps(), mcap_files()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

std::string findings_of(const std::string& file_name, const std::string& bytes, const std::string& map = {})
{
    const ScratchFolder folder;
    write_file(folder / file_name, bytes);
    if (!map.empty()) write_file((folder / file_name).replace_extension(".xodr"), map);
    std::ostringstream text;
    for (const auto& finding : check_trace(folder / file_name).findings) {
        text << finding.id.substr(finding.id.rfind(':') + 1) << ": ";
        if (finding.frame) text << "frame " << *finding.frame << ": ";
        if (!finding.field.empty()) text << finding.field << ": ";
        auto message = finding.message;
        if (const auto prefix = (folder / "").string(); message.starts_with(prefix)) message.erase(0, prefix.size());
        text << message << '\n';
    }
    return text.str();
}

}  // namespace

TEST_CASE("every kind of finding is found in a trace that is broken so")
{
    for (const auto& fixture : fixtures()) {
        INFO(fixture.kind);
        CHECK(findings_of(fixture.file_name, fixture.bytes, fixture.map) == fixture.findings);
        CHECK(fixture.findings.find(fixture.kind) != std::string_view::npos);
    }
}

TEST_CASE("every kind in the table has its broken trace")
{
    std::set<std::string_view> tried;
    for (const auto& fixture : fixtures()) tried.insert(fixture.kind);
    std::size_t kinds = 0;
    for (const auto& kind : finding_kinds()) {
        INFO(kind.rule);
        CHECK_FALSE(kind.description.empty());
        if (kind.profile != Profile::none) continue;  // see omega_prime_test.cpp
        CHECK(tried.contains(kind.rule));
        ++kinds;
    }
    CHECK(tried.size() == kinds);
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
    options.disabled = {"file_name.convention"};
    CHECK(check_trace(folder / "x.osi", options).findings.empty());
    options.disabled = {"ositrace.alt:osi:3.8.0:file_name.convention"};
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
          "found more than 1048576 ids: further ids are not remembered, so their uniqueness, their changes and "
          "references are not checked");
    write_file(folder / "x.osi", ground_truths(3));
    CHECK(check_trace(folder / "x.osi").notes.empty());
}

TEST_CASE("only the rules of ASAM's checker have its entity, and every id has the form that ASAM's library requires")
{
    // models/result.py of qc-baselib 1.1.0; \\p{L} is a letter.
    const std::regex form(R"(^((\w+(\.\w+)+)):(([a-z]+)):(([0-9]+(\.[0-9]+)+)):((([a-z][\w_]*)\.)*)([a-z][\w_]*)$)");
    std::set<std::string> of_asam, ids;
    for (const auto& kind : finding_kinds()) {
        INFO(kind.id());
        CHECK(std::regex_match(kind.id(), form));
        CHECK(ids.insert(kind.id()).second);
        if (!kind.id().starts_with("ositrace.alt:osi:3.8.0:")) of_asam.insert(kind.id());
    }
    CHECK(of_asam == std::set<std::string>{"asam.net:osi:3.0.0:deserialization.possible",
                                           "asam.net:osi:3.0.0:deserialization.expected_type",
                                           "asam.net:osi:3.0.0:deserialization.version_is_set"});
}
