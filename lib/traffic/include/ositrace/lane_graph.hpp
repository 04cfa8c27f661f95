// SPDX-License-Identifier: MPL-2.0
// Lanes that continue each other, as one line: where is an object on its lane, and how far along it is another one?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/footprint.hpp>
#include <ositrace/traffic_map.hpp>

namespace ositrace {

/// A place on a lane.
struct LaneSpot {
    std::uint32_t lane = 0;  ///< place in TrafficMap::lanes
    double s = 0;            ///< m, from the first point of the centre line
    double aside = 0;        ///< m, from the centre line, positive to the left of its points
    GroundPoint tangent{};   ///< unit vector, in the order of the points
};

/// A lane on the line of another one: its s is `origin + direction * s` in the s of that one.
struct ChainedLane {
    std::uint32_t lane = 0;
    double origin = 0;
    double direction = 1;  ///< -1: its points run against those of the other one
};

/// One thread at a time.
class LaneGraph {
public:
    static constexpr double reach = 300;               ///< m, along a chain to both sides
    static constexpr std::size_t most_in_chain = 256;  ///< the nearest ones

    /// Keeps the map. Lanes with fewer than two different points are in no chain.
    explicit LaneGraph(std::shared_ptr<const TrafficMap> map);
    LaneGraph(LaneGraph&&) noexcept;
    LaneGraph& operator=(LaneGraph&&) noexcept;
    ~LaneGraph();

    [[nodiscard]] const TrafficMap& map() const noexcept;
    [[nodiscard]] std::optional<std::uint32_t> lane_of(std::uint64_t id) const noexcept;
    /// The nearest point of the centre line, in the plane; empty for a lane without one. Linear in its points.
    [[nodiscard]] std::optional<LaneSpot> spot_on(std::uint32_t lane, const GroundPoint& point) const noexcept;
    /// The lane itself and those that lane_pairing joins to it, step by step, to both sides. The pairing of either lane
    /// counts; which ends of two lanes meet is decided by their places, and a distance between these is part of the
    /// way. Of several ways the shortest counts. Valid until the next call.
    [[nodiscard]] std::span<const ChainedLane> chain_of(std::uint32_t lane);
    /// As seen when driving in this direction along it.
    [[nodiscard]] std::span<const std::uint32_t> left_of(std::uint32_t lane, bool forwards) const noexcept;
    [[nodiscard]] std::span<const std::uint32_t> right_of(std::uint32_t lane, bool forwards) const noexcept;
    /// Are both part of one lane that goes on?
    [[nodiscard]] bool are_chained(std::uint32_t a, std::uint32_t b);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
