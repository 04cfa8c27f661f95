// SPDX-License-Identifier: MPL-2.0
// The still part of traffic: lanes, their boundaries, markings. Copied from a GroundTruth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <ositrace/message_view.hpp>

namespace ositrace {

using TrafficPoint = std::array<double, 3>;  ///< x, y, z in metres, global coordinates

/// An entry of Lane.Classification.lane_pairing, along the points of the centre line.
struct TrafficLanePairing {
    std::optional<std::uint64_t> antecessor, successor;
};

struct TrafficLane {
    std::uint64_t id = 0;
    int type = 0;                      ///< number of Lane.Classification.Type
    std::vector<TrafficPoint> centre;  ///< in the order of the message
    /// Traffic drives in the order of the points; else against it.
    bool driven_forwards = true;
    std::vector<TrafficLanePairing> pairings;
    std::vector<std::uint64_t> left_lanes, right_lanes;            ///< adjacent ones, as seen along the points
    std::vector<std::uint64_t> left_boundaries, right_boundaries;  ///< the same
    std::vector<std::uint64_t> free_boundaries;
};

struct TrafficBoundary {
    std::uint64_t id = 0;
    int type = 0;  ///< number of LaneBoundary.Classification.Type
    std::vector<TrafficPoint> points;
    std::vector<double> widths;  ///< of the line at each point, m; 0: not stated
};

/// A RoadMarking: a rectangle on the ground, such as a stop line.
struct TrafficMarking {
    std::uint64_t id = 0;
    int type = 0;       ///< number of RoadMarking.Classification.Type
    int sign_type = 0;  ///< number of TrafficSign.MainSign.Classification.Type
    TrafficPoint centre{};
    double yaw = 0;
    double length = 0, width = 0;  ///< of base.dimension; 0: not set
    std::vector<std::uint64_t> lanes;
};

/// Immutable once read.
struct TrafficMap {
    std::vector<TrafficLane> lanes;
    std::vector<TrafficBoundary> boundaries;
    std::vector<TrafficMarking> markings;
    std::unordered_map<std::uint64_t, std::size_t> lane_places, boundary_places;  ///< by id; of equal ids the first

    /// Null: there is none of this id.
    [[nodiscard]] const TrafficLane* lane(std::uint64_t id) const noexcept;
    [[nodiscard]] const TrafficBoundary* boundary(std::uint64_t id) const noexcept;
};

/// Throws what MessageView throws. Memory: linear in the bytes of the message.
[[nodiscard]] TrafficMap read_traffic_map(const MessageView& ground_truth);

}  // namespace ositrace
