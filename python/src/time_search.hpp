// SPDX-License-Identifier: MPL-2.0
// Which frames of a channel belong to a time. The time of a frame is its timestamp, or without one its log time; a
// frame without both belongs to the frame before it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <ositrace/trace_selection.hpp>

#include "python/src/trace.hpp"

namespace ositrace::python {

/// Frames `first` to `end - 1` of a channel.
struct FoundFrames {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

/// One search. Reads few times once all were read and go forward. Log times in the index of an MCAP file are no proof
/// of that: a range of an object in a store, and one frame, are found by them as long as they are the timestamps of the
/// frames that are read. Throws the Error of a frame whose time cannot be read, unless damage is skipped: then it is
/// noted.
class TimeSearch {
public:
    TimeSearch(const OpenTrace& trace, std::uint32_t channel);

    /// The last frame with a time <= t. Throws Error (unsupported) where times go backward.
    [[nodiscard]] std::optional<std::uint64_t> at(Nanoseconds t);
    /// Those with a time in the span, which has at least one bound, in their order.
    [[nodiscard]] std::vector<FoundFrames> in(const TimeSpan& span);

private:
    struct OtherLogTime {};  ///< thrown: a log time is not the timestamp
    template <class Search>
    [[nodiscard]] auto in_order(bool by_index, Search&& search) -> std::optional<decltype(search())>;
    [[nodiscard]] std::optional<std::uint64_t> search_at(Nanoseconds t);
    [[nodiscard]] FoundFrames search_in(const TimeSpan& span);
    [[nodiscard]] std::vector<FoundFrames> filtered(const TimeSpan& span);
    [[nodiscard]] std::optional<std::uint64_t> last_until(Nanoseconds t);
    [[nodiscard]] std::uint64_t first_from(std::optional<Nanoseconds> t);
    [[nodiscard]] std::optional<Nanoseconds> stated_time(std::uint64_t i);
    [[nodiscard]] std::optional<Nanoseconds> time_of(std::uint64_t i);
    void note(std::uint64_t i, Nanoseconds time);
    [[nodiscard]] const Channel& channel() const noexcept { return trace_.trace->info().channels[channel_]; }

    const OpenTrace& trace_;
    std::uint32_t channel_;
    std::uint64_t count_;
    bool trusts_log_times_ = false;
    std::map<std::uint64_t, Nanoseconds> seen_;  ///< times of frames that were looked at
};

/// Is no time of a channel before that of an earlier frame? Reads all of them.
[[nodiscard]] bool times_go_forward(const Trace& trace, std::uint32_t channel);

/// A frame that is read as one of the span: throws Error (unsupported) where it has another time.
void check_is_in(const TimeSpan& span, const Frame& frame, const OpenTrace& trace);

}  // namespace ositrace::python
