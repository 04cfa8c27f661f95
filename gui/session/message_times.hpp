// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// When the messages of a channel come, as far as its index is known: of every message, or of every stride-th of a
/// channel with very many. Immutable once published; any thread.
struct MessageTimes {
    std::vector<Nanoseconds>
        times;  ///< of message 0, stride, 2 * stride ...; never backward: a message that is, has the time before it
    std::uint64_t stride = 1;
    std::uint64_t count = 0;         ///< messages known so far
    Nanoseconds last{};              ///< time of message count - 1
    std::uint64_t backward = 0;      ///< messages with a time before that of the message before
    std::uint64_t without_time = 0;  ///< messages whose time is assumed
    bool all_assumed = false;        ///< no message says a later time than the first one: all others are assumed
    bool complete = false;           ///< nothing will be added

    /// The last known message at or before t; exact where stride is 1, else at most stride - 1 messages early.
    [[nodiscard]] std::optional<std::uint64_t> last_until(Nanoseconds t) const noexcept;
    /// The time of a known message; with a stride, that of the message in front of it that is known.
    [[nodiscard]] Nanoseconds time_of(std::uint64_t number) const noexcept;
    /// From the first message to one typical step behind the last; empty without messages.
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept;
    /// The mean time between messages; empty for fewer than two.
    [[nodiscard]] std::optional<Nanoseconds> step() const noexcept;
    /// The median of (up to 200 of) the times between messages: gaps do not make it longer. Empty for fewer than two.
    [[nodiscard]] std::optional<Nanoseconds> typical_step() const noexcept;
};

}  // namespace ositrace::gui
