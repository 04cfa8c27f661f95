// SPDX-License-Identifier: MPL-2.0
// Every kind of finding has a trace that is broken in this one way, and the exact findings that come of it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <ositrace/check.hpp>

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

std::string name(std::string_view frames) { return "20210818T150542Z_gt_380_32112_" + std::string(frames) + "_x.osi"; }
std::string mcap_name() { return "20210818T150542Z_gt_380_32112_2_x.mcap"; }

/// Two good frames and one more.
std::string with(const Message& third) { return ground_truths(2) + frame(third); }

std::string steps(std::initializer_list<std::uint64_t> milliseconds)
{
    std::string bytes;
    for (const auto time : milliseconds) bytes += frame(head(time).message(moving_object, thing(1)));
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
        {"framing.truncated", name("1"), good.substr(0, good.size() - 5), ""},
        {"framing.oversize", name("2"), good + Message().raw_value(std::uint32_t{0x8000'0001}).raw("rest").str(), ""},
        {"framing.tail_of_zeros", name("2"), good + std::string(512, '\0'), ""},
        {"framing.garbage", name("2"), Message().raw_value(std::uint32_t{4}).raw("\xff\xff\xff\xff").str(), ""},
        {"framing.empty_frame", name("3"), good + std::string(4, '\0'), ""},
        {"framing.no_frames", name("0"), "", ""},
        {"deserialization.possible", name("3"), with(head(200).message(moving_object, Message().tag(1, 7))), ""},
        {"deserialization.unknown_fields", name("3"), with(head(200).varint(9999, 1)), ""},
        {"deserialization.version_is_set", name("3"), with(Message().message(2, time(200))), ""},
        {"deserialization.version_is_constant", name("3"), with(Message().message(1, version(3, 7, 0)).message(2, time(200))), ""},
    };
}

std::vector<Fixture> names()
{
    const auto good = ground_truths(2);
    return {
        {"name.form", "truth.osi", good, ""},
        {"name.timestamp", "20210231T150542Z_gt_380_32112_2_x.osi", good, ""},
        {"name.type", "20210818T150542Z_sv_380_32112_2_x.osi", good, ""},
        {"name.osi_version", "20210818T150542Z_gt_370_32112_2_x.osi", good, ""},
        {"name.protobuf_version", "20210818T150542Z_gt_380_2112_2_x.mcap", McapFile().bytes(), ""},
        {"name.frames", name("3"), good, ""},
        {"name.extension", "20210818T150542Z_gt_380_32112_2_x.osifb", good, ""},
    };
}

std::vector<Fixture> times()
{
    constexpr std::uint64_t before_zero = ~std::uint64_t{0};
    const auto at = [](std::uint64_t seconds, std::uint64_t nanos) {
        return Message().message(1, version(3, 8, 0)).message(2, Message().varint(1, seconds).varint(2, nanos));
    };
    return {
        {"timestamp.is_set", name("3"), with(Message().message(1, version(3, 8, 0))), ""},
        {"timestamp.nanos_in_range", name("3"), with(at(1, 1'000'000'000)), ""},
        {"timestamp.fits", name("3"), with(at(10'000'000'000, 0)), ""},
        {"timestamp.not_negative", name("2"), frame(at(before_zero, 0)) + frame(at(0, 0)), ""},
        {"timestamp.not_repeated", name("3"), with(head(100)), ""},
        {"timestamp.not_backward", name("3"), with(head(50)), ""},
        {"timestamp.no_gap", name("7"), steps({0, 100, 200, 300, 400, 600, 700}), ""},
        {"timestamp.constant_rate", name("10"), steps({0, 100, 200, 300, 400, 500, 550, 600, 650, 700}), ""},
    };
}

std::vector<Fixture> contents()
{
    const auto object_of = [](std::uint64_t type) { return thing(7).varint(3, type); };
    const auto lane_with = [](std::uint32_t field, std::uint64_t other) { return thing(2).message(2, Message().message(field, id(other))); };
    const auto logical = thing(3).message(5, id(77));
    const auto detected = [](std::uint32_t field, std::uint64_t value) {
        const auto view = head(0).message(3, id(4)).message(7, head(0).message(moving_object, thing(1)));
        const auto object = Message().message(1, Message().message(1, id(1)).message(field, id(value)));
        return frame(head(0).message(5, id(9)).message(8, view).message(13, object));
    };
    const std::string sensor_data = "20210818T150542Z_sd_380_32112_1_x.osi";
    return {
        {"id.unique_in_frame", name("3"), with(head(200).message(moving_object, thing(5)).message(stationary_object, thing(5))), ""},
        {"id.valid", name("3"), with(head(200).message(moving_object, thing(~std::uint64_t{0}))), ""},
        {"id.keeps_kind", name("3"), with(head(200).message(stationary_object, thing(1))), ""},
        {"id.keeps_type", name("4"), with(head(200).message(moving_object, object_of(2))) + frame(head(300).message(moving_object, object_of(3))), ""},
        {"reference.host_vehicle", name("3"), with(head(200).message(host_vehicle, id(1))), ""},
        {"reference.lane", name("4"), with(head(200).message(lane, lane_with(5, 2))) + frame(head(300).message(lane, lane_with(5, 77))), ""},
        {"reference.lane_boundary", name("3"), with(head(200).message(lane_boundary, thing(6)).message(lane, lane_with(9, 2))), ""},
        {"reference.logical_lane", name("3"), with(head(200).message(logical_lane, logical)), ""},
        {"reference.object", sensor_data, detected(2, 77), ""},
        {"reference.sensor", sensor_data, detected(6, 77), ""},
    };
}

std::vector<Fixture> mcap_files()
{
    const auto whole = McapFile().bytes();
    return {
        {"mcap.record", mcap_name(), whole.substr(0, whole.size() - 40), ""},
        {"mcap.chunk_index", mcap_name(), mcap([](McapFile& f) { f.chunk_index = false; }), ""},
        {"mcap.message_in_chunk", mcap_name(), mcap([](McapFile& f) { f.chunked = false; }), ""},
        {"mcap.compression", mcap_name(), mcap([](McapFile& f) { f.compression = "brotli"; }), ""},
        {"mcap.metadata_is_set", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 0; }), ""},
        {"mcap.metadata_once", mcap_name(), mcap([](McapFile& f) { f.metadata_records = 2; }), ""},
        {"mcap.metadata_mandatory_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("max_osi_version"); }), ""},
        {"mcap.metadata_version_form", mcap_name(), mcap([](McapFile& f) { f.metadata["version"] = "3.8.0-rc1"; }), ""},
        {"mcap.metadata_time_form", mcap_name(), mcap([](McapFile& f) { f.metadata["zero_time"] = "2021-08-18T15:05:42"; }), ""},
        {"mcap.metadata_recommended_key", mcap_name(), mcap([](McapFile& f) { f.metadata.erase("authors"); }), ""},
        {"mcap.reserved_name", mcap_name(), mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.mine"] = "x"; }), ""},
        {"mcap.schema_id", mcap_name(), mcap([](McapFile& f) { f.channel_schema = 0; }), ""},
        {"mcap.schema_encoding", mcap_name(), mcap([](McapFile& f) { f.schema_encoding = "jsonschema"; }), ""},
        {"mcap.schema_name", mcap_name(), mcap([](McapFile& f) { f.schema_name = "GroundTruth"; }), ""},
        {"mcap.schema_data", mcap_name(), mcap([](McapFile& f) { f.schema_data = "no descriptor set"; }), ""},
        {"mcap.schema_in_summary", mcap_name(), mcap([](McapFile& f) { f.schema_in_summary = false; }), ""},
        {"mcap.channel_in_summary", mcap_name(), mcap([](McapFile& f) { f.channel_in_summary = false; }), ""},
        {"mcap.channel_version", mcap_name(), mcap([](McapFile& f) { f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.8"; }), ""},
        {"mcap.channel_description", mcap_name(), mcap([](McapFile& f) { f.channel_metadata.erase("net.asam.osi.trace.channel.description"); }), ""},
        {"mcap.channel_osi_version", mcap_name(), mcap([](McapFile& f) {
             f.channel_metadata["net.asam.osi.trace.channel.osi_version"] = "3.7.0";
             f.metadata["min_osi_version"] = "3.7.0";
         }), ""},
        {"mcap.topic_unique", mcap_name(), mcap([](McapFile& f) { f.topics.push_back("truth"); }), ""},
        {"mcap.message_encoding", mcap_name(), mcap([](McapFile& f) { f.message_encoding = "json"; }), ""},
        {"mcap.osi_version_range", mcap_name(), mcap([](McapFile& f) { f.metadata["max_osi_version"] = "3.7.0"; f.metadata["min_osi_version"] = "3.7.0"; }), ""},
        {"mcap.protobuf_version_range", mcap_name(), mcap([](McapFile& f) { f.metadata["max_protobuf_version"] = "3.20.0"; f.metadata["min_protobuf_version"] = "3.20.0"; }), ""},
        {"mcap.publish_time", mcap_name(), mcap([](McapFile& f) { f.publish_delay = 5; }), ""},
        {"mcap.log_time", mcap_name(), mcap([](McapFile& f) { f.log_delay = 5; }), ""},
    };
}

std::vector<Fixture> fixtures()
{
    std::vector<Fixture> all;
    for (const auto& some : {framing(), names(), times(), contents(), mcap_files()}) all.insert(all.end(), some.begin(), some.end());
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
