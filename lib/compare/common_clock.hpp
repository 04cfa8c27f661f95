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

}  // namespace ositrace::compare
