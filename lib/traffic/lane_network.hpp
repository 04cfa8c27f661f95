// SPDX-License-Identifier: MPL-2.0
// The lanes of a GroundTruth as a network: which follows which, which lie side by side, and the markings between them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <ositrace/traffic_map.hpp>

#include "lib/traffic/plane.hpp"

namespace ositrace::traffic {

/// The line of a LaneBoundary.
struct Marking {
    struct Point {
        Vec2 at;
        double half_width = 0;  ///< of the paint
    };
    /// From one point to the next.
    struct Segment {
        Vec2 edge;
        Vec2 per_square;  ///< edge / edge², not a number where two points are one
    };
    struct Box {
        Vec2 least, most;
    };

    std::uint64_t id = 0;
    std::vector<Point> points;
    // Of LaneNetwork:
    std::vector<Segment> segments = {};
    std::vector<Box> boxes = {};  ///< a binary tree: 1 is around all, 2n and 2n + 1 around the halves of n
};

/// A Lane; others are named by their ids. `left` and `right` are OSI's: as the centre line is defined.
struct NetworkLane {
    std::uint64_t id = 0;
    std::vector<std::uint64_t> left, right;                    ///< adjacent lanes
    std::vector<std::uint64_t> before, after;                  ///< of lane_pairing
    std::vector<std::uint64_t> left_markings, right_markings;  ///< lane boundaries
    std::vector<Vec2> centre_line;
    bool along_centre_line = true;  ///< traffic drives in the direction of the centre line
};

enum class LaneSide : std::uint8_t { left, right };

/// Immutable; any thread. Memory is linear in what it was built from.
class LaneNetwork {
public:
    /// Lanes that lane_pairing chains within so many steps are one lane.
    static constexpr int chain_steps = 3;

    LaneNetwork() = default;
    LaneNetwork(std::vector<NetworkLane> lanes, std::vector<Marking> markings);
    explicit LaneNetwork(const TrafficMap& map);

    [[nodiscard]] bool empty() const noexcept { return lanes_.empty(); }
    [[nodiscard]] const NetworkLane* find(std::uint64_t id) const noexcept;
    /// The lane and those that follow it, or come before it, along lane_pairing. A lane that is unknown is alone.
    [[nodiscard]] std::vector<std::uint64_t> chain(std::uint64_t lane) const;
    /// Is `other` in the chain of `lane`? Lanes that only share a successor are not.
    [[nodiscard]] bool is_chained(std::uint64_t lane, std::uint64_t other) const;
    /// The side on which `other` is adjacent to the chain of `lane`; empty: it is not.
    [[nodiscard]] std::optional<LaneSide> side_of(std::uint64_t lane, std::uint64_t other) const;
    /// The lanes that are adjacent to the chain of `lane`.
    [[nodiscard]] std::vector<std::uint64_t> neighbours(std::uint64_t lane, LaneSide side) const;

    /// Where a place is to a marking.
    struct Offset {
        double left = 0;  ///< metres by which the place is to the left of the middle of the line, seen along `heading`
        double half_width = 0;
        Vec2 along;  ///< unit vector of the line there, in the direction of `heading`
    };
    /// To the marking on that side of the lane, or of a lane of its chain, at which the place is: the nearest one.
    /// Empty where no line runs beside the place.
    [[nodiscard]] std::optional<Offset> offset(std::uint64_t lane, LaneSide side, Vec2 place, Vec2 heading) const;

private:
    [[nodiscard]] std::vector<std::uint64_t> walk(std::uint64_t lane, bool forwards) const;

    std::vector<NetworkLane> lanes_;
    std::vector<Marking> markings_;
    std::unordered_map<std::uint64_t, std::size_t> lane_at_, marking_at_;
};

}  // namespace ositrace::traffic
