// SPDX-License-Identifier: MPL-2.0
// What every comparison of two channels over time needs: which messages belong together, and their frames.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/compare_traces.hpp>
#include <ositrace/error.hpp>
#include <ositrace/map_finder.hpp>

namespace ositrace::compare {

/// How the messages of a side are read.
[[nodiscard]] std::shared_ptr<const Channel> channel_of(const ComparedChannel& side);

/// Two channels on one clock.
struct CommonClock {
    CommonClock(const ComparedChannel& a, const ComparedChannel& b, std::optional<Nanoseconds> given,
                const std::stop_token& stop);
    /// The largest time between two messages of a pair.
    [[nodiscard]] Nanoseconds farthest() const noexcept;
    /// Of A.
    [[nodiscard]] Nanoseconds time_of(const MessagePair& pair) const noexcept;

    std::array<std::shared_ptr<const std::vector<Nanoseconds>>, 2> times;
    Nanoseconds tolerance;
    std::vector<MessagePair> pairs;
    Nanoseconds shift, shift_b;
};

/// The messages of a side, with the static data that they lack. The side must outlive it.
class SideReader {
public:
    explicit SideReader(const ComparedChannel& side) : side_(side), maps_(side.trace) {}

    /// Valid until the next call.
    [[nodiscard]] ComparedMessage read(std::uint64_t number, const std::stop_token& stop);

private:
    const ComparedChannel& side_;
    MapFinder maps_;
    Frame frame_;
    std::optional<MapFinder::Found> map_;
};

/// Adds the comparisons of all pairs of messages to `sums`, which writes into `result`: `compare_two` gets the messages
/// of A and B. A pair that cannot be compared is counted. A result that is not complete was stopped.
template <class Result, class Sums, class Compare, class Progress>
void compare_pairs(const ComparedChannel& a, const ComparedChannel& b, std::optional<Nanoseconds> tolerance,
                   Result& result, Sums& sums, const Compare& compare_two, const Progress& on_progress,
                   const std::stop_token& stop)
{
    const CommonClock clock(a, b, tolerance, stop);
    result.messages_a = clock.times[0]->size();
    result.messages_b = clock.times[1]->size();
    result.pairs = clock.pairs.size();
    result.tolerance = clock.tolerance;
    result.farthest = clock.farthest();
    SideReader read_a(a), read_b(b);
    for (const auto& pair : clock.pairs) {
        if (stop.stop_requested()) return;
        try {
            const auto message_a = read_a.read(pair.a, stop), message_b = read_b.read(pair.b, stop);
            sums.add(pair, clock.time_of(pair), compare_two(message_a, message_b));
        } catch (const Error& error) {
            sums.add_broken(pair, clock.time_of(pair), error.what());
        }
        if (on_progress) on_progress(result);
    }
    result.complete = !stop.stop_requested();
}

}  // namespace ositrace::compare
