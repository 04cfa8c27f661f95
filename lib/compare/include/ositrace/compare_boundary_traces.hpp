// SPDX-License-Identifier: MPL-2.0
// The lane boundaries of two channels against each other over time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/compare_boundaries.hpp>
#include <ositrace/compare_traces.hpp>

namespace ositrace {

struct BoundaryTraceOptions {
    BoundaryCompareOptions boundaries;
    std::optional<Nanoseconds> tolerance;  ///< between the times of a pair of messages; empty: usual_tolerance()
    /// Boundaries of messages that are kept with their time, and of B in all; later ones are only in the sums. 28 bytes
    /// each.
    std::size_t max_samples = std::size_t{2} << 20;
};

/// A boundary of B in a message. See ComparedBoundary; NaN without a boundary of A.
struct BoundarySample {
    std::uint32_t moment = 0;  ///< index in BoundaryTraceComparison::moments
    float mean = 0;
    float mean_absolute = 0;
    float largest = 0;
    float largest_ahead = 0;
    float matched = 0;
    float unmatched = 0;
};

/// A boundary of B over time.
struct BoundaryHistory {
    std::uint64_t id = 0;  ///< without one, its place in the list
    bool has_id = true;
    std::uint64_t messages = 0;           ///< that have it
    std::uint64_t alone = 0;              ///< of these, those in which no boundary of A is near it
    double matched = 0, unmatched = 0;    ///< m, of all messages
    double sum = 0, sum_absolute = 0;     ///< of the lateral errors, weighted by length
    double largest = 0;                   ///< the one of largest size, with its sign
    double largest_ahead = 0;             ///< where
    std::uint32_t moment = 0;             ///< of the largest; of a boundary that is always alone, the first one
    std::vector<BoundarySample> samples;  ///< ascending by moment
    /// Lateral error over its length in all messages, and its size; NaN if it is always alone.
    [[nodiscard]] double mean() const noexcept { return sum / matched; }
    [[nodiscard]] double mean_absolute() const noexcept { return sum_absolute / matched; }
};

/// A pair of messages.
struct BoundaryMoment {
    MessagePair messages;
    Nanoseconds time{};            ///< of A, shifted
    std::uint32_t boundaries = 0;  ///< of B, with points
    std::uint32_t alone = 0;       ///< without a boundary of A
    float mean_absolute = std::numeric_limits<float>::quiet_NaN();
    float largest = std::numeric_limits<float>::quiet_NaN();  ///< its size
    bool broken = false;                                      ///< the messages cannot be compared
};

struct BoundaryTraceComparison {
    std::uint64_t messages_a = 0, messages_b = 0;  ///< of the channels
    std::uint64_t pairs = 0;                       ///< of messages, to be compared
    Nanoseconds tolerance{};
    Nanoseconds farthest{};                   ///< the largest time between two messages of a pair
    std::vector<BoundaryMoment> moments;      ///< that are compared so far
    std::vector<BoundaryHistory> boundaries;  ///< of B, in the order of their first message
    std::array<std::uint64_t, 2> counts{};    ///< boundaries of A and B, of all messages
    std::uint64_t alone = 0;                  ///< boundaries of B without one of A, of all messages
    double matched = 0, unmatched = 0;        ///< m
    double sum_absolute = 0;                  ///< of the lateral errors, weighted by length
    std::uint64_t broken = 0;                 ///< moments
    std::string problem;                      ///< of the first broken one
    std::vector<std::string> notes;           ///< see BoundaryComparison::notes; the first hundred different ones
    bool samples_are_complete = true;         ///< else BoundaryTraceOptions::max_samples was reached
    bool complete = false;                    ///< false: partial, or stopped

    /// NaN without a boundary of B that has one of A.
    [[nodiscard]] double mean_absolute() const noexcept { return sum_absolute / matched; }
    /// nullptr without a boundary of B that has one of A.
    [[nodiscard]] const BoundaryHistory* worst() const noexcept;
};

/// Compares the lane boundaries of all pairs of messages, see compare_boundaries(); reads both channels once. A message
/// that cannot be read is counted and does not end the comparison. `on_progress` gets the result so far after each pair
/// of messages. Returns a partial result after a stop request. Throws Error (usage) if a channel has no boundaries, and
/// what reading an index throws.
[[nodiscard]] BoundaryTraceComparison compare_boundary_traces(
    const ComparedChannel& a, const ComparedChannel& b, const BoundaryTraceOptions& options,
    const std::function<void(const BoundaryTraceComparison&)>& on_progress = {}, std::stop_token stop = {});

/// Have both sides of some pair of messages lane boundaries? Looks at a few pairs all over the time.
[[nodiscard]] bool have_lane_boundaries(const ComparedChannel& a, const ComparedChannel& b, std::stop_token stop = {});

}  // namespace ositrace
