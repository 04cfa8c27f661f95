// SPDX-License-Identifier: MPL-2.0
// Lane boundaries against the ground truth: how far they are to the side, over the distance ahead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/compare_objects.hpp>

namespace ositrace {

struct BoundaryCompareOptions {
    double gate = 2;  ///< m: a place of B whose nearest boundary of A is farther away belongs to none
    double step = 1;  ///< m: distance of the places that are compared along a boundary of B, besides its points
    friend bool operator==(const BoundaryCompareOptions&, const BoundaryCompareOptions&) = default;
};

/// A place of a boundary of B.
struct BoundaryPlace {
    double ahead = 0;     ///< m along the axis of the sensor of the detections, else along the heading of the host
    double aside = 0;     ///< m to its left
    double lateral = 0;   ///< how far B is to the left of the nearest boundary of A, looking ahead; NaN: it has none
    std::uint32_t a = 0;  ///< place of that boundary in the list of A
    std::uint32_t b = 0;  ///< place in the list of B
    double length = 0;    ///< m of the boundary that this place stands for
};

/// A boundary of B.
struct ComparedBoundary {
    std::uint64_t id = 0;  ///< of a detection its tracking id; without one, its place in the list
    bool has_id = true;
    std::uint32_t place = 0;  ///< in its list
    double from = 0, to = 0;  ///< m ahead: the compared places
    double mean = 0;          ///< lateral error, over its length
    double mean_absolute = 0;
    double largest = 0;        ///< the one of largest size, with its sign
    double largest_ahead = 0;  ///< where
    /// The same place in global coordinates, m; without a boundary of A, that of the middle of its points.
    std::array<double, 3> largest_place{};
    double matched = 0;    ///< m of its length that have a boundary of A
    double unmatched = 0;  ///< m that have none
};

struct BoundaryComparison {
    std::vector<BoundaryPlace> places;                                ///< by boundary, along each
    std::vector<ComparedBoundary> boundaries;                         ///< of B
    double mean_absolute = std::numeric_limits<double>::quiet_NaN();  ///< of all matched places; NaN: there are none
    double matched = 0, unmatched = 0;                                ///< m
    std::array<std::size_t, 2> counts{};                              ///< boundaries of A and B
    std::vector<std::string> notes;                                   ///< what is left out or assumed, a sentence each
};

/// Has the channel such boundaries? A SensorData may have both.
[[nodiscard]] bool has_lane_boundaries(const Channel& channel, ObjectSet set) noexcept;
/// Throws Error (usage) unless both have.
void check_lane_boundaries(const std::array<std::shared_ptr<const Channel>, 2>& channels,
                           const std::array<ObjectSet, 2>& sets);

/// Compares `lane_boundary` of two messages, seen from above. Detections are transformed as those of ObjectComparer.
/// Boundaries are not paired: each place of B is measured perpendicularly to the nearest piece of a boundary of A,
/// which works however the two sides cut their lines into boundaries. Linear in the points near each other: very many
/// make it stop with a note. Throws Error (mismatch) if the pose of the host is unknown, (usage) for channels without
/// boundaries, (malformed, limit) for a broken message.
[[nodiscard]] BoundaryComparison compare_boundaries(const std::array<std::shared_ptr<const Channel>, 2>& channels,
                                                    const std::array<ObjectSet, 2>& sets, const ComparedMessage& a,
                                                    const ComparedMessage& b,
                                                    const BoundaryCompareOptions& options = {});

}  // namespace ositrace
