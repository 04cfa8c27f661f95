// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_map.hpp>

#include <cmath>
#include <string_view>

#include "lib/picture/fields.hpp"
#include "lib/trace/view_fields.hpp"

namespace ositrace {

namespace {

using picture::id_in;
using picture::message_in;
using picture::vector_of;

std::vector<std::uint64_t> ids_in(const MessageView& parent, std::string_view list)
{
    std::vector<std::uint64_t> ids;
    for_each_child(parent, list, [&](const MessageView& id) {
        ids.push_back(static_cast<std::uint64_t>(picture::integer_in(id, "value").value_or(0)));
    });
    return ids;
}

TrafficPoint point_of(const MessageView& vector)
{
    const auto [x, y, z] = vector_of(vector);
    return {x, y, z};
}

int enum_in(const std::optional<MessageView>& in, std::string_view field)
{
    return in ? static_cast<int>(picture::integer_in(*in, field).value_or(0)) : 0;
}

TrafficLane lane_of(const MessageView& message)
{
    TrafficLane lane;
    lane.id = id_in(message, "id").value_or(0);
    const auto kind = message_in(message, "classification");
    if (!kind) return lane;
    lane.type = enum_in(kind, "type");
    for_each_child(*kind, "centerline", [&](const MessageView& point) { lane.centre.push_back(point_of(point)); });
    lane.driven_forwards = picture::integer_in(*kind, "centerline_is_driving_direction").value_or(1) != 0;
    for_each_child(*kind, "lane_pairing", [&](const MessageView& pair) {
        lane.pairings.push_back({id_in(pair, "antecessor_lane_id"), id_in(pair, "successor_lane_id")});
    });
    lane.left_lanes = ids_in(*kind, "left_adjacent_lane_id");
    lane.right_lanes = ids_in(*kind, "right_adjacent_lane_id");
    lane.left_boundaries = ids_in(*kind, "left_lane_boundary_id");
    lane.right_boundaries = ids_in(*kind, "right_lane_boundary_id");
    lane.free_boundaries = ids_in(*kind, "free_lane_boundary_id");
    return lane;
}

TrafficBoundary boundary_of(const MessageView& message)
{
    TrafficBoundary boundary{.id = id_in(message, "id").value_or(0),
                             .type = enum_in(message_in(message, "classification"), "type"),
                             .points = {},
                             .widths = {}};
    for_each_child(message, "boundary_line", [&](const MessageView& point) {
        const auto position = message_in(point, "position");
        if (!position) return;
        boundary.points.push_back(point_of(*position));
        const double width = picture::real_in(point, "width").value_or(0);
        boundary.widths.push_back(width > 0 && std::isfinite(width) ? width : 0);
    });
    return boundary;
}

TrafficMarking marking_of(const MessageView& message)
{
    TrafficMarking marking;
    marking.id = id_in(message, "id").value_or(0);
    if (const auto base = message_in(message, "base")) {
        if (const auto position = message_in(*base, "position")) marking.centre = point_of(*position);
        marking.yaw = picture::orientation_in(*base, "orientation").yaw;
        if (const auto size = message_in(*base, "dimension")) {
            marking.length = picture::real_in(*size, "length").value_or(0);
            marking.width = picture::real_in(*size, "width").value_or(0);
        }
    }
    const auto kind = message_in(message, "classification");
    marking.type = enum_in(kind, "type");
    marking.sign_type = enum_in(kind, "traffic_main_sign_type");
    if (kind) marking.lanes = ids_in(*kind, "assigned_lane_id");
    return marking;
}

template <class Row>
const Row* find_row(const std::vector<Row>& rows, const std::unordered_map<std::uint64_t, std::size_t>& places,
                    std::uint64_t id) noexcept
{
    const auto found = places.find(id);
    return found == places.end() ? nullptr : &rows[found->second];
}

template <class Row>
void enter_places(const std::vector<Row>& rows, std::unordered_map<std::uint64_t, std::size_t>& places)
{
    for (std::size_t i = 0; i != rows.size(); ++i) places.try_emplace(rows[i].id, i);
}

}  // namespace

const TrafficLane* TrafficMap::lane(std::uint64_t id) const noexcept { return find_row(lanes, lane_places, id); }
const TrafficBoundary* TrafficMap::boundary(std::uint64_t id) const noexcept
{
    return find_row(boundaries, boundary_places, id);
}

TrafficMap read_traffic_map(const MessageView& ground_truth)
{
    TrafficMap map;
    for_each_child(ground_truth, "lane", [&](const MessageView& lane) { map.lanes.push_back(lane_of(lane)); });
    for_each_child(ground_truth, "lane_boundary",
                   [&](const MessageView& line) { map.boundaries.push_back(boundary_of(line)); });
    for_each_child(ground_truth, "road_marking",
                   [&](const MessageView& mark) { map.markings.push_back(marking_of(mark)); });
    enter_places(map.lanes, map.lane_places);
    enter_places(map.boundaries, map.boundary_places);
    return map;
}

}  // namespace ositrace
