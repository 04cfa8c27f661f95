// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/logical_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ositrace::open_drive {

namespace {

using LaneNode = Network::LaneNode;
using LaneEnd = Network::LaneEnd;

double width_at(const Network& network, const LaneEnd& end)
{
    const auto& node = network.lanes()[end.lane];
    const auto& section = network.section_of(node);
    const auto& lane = network.lane_of(node);
    constexpr double inside = 1e-5;
    const Station at = end.at_end ? Station{section.end, section.end - inside} : Station{section.s, section.s + inside};
    if (!lane.width.pieces.empty() || lane.border.pieces.empty()) return lane.width.value(at);
    const auto inner = section.find(lane.id > 0 ? lane.id - 1 : lane.id + 1);
    return std::abs(lane.border.value(at) - (inner ? section.lanes[*inner]->border.value(at) : 0));
}

/// OSI: lanes that are connected both have a width there.
bool is_open(const Network& network, const LaneEnd& end)
{
    constexpr double narrowest = 1e-3;
    return width_at(network, end) > narrowest;
}

std::string_view move_direction(const Network& network, const LaneNode& node)
{
    const auto& lane = network.lane_of(node);
    if (lane.direction == LaneDirection::both || lane.kind->logical_type == "TYPE_SIDEWALK")
        return "MOVE_DIRECTION_BOTH_ALLOWED";
    return network.runs_along(node) ? "MOVE_DIRECTION_INCREASING_S" : "MOVE_DIRECTION_DECREASING_S";
}

class LogicalLaneWriter {
public:
    LogicalLaneWriter(NamedWriter& out, const Network& network, const SectionLines& lines, std::size_t lane,
                      const LaneBoundaries& boundaries, const std::vector<Overlap>* overlaps)
        : out_(out),
          network_(network),
          road_(*lines.road),
          section_(*lines.section),
          index_(lane),
          node_(network.lanes()[lane]),
          lane_(network.lane_of(node_)),
          boundaries_(boundaries),
          overlaps_(overlaps)
    {
    }

    void write(std::uint64_t reference_line_id)
    {
        out_.id("id", node_.logical_id);
        out_.enumeration("type", lane_.kind->logical_type);
        write_lane_source(out_, network_, node_);
        if (lane_.kind->has_subtype) {
            out_.message("physical_lane_reference", [&] {
                out_.id("physical_lane_id", node_.physical_id);
                out_.real("start_s", section_.s);
                out_.real("end_s", section_.end);
            });
        }
        out_.id("reference_line_id", reference_line_id);
        out_.real("start_s", section_.s);
        out_.real("end_s", section_.end);
        out_.enumeration("move_direction", move_direction(network_, node_));
        if (node_.lane + 1 < section_.lanes.size())
            out_.message("right_adjacent_lane", [&] { write_neighbor(index_ + 1); });
        if (node_.lane > 0) out_.message("left_adjacent_lane", [&] { write_neighbor(index_ - 1); });
        if (overlaps_ != nullptr)
            for (const auto& overlap : *overlaps_) out_.message("overlapping_lane", [&] { write_relation(overlap); });
        for (const auto id : boundaries_.logical_right) out_.id("right_boundary_id", id);
        for (const auto id : boundaries_.logical_left) out_.id("left_boundary_id", id);
        if (is_open(network_, {index_, false}))
            for (const auto& end : node_.at_start) write_connection("predecessor_lane", end);
        if (is_open(network_, {index_, true}))
            for (const auto& end : node_.at_end) write_connection("successor_lane", end);
        if (!road_.name.empty()) write_text(out_, "street_name", road_.name);
        if (lane_.kind->is_driving()) write_speed_limits();
        const auto* const type = record_at(road_.types, section_.s);
        if (type != nullptr && type->type != "ROAD_TYPE_UNKNOWN") out_.enumeration("road_type", type->type);
    }

private:
    void write_relation(const Overlap& relation)
    {
        out_.id("other_lane_id", network_.lanes()[relation.lane].logical_id);
        out_.real("start_s", relation.start);
        out_.real("end_s", relation.end);
        out_.real("start_s_other", relation.start_other);
        out_.real("end_s_other", relation.end_other);
    }

    void write_neighbor(std::size_t other)
    {
        write_relation({other, section_.s, section_.end, section_.s, section_.end});
    }

    void write_connection(FieldName field, const LaneEnd& other)
    {
        if (!is_open(network_, other)) return;
        out_.message(field, [&] {
            out_.id("other_lane_id", network_.lanes()[other.lane].logical_id);
            out_.boolean("at_begin_of_other_lane", !other.at_end);
        });
    }

    /// Those of the lane replace those of the road.
    void write_speed_limits()
    {
        std::vector<SpeedLimit> limits = lane_.speeds;
        if (limits.empty())
            for (const auto& type : road_.types) limits.push_back(type.speed.value_or(SpeedLimit{type.s, -1, {}}));
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const double from = std::max(limits[i].s, section_.s);
            const double to = std::min(i + 1 < limits.size() ? limits[i + 1].s : section_.end, section_.end);
            if (limits[i].value < 0 || from >= to) continue;
            const bool both = lane_.direction == LaneDirection::both, along = network_.runs_along(node_);
            if (both || along) write_speed_limit(limits[i], from, to);
            if (both || !along) write_speed_limit(limits[i], to, from);
        }
    }

    /// A rule is valid for traffic from start to end.
    void write_speed_limit(const SpeedLimit& limit, double start, double end)
    {
        out_.message("traffic_rule", [&] {
            out_.enumeration("traffic_rule_type", "TRAFFIC_RULE_TYPE_SPEED_LIMIT");
            out_.message("traffic_rule_validity", [&] {
                out_.real("start_s", start);
                out_.real("end_s", end);
            });
            out_.message("speed_limit", [&] {
                out_.message("speed_limit_value", [&] {
                    out_.real("value", limit.value);
                    out_.enumeration("value_unit", limit.unit);
                });
            });
        });
    }

    NamedWriter& out_;
    const Network& network_;
    const Road& road_;
    const LaneSection& section_;
    std::size_t index_;
    const LaneNode& node_;
    const Lane& lane_;
    const LaneBoundaries& boundaries_;
    const std::vector<Overlap>* overlaps_;
};

}  // namespace

void write_logical_lanes(MapWriter& map, const SectionLines& lines, std::size_t first_lane,
                         const std::vector<LaneBoundaries>& boundaries, std::uint64_t reference_line_id,
                         const std::vector<std::vector<Overlap>>& overlaps)
{
    for (std::size_t i = 0; i < boundaries.size(); ++i)
        map.add(Part::logical_lane, [&](NamedWriter& out) {
            LogicalLaneWriter(out, map.network(), lines, first_lane + i, boundaries[i],
                              overlaps.empty() ? nullptr : &overlaps[i])
                .write(reference_line_id);
        });
}

void write_reference_line(MapWriter& map, const std::vector<RoadFrame>& stations, std::uint64_t id)
{
    map.add(Part::reference_line, [&](NamedWriter& out) {
        out.id("id", id);
        double last = -std::numeric_limits<double>::infinity();
        for (const auto& station : stations) {
            constexpr double apart = 1e-6;
            if (station.at.s <= last + apart) continue;
            last = station.at.s;
            out.message("poly_line", [&] {
                write_vector(out, "world_position", station.origin);
                out.real("s_position", last);
                out.real("t_axis_yaw", wrapped(station.heading + pi / 2));
            });
        }
        out.enumeration("type", "TYPE_POLYLINE_WITH_T_AXIS");
    });
}

}  // namespace ositrace::open_drive
