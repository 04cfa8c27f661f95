// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <QStringList>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"

namespace ositrace::gui {

/// How a channel is drawn, if not as all are.
struct ChannelStyle {
    std::optional<std::uint32_t> rgb;  ///< 0xRRGGBB
    int opacity = 100;                 ///< percent
    friend bool operator==(const ChannelStyle&, const ChannelStyle&) = default;
};

/// A channel of an open trace: a value, copied between threads.
struct OpenChannel {
    std::shared_ptr<const Trace> trace;         ///< never null
    std::uint32_t in_trace = 0;                 ///< its index in the trace
    std::size_t trace_number = 0;               ///< index in Session::traces()
    std::shared_ptr<const Channel> channel;     ///< never null
    std::shared_ptr<const MessageTimes> times;  ///< never null; in the time of the trace
    Nanoseconds shift{};                        ///< session time = trace time + shift
    bool shown = true;                          ///< visible in the scene
    std::string note;                           ///< how its messages are read, if not as the file specifies; else empty
    std::string name;                           ///< display name: the topic, with its file if the topic is not unique
    Nanoseconds offset{};                       ///< part of `shift`: chosen by the user
    ChannelStyle style{};                       ///< in the scene: chosen by the user

    [[nodiscard]] std::optional<std::uint64_t> last_until(Nanoseconds t) const noexcept;
    [[nodiscard]] Nanoseconds time_of(std::uint64_t number) const noexcept;
    /// The time of the next message, or the end of the last one.
    [[nodiscard]] Nanoseconds end_of(std::uint64_t number) const noexcept;
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept;
    /// Is it unknown which message describes t, because a model has not computed it?
    [[nodiscard]] bool is_unknown(Nanoseconds t) const noexcept;
    /// Why there is no message at t although there may have been one; empty: the channel starts later.
    [[nodiscard]] std::string absence(Nanoseconds t) const;
    /// Is t more than a few usual steps after this message, with no message in between? Then the message does not
    /// describe t. Always false for the only message of a channel: a map that is sent once is valid at all times.
    [[nodiscard]] bool is_past(std::uint64_t number, Nanoseconds t) const noexcept;
};

/// The channel `in_trace`. OSI messages whose own schema cannot be read are decoded with the built-in schema; `note`
/// reports it.
[[nodiscard]] std::shared_ptr<const Channel> viewed_channel(const std::shared_ptr<const Trace>& trace,
                                                            std::uint32_t in_trace, std::string& note);

/// All open channels, in the session's order: an index in it is a `source`.
using OpenChannels = std::vector<OpenChannel>;

/// The index of a channel of `before` after a trace was replaced or added: same file, topic and type; of several such
/// channels the one with the same rank. Empty: the channel is gone.
[[nodiscard]] std::optional<std::uint32_t> place_of(const OpenChannels& before, std::uint32_t source,
                                                    const OpenChannels& now) noexcept;

/// Their display names.
[[nodiscard]] QStringList names_of(const OpenChannels& channels);

/// From the first to the last time of all channels; empty while nothing is known.
[[nodiscard]] std::optional<TimeSection> extent_of(const OpenChannels& channels) noexcept;

/// a + b, clamped to the range of int64 nanoseconds.
[[nodiscard]] Nanoseconds shifted(Nanoseconds a, Nanoseconds b) noexcept;

/// May messages be added to the trace of a channel, as of a live source? A file that grows is another trace each time.
[[nodiscard]] bool grows(const OpenChannel& channel) noexcept;

/// Waits until a channel that grows has message `number`, and a moment longer, so that several are read together.
/// False: it does not grow any more, or a stop was requested. Any thread but the GUI thread.
[[nodiscard]] bool wait_for_messages(const OpenChannel& channel, std::uint64_t number, const std::stop_token& stop,
                                     std::chrono::nanoseconds moment = std::chrono::milliseconds(100));

}  // namespace ositrace::gui
