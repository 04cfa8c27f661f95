// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lib/open_drive/document.hpp"

namespace ositrace::open_drive {

/// The lanes of a map with their ids in OSI, and what they are connected to. Directions are those of the points, which
/// is that of s: `at_start` is where s is smallest.
class Network {
public:
    /// One end of a lane.
    struct LaneEnd {
        std::size_t lane = 0;
        bool at_end = false;
        friend bool operator==(const LaneEnd&, const LaneEnd&) = default;
    };

    struct LaneNode {
        std::size_t road = 0, section = 0, lane = 0;  ///< indices in the document
        std::uint64_t physical_id = 0;                ///< of connecting lanes that of their intersection
        std::uint64_t logical_id = 0;
        std::vector<LaneEnd> at_start, at_end;
    };

    /// A junction with connecting roads: one lane of TYPE_INTERSECTION.
    struct Intersection {
        std::uint64_t id = 0;
        std::vector<std::size_t> roads;
    };

    /// The document must outlive it. Ids are counted from `next_id`, which is then the next free one.
    Network(const Document& document, std::uint64_t& next_id);

    [[nodiscard]] const std::vector<LaneNode>& lanes() const noexcept { return lanes_; }
    [[nodiscard]] std::size_t node(std::size_t road, std::size_t section, std::size_t lane) const noexcept
    {
        return first_lane_[road][section] + lane;
    }
    [[nodiscard]] const std::vector<Intersection>& intersections() const noexcept { return intersections_; }
    [[nodiscard]] bool is_connecting(std::size_t road) const noexcept { return is_connecting_[road]; }
    /// Links to roads, junctions or lanes that do not exist.
    [[nodiscard]] std::uint64_t broken_links() const noexcept { return broken_links_; }

    [[nodiscard]] const Road& road_of(const LaneNode& node) const { return document_.roads[node.road]; }
    [[nodiscard]] const LaneSection& section_of(const LaneNode& node) const
    {
        return road_of(node).sections[node.section];
    }
    [[nodiscard]] const Lane& lane_of(const LaneNode& node) const { return *section_of(node).lanes[node.lane]; }
    /// Does traffic on it run towards larger s?
    [[nodiscard]] bool runs_along(const LaneNode& node) const;

private:
    void add_lanes(std::uint64_t& next_id);
    void connect_sections(std::size_t road);
    void connect_road_end(std::size_t road, RoadEnd end);
    void connect_junctions();
    void connect_junction(const Junction& junction, const Connection& connection);
    void connect(LaneEnd a, LaneEnd b);
    void connect_by_id(LaneEnd from, std::size_t road, RoadEnd end, int id);
    [[nodiscard]] std::optional<RoadEnd> end_at(const Road& road, const Junction& junction,
                                                const Connection& connection, const Road& connecting) const;

    const Document& document_;
    std::vector<LaneNode> lanes_;
    std::vector<std::vector<std::size_t>> first_lane_;  ///< by road and section
    std::vector<Intersection> intersections_;
    std::vector<bool> is_connecting_;
    std::uint64_t broken_links_ = 0;
};

}  // namespace ositrace::open_drive
