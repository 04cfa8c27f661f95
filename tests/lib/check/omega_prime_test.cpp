// SPDX-License-Identifier: MPL-2.0
// Every rule of the omega-prime profile has a file that breaks it in one way, and the exact findings that come of it.
#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/check.hpp>

#include "lib/open_drive/map_message.hpp"
#include "tests/catch.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace trace_by_hand;

namespace {

const std::string town =
    R"(<OpenDRIVE><header revMajor="1" revMinor="8"/><road id="1" length="500" junction="-1"><planView>)"
    R"(<geometry s="0" x="0" y="0" hdg="0" length="500"><line/></geometry></planView><lanes><laneSection s="0">)"
    R"(<center><lane id="0" type="none"/></center></laneSection></lanes></road></OpenDRIVE>)";

/// A message, and what of it is left out: a path from its root.
class Part {
public:
    Part(std::string_view without, std::string path = {}) : without_(without), path_(std::move(path)) {}

    Part& varint(std::string_view name, std::uint32_t number, std::uint64_t value)
    {
        if (has(name)) message_.varint(number, value);
        return *this;
    }
    Part& real(std::string_view name, std::uint32_t number, double value)
    {
        if (has(name)) message_.real(number, value);
        return *this;
    }
    Part& text(std::string_view name, std::uint32_t number, std::string_view value)
    {
        if (has(name)) message_.text(number, value);
        return *this;
    }
    template <class Fill>
    Part& part(std::string_view name, std::uint32_t number, Fill fill)
    {
        if (!has(name)) return *this;
        Part inner(without_, path_to(name));
        fill(inner);
        message_.message(number, inner.message_);
        return *this;
    }
    Part& numbers(std::string_view name, std::uint32_t number, std::array<std::string_view, 3> names,
                  std::array<double, 3> values)
    {
        return part(name, number, [&](Part& inner) {
            for (std::uint32_t i = 0; i < 3; ++i) inner.real(names[i], i + 1, values[i]);
        });
    }
    Part& id(std::string_view name, std::uint32_t number, std::uint64_t value)
    {
        return part(name, number, [&](Part& inner) { inner.varint("value", 1, value); });
    }
    [[nodiscard]] const Message& message() const { return message_; }

private:
    [[nodiscard]] std::string path_to(std::string_view name) const
    {
        return path_.empty() ? std::string(name) : path_ + '.' + std::string(name);
    }
    [[nodiscard]] bool has(std::string_view name) const { return path_to(name) != without_; }

    std::string_view without_;
    std::string path_;
    Message message_;
};

struct Truth {
    std::uint64_t milliseconds = 0;
    std::string_view without = {};  ///< `moving_object.base.velocity`
    std::uint64_t minor_version = 8;
    std::string reference = "town.xodr";
    std::vector<std::uint64_t> ids{7};
    std::uint64_t type = 2;
    std::array<double, 3> dimension{4, 2, 1.5};
    double yaw = -3.1;
    std::string_view light_reference = "net.asam.opendrive";

    [[nodiscard]] std::string str() const;
};

std::string Truth::str() const
{
    constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
    Part truth(without);
    truth.part("version", 1, [&](Part& version) {
        version.varint("version_major", 1, 3).varint("version_minor", 2, minor_version).varint("version_patch", 3, 0);
    });
    truth.part("timestamp", 2, [&](Part& time) {
        time.varint("seconds", 1, milliseconds / 1000).varint("nanos", 2, milliseconds % 1000 * 1'000'000);
    });
    truth.id("host_vehicle_id", 3, ids.front());
    for (const auto id : ids)
        truth.part("moving_object", 5, [&](Part& object) {
            object.id("id", 1, id)
                .part("base", 2,
                      [&](Part& base) {
                          base.numbers("dimension", 1, {"length", "width", "height"}, dimension)
                              .numbers("position", 2, axes, {1, 2, 3})
                              .numbers("orientation", 3, {"roll", "pitch", "yaw"}, {0, 0, yaw})
                              .numbers("velocity", 4, axes, {10, 0, 0})
                              .numbers("acceleration", 5, axes, {0, 0, 0});
                      })
                .varint("type", 3, type)
                .part("vehicle_classification", 6, [&](Part& kind) { kind.varint("type", 1, 2).varint("role", 5, 2); });
        });
    truth.part("traffic_light", 7, [&](Part& light) {
        light.id("id", 1, 9)
            .part("classification", 3,
                  [&](Part& kind) {
                      kind.varint("color", 1, 2)
                          .varint("icon", 2, 2)
                          .varint("mode", 3, 2)
                          .real("counter", 4, 0)
                          .varint("is_out_of_service", 6, 0);
                  })
            .part("source_reference", 5, [&](Part& source) { source.text("type", 2, light_reference); });
    });
    truth.varint("country_code", 13, 276)
        .text("proj_string", 14, "+proj=utm +zone=32")
        .text("map_reference", 15, reference)
        .part("proj_frame_offset", 20,
              [&](Part& offset) { offset.numbers("position", 1, axes, {0, 0, 0}).real("yaw", 2, 0); });
    return truth.message().str();
}

/// A file of the profile, to be broken in one place.
struct ProfileFile {
    std::vector<Truth> truths{{.milliseconds = 0}, {.milliseconds = 100}, {.milliseconds = 200}};
    std::string map = town, map_reference = "town.xodr", map_topic = "/ground_truth_map";
    std::string map_bytes;  ///< instead of the message of map and map_reference
    bool has_map_channel = true;
    std::string beside;  ///< `town.xodr` in the folder
    McapFile file;

    ProfileFile() { file.topics = {"/ground_truth"}; }

    [[nodiscard]] std::string bytes() const
    {
        auto whole = file;
        whole.messages.clear();
        for (const auto& truth : truths) {
            whole.messages.push_back(truth.str());
            whole.milliseconds.push_back(truth.milliseconds);
        }
        if (has_map_channel) {
            ByteBuffer records;
            const auto channel = map_channel();
            mcap::append(records, mcap::SchemaFields{9, channel.type_name, "protobuf", channel.schema_record->data});
            mcap::append(records, mcap::ChannelFields{9, 9, map_topic, "protobuf", {}});
            const auto message = map_message(map_reference, map);
            const auto content = map_bytes.empty() ? std::string(text_of(message->bytes())) : map_bytes;
            mcap::append_front(records, mcap::Message{9, 0, 0, 0, {}}, content.size());
            records.append(bytes_of(content));
            whole.in_chunk = text_of(records.bytes());
        }
        return whole.bytes();
    }
};

std::string findings_of(const std::filesystem::path& file)
{
    CheckOptions options;
    options.profile = Profile::omega_prime;
    std::ostringstream text;
    const auto result = check_trace(file, options);
    for (const auto& finding : result.findings) {
        const auto rule = finding.id.substr(finding.id.rfind(':') + 1);
        if (!rule.starts_with("omega_prime.")) continue;
        text << rule.substr(rule.find('.') + 1) << ": ";
        if (finding.time) text << finding.time->count() / 1'000'000 << " ms: ";
        if (!finding.field.empty()) text << finding.field << ": ";
        text << finding.message << '\n';
    }
    for (const auto& note : result.notes) text << "note: " << note << '\n';
    return text.str();
}

std::string findings_of(const ProfileFile& file)
{
    const ScratchFolder folder;
    write_file(folder / "x.mcap", file.bytes());
    if (!file.beside.empty()) write_file(folder / "town.xodr", file.beside);
    return findings_of(folder / "x.mcap");
}

struct Broken {
    std::string_view rule;
    std::function<void(ProfileFile&)> change;
    std::string_view findings;
};

std::function<void(ProfileFile&)> without(std::string_view path)
{
    return [path](ProfileFile& file) { file.truths[1].without = path; };
}

const std::vector<Broken> fields{
    {"version_is_set", without("version"), "version_is_set: 100 ms: version: is not set\n"},
    {"timestamp_is_set", without("timestamp"), "timestamp_is_set: timestamp: is not set\n"},
    {"host_vehicle_id_is_set", without("host_vehicle_id"),
     "host_vehicle_id_is_set: 100 ms: host_vehicle_id: is not set\n"},
    {"country_code_is_set", without("country_code"), "country_code_is_set: 100 ms: country_code: is not set\n"},
    {"map_reference_is_set", without("map_reference"), "map_reference_is_set: 100 ms: map_reference: is not set\n"},
    {"proj_string_is_set", without("proj_string"), "proj_string_is_set: 100 ms: proj_string: is not set\n"},
    {"proj_frame_offset_is_set", without("proj_frame_offset"),
     "proj_frame_offset_is_set: 100 ms: proj_frame_offset: is not set\n"},
    {"proj_frame_offset_is_set", without("proj_frame_offset.position"),
     "proj_frame_offset_is_set: 100 ms: proj_frame_offset.position: is not set\n"},
    {"proj_frame_offset_is_set", without("proj_frame_offset.yaw"),
     "proj_frame_offset_is_set: 100 ms: proj_frame_offset.yaw: is not set\n"},
    {"moving_object_dimension_is_set", without("moving_object.base.dimension"),
     "moving_object_dimension_is_set: 100 ms: moving_object[0].base.dimension: is not set\n"},
    {"moving_object_position_is_set", without("moving_object.base.position"),
     "moving_object_position_is_set: 100 ms: moving_object[0].base.position: is not set\n"},
    {"moving_object_orientation_is_set", without("moving_object.base.orientation"),
     "moving_object_orientation_is_set: 100 ms: moving_object[0].base.orientation: is not set\n"},
    {"moving_object_velocity_is_set", without("moving_object.base.velocity"),
     "moving_object_velocity_is_set: 100 ms: moving_object[0].base.velocity: is not set\n"},
    {"moving_object_acceleration_is_set", without("moving_object.base.acceleration"),
     "moving_object_acceleration_is_set: 100 ms: moving_object[0].base.acceleration: is not set\n"},
    {"moving_object_velocity_is_set", without("moving_object.base"),
     "moving_object_dimension_is_set: 100 ms: moving_object[0].base: is not set\n"
     "moving_object_position_is_set: 100 ms: moving_object[0].base: is not set\n"
     "moving_object_orientation_is_set: 100 ms: moving_object[0].base: is not set\n"
     "moving_object_velocity_is_set: 100 ms: moving_object[0].base: is not set\n"
     "moving_object_acceleration_is_set: 100 ms: moving_object[0].base: is not set\n"},
    {"moving_object_type_is_set", without("moving_object.type"),
     "moving_object_type_is_set: 100 ms: moving_object[0].type: is not set\n"},
    {"moving_object_id_is_set", without("moving_object.id"),
     "moving_object_id_is_set: 100 ms: moving_object[0].id: is not set\n"
     "moving_object_without_gap: 200 ms: moving_object[0]: id 7 is not in the frame before, but in an earlier one\n"},
    {"vehicle_type_is_set", without("moving_object.vehicle_classification.type"),
     "vehicle_type_is_set: 100 ms: moving_object[0].vehicle_classification.type: is not set\n"},
    {"vehicle_role_is_set", without("moving_object.vehicle_classification.role"),
     "vehicle_role_is_set: 100 ms: moving_object[0].vehicle_classification.role: is not set\n"},
    {"traffic_light_id_is_set", without("traffic_light.id"),
     "traffic_light_id_is_set: 100 ms: traffic_light[0].id: is not set\n"},
    {"traffic_light_color_is_set", without("traffic_light.classification.color"),
     "traffic_light_color_is_set: 100 ms: traffic_light[0].classification.color: is not set\n"},
    {"traffic_light_icon_is_set", without("traffic_light.classification.icon"),
     "traffic_light_icon_is_set: 100 ms: traffic_light[0].classification.icon: is not set\n"},
    {"traffic_light_mode_is_set", without("traffic_light.classification.mode"),
     "traffic_light_mode_is_set: 100 ms: traffic_light[0].classification.mode: is not set\n"},
    {"traffic_light_counter_is_set", without("traffic_light.classification.counter"),
     "traffic_light_counter_is_set: 100 ms: traffic_light[0].classification.counter: is not set\n"},
    {"traffic_light_is_out_of_service_is_set", without("traffic_light.classification.is_out_of_service"),
     "traffic_light_is_out_of_service_is_set: 100 ms: traffic_light[0].classification.is_out_of_service: is not "
     "set\n"},
    {"traffic_light_source_reference_is_set", without("traffic_light.source_reference"),
     "traffic_light_source_reference_is_set: 100 ms: traffic_light[0].source_reference: found none of type "
     "net.asam.opendrive\n"},
    {"traffic_light_source_reference_is_set", [](ProfileFile& file) { file.truths[1].light_reference = "mine"; },
     "traffic_light_source_reference_is_set: 100 ms: traffic_light[0].source_reference: found none of type "
     "net.asam.opendrive\n"},
    {"numbers_are_set", without("moving_object.base.velocity.z"),
     "numbers_are_set: 100 ms: moving_object[0].base.velocity.z: is not set\n"},
    {"numbers_are_set", without("moving_object.id.value"),
     "numbers_are_set: 100 ms: moving_object[0].id.value: is not set\n"
     "moving_object_without_gap: 200 ms: moving_object[0]: id 7 is not in the frame before, but in an earlier one\n"},
    {"numbers_are_set", without("host_vehicle_id.value"),
     "numbers_are_set: 100 ms: host_vehicle_id.value: is not set\n"},
};

const std::vector<Broken> over_time{
    {"osi_version", [](ProfileFile& file) { file.truths[1].minor_version = 6; },
     "osi_version: 100 ms: version: found 3.6.0, expected 3.7.0 or newer\n"
     "osi_version: 200 ms: version: found 3.8.0, expected 3.6.0 as before: a channel has one version\n"},
    {"osi_version", [](ProfileFile& file) { file.truths[2].minor_version = 7; },
     "osi_version: 200 ms: version: found 3.7.0, expected 3.8.0 as before: a channel has one version\n"},
    {"frequency", [](ProfileFile& file) { file.truths[2].milliseconds = 202; },
     "frequency: 202 ms: timestamp: found a step of 0.102 s, expected at most 0.1 s (10 Hz)\n"},
    {"moving_object_without_gap", [](ProfileFile& file) { file.truths[0].ids = file.truths[2].ids = {7, 8}; },
     "moving_object_without_gap: 200 ms: moving_object[1]: id 8 is not in the frame before, but in an earlier one\n"},
    {"moving_object_id_is_unique", [](ProfileFile& file) { file.truths[1].ids = {7, 7}; },
     "moving_object_id_is_unique: 100 ms: moving_object[1].id: id 7 is already used in this frame\n"},
    {"moving_object_constant_type", [](ProfileFile& file) { file.truths[2].type = 4; },
     "moving_object_constant_type: 200 ms: moving_object[0].type: id 7 is TYPE_ANIMAL, in an earlier frame "
     "TYPE_VEHICLE\n"},
    {"moving_object_constant_dimension", [](ProfileFile& file) { file.truths[2].dimension[0] = 4.5; },
     "moving_object_constant_dimension: 200 ms: moving_object[0].base.dimension: id 7 has 4.5 x 2 x 1.5 m, in an "
     "earlier frame 4 x 2 x 1.5 m\n"},
    {"moving_object_dimension_in_range",
     [](ProfileFile& file) {
         for (auto& truth : file.truths) truth.dimension = {4, 0, 0};
     },
     "moving_object_dimension_in_range: 0 ms: moving_object[0].base.dimension: found 4 x 0 x 0 m, expected length and "
     "width greater than 0 and no negative height\n"
     "moving_object_dimension_in_range: 100 ms: moving_object[0].base.dimension: found 4 x 0 x 0 m, expected length "
     "and width greater than 0 and no negative height\n"
     "moving_object_dimension_in_range: 200 ms: moving_object[0].base.dimension: found 4 x 0 x 0 m, expected length "
     "and width greater than 0 and no negative height\n"},
    {"moving_object_orientation_in_range", [](ProfileFile& file) { file.truths[1].yaw = 3.2; },
     "moving_object_orientation_in_range: 100 ms: moving_object[0].base.orientation.yaw: found 3.2, expected -pi to "
     "pi\n"},
};

const std::vector<Broken> files{
    {"topic", [](ProfileFile& file) { file.file.topics = {"ground_truth"}; },
     "topic: found 'ground_truth', expected '/ground_truth'\n"},
    {"topic", [](ProfileFile& file) { file.map_topic = "ground_truth_map"; },
     "topic: found 'ground_truth_map', expected '/ground_truth_map'\n"},
    {"ground_truth", [](ProfileFile& file) { file.file.schema_name = "osi3.TrafficCommand"; },
     "ground_truth: found osi3.MapAsamOpenDrive, osi3.TrafficCommand\n"},
    {"ground_truth", [](ProfileFile& file) { file.file.topics = {"/ground_truth", "/second"}; },
     "ground_truth: found 2 channels of GroundTruth\n"
     "topic: found '/second', expected '/ground_truth'\n"},
    {"map", [](ProfileFile& file) { file.has_map_channel = false; },
     "map: found no map channel, and no file 'town.xodr' beside the trace\n"},
    {"map", [](ProfileFile& file) { file.map = "<OpenDRIVE><road/></OpenDRIVE>"; },
     "map: line 1: <road>: the attribute id is missing\n"},
    {"map", [](ProfileFile& file) { file.map_bytes = "\x0a\x20short"; }, "map: the message with the map is damaged\n"},
    {"map",
     [](ProfileFile& file) {
         file.has_map_channel = false;
         file.beside = "<OpenDRIVE>";
     },
     "map: line 1: Start-end tags mismatch\n"},
    {"open_drive_version", [](ProfileFile& file) { file.map.replace(file.map.find("\"8\""), 3, "\"6\""); },
     "open_drive_version: found 1.6, expected 1.8\n"},
    {"map_reference_is_equal", [](ProfileFile& file) { file.map_reference = "city.xodr"; },
     "map_reference_is_equal: found 'city.xodr', expected 'town.xodr' as in the GroundTruth\n"},
    {"map_reference_is_equal", [](ProfileFile& file) { file.truths[2].reference = "city.xodr"; },
     "map_reference_is_equal: 200 ms: map_reference: found 'city.xodr', expected 'town.xodr' as in earlier frames\n"},
};

}  // namespace

TEST_CASE("omega-prime: a good file has no findings, with a map in it or beside it")
{
    ProfileFile file;
    CHECK(findings_of(file).empty());
    file.has_map_channel = false;
    file.beside = town;
    CHECK(findings_of(file).empty());
    for (auto& truth : file.truths) truth.reference = "town";  // the name without its extension
    CHECK(findings_of(file).empty());
}

TEST_CASE("omega-prime: every rule is found in a file that is broken so")
{
    std::set<std::string> tried{"omega_prime.mcap"};
    for (const auto& some : {fields, over_time, files})
        for (const auto& each : some) {
            INFO(each.rule);
            ProfileFile file;
            each.change(file);
            CHECK(findings_of(file) == each.findings);
            CHECK(each.findings.find(each.rule) != std::string_view::npos);
            tried.insert("omega_prime." + std::string(each.rule));
        }
    for (const auto& kind : finding_kinds())
        if (kind.profile == Profile::omega_prime) CHECK(tried.erase(std::string(kind.rule)) == 1);
    CHECK(tried.empty());
}

TEST_CASE("omega-prime: the rules are those of the profile, and only with it")
{
    const ScratchFolder folder;
    write_file(folder / "gt.osi", frame(truth(0)));
    CHECK(findings_of(folder / "gt.osi").starts_with("version") == false);
    CHECK(findings_of(folder / "gt.osi").find("mcap: found length-prefixed\n") != std::string::npos);
    for (const auto& finding : check_trace(folder / "gt.osi").findings)
        CHECK(finding.id.find("omega_prime") == std::string::npos);
}

TEST_CASE("omega-prime: of a pedestrian no vehicle is required, and 1 ms is rounding")
{
    ProfileFile file;
    for (auto& truth : file.truths) {
        truth.type = 3;
        truth.without = "moving_object.vehicle_classification";
    }
    file.truths[2].milliseconds = 201;
    CHECK(findings_of(file).empty());
}

TEST_CASE("omega-prime: what depends on the order of frames is not checked where they are out of order")
{
    ProfileFile file;
    file.truths = {{.milliseconds = 100, .ids = {7, 8}}, {.milliseconds = 0}, {.milliseconds = 300, .ids = {7, 8}}};
    CHECK(findings_of(file) ==
          "note: the times of the GroundTruth go backward: time steps and gaps of moving objects after that are not "
          "checked\n");
}

TEST_CASE("omega-prime: a message that cannot be read is a finding of the check of messages only")
{
    const ProfileFile file;
    auto whole = file.bytes();
    const auto place = whole.find("\x32\x04\x08\x02", whole.find(file.truths[1].str()));
    REQUIRE(place != std::string::npos);
    whole[place] = '\x37';  // vehicle_classification with a wire type that does not exist
    const ScratchFolder folder;
    write_file(folder / "x.mcap", whole);
    const auto findings = findings_of(folder / "x.mcap");
    CHECK(findings.find("without_gap") == std::string::npos);
    std::set<std::string> ids;
    for (const auto& finding : check_trace(folder / "x.mcap").findings) ids.insert(finding.id);
    CHECK(ids.contains("asam.net:osi:3.0.0:deserialization.possible"));
}
