// SPDX-License-Identifier: MPL-2.0
// Two channels against each other over time: the errors of their objects, or whether their messages are equal.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/compare_objects.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A side of a comparison.
struct ComparedChannel {
    std::shared_ptr<const Trace> trace;
    std::uint32_t in_trace = 0;              ///< index of the channel
    std::shared_ptr<const Channel> channel;  ///< how its messages are read; null: as the trace describes
    ObjectSet set = ObjectSet::ground_truth;
    /// Of its messages, never decreasing; null: the OSI times are read first, and those that are missing or earlier
    /// than the previous one count as equal to it.
    std::shared_ptr<const std::vector<Nanoseconds>> times;
    Nanoseconds shift{};  ///< added to all times: the offset of its clock
};

/// Messages of the two sides that belong together.
struct MessagePair {
    std::uint64_t a = 0, b = 0;
    friend bool operator==(const MessagePair&, const MessagePair&) = default;
};

/// Pairs messages by time, in their order: each with the nearest one of the other side that has no partner yet, at most
/// `tolerance` apart; both numbers increase. Of two channels with different rates, the additional messages of the
/// faster one have no partner. Messages with equal times are paired in their order. Times must not decrease. Linear.
[[nodiscard]] std::vector<MessagePair> pair_messages(std::span<const Nanoseconds> a, Nanoseconds shift_a,
                                                     std::span<const Nanoseconds> b, Nanoseconds shift_b,
                                                     Nanoseconds tolerance);

/// Half of the usual time between messages of the slower channel; 50 ms if neither has two messages.
[[nodiscard]] Nanoseconds usual_tolerance(std::span<const Nanoseconds> a, std::span<const Nanoseconds> b);

struct TraceCompareOptions {
    ObjectCompareOptions objects;
    std::optional<Nanoseconds> tolerance;  ///< between the times of a pair of messages; empty: usual_tolerance()
    /// Errors of pairs, missed objects and ghosts that are kept with their time; later ones are counted only. 48 bytes
    /// each.
    std::size_t max_samples = std::size_t{2} << 20;
};

/// The errors of a pair of objects at a time.
struct ErrorSample {
    std::uint64_t id_b = 0;
    std::uint32_t moment = 0;                        ///< index in TraceComparison::moments
    std::array<float, object_error_count> errors{};  ///< by ObjectError; NaN: unknown
};

/// Statistics of the absolute values of one kind of error.
struct ErrorStatistics {
    std::uint64_t count = 0;
    double sum = 0;
    double largest = 0;
    std::uint32_t moment = 0;  ///< of the largest, the first of equal ones
    [[nodiscard]] double mean() const noexcept { return count == 0 ? 0 : sum / static_cast<double>(count); }
    void add(double error, std::uint32_t at) noexcept;
};
using StatisticsByError = std::array<ErrorStatistics, object_error_count>;

/// An object of A, and its partners over time.
struct ObjectHistory {
    ObjectKind kind = ObjectKind::moving;
    std::uint64_t id = 0;
    bool has_id = true;
    std::string type;          ///< name of its type, of a vehicle the more exact one: `TYPE_HEAVY_TRUCK`; or empty
    std::uint64_t paired = 0;  ///< messages in which it has a partner
    std::uint64_t missed = 0;
    StatisticsByError statistics;
    std::vector<ErrorSample> samples;           ///< ascending by moment
    std::vector<std::uint32_t> missed_moments;  ///< ascending
};

/// An object of B without a partner.
struct GhostSample {
    std::uint32_t moment = 0;
    ObjectKind kind = ObjectKind::moving;
    std::uint64_t id_b = 0;
};

/// A pair of messages.
struct ComparedMoment {
    MessagePair messages;
    Nanoseconds time{};  ///< of A, shifted
    std::uint32_t pairs = 0;
    std::uint32_t missed = 0;
    std::uint32_t ghosts = 0;
    std::array<float, object_error_count> mean{};     ///< of the absolute errors of all pairs; NaN: unknown
    std::array<float, object_error_count> largest{};  ///< likewise
    bool broken = false;                              ///< the messages cannot be compared
};

struct TraceComparison {
    std::uint64_t messages_a = 0, messages_b = 0;  ///< of the channels
    std::uint64_t pairs = 0;                       ///< of messages, to be compared
    Nanoseconds tolerance{};
    Nanoseconds farthest{};               ///< the largest time between two messages of a pair, at most the tolerance
    std::vector<ComparedMoment> moments;  ///< that are compared so far
    std::vector<ObjectHistory> objects;   ///< in the order of their first message
    std::vector<GhostSample> ghost_list;  ///< ascending by moment
    StatisticsByError statistics;         ///< of all pairs
    std::uint64_t missed = 0, ghosts = 0, out_of_reach = 0;
    std::uint64_t broken = 0;          ///< moments
    std::string problem;               ///< of the first broken one
    std::vector<std::string> notes;    ///< see ObjectComparison::notes; of the first hundred different ones
    std::optional<SensorReach> seen;   ///< that contains all detections
    bool samples_are_complete = true;  ///< else TraceCompareOptions::max_samples was reached
    bool complete = false;             ///< false: partial, or stopped

    /// nullptr without pairs of objects that have such an error.
    [[nodiscard]] const ObjectHistory* worst_object(ObjectError error) const noexcept;
    /// nullptr if no object of A has this id.
    [[nodiscard]] const ObjectHistory* find(ObjectKind kind, std::uint64_t id) const noexcept;
};

/// Compares the objects of all pairs of messages; reads both channels once. A message that cannot be read is counted
/// and does not end the comparison. `on_progress` gets the result so far after each pair of messages. Returns a partial
/// result after a stop request. Throws Error (usage) if a channel has no objects, and what reading an index throws.
[[nodiscard]] TraceComparison compare_traces(const ComparedChannel& a, const ComparedChannel& b,
                                             const TraceCompareOptions& options,
                                             const std::function<void(const TraceComparison&)>& on_progress = {},
                                             std::stop_token stop = {});

/// One place where two messages differ.
struct FieldDifference {
    std::string field;  ///< `moving_object[id=3].base.position.x`
    std::string text;   ///< `1.5 against 1.25`, `only in the first`
    /// Its paths in the two messages, by the places of the elements; empty if a message lacks the element.
    std::array<std::string, 2> paths;
};

/// Do two messages have the same content, to the last bit? The encodings may differ. Lists at most `most` differences
/// in fields; objects are paired by id. Numbers that differ in their bits only (-0, NaN) and the order of elements
/// count, too. Throws Error (mismatch) for two types of messages, and what MessageView throws.
struct MessageComparison {
    bool equal = false;
    bool equal_bytes = false;  ///< the same encoding, and the same bytes
    std::vector<FieldDifference> differences;
    bool more = false;  ///< than are listed
};
[[nodiscard]] MessageComparison compare_messages(const Frame& a, const Channel& channel_a, const Frame& b,
                                                 const Channel& channel_b, std::size_t most);

/// A pair of messages that differ.
struct DifferentMoment {
    MessagePair messages;
    Nanoseconds time{};  ///< of A, shifted
    std::string field;   ///< of the first difference in the order of field numbers
    std::string text;
};

struct EqualityOfTraces {
    std::uint64_t messages_a = 0, messages_b = 0;
    std::uint64_t pairs = 0;  ///< of messages, to be compared
    Nanoseconds tolerance{};
    std::uint64_t compared = 0;  ///< so far
    std::uint64_t different = 0;
    std::uint64_t equal_bytes = 0;
    std::vector<DifferentMoment> differences;  ///< the first `most` of them
    bool complete = false;
    /// Every message has a partner, and all are equal to the last bit.
    [[nodiscard]] bool same() const noexcept
    {
        return complete && different == 0 && pairs == messages_a && pairs == messages_b;
    }
};

/// Are all messages of two channels of one type equal? A message that cannot be read counts as different, with the
/// reason. Throws Error (mismatch) for two types.
[[nodiscard]] EqualityOfTraces compare_exactly(const ComparedChannel& a, const ComparedChannel& b,
                                               std::optional<Nanoseconds> tolerance, std::size_t most,
                                               const std::function<void(const EqualityOfTraces&)>& on_progress = {},
                                               std::stop_token stop = {});

}  // namespace ositrace
