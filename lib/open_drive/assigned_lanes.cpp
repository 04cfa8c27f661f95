// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/assigned_lanes.hpp"

#include <set>

namespace ositrace::open_drive {

void Assignments::add(const Network& network, const Document& document, std::size_t road, double s, double t,
                      Facing facing, const std::vector<Validity>& validities)
{
    const auto& sections = document.roads[road].sections;
    const auto* const found = record_at(sections, s);
    if (found == nullptr) return;
    const auto section = static_cast<std::size_t>(found - sections.data());
    for (std::size_t i = 0; i < found->lanes.size(); ++i) {
        const auto& lane = *found->lanes[i];
        const auto node = network.node(road, section, i);
        const bool along = network.runs_along(network.lanes()[node]);
        const bool is_named = std::ranges::any_of(
            validities, [&](const Validity& range) { return lane.id >= range.from && lane.id <= range.to; });
        const bool is_met =
            validities.empty() && lane.kind->is_driving() &&
            (facing == Facing::both || lane.direction == LaneDirection::both || (facing == Facing::along) == along);
        if (is_named || is_met) places.push_back({node, s, t, 0});
    }
}

void Assignments::write_physical(NamedWriter& out, const Network& network) const
{
    std::set<std::uint64_t> written;
    for (const auto& place : places)
        if (const auto id = network.lanes()[place.lane].physical_id; written.insert(id).second)
            out.id("assigned_lane_id", id);
}

void Assignments::write_logical(NamedWriter& out, const Network& network) const
{
    for (const auto& place : places)
        out.message("logical_lane_assignment", [&] {
            out.id("assigned_lane_id", network.lanes()[place.lane].logical_id);
            out.real("s_position", place.s);
            out.real("t_position", place.t);
            out.real("angle_to_lane", place.angle);
        });
}

}  // namespace ositrace::open_drive
