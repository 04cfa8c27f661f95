// SPDX-License-Identifier: MPL-2.0
// The tables with columns of fixed names, as data.
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <ositrace/error.hpp>
#include <ositrace/table.hpp>

#include "lib/table/plan.hpp"

namespace ositrace {

using table::FrameFact;
using table::none;
using table::Output;
using table::PlanBuilder;

namespace {

/// Where rows come from, in any type of message that has the path; `kind` in the table.
struct RowSource {
    std::string_view kind;
    std::string_view path;
};

enum class NamedMake : std::uint8_t { fact, kind, field, optional_field, list, speed, is_host, name, lane, point };

/// Alternatives from a row on; those that exist in its type count, in this order. `^`: from the element around the row.
struct NamedColumn {
    std::string_view name;
    std::string_view unit;
    NamedMake make = NamedMake::field;
    FieldKind kind = FieldKind::double_;
    std::array<std::string_view, 4> paths{};
};

constexpr auto id_kind = FieldKind::uint64;
constexpr auto enum_kind = FieldKind::enumeration;

constexpr NamedColumn fact(std::string_view name, std::string_view unit) { return {name, unit, NamedMake::fact}; }
constexpr NamedColumn real(std::string_view name, std::string_view unit, std::string_view path,
                           std::string_view other = {})
{
    return {name, unit, NamedMake::field, FieldKind::double_, {path, other}};
}
constexpr NamedColumn list(std::string_view name, std::string_view unit, FieldKind kind, std::string_view path,
                           std::string_view other = {})
{
    return {name, unit, NamedMake::list, kind, {path, other}};
}

constexpr auto frame_column = fact("frame", "");
constexpr auto time_column = fact("time", "s");
constexpr auto time_ns_column = fact("time_ns", "ns");
constexpr NamedColumn id_column{"id", "", NamedMake::field, id_kind, {"id.value", "header.tracking_id.value"}};
constexpr NamedColumn kind_column{"kind", "", NamedMake::kind, enum_kind};
constexpr NamedColumn ground_truth_id_column{
    "ground_truth_id", "", NamedMake::optional_field, id_kind, {"header.ground_truth_id[0].value"}};

constexpr std::array object_sources{RowSource{"moving_object", "moving_object[*]"},
                                    RowSource{"moving_object", "global_ground_truth.moving_object[*]"},
                                    RowSource{"moving_object", "moving_object_update[*]"},
                                    RowSource{"moving_object", "update[*]"},
                                    RowSource{"stationary_object", "stationary_object[*]"},
                                    RowSource{"stationary_object", "global_ground_truth.stationary_object[*]"},
                                    RowSource{"stationary_object", "stationary_object_update[*]"}};
constexpr std::array object_columns{
    frame_column,
    time_column,
    time_ns_column,
    id_column,
    kind_column,
    NamedColumn{"type",
                "",
                NamedMake::field,
                enum_kind,
                {"type", "classification.type", "candidate[0].type", "candidate[0].classification.type"}},
    NamedColumn{"name", "", NamedMake::name, FieldKind::string, {"source_reference"}},
    real("x", "m", "base.position.x"),
    real("y", "m", "base.position.y"),
    real("z", "m", "base.position.z"),
    real("roll", "rad", "base.orientation.roll"),
    real("pitch", "rad", "base.orientation.pitch"),
    real("yaw", "rad", "base.orientation.yaw"),
    real("vx", "m/s", "base.velocity.x"),
    real("vy", "m/s", "base.velocity.y"),
    real("vz", "m/s", "base.velocity.z"),
    NamedColumn{"speed",
                "m/s",
                NamedMake::speed,
                FieldKind::double_,
                {"base.velocity.x", "base.velocity.y", "base.velocity.z"}},
    real("ax", "m/s^2", "base.acceleration.x"),
    real("ay", "m/s^2", "base.acceleration.y"),
    real("az", "m/s^2", "base.acceleration.z"),
    real("length", "m", "base.dimension.length"),
    real("width", "m", "base.dimension.width"),
    real("height", "m", "base.dimension.height"),
    NamedColumn{"lane_id",
                "",
                NamedMake::field,
                id_kind,
                {"moving_object_classification.assigned_lane_id[0].value", "assigned_lane_id[0].value",
                 "classification.assigned_lane_id[0].value",
                 "candidate[0].moving_object_classification.assigned_lane_id[0].value"}},
    NamedColumn{"brake_light",
                "",
                NamedMake::field,
                enum_kind,
                {"vehicle_classification.light_state.brake_light_state",
                 "candidate[0].vehicle_classification.light_state.brake_light_state"}},
    NamedColumn{"indicator",
                "",
                NamedMake::field,
                enum_kind,
                {"vehicle_classification.light_state.indicator_state",
                 "candidate[0].vehicle_classification.light_state.indicator_state"}},
    ground_truth_id_column,
    NamedColumn{"is_host", "", NamedMake::is_host, FieldKind::bool_},
    NamedColumn{"s", "m", NamedMake::lane},
    NamedColumn{"t", "m", NamedMake::lane},
    NamedColumn{"logical_lane_id", "", NamedMake::lane, id_kind},
    NamedColumn{"physical_lane_id", "", NamedMake::lane, id_kind},
    NamedColumn{"reference_line_id", "", NamedMake::lane, id_kind},
};
/// The names above in the order of LaneValue.
constexpr std::array<std::string_view, 5> lane_names{"s", "t", "logical_lane_id", "physical_lane_id",
                                                     "reference_line_id"};
/// A column of LaneSources.
struct LaneSourceRow {
    std::size_t table::LaneSources::* column;
    NamedColumn from;
};
constexpr std::array lane_source_rows{
    LaneSourceRow{&table::LaneSources::x, real("x", "m", "base.position.x")},
    LaneSourceRow{&table::LaneSources::y, real("y", "m", "base.position.y")},
    LaneSourceRow{&table::LaneSources::z, real("z", "m", "base.position.z")},
    LaneSourceRow{&table::LaneSources::lane,
                  {"lane",
                   "",
                   NamedMake::field,
                   id_kind,
                   {"moving_object_classification.logical_lane_assignment[0].assigned_lane_id.value",
                    "classification.logical_lane_assignment[0].assigned_lane_id.value"}}},
    LaneSourceRow{&table::LaneSources::s,
                  real("s", "m", "moving_object_classification.logical_lane_assignment[0].s_position",
                       "classification.logical_lane_assignment[0].s_position")},
    LaneSourceRow{&table::LaneSources::t,
                  real("t", "m", "moving_object_classification.logical_lane_assignment[0].t_position",
                       "classification.logical_lane_assignment[0].t_position")},
};

constexpr std::array lane_sources{RowSource{"lane", "lane[*]"}, RowSource{"lane", "global_ground_truth.lane[*]"}};
constexpr std::array lane_columns{
    frame_column,
    time_column,
    time_ns_column,
    id_column,
    NamedColumn{"type", "", NamedMake::field, enum_kind, {"classification.type", "candidate[0].classification.type"}},
    NamedColumn{
        "subtype", "", NamedMake::field, enum_kind, {"classification.subtype", "candidate[0].classification.subtype"}},
    NamedColumn{"is_host_lane",
                "",
                NamedMake::field,
                FieldKind::bool_,
                {"classification.is_host_vehicle_lane", "candidate[0].classification.is_host_vehicle_lane"}},
    NamedColumn{"is_driving_direction",
                "",
                NamedMake::field,
                FieldKind::bool_,
                {"classification.centerline_is_driving_direction",
                 "candidate[0].classification.centerline_is_driving_direction"}},
    list("centerline_x", "m", FieldKind::double_, "classification.centerline[*].x",
         "candidate[0].classification.centerline[*].x"),
    list("centerline_y", "m", FieldKind::double_, "classification.centerline[*].y",
         "candidate[0].classification.centerline[*].y"),
    list("centerline_z", "m", FieldKind::double_, "classification.centerline[*].z",
         "candidate[0].classification.centerline[*].z"),
    list("left_lane_ids", "", id_kind, "classification.left_adjacent_lane_id[*].value",
         "candidate[0].classification.left_adjacent_lane_id[*].value"),
    list("right_lane_ids", "", id_kind, "classification.right_adjacent_lane_id[*].value",
         "candidate[0].classification.right_adjacent_lane_id[*].value"),
    list("left_boundary_ids", "", id_kind, "classification.left_lane_boundary_id[*].value",
         "candidate[0].classification.left_lane_boundary_id[*].value"),
    list("right_boundary_ids", "", id_kind, "classification.right_lane_boundary_id[*].value",
         "candidate[0].classification.right_lane_boundary_id[*].value"),
    ground_truth_id_column,
};

constexpr std::array light_sources{RowSource{"traffic_light", "traffic_light[*]"},
                                   RowSource{"traffic_light", "global_ground_truth.traffic_light[*]"},
                                   RowSource{"traffic_light", "traffic_light_update[*]"}};
constexpr std::array light_columns{
    frame_column,
    time_column,
    time_ns_column,
    id_column,
    real("x", "m", "base.position.x"),
    real("y", "m", "base.position.y"),
    real("z", "m", "base.position.z"),
    real("roll", "rad", "base.orientation.roll"),
    real("pitch", "rad", "base.orientation.pitch"),
    real("yaw", "rad", "base.orientation.yaw"),
    real("length", "m", "base.dimension.length"),
    real("width", "m", "base.dimension.width"),
    real("height", "m", "base.dimension.height"),
    NamedColumn{
        "color", "", NamedMake::field, enum_kind, {"classification.color", "candidate[0].classification.color"}},
    NamedColumn{"icon", "", NamedMake::field, enum_kind, {"classification.icon", "candidate[0].classification.icon"}},
    NamedColumn{"mode", "", NamedMake::field, enum_kind, {"classification.mode", "candidate[0].classification.mode"}},
    real("counter", "s", "classification.counter", "candidate[0].classification.counter"),
    NamedColumn{"is_out_of_service",
                "",
                NamedMake::field,
                FieldKind::bool_,
                {"classification.is_out_of_service", "candidate[0].classification.is_out_of_service"}},
    NamedColumn{"lane_id",
                "",
                NamedMake::field,
                id_kind,
                {"classification.assigned_lane_id[0].value", "candidate[0].classification.assigned_lane_id[0].value"}},
    ground_truth_id_column,
};

constexpr std::array sign_sources{RowSource{"traffic_sign", "traffic_sign[*]"},
                                  RowSource{"traffic_sign", "global_ground_truth.traffic_sign[*]"},
                                  RowSource{"traffic_sign", "traffic_sign_update[*]"}};
constexpr std::array sign_columns{
    frame_column,
    time_column,
    time_ns_column,
    id_column,
    NamedColumn{"type",
                "",
                NamedMake::field,
                enum_kind,
                {"main_sign.classification.type", "main_sign.candidate[0].classification.type"}},
    real("x", "m", "main_sign.base.position.x"),
    real("y", "m", "main_sign.base.position.y"),
    real("z", "m", "main_sign.base.position.z"),
    real("roll", "rad", "main_sign.base.orientation.roll"),
    real("pitch", "rad", "main_sign.base.orientation.pitch"),
    real("yaw", "rad", "main_sign.base.orientation.yaw"),
    real("length", "m", "main_sign.base.dimension.length"),
    real("width", "m", "main_sign.base.dimension.width"),
    real("height", "m", "main_sign.base.dimension.height"),
    real("value", "", "main_sign.classification.value.value", "main_sign.candidate[0].classification.value.value"),
    NamedColumn{
        "value_unit",
        "",
        NamedMake::field,
        enum_kind,
        {"main_sign.classification.value.value_unit", "main_sign.candidate[0].classification.value.value_unit"}},
    NamedColumn{"text",
                "",
                NamedMake::field,
                FieldKind::string,
                {"main_sign.classification.value.text", "main_sign.candidate[0].classification.value.text"}},
    NamedColumn{"country",
                "",
                NamedMake::field,
                FieldKind::string,
                {"main_sign.classification.country", "main_sign.candidate[0].classification.country"}},
    NamedColumn{"code",
                "",
                NamedMake::field,
                FieldKind::string,
                {"main_sign.classification.code", "main_sign.candidate[0].classification.code"}},
    NamedColumn{"sub_code",
                "",
                NamedMake::field,
                FieldKind::string,
                {"main_sign.classification.sub_code", "main_sign.candidate[0].classification.sub_code"}},
    NamedColumn{"lane_id",
                "",
                NamedMake::field,
                id_kind,
                {"main_sign.classification.assigned_lane_id[0].value",
                 "main_sign.candidate[0].classification.assigned_lane_id[0].value"}},
    ground_truth_id_column,
};

constexpr std::array point_columns{NamedColumn{"x", "m", NamedMake::point}, NamedColumn{"y", "m", NamedMake::point},
                                   NamedColumn{"z", "m", NamedMake::point}};
/// A column of PointSources; of reflections the angles are those of a radar.
struct PointSourceRow {
    std::size_t table::PointSources::* column;
    NamedColumn from;
};
constexpr std::array point_source_rows{
    PointSourceRow{&table::PointSources::distance, real("distance", "m", "position.distance")},
    PointSourceRow{&table::PointSources::azimuth,
                   real("azimuth", "rad", "position.azimuth", "source_horizontal_angle")},
    PointSourceRow{&table::PointSources::elevation,
                   real("elevation", "rad", "position.elevation", "source_vertical_angle")},
    PointSourceRow{&table::PointSources::time_of_flight, real("time_of_flight", "s", "time_of_flight")},
};

constexpr std::array reflection_sources{RowSource{"lidar", "lidar_sensor_view[*].reflection[*]"},
                                        RowSource{"radar", "radar_sensor_view[*].reflection[*]"}};
constexpr std::array reflection_columns{
    frame_column,
    time_column,
    time_ns_column,
    kind_column,
    NamedColumn{"sensor_id", "", NamedMake::field, id_kind, {"^view_configuration.sensor_id.value"}},
    real("signal_strength", "dB", "signal_strength"),
    real("time_of_flight", "s", "time_of_flight"),
    real("doppler_shift", "Hz", "doppler_shift"),
    real("normal_x", "", "normal_to_surface.x"),
    real("normal_y", "", "normal_to_surface.y"),
    real("normal_z", "", "normal_to_surface.z"),
    NamedColumn{"object_id", "", NamedMake::field, id_kind, {"object_id.value"}},
    real("horizontal_angle", "rad", "source_horizontal_angle"),
    real("vertical_angle", "rad", "source_vertical_angle"),
    point_columns[0],
    point_columns[1],
    point_columns[2],
};

constexpr std::array detection_sources{RowSource{"lidar", "feature_data.lidar_sensor[*].detection[*]"},
                                       RowSource{"radar", "feature_data.radar_sensor[*].detection[*]"},
                                       RowSource{"ultrasonic", "feature_data.ultrasonic_sensor[*].detection[*]"},
                                       RowSource{"camera", "feature_data.camera_sensor[*].detection[*]"}};
constexpr std::array detection_columns{
    frame_column,
    time_column,
    time_ns_column,
    kind_column,
    NamedColumn{"sensor_id", "", NamedMake::field, id_kind, {"^header.sensor_id.value"}},
    NamedColumn{"object_id", "", NamedMake::field, id_kind, {"object_id.value"}},
    real("existence_probability", "", "existence_probability"),
    real("distance", "m", "position.distance"),
    real("azimuth", "rad", "position.azimuth"),
    real("elevation", "rad", "position.elevation"),
    real("radial_velocity", "m/s", "radial_velocity"),
    real("intensity", "", "intensity"),
    real("rcs", "dB m^2", "rcs"),
    real("snr", "dB", "snr"),
    NamedColumn{"classification", "", NamedMake::field, enum_kind, {"classification"}},
    point_columns[0],
    point_columns[1],
    point_columns[2],
};

struct NamedTable {
    std::string_view name;
    std::span<const RowSource> sources;
    std::span<const NamedColumn> columns;
};

/// The tables, in the order of the enum.
constexpr std::array named_tables{
    NamedTable{"objects", object_sources, object_columns},
    NamedTable{"lanes", lane_sources, lane_columns},
    NamedTable{"traffic lights", light_sources, light_columns},
    NamedTable{"traffic signs", sign_sources, sign_columns},
    NamedTable{"reflections", reflection_sources, reflection_columns},
    NamedTable{"detections", detection_sources, detection_columns},
};

std::optional<FieldPath> path_if_any(const MessageTable& root, const std::string& text)
{
    try {
        return FieldPath::compile(root, text);
    } catch (const Error&) {
        return std::nullopt;  // another type or release of OSI
    }
}

/// Is the value 0 where its message is there without it? That of an identifier is; and a component of a vector or an
/// orientation of the ground truth, because many writers omit what is 0. A sensor that omits one has not measured it.
bool may_omit_zero(const FieldPath& path, const MessageTable& root)
{
    const auto& steps = path.steps();
    if (path.leaf().kind == id_kind) return true;
    if (steps.size() < 2 || (root.full_name != "osi3.GroundTruth" && root.full_name != "osi3.SensorView")) return false;
    const auto& around = steps[steps.size() - 2].field->child->full_name;
    return around == "osi3.Vector3d" || around == "osi3.Orientation3d";
}

/// The path of an alternative from the root on.
std::string full_path(const RowSource& source, std::string_view alternative)
{
    auto rows = source.path;
    if (alternative.starts_with('^')) {
        rows = rows.substr(0, rows.rfind('.'));
        alternative.remove_prefix(1);
    }
    return std::string(rows) + '.' + std::string(alternative);
}

/// The sources that a type of message has.
std::vector<RowSource> sources_in(const NamedTable& table, const MessageTable& root)
{
    std::vector<RowSource> found;
    for (const auto& source : table.sources)
        if (path_if_any(root, std::string(source.path))) found.push_back(source);
    return found;
}

bool is_left_out(const NamedColumn& column, std::span<const RowSource> sources, const MessageTable& root,
                 const NamedTableOptions& options)
{
    if (column.make == NamedMake::lane) return !options.lane_frame;
    if (column.make == NamedMake::point) return !options.point_frame;
    return column.make == NamedMake::optional_field && std::ranges::none_of(sources, [&](const RowSource& source) {
               return path_if_any(root, full_path(source, column.paths.front())).has_value();
           });
}

/// Columns that depend on where one looks from; the second group is the orientation.
constexpr std::array relative_groups{
    std::array<std::string_view, 3>{"x", "y", "z"}, std::array<std::string_view, 3>{"roll", "pitch", "yaw"},
    std::array<std::string_view, 3>{"vx", "vy", "vz"}, std::array<std::string_view, 3>{"ax", "ay", "az"}};

/// nullptr: the column is the same for everybody.
const std::array<std::string_view, 3>* relative_group_of(std::string_view name)
{
    for (const auto& group : relative_groups)
        if (std::ranges::find(group, name) != group.end()) return &group;
    return nullptr;
}

/// Builds one named table.
class NamedPlan {
public:
    NamedPlan(const NamedTable& table, TablePlan::Implementation& plan, const NamedTableOptions& options)
        : table_(table), plan_(plan), options_(options), sources_(sources_in(table, *plan.root)), builder_(*plan.root)
    {
        if (sources_.empty())
            throw Error(Cause::usage, std::string(plan.root->full_name) + " has no " + std::string(table.name));
        builder_.pick_most_probable();
        make_rows();
    }
    void add(const NamedColumn& column);
    [[nodiscard]] bool has(const NamedColumn& column) const
    {
        return !is_left_out(column, sources_, *plan_.root, options_);
    }
    void finish()
    {
        plan_.keeps_empty = false;
        plan_.take(std::move(builder_));
    }

private:
    void make_rows();
    void add_alternatives(const NamedColumn& column, Output& output);
    void add_one_each(const NamedColumn& column, Output& output);
    std::vector<std::size_t> host_ids();
    void add_relative(std::span<const std::string_view> group, std::string_view name, Output& output);
    void add_name(const NamedColumn& column, Output& output);
    void add_lane(Output& output);
    void add_point(Output& output);

    const NamedTable& table_;
    TablePlan::Implementation& plan_;
    NamedTableOptions options_;
    std::vector<RowSource> sources_;
    PlanBuilder builder_;
};

void NamedPlan::make_rows()
{
    const auto stars = std::ranges::count(sources_.front().path, '*');
    std::size_t level = 0;
    std::vector<std::size_t> levels;
    for (auto i = 0; i != stars; ++i) levels.push_back(level = builder_.add_level(level));
    plan_.row_level = level;
    plan_.source_column = builder_.add_column(enum_kind, nullptr, level);
    builder_.share_rows(std::move(levels), plan_.source_column);
    for (std::size_t tree = 1; tree != sources_.size(); ++tree) builder_.trees.emplace_back(*plan_.root);
    // A row is there whatever is read of it.
    for (std::size_t tree = 0; tree != sources_.size(); ++tree)
        builder_.add_elements(*path_if_any(*plan_.root, std::string(sources_[tree].path)), tree);
}

/// As people read it: which candidate is picked.
std::string shown_path(std::string path)
{
    constexpr std::string_view index = "candidate[0]";
    if (const auto place = path.find(index); place != std::string::npos)
        path.replace(place, index.size(), "candidate[most probable]");
    return path;
}

/// A column of the store per alternative that a source has: the first one of each source shares the first column.
void NamedPlan::add_alternatives(const NamedColumn& column, Output& output)
{
    output.enums.resize(sources_.size());
    for (std::size_t tree = 0; tree != sources_.size(); ++tree) {
        std::size_t place = 0;
        for (const auto alternative : column.paths) {
            if (alternative.empty()) break;
            const auto path = path_if_any(*plan_.root, full_path(sources_[tree], alternative));
            if (!path || path->leaf().kind != column.kind) continue;
            const bool is_new = place == output.columns.size();
            const auto shared = is_new ? none : output.columns[place];
            const auto into = may_omit_zero(*path, *plan_.root) ? builder_.add_or_zero(*path, tree, shared)
                                                                : builder_.add(*path, tree, shared);
            if (is_new) output.columns.push_back(into);
            if (output.path.empty()) output.path = shown_path(path->text());
            output.enums[tree] = path->leaf().enumeration;
            ++place;
        }
    }
    output.make = output.columns.size() > 1 ? Output::Make::first_set : Output::Make::column;
}

/// A column of the store per path.
void NamedPlan::add_one_each(const NamedColumn& column, Output& output)
{
    for (const auto part : column.paths) {
        if (part.empty()) break;
        Output one{.name = {}};
        add_alternatives({column.name, column.unit, NamedMake::field, column.kind, {part}}, one);
        output.columns.insert(output.columns.end(), one.columns.begin(), one.columns.end());
    }
}

/// The column of the id of a row and those that state that of the host vehicle; empty where the type has none.
std::vector<std::size_t> NamedPlan::host_ids()
{
    Output ids{.name = {}};
    add_alternatives(id_column, ids);
    if (ids.columns.size() != 1 || options_.host) return ids.columns;
    for (const auto* const host : {"host_vehicle_id.value", "global_ground_truth.host_vehicle_id.value"})
        if (const auto path = path_if_any(*plan_.root, host)) ids.columns.push_back(builder_.add_or_zero(*path));
    return ids.columns.size() > 1 ? ids.columns : std::vector<std::size_t>();
}

void NamedPlan::add_relative(std::span<const std::string_view> group, std::string_view name, Output& output)
{
    for (const auto names : {group, std::span<const std::string_view>(relative_groups[1])})
        for (const auto part : names) {
            Output one{.name = {}};
            add_alternatives(*std::ranges::find(table_.columns, part, &NamedColumn::name), one);
            output.columns.insert(output.columns.end(), one.columns.begin(), one.columns.end());
        }
    const auto ids = host_ids();
    if (output.columns.size() == 6 && !ids.empty())
        output.columns.insert(output.columns.end(), ids.begin(), ids.end());
    else
        output.columns.clear();
    output.make = Output::Make::relative;
    output.host = options_.host;
    output.axis = static_cast<std::size_t>(std::ranges::find(group, name) - group.begin());
    output.filled = false;  // without a host nothing is 0 m away
}

void NamedPlan::add_name(const NamedColumn& column, Output& output)
{
    for (std::size_t tree = 0; tree != sources_.size(); ++tree) {
        const auto path = path_if_any(*plan_.root, full_path(sources_[tree], column.paths.front()));
        if (!path) continue;
        const auto shared = output.columns.empty() ? none : output.columns.front();
        output.columns = {builder_.add_name(*path, tree, shared)};
        if (output.path.empty()) output.path = path->text();
    }
    output.filled = false;  // without a name nothing is called ""
}

void NamedPlan::add_lane(Output& output)
{
    if (!plan_.lanes) {
        plan_.lanes.emplace();
        for (const auto& row : lane_source_rows) {
            Output one{.name = {}};
            add_alternatives(row.from, one);
            // Of two alternatives a kind of object has one, so that both are one column.
            if (!one.columns.empty()) (*plan_.lanes).*row.column = one.columns.front();
        }
    }
    output.make = Output::Make::lane;
    output.axis = static_cast<std::size_t>(std::ranges::find(lane_names, output.name) - lane_names.begin());
    if (plan_.lanes->x != none) output.columns = {plan_.lanes->x};
    output.filled = false;  // without a lane nothing is at s = 0
}

void NamedPlan::add_point(Output& output)
{
    if (!plan_.points) {
        plan_.points.emplace();
        plan_.points->frame = *options_.point_frame;
        for (const auto& row : point_source_rows) {
            Output one{.name = {}};
            add_alternatives(row.from, one);
            if (!one.columns.empty()) (*plan_.points).*row.column = one.columns.front();
        }
        for (const auto& source : sources_) {
            // `feature_data.lidar_sensor[*].detection[*]`
            const auto list = source.path.substr(0, source.path.find('['));
            const auto dot = list.find('.');
            const bool is_view = dot == std::string_view::npos;
            plan_.points->lists.push_back({.around = std::string(is_view ? std::string_view() : list.substr(0, dot)),
                                           .field = std::string(is_view ? list : list.substr(dot + 1)),
                                           .mounting = is_view ? "view_configuration" : "header",
                                           .has_rays = is_view && source.kind == "lidar"});
        }
    }
    output.make = Output::Make::point;
    output.axis = static_cast<std::size_t>(std::ranges::find(point_columns, output.name, &NamedColumn::name) -
                                           point_columns.begin());
    const auto& points = *plan_.points;
    output.columns = {points.distance != none ? points.distance : points.time_of_flight};
    output.filled = false;  // what was not measured is nowhere
}

void NamedPlan::add(const NamedColumn& column)
{
    Output output{.name = std::string(column.name), .unit = std::string(column.unit), .kind = column.kind};
    output.filled = options_.fill_defaults || column.name == "id";
    switch (column.make) {
    case NamedMake::fact: {
        const auto which = column.name == "frame"  ? FrameFact::index
                           : column.name == "time" ? FrameFact::time
                                                   : FrameFact::time_ns;
        output.columns = {builder_.add(which)};
        output.kind = which == FrameFact::time ? FieldKind::double_ : FieldKind::int64;
        output.filled = options_.fill_defaults && table::is_filled(which, *plan_.root);
        break;
    }
    case NamedMake::kind:
        output.columns = {plan_.source_column};
        for (const auto& source : sources_) output.words.emplace_back(source.kind);
        output.filled = true;
        break;
    case NamedMake::speed:
        add_one_each(column, output);
        output.make = Output::Make::length;
        break;
    case NamedMake::is_host:
        output.columns = host_ids();
        output.make = Output::Make::equal;
        output.host = options_.host;
        break;
    case NamedMake::name: add_name(column, output); break;
    case NamedMake::lane: add_lane(output); break;
    case NamedMake::point: add_point(output); break;
    default:
        if (const auto* const group = options_.relative_to_host ? relative_group_of(column.name) : nullptr)
            add_relative(*group, column.name, output);
        else
            add_alternatives(column, output);
    }
    plan_.outputs.push_back(std::move(output));
}

[[noreturn]] void refuse_column(const std::string& name, const NamedTable& table, const MessageTable& root,
                                std::span<const std::string> names)
{
    std::string known;
    for (const auto& each : names) known.append(known.empty() ? "" : ", ").append(each);
    throw Error(Cause::usage, "the " + std::string(table.name) + " of " + std::string(root.full_name) +
                                  " have no column '" + name + "' (known: " + known + ")");
}

}  // namespace

std::vector<std::string> TablePlan::names(TableKind kind, const MessageTable& root, const NamedTableOptions& options)
{
    const auto& table = named_tables.at(static_cast<std::size_t>(kind));
    const auto sources = sources_in(table, root);
    std::vector<std::string> names;
    for (const auto& column : table.columns)
        if (!sources.empty() && !is_left_out(column, sources, root, options)) names.emplace_back(column.name);
    return names;
}

TablePlan TablePlan::named(TableKind kind, std::shared_ptr<const Schema> schema, const MessageTable& root,
                           std::span<const std::string> wanted, const NamedTableOptions& options)
{
    const auto& table = named_tables.at(static_cast<std::size_t>(kind));
    const auto plan = std::make_shared<Implementation>();
    plan->schema = std::move(schema);
    plan->root = &root;
    if (options.relative_to_host && (kind != TableKind::objects || root.find("host_vehicle_id") == nullptr))
        throw Error(Cause::usage,
                    "the " + std::string(table.name) + " of " + std::string(root.full_name) +
                        " cannot be seen from the host vehicle (objects of GroundTruth and SensorView can)");
    if (options.lane_frame && (kind != TableKind::objects || root.full_name == "osi3.SensorData"))
        throw Error(Cause::usage, "the " + std::string(table.name) + " of " + std::string(root.full_name) +
                                      " have no lane coordinates (objects of GroundTruth and SensorView have)");
    if (options.point_frame && kind != TableKind::reflections && kind != TableKind::detections)
        throw Error(Cause::usage, "the " + std::string(table.name) + " of " + std::string(root.full_name) +
                                      " are not measured by a sensor (reflections and detections are)");
    NamedPlan named(table, *plan, options);
    auto columns = std::vector(wanted.begin(), wanted.end());
    if (columns.empty()) columns = names(kind, root, options);
    for (const auto& name : columns) {
        const auto found = std::ranges::find(table.columns, name, &NamedColumn::name);
        if (found == table.columns.end() || !named.has(*found)) {
            refuse_column(name, table, root, names(kind, root, options));
        }
        named.add(*found);
    }
    named.finish();
    return TablePlan(plan);
}

}  // namespace ositrace
