// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/network.hpp"

#include <algorithm>
#include <map>

namespace ositrace::open_drive {

namespace {

/// Of one end of a lane; a document could connect all lanes with all.
constexpr std::size_t max_connections = 100;

std::size_t section_at(const Road& road, RoadEnd end) { return end == RoadEnd::start ? 0 : road.sections.size() - 1; }

const std::optional<RoadLink>& link_at(const Road& road, RoadEnd end)
{
    return end == RoadEnd::start ? road.predecessor : road.successor;
}

bool leads_to(const std::optional<RoadLink>& link, bool to_junction, std::string_view id)
{
    return link && link->to_junction == to_junction && link->id == id;
}

}  // namespace

Network::Network(const Document& document, std::uint64_t& next_id) : document_(document)
{
    add_lanes(next_id);
    for (std::size_t road = 0; road < document.roads.size(); ++road) {
        connect_sections(road);
        connect_road_end(road, RoadEnd::start);
        connect_road_end(road, RoadEnd::end);
    }
    connect_junctions();
}

void Network::add_lanes(std::uint64_t& next_id)
{
    std::map<std::string_view, std::size_t> intersection_of;
    for (const auto& junction : document_.junctions) intersection_of.emplace(junction.id, document_.junctions.size());
    for (std::size_t r = 0; r < document_.roads.size(); ++r) {
        const auto& road = document_.roads[r];
        const auto junction = intersection_of.find(road.junction);
        is_connecting_.push_back(!road.junction.empty() && junction != intersection_of.end() && !road.sections.empty());
        if (is_connecting_.back()) {
            if (junction->second == document_.junctions.size()) {
                junction->second = intersections_.size();
                intersections_.push_back({next_id++, {}});
            }
            intersections_[junction->second].roads.push_back(r);
        } else if (!road.junction.empty() && junction == intersection_of.end()) {
            ++broken_links_;
        }
        auto& first = first_lane_.emplace_back();
        for (std::size_t s = 0; s < road.sections.size(); ++s) {
            first.push_back(lanes_.size());
            for (std::size_t i = 0; i < road.sections[s].lanes.size(); ++i) {
                const auto physical = is_connecting_.back() ? intersections_[junction->second].id : next_id++;
                const auto logical = next_id++;
                lanes_.push_back({r, s, i, physical, logical, {}, {}});
            }
        }
    }
}

bool Network::runs_along(const LaneNode& node) const
{
    const auto& lane = lane_of(node);
    const bool along = (lane.id < 0) != road_of(node).left_hand_traffic;
    return along != (lane.direction == LaneDirection::reversed);
}

void Network::connect(LaneEnd a, LaneEnd b)
{
    if (a == b) return;
    const auto ends = [&](LaneEnd end) -> std::vector<LaneEnd>& {
        return end.at_end ? lanes_[end.lane].at_end : lanes_[end.lane].at_start;
    };
    auto& of_a = ends(a);
    if (std::ranges::find(of_a, b) != of_a.end()) return;
    auto& of_b = ends(b);
    if (of_a.size() >= max_connections || of_b.size() >= max_connections) {
        ++broken_links_;
        return;
    }
    of_a.push_back(b);
    of_b.push_back(a);
}

void Network::connect_by_id(LaneEnd from, std::size_t road, RoadEnd end, int id)
{
    const auto section = section_at(document_.roads[road], end);
    const auto lane = document_.roads[road].sections[section].find(id);
    if (lane)
        connect(from, {node(road, section, *lane), end == RoadEnd::end});
    else
        ++broken_links_;
}

void Network::connect_sections(std::size_t road)
{
    const auto& sections = document_.roads[road].sections;
    for (std::size_t s = 0; s + 1 < sections.size(); ++s) {
        const auto &before = sections[s], &after = sections[s + 1];
        const bool is_cut = before.written_s == after.written_s;
        const auto join = [&](std::optional<std::size_t> first, std::optional<std::size_t> second) {
            if (first && second)
                connect({node(road, s, *first), true}, {node(road, s + 1, *second), false});
            else
                ++broken_links_;
        };
        for (std::size_t i = 0; i < before.lanes.size(); ++i) {
            if (is_cut) {
                join(i, i);
                continue;
            }
            for (const int id : before.lanes[i]->successors) join(i, after.find(id));
        }
        if (is_cut) continue;
        for (std::size_t i = 0; i < after.lanes.size(); ++i)
            for (const int id : after.lanes[i]->predecessors) join(before.find(id), i);
    }
}

void Network::connect_road_end(std::size_t index, RoadEnd end)
{
    const auto& road = document_.roads[index];
    const auto& link = link_at(road, end);
    if (!link || link->to_junction || road.sections.empty()) return;
    const auto other = document_.road_by_id.find(link->id);
    if (other == document_.road_by_id.end() || document_.roads[other->second].sections.empty()) {
        ++broken_links_;
        return;
    }
    const auto& to = document_.roads[other->second];
    const auto contact = link->contact ? *link->contact
                         : leads_to(to.successor, false, road.id) && !leads_to(to.predecessor, false, road.id)
                             ? RoadEnd::end
                             : RoadEnd::start;
    const auto section = section_at(road, end);
    const auto& lanes = road.sections[section].lanes;
    for (std::size_t i = 0; i < lanes.size(); ++i)
        for (const int id : end == RoadEnd::start ? lanes[i]->predecessors : lanes[i]->successors)
            connect_by_id({node(index, section, i), end == RoadEnd::end}, other->second, contact, id);
}

void Network::connect_junctions()
{
    for (const auto& junction : document_.junctions)
        for (const auto& connection : junction.connections) connect_junction(junction, connection);
}

/// The end of the incoming road that is at the junction.
std::optional<RoadEnd> Network::end_at(const Road& road, const Junction& junction, const Connection& connection,
                                       const Road& connecting) const
{
    const auto& back = link_at(connecting, connection.contact);
    if (leads_to(back, false, road.id) && back->contact) return back->contact;
    if (leads_to(road.successor, true, junction.id)) return RoadEnd::end;
    if (leads_to(road.predecessor, true, junction.id)) return RoadEnd::start;
    return std::nullopt;
}

void Network::connect_junction(const Junction& junction, const Connection& connection)
{
    const auto incoming = document_.road_by_id.find(connection.incoming_road);
    const auto connecting = document_.road_by_id.find(connection.connecting_road);
    const auto none = document_.road_by_id.end();
    if (incoming == none || connecting == none) {
        ++broken_links_;
        return;
    }
    const auto &from = document_.roads[incoming->second], &to = document_.roads[connecting->second];
    const auto end = end_at(from, junction, connection, to);
    if (!end || from.sections.empty() || to.sections.empty()) {
        ++broken_links_;
        return;
    }
    const auto section = section_at(from, *end);
    for (const auto& [from_id, to_id] : connection.lanes) {
        if (const auto lane = from.sections[section].find(from_id))
            connect_by_id({node(incoming->second, section, *lane), *end == RoadEnd::end}, connecting->second,
                          connection.contact, to_id);
        else
            ++broken_links_;
    }
}

}  // namespace ositrace::open_drive
