// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

constexpr std::size_t next(std::size_t section) noexcept { return (section + 1) % RingRoad::sections; }
constexpr std::size_t previous(std::size_t section) noexcept
{
    return (section + RingRoad::sections - 1) % RingRoad::sections;
}

/// s of the points of a section's polylines.
std::vector<double> stations(const RingRoad& road, std::size_t section)
{
    std::vector<double> all;
    for (std::size_t i = 0; i <= road.chords(); ++i) {
        all.push_back(road.section_length() *
                      (static_cast<double>(section) + static_cast<double>(i) / static_cast<double>(road.chords())));
    }
    return all;
}

bool is_driving(const LaneRow& lane) noexcept { return lane.type == "TYPE_DRIVING"; }

void write_lane_classification(OsiWriter& out, const RingRoad& road, std::size_t section, std::size_t lane,
                               bool host_is_here)
{
    const auto& row = RingRoad::lanes[lane];
    out.enumeration("type", row.type);
    out.boolean("is_host_vehicle_lane", host_is_here);
    if (is_driving(row)) {
        const double middle = (row.left + row.right) / 2;
        for (const double s : stations(road, section)) out.vector("centerline", road.point({s, middle}));
        out.boolean("centerline_is_driving_direction", !row.against_s);
    }
    if (lane > 0) out.id("left_adjacent_lane_id", road.lane_id(section, lane - 1));
    if (lane + 1 < RingRoad::lanes.size()) out.id("right_adjacent_lane_id", road.lane_id(section, lane + 1));
    out.message("lane_pairing", [&] {
        out.id("antecessor_lane_id", road.lane_id(previous(section), lane));
        out.id("successor_lane_id", road.lane_id(next(section), lane));
    });
    out.id("right_lane_boundary_id", road.boundary_id(section, lane + 1));
    out.id("left_lane_boundary_id", road.boundary_id(section, lane));
    out.enumeration("subtype", row.subtype);
}

void write_relation(OsiWriter& out, std::uint64_t other, double from, double to)
{
    out.id("other_lane_id", other);
    out.real("start_s", from);
    out.real("end_s", to);
    out.real("start_s_other", from);
    out.real("end_s_other", to);
}

void write_speed_limit(OsiWriter& out, double from, double to)
{
    out.enumeration("traffic_rule_type", "TRAFFIC_RULE_TYPE_SPEED_LIMIT");
    out.message("traffic_rule_validity", [&] {
        out.real("start_s", from);
        out.real("end_s", to);
    });
    out.message("speed_limit", [&] {
        out.message("speed_limit_value", [&] {
            out.real("value", 50);
            out.enumeration("value_unit", "UNIT_KILOMETER_PER_HOUR");
        });
    });
}

void write_logical_lane(OsiWriter& out, const RingRoad& road, std::size_t section, std::size_t lane)
{
    const auto& row = RingRoad::lanes[lane];
    const double from = road.section_length() * static_cast<double>(section), to = from + road.section_length();
    out.id("id", road.logical_lane_id(section, lane));
    out.enumeration("type", row.logical_type);
    out.message("physical_lane_reference", [&] {
        out.id("physical_lane_id", road.lane_id(section, lane));
        out.real("start_s", from);
        out.real("end_s", to);
    });
    out.id("reference_line_id", road.reference_line_id());
    out.real("start_s", from);
    out.real("end_s", to);
    out.enumeration("move_direction", row.move_direction);
    if (lane + 1 < RingRoad::lanes.size()) {
        out.message("right_adjacent_lane",
                    [&] { write_relation(out, road.logical_lane_id(section, lane + 1), from, to); });
    }
    if (lane > 0)
        out.message("left_adjacent_lane",
                    [&] { write_relation(out, road.logical_lane_id(section, lane - 1), from, to); });
    out.id("right_boundary_id", road.logical_boundary_id(section, lane + 1));
    out.id("left_boundary_id", road.logical_boundary_id(section, lane));
    out.message("predecessor_lane", [&] {
        out.id("other_lane_id", road.logical_lane_id(previous(section), lane));
        out.boolean("at_begin_of_other_lane", false);
    });
    out.message("successor_lane", [&] {
        out.id("other_lane_id", road.logical_lane_id(next(section), lane));
        out.boolean("at_begin_of_other_lane", true);
    });
    out.text("street_name", "Ring");
    // A rule is valid for traffic from start to end, so they are swapped where traffic runs against s.
    if (is_driving(row))
        out.message("traffic_rule",
                    [&] { write_speed_limit(out, row.against_s ? to : from, row.against_s ? from : to); });
    out.enumeration("road_type", "ROAD_TYPE_TOWN");
}

template <class Each>
void for_each_of(std::size_t count, const Each& each)
{
    for (std::size_t section = 0; section < RingRoad::sections; ++section) {
        for (std::size_t i = 0; i < count; ++i) each(section, i);
    }
}

}  // namespace

std::vector<BoundaryPoint> boundary_points(const RingRoad& road, std::size_t section, const BoundaryRow& boundary)
{
    std::vector<BoundaryPoint> points;
    if (boundary.type != "TYPE_DASHED_LINE") {
        for (const double s : stations(road, section)) points.push_back({{s, boundary.t}, {}});
        return points;
    }
    // All dashes have the same length; the gaps are adjusted so that the pattern continues in the next section.
    const double cycles = std::round(road.section_length() / (RingRoad::dash_length + RingRoad::gap_length));
    const double cycle = road.section_length() / cycles;
    const double start = road.section_length() * static_cast<double>(section);
    for (double i = 0; i < cycles; ++i) {
        const double s = start + i * cycle;
        points.push_back({{s, boundary.t}, "DASH_START"});
        points.push_back({{s + RingRoad::dash_length, boundary.t}, "DASH_END"});
        points.push_back({{s + (RingRoad::dash_length + cycle) / 2, boundary.t}, "DASH_GAP"});
    }
    points.pop_back();  // OSI: the last point is the end of the last dash
    return points;
}

void write_boundary_point(OsiWriter& out, const BoundaryPoint& point, Vector position, const BoundaryRow& boundary)
{
    out.vector("position", position);
    out.real("width", boundary.width);
    out.real("height", boundary.height);
    if (!point.dash.empty()) out.enumeration("dash", point.dash);
}

void write_classification(OsiWriter& out, const BoundaryRow& boundary)
{
    out.enumeration("type", boundary.type);
    out.enumeration("color", boundary.color);
}

void write_lane_boundaries(OsiWriter& out, const RingRoad& road)
{
    for_each_of(RingRoad::boundaries.size(), [&](std::size_t section, std::size_t i) {
        const auto& row = RingRoad::boundaries[i];
        out.message("lane_boundary", [&] {
            out.id("id", road.boundary_id(section, i));
            for (const auto& point : boundary_points(road, section, row)) {
                out.message("boundary_line", [&] { write_boundary_point(out, point, road.point(point.place), row); });
            }
            out.message("classification", [&] { write_classification(out, row); });
        });
    });
}

void write_lanes(OsiWriter& out, const RingRoad& road, RoadPlace host)
{
    for_each_of(RingRoad::lanes.size(), [&](std::size_t section, std::size_t lane) {
        const auto& row = RingRoad::lanes[lane];
        const bool host_is_here = section == road.section_of(host.s) && host.t > row.right && host.t <= row.left;
        out.message("lane", [&] {
            out.id("id", road.lane_id(section, lane));
            out.message("classification", [&] { write_lane_classification(out, road, section, lane, host_is_here); });
        });
    });
}

void write_reference_line(OsiWriter& out, const RingRoad& road)
{
    const auto point = [&](double s) {
        out.message("poly_line", [&] {
            out.vector("world_position", road.point({s, 0}));
            out.real("s_position", s);
            out.real("t_axis_yaw", wrapped(road.heading(s) + pi / 2));
        });
    };
    out.message("reference_line", [&] {
        out.id("id", road.reference_line_id());
        for (std::size_t section = 0; section < RingRoad::sections; ++section) {
            auto all = stations(road, section);
            if (section + 1 < RingRoad::sections) all.pop_back();  // it is the first of the next section
            for (const double s : all) point(s);
        }
        out.enumeration("type", "TYPE_POLYLINE_WITH_T_AXIS");
    });
}

void write_logical_lane_boundaries(OsiWriter& out, const RingRoad& road)
{
    for_each_of(RingRoad::boundaries.size(), [&](std::size_t section, std::size_t i) {
        const auto& row = RingRoad::boundaries[i];
        out.message("logical_lane_boundary", [&] {
            out.id("id", road.logical_boundary_id(section, i));
            for (const double s : stations(road, section)) {
                out.message("boundary_line", [&] {
                    out.vector("position", road.point({s, row.t}));
                    out.real("s_position", s);
                    out.real("t_position", row.t);
                });
            }
            out.id("reference_line_id", road.reference_line_id());
            out.id("physical_boundary_id", road.boundary_id(section, i));
            out.enumeration("passing_rule", row.passing_rule);
        });
    });
}

void write_logical_lanes(OsiWriter& out, const RingRoad& road)
{
    for_each_of(RingRoad::lanes.size(), [&](std::size_t section, std::size_t lane) {
        out.message("logical_lane", [&] { write_logical_lane(out, road, section, lane); });
    });
}

}  // namespace ositrace::scene
