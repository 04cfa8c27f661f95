// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include <ositrace/check.hpp>
#include <ositrace/rules.hpp>

#include "tests/catch.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace trace_by_hand;

namespace {

std::string findings_of(const std::string& rules, const Message& message)
{
    const ScratchFolder folder;
    const auto file = folder / "20210818T150542Z_gt_380_32112_1_x.osi";
    write_file(file, frame(message));
    CheckOptions options;
    options.rules = RuleSet::from_text(rules);
    std::string text;
    for (const auto& finding : check_trace(file, options).findings)
        text += finding.id.substr(finding.id.find("osirules")) + ": " + finding.field + ": " + finding.message + '\n';
    return text;
}

Message object(const Message& content)
{
    return head(0).message(moving_object, Message().message(1, id(1)).raw(content.str()));
}

}  // namespace

TEST_CASE("the rules of OSI 3.8.0 are all of kinds that are checked, as the documentation says")
{
    const auto set = ositrace::test::schema_380();
    if (set.empty()) {
        WARN("skipped: no descriptor set with comments");
        return;
    }
    std::map<RuleKind, int> counts;
    const auto rules = RuleSet::load(set);
    for (const auto& rule : rules->rules()) ++counts[rule.kind];
    CHECK(rules->osi_version() == "3.8.0");
    CHECK(counts.count(RuleKind::unknown) == 0);

    const auto page = read_file(ositrace::test::source_folder() / "docs/check.md");
    int total = 0;
    for (const auto& [kind, count] : counts) {
        std::ostringstream row;
        row << "| `" << name_of(kind) << "` | " << count << " / " << count << " |";
        INFO(row.str());
        CHECK(page.find(row.str()) != std::string::npos);
        total += count;
    }
    std::ostringstream sum;
    sum << "| all | " << total << " / " << total << " |";
    INFO(sum.str());
    CHECK(page.find(sum.str()) != std::string::npos);
}

TEST_CASE("rules keep their meaning as text")
{
    const std::string text =
        "version: 3.8.0\n"
        "Timestamp.nanos: is_less_than_or_equal_to: 999999999\n"
        "SensorView.host_vehicle_id: refers_to: MovingObject\n"
        "MovingObject.VehicleClassification.trailer_id: check_if this.has_trailer is_equal_to true else do_check "
        "is_set\n"
        "LaneBoundary.boundary_line: first_element width is_equal_to 0.13\n";
    const auto rules = RuleSet::from_text(text);
    CHECK(rules->to_text() == text);
    REQUIRE(rules->rules().size() == 4);
    CHECK(rules->rules()[0].id == "asam.net:osi:3.8.0:osirules.timestamp.nanos.is_less_than_or_equal_to_999999999");
    CHECK(rules->rules()[1].id == "asam.net:osi:3.8.0:osirules.sensorview.host_vehicle_id.refers_to_movingobject");
    CHECK(rules->rules()[2].id ==
          "asam.net:osi:3.8.0:osirules.movingobject.vehicleclassification.trailer_id."
          "check_if_is_equal_to_true_target_this_has_trailer_do_check_is_set");
    CHECK(rules->rules()[3].id ==
          "asam.net:osi:3.8.0:osirules.laneboundary.boundary_line.first_element_width_is_equal_to_0_13");
    CHECK(RuleSet::from_text("A.b: is_bigger_than: 3\n")->rules()[0].kind == RuleKind::unknown);
    CHECK_THROWS_WITH(RuleSet::from_text("# a comment\nnonsense\n"), "line 2: expected Message.field: rule");
}

TEST_CASE("a field that must be set is missed")
{
    CHECK(findings_of("GroundTruth.country_code: is_set\n", head(0)) ==
          "osirules.groundtruth.country_code.is_set: country_code: is not set\n");
    CHECK(findings_of("GroundTruth.country_code: is_set\n", head(0).varint(13, 276)).empty());
    CHECK(findings_of("GroundTruth.lane: is_set\n", head(0)).empty());  // a list may be empty
}

TEST_CASE("numbers are compared")
{
    const auto frame_at = [](std::uint64_t nanos) {
        return Message().message(1, version(3, 8, 0)).message(2, Message().varint(1, 0).varint(2, nanos));
    };
    CHECK(findings_of("Timestamp.nanos: is_less_than: 5\n", frame_at(5)) ==
          "osirules.timestamp.nanos.is_less_than_5: timestamp.nanos: found 5, expected is_less_than: 5\n");
    CHECK(findings_of("Timestamp.nanos: is_less_than: 6\n", frame_at(5)).empty());
    CHECK(findings_of("Timestamp.nanos: is_greater_than: 5\n", frame_at(5)).size() > 1);
    CHECK(findings_of("Timestamp.nanos: is_greater_than_or_equal_to: 5\n", frame_at(5)).empty());
    CHECK(findings_of("Timestamp.nanos: is_less_than_or_equal_to: 5\n", frame_at(5)).empty());
    CHECK(findings_of("Timestamp.nanos: is_equal_to: 4\n", frame_at(5)).size() > 1);
    CHECK(findings_of("Timestamp.nanos: is_different_to: 5\n", frame_at(5)).size() > 1);
    CHECK(findings_of("GroundTruth.country_code: is_iso_country_code\n", head(0).varint(13, 276)).empty());
    CHECK(findings_of("GroundTruth.country_code: is_iso_country_code\n", head(0).varint(13, 277)) ==
          "osirules.groundtruth.country_code.is_iso_country_code: country_code: found 277, expected a numeric code of "
          "ISO 3166-1\n");
}

TEST_CASE("a rule on a vector is one on its numbers")
{
    const auto base = Message().message(2, Message().message(2, Message().real(1, 1).real(2, -2).real(3, 3)));
    CHECK(findings_of("BaseMoving.position: is_greater_than_or_equal_to: 0\n", object(base)) ==
          "osirules.basemoving.position.is_greater_than_or_equal_to_0: moving_object[0].base.position: found -2, "
          "expected "
          "is_greater_than_or_equal_to: 0\n");
}

TEST_CASE("a number that is none is one finding, whatever the rules of its field are")
{
    const auto base =
        Message().message(2, Message().message(1, Message().real(1, std::numeric_limits<double>::quiet_NaN())));
    const ScratchFolder folder;
    const auto file = folder / "20210818T150542Z_gt_380_32112_1_x.osi";
    write_file(file, frame(object(base)));
    CheckOptions options;
    options.rules = RuleSet::from_text("Dimension3d.length: is_greater_than_or_equal_to: 0\n");
    const auto result = check_trace(file, options);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].id == "ositrace.alt:osi:3.8.0:value.is_finite");
    CHECK(result.findings[0].field == "moving_object[0].base.dimension.length");
}

TEST_CASE("a version or a time that a top-level message lacks is one finding, and that of an inner one is another")
{
    const ScratchFolder folder;
    const auto file = folder / "20210818T150542Z_sv_380_32112_1_x.osi";
    write_file(file, frame(Message().message(3, id(4)).message(7, Message().message(moving_object, thing(1)))));
    CheckOptions options;
    options.open.type = MessageType::sensor_view;
    options.rules =
        RuleSet::from_text("SensorView.version: is_set\nSensorView.timestamp: is_set\nGroundTruth.version: is_set\n");
    std::string found;
    for (const auto& finding : check_trace(file, options).findings)
        found += finding.id.substr(finding.id.rfind(':') + 1) + ' ' + finding.field + '\n';
    CHECK(found ==
          "timestamp.is_set timestamp\ndeserialization.version_is_set version\n"
          "osirules.groundtruth.version.is_set global_ground_truth.version\n");
}

TEST_CASE("a condition decides whether a field must be set")
{
    const std::string rule = "MovingObject.vehicle_attributes: check_if this.type is_equal_to 2 else do_check is_set\n";
    CHECK(findings_of(rule, object(Message().varint(3, 2))) ==
          "osirules.movingobject.vehicle_attributes.check_if_is_equal_to_2_target_this_type_do_check_is_set: "
          "moving_object[0].vehicle_attributes: "
          "is not set, and type is 2\n");
    CHECK(findings_of(rule, object(Message().varint(3, 3))).empty());
    CHECK(findings_of(rule, object(Message())).empty());  // a type that is not set fulfils no condition
}

TEST_CASE("two conditions that bound a field are one range")
{
    const std::string rules =
        "MovingObject.vehicle_attributes: check_if this.type is_greater_than_or_equal_to 2 else do_check is_set\n"
        "MovingObject.vehicle_attributes: check_if this.type is_less_than_or_equal_to 4 else do_check is_set\n";
    CHECK_FALSE(findings_of(rules, object(Message().varint(3, 3))).empty());
    CHECK(findings_of(rules, object(Message().varint(3, 1))).empty());
    CHECK(findings_of(rules, object(Message().varint(3, 5))).empty());
}

TEST_CASE("ids must be unique and must refer to what the rule says")
{
    const auto twice = head(0).message(moving_object, thing(1)).message(stationary_object, thing(1));
    CHECK(findings_of("StationaryObject.id: is_globally_unique\nMovingObject.id: is_globally_unique\n", twice) ==
          "osirules.movingobject.id.is_globally_unique: moving_object[0].id: id 1 is already used in this frame by a "
          "StationaryObject\n");
    CHECK(findings_of("GroundTruth.host_vehicle_id: refers_to: MovingObject\n",
                      head(0).message(host_vehicle, id(3)).message(lane, thing(3))) ==
          "osirules.groundtruth.host_vehicle_id.refers_to_movingobject: host_vehicle_id: id 3 is a Lane, expected a "
          "MovingObject\n");
}

TEST_CASE("the ends of a list follow their rules")
{
    const auto point = [](double width) { return Message().real(2, width); };
    const auto boundary = thing(2).message(2, point(0.13)).message(2, point(0.5));
    const std::string rules =
        "LaneBoundary.boundary_line: first_element width is_equal_to 0.13\n"
        "LaneBoundary.boundary_line: last_element width is_equal_to 0.13\n"
        "LaneBoundary.boundary_line: minimum_length: 3\n";
    CHECK(findings_of(rules, head(0).message(lane_boundary, boundary)) ==
          "osirules.laneboundary.boundary_line.last_element_width_is_equal_to_0_13: lane_boundary[0].boundary_line[1]: "
          "found 0.5, expected "
          "last_element width is_equal_to 0.13\n"
          "osirules.laneboundary.boundary_line.minimum_length_3: lane_boundary[0].boundary_line: has 2 elements, "
          "expected minimum_length: "
          "3\n");
}
