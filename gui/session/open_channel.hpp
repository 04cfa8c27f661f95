// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"

namespace ositrace::gui {

/// A channel of what is open: a value, handed from thread to thread.
struct OpenChannel {
    std::shared_ptr<const Trace> trace;         ///< never null
    std::uint32_t in_trace = 0;                 ///< its number there
    std::size_t trace_number = 0;               ///< place in Session::traces()
    std::shared_ptr<const Channel> channel;     ///< never null
    std::shared_ptr<const MessageTimes> times;  ///< never null; in the time of the trace
    Nanoseconds shift{};                        ///< session time = trace time + shift
    bool shown = true;                          ///< in the scene
    std::string note;  ///< how its messages are read, where that is not as the file says; empty: as it says
    std::string name;  ///< as people see it: the topic, with its file where several are open

    [[nodiscard]] std::optional<std::uint64_t> last_until(Nanoseconds t) const noexcept;
    [[nodiscard]] Nanoseconds time_of(std::uint64_t number) const noexcept;
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept;
    /// Has the channel been silent from this message until t, for more than a few of its usual steps? Then the message
    /// says nothing of t. Never of a message that is alone: a map that is sent once is one of all times.
    [[nodiscard]] bool is_past(std::uint64_t number, Nanoseconds t) const noexcept;
};

/// The channel `in_trace`. Messages of OSI whose own schema cannot be read are looked into by the built-in one; `note`
/// says so.
[[nodiscard]] std::shared_ptr<const Channel> viewed_channel(const std::shared_ptr<const Trace>& trace,
                                                            std::uint32_t in_trace, std::string& note);

/// All channels that are open, in the session's order: a place in it is a `source`.
using OpenChannels = std::vector<OpenChannel>;

/// Where a channel of `before` stands after a trace was replaced or added: in the same file, with the same topic and
/// type; of several such the one at the same turn. Empty: it is gone.
[[nodiscard]] std::optional<std::uint32_t> place_of(const OpenChannels& before, std::uint32_t source,
                                                    const OpenChannels& now) noexcept;

/// From the first to the last time of all; empty while nothing is known.
[[nodiscard]] std::optional<TimeSection> extent_of(const OpenChannels& channels) noexcept;

/// a + b, held at the ends of what int64 nanoseconds reach.
[[nodiscard]] Nanoseconds shifted(Nanoseconds a, Nanoseconds b) noexcept;

}  // namespace ositrace::gui
