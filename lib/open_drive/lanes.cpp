// SPDX-License-Identifier: MPL-2.0
// The physical lanes of roads: osi_lane.proto.
#include <algorithm>

#include "lib/open_drive/boundaries.hpp"
#include "lib/open_drive/logical_lanes.hpp"
#include "lib/open_drive/map_writer.hpp"

namespace ositrace::open_drive {

namespace {

using LaneNode = Network::LaneNode;

/// The physical lanes at one end of a lane, each once.
std::vector<std::uint64_t> physical_lanes(const Network& network, const std::vector<Network::LaneEnd>& ends)
{
    std::vector<std::uint64_t> ids;
    for (const auto& end : ends) {
        const auto id = network.lanes()[end.lane].physical_id;
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

struct Pairing {
    std::optional<std::uint64_t> antecessor, successor;
};

std::vector<Pairing> pairings(const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& after)
{
    std::vector<Pairing> all;
    if (before.empty())
        for (const auto id : after) all.push_back({std::nullopt, id});
    for (const auto antecessor : before) {
        if (after.empty()) all.push_back({antecessor, std::nullopt});
        for (const auto id : after) all.push_back({antecessor, id});
    }
    return all;
}

void write_lane(NamedWriter& out, const Network& network, const SectionLines& lines, std::size_t index,
                const LaneBoundaries& boundaries)
{
    const auto& node = network.lanes()[index];
    const auto& lane = network.lane_of(node);
    const auto& section = *lines.section;
    const auto pairs = pairings(physical_lanes(network, node.at_start), physical_lanes(network, node.at_end));
    out.id("id", node.physical_id);
    out.message("classification", [&] {
        out.enumeration("type", lane.kind->type);
        if (lane.kind->is_driving()) {
            if (pairs.size() <= 1)
                for (const auto& row : lines.rows)
                    write_vector(out, "centerline",
                                 between(lines.left_edge(row, node.lane), lines.right_edge(row, node.lane), 0.5));
            out.boolean("centerline_is_driving_direction", network.runs_along(node));
        }
        if (node.lane > 0) out.id("left_adjacent_lane_id", network.lanes()[index - 1].physical_id);
        if (node.lane + 1 < section.lanes.size())
            out.id("right_adjacent_lane_id", network.lanes()[index + 1].physical_id);
        for (const auto& pair : pairs)
            out.message("lane_pairing", [&] {
                if (pair.antecessor) out.id("antecessor_lane_id", *pair.antecessor);
                if (pair.successor) out.id("successor_lane_id", *pair.successor);
            });
        for (const auto id : boundaries.right) out.id("right_lane_boundary_id", id);
        for (const auto id : boundaries.left) out.id("left_lane_boundary_id", id);
        out.enumeration("subtype", lane.kind->subtype);
    });
    write_lane_source(out, network, node);
}

}  // namespace

void write_road(MapWriter& map, std::size_t road, double max_deviation)
{
    const RoadSurface surface(map.document().roads[road]);
    const auto& sections = surface.road().sections;
    if (sections.empty()) return;
    const auto reference_line_id = map.new_id();
    std::vector<RoadFrame> stations;
    for (std::size_t s = 0; s < sections.size(); ++s) {
        const auto lines = sample(surface, sections[s], max_deviation, map.points_left());
        for (const auto& row : lines.rows) stations.push_back(row.frame);
        const auto boundaries = write_boundaries(map, lines, reference_line_id);
        const auto first = map.network().node(road, s, 0);
        for (std::size_t i = 0; i < boundaries.size(); ++i)
            map.add(Part::lane,
                    [&](NamedWriter& out) { write_lane(out, map.network(), lines, first + i, boundaries[i]); });
        write_logical_lanes(map, lines, first, boundaries, reference_line_id);
    }
    write_reference_line(map, stations, reference_line_id);
}

}  // namespace ositrace::open_drive
