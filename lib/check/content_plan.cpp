// SPDX-License-Identifier: MPL-2.0
#include "lib/check/content_check.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace ositrace {

namespace {

/// The references of OSI 3.8.0 and earlier releases, by name.
struct ReferenceRow {
    std::string_view message;
    std::string_view field;
    Kind kind;
    std::string_view target;
};

constexpr std::string_view a_sensor = "(sensor)";

constexpr std::array references{
    ReferenceRow{"GroundTruth", "host_vehicle_id", Kind::reference_host_vehicle, "MovingObject"},
    ReferenceRow{"SensorView", "host_vehicle_id", Kind::reference_host_vehicle, "MovingObject"},
    ReferenceRow{"MovingObject.VehicleClassification", "trailer_id", Kind::reference_object, "MovingObject"},
    ReferenceRow{"MovingObject", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"MovingObject.MovingObjectClassification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"StationaryObject.Classification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"TrafficSign.MainSign.Classification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"TrafficSign.SupplementarySign.Classification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"TrafficSign.SupplementarySign.Classification.Arrow", "lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"RoadMarking.Classification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"TrafficLight.Classification", "assigned_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"Lane.Classification", "left_adjacent_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"Lane.Classification", "right_adjacent_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"Lane.Classification.LanePairing", "antecessor_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"Lane.Classification.LanePairing", "successor_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"Lane.Classification", "right_lane_boundary_id", Kind::reference_lane_boundary, "LaneBoundary"},
    ReferenceRow{"Lane.Classification", "left_lane_boundary_id", Kind::reference_lane_boundary, "LaneBoundary"},
    ReferenceRow{"Lane.Classification", "free_lane_boundary_id", Kind::reference_lane_boundary, "LaneBoundary"},
    ReferenceRow{"LaneBoundary.Classification", "limiting_structure_id", Kind::reference_object, "StationaryObject"},
    ReferenceRow{"LogicalLaneAssignment", "assigned_lane_id", Kind::reference_logical_lane, "LogicalLane"},
    ReferenceRow{"LogicalLane", "reference_line_id", Kind::reference_logical_lane, "ReferenceLine"},
    ReferenceRow{"LogicalLane", "right_boundary_id", Kind::reference_logical_lane, "LogicalLaneBoundary"},
    ReferenceRow{"LogicalLane", "left_boundary_id", Kind::reference_logical_lane, "LogicalLaneBoundary"},
    ReferenceRow{"LogicalLane.PhysicalLaneReference", "physical_lane_id", Kind::reference_lane, "Lane"},
    ReferenceRow{"LogicalLane.LaneConnection", "other_lane_id", Kind::reference_logical_lane, "LogicalLane"},
    ReferenceRow{"LogicalLane.LaneRelation", "other_lane_id", Kind::reference_logical_lane, "LogicalLane"},
    ReferenceRow{"LogicalLaneBoundary", "reference_line_id", Kind::reference_logical_lane, "ReferenceLine"},
    ReferenceRow{"LogicalLaneBoundary", "physical_boundary_id", Kind::reference_lane_boundary, "LaneBoundary"},
    ReferenceRow{"DetectedItemHeader", "ground_truth_id", Kind::reference_object, ""},
    ReferenceRow{"DetectedItemHeader", "sensor_id", Kind::reference_sensor, a_sensor},
    ReferenceRow{"LogicalDetection", "sensor_id", Kind::reference_sensor, a_sensor},
    ReferenceRow{"LogicalDetectionDataHeader", "sensor_id", Kind::reference_sensor, a_sensor},
};

/// Messages with positions, sizes, orientations and velocities: all of their numbers must be finite. Other numbers may
/// be infinite: the level of no signal in dB, an unlimited range or speed limit.
constexpr std::array<std::string_view, 8> geometry{
    "Vector2d",
    "Vector3d",
    "Dimension3d",
    "Orientation3d",
    "GeodeticPosition",
    "LaneBoundary.BoundaryPoint",
    "LogicalLaneBoundary.LogicalBoundaryPoint",
    "ReferenceLine.ReferenceLinePoint",
};

/// A ray that hits nothing has no normal. A frame has up to a million rays: they are skipped unless a rule needs them.
constexpr std::string_view a_ray = "LidarSensorView.Reflection";

bool is_identifier(const FieldRow& row) { return row.child && name_in_package(*row.child) == "Identifier"; }

std::optional<ReferencePlan> reference_of(std::string_view message, const FieldRow& row)
{
    if (!is_identifier(row)) return std::nullopt;
    const auto* const found = std::ranges::find_if(
        references, [&](const ReferenceRow& r) { return r.message == message && r.field == row.name; });
    if (found == references.end()) return std::nullopt;
    const bool sensor = found->target == a_sensor;
    return ReferencePlan{found->kind, sensor ? std::string_view{} : found->target, sensor, nullptr};
}

/// A `sensor_id` in a message that describes a sensor is the id of that sensor.
bool defines_sensor(std::string_view message, const FieldRow& row, const std::optional<ReferencePlan>& reference)
{
    return row.name == "sensor_id" && !row.repeated && is_identifier(row) && !reference &&
           message != "SensorViewConfiguration";
}

/// An unsigned number is never below 0: ids and counters are not visited for that.
bool always_holds(const Rule& rule, const FieldRow& row)
{
    const bool is_unsigned = row.kind == FieldKind::uint32 || row.kind == FieldKind::uint64;
    return is_unsigned && rule.kind == RuleKind::is_greater_than_or_equal_to && rule.number <= 0;
}

int direction_of(RuleKind comparison)
{
    using enum RuleKind;
    if (comparison == is_greater_than || comparison == is_greater_than_or_equal_to) return 1;
    return comparison == is_less_than || comparison == is_less_than_or_equal_to ? -1 : 0;
}

bool are_range(const Rule& one, const Rule& other)
{
    return one.kind == RuleKind::check_if && other.kind == RuleKind::check_if &&
           one.condition_field == other.condition_field &&
           direction_of(one.condition) * direction_of(other.condition) == -1;
}

void add_rule(FieldPlan& field, const Rule& rule, const MessageTable& table)
{
    if (!field.rules.empty() && !field.rules.back().and_if && are_range(*field.rules.back().rule, rule)) {
        field.rules.back().and_if = &rule;
        return;
    }
    field.rules.push_back(
        {&rule, rule.kind == RuleKind::check_if ? table.find(rule.condition_field) : nullptr, nullptr});
}

bool is_checked(const FieldPlan& field)
{
    return field.child || !field.rules.empty() || field.reference || field.defines_sensor || field.finite;
}

bool has_rules(const TablePlan& table)
{
    return std::ranges::any_of(table.fields, [](const FieldPlan& f) { return !f.rules.empty(); });
}

}  // namespace

std::string_view name_in_package(const MessageTable& table) noexcept
{
    return table.full_name.substr(table.full_name.find('.') + 1);
}

ContentPlan::ContentPlan(const Schema& schema, const MessageTable& root, const RuleSet* rules, bool is_map)
{
    for (const auto& table : schema.messages()) tables_.emplace(table.get(), std::make_unique<TablePlan>());
    for (const auto& table : schema.messages()) plan_table(*table, rules);
    drop_set_rules(*tables_.at(&root), is_map);
    prune();
    root_ = tables_.at(&root).get();
}

/// A missing version or timestamp of a top-level message is a finding of its own: the rule would report it again. A map
/// has no host.
void ContentPlan::drop_set_rules(TablePlan& root, bool is_map)
{
    for (auto& field : root.fields)
        if (field.row->name == "version" || field.row->name == "timestamp" ||
            (is_map && field.row->name == "host_vehicle_id"))
            std::erase_if(field.rules, [](const RulePlan& rule) { return rule.rule->kind == RuleKind::is_set; });
}

void ContentPlan::plan_table(const MessageTable& table, const RuleSet* rules)
{
    auto& plan = *tables_.at(&table);
    const auto name = name_in_package(table);
    plan.table = &table;
    plan.ground_truth = name == "GroundTruth";
    plan.numbers = std::ranges::find(geometry, name) != geometry.end();
    for (const auto& row : table.fields) {
        FieldPlan field;
        field.row = &row;
        if (row.child) field.child = tables_.at(row.child).get();
        field.reference = reference_of(name, row);
        field.defines_sensor = defines_sensor(name, row, field.reference);
        field.finite =
            plan.numbers && !row.repeated && (row.kind == FieldKind::double_ || row.kind == FieldKind::float_);
        if (row.name == "id" && !row.repeated && is_identifier(row)) plan.id = &row;
        if (row.name == "type" && name == "MovingObject") plan.type = &row;
        plan.fields.push_back(std::move(field));
    }
    if (rules != nullptr) plan_rules(plan, *rules);
}

void ContentPlan::plan_rules(TablePlan& plan, const RuleSet& rules) const
{
    const auto name = name_in_package(*plan.table);
    for (const auto& rule : rules.rules()) {
        if (rule.message != name || rule.kind == RuleKind::unknown) continue;
        const auto field =
            std::ranges::find_if(plan.fields, [&](const FieldPlan& f) { return f.row->name == rule.field; });
        if (field == plan.fields.end()) continue;
        if (rule.kind == RuleKind::is_globally_unique) {
            if (field->row == plan.id) plan.unique = &rule;
        } else if (rule.kind == RuleKind::refers_to) {
            if (!is_identifier(*field->row)) continue;
            field->reference = ReferencePlan{field->reference ? field->reference->kind : Kind::reference_object,
                                             rule.target, false, &rule};
        } else if (!always_holds(rule, *field->row)) {
            add_rule(*field, rule, *plan.table);
        }
    }
}

/// Removes tables that lead to no check. Repeats until nothing changes, because tables may contain each other.
void ContentPlan::prune()
{
    std::set<const TablePlan*> kept;
    const auto leads_on = [&](const TablePlan& from, const FieldPlan& field) {
        return kept.contains(field.child) && (name_in_package(*from.table) != a_ray || has_rules(*field.child));
    };
    const auto wanted = [](const TablePlan& table) {
        return table.id != nullptr || table.ground_truth || std::ranges::any_of(table.fields, [](const FieldPlan& f) {
                   return !f.rules.empty() || f.reference || f.defines_sensor || f.finite;
               });
    };
    for (std::size_t before = ~std::size_t{0}; before != kept.size();) {
        before = kept.size();
        for (const auto& [table, plan] : tables_) {
            const auto leads_on_from = [&, &from = *plan](const FieldPlan& field) { return leads_on(from, field); };
            if (wanted(*plan) || std::ranges::any_of(plan->fields, leads_on_from)) kept.insert(plan.get());
        }
    }
    for (const auto& [table, plan] : tables_) {
        for (auto& field : plan->fields)
            if (!leads_on(*plan, field)) field.child = nullptr;
        std::erase_if(plan->fields, [](const FieldPlan& f) { return !is_checked(f); });
    }
}

}  // namespace ositrace
