// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/timeline.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {
class LiveTrace;
}

namespace ositrace::gui {

/// Times of the messages of a channel, as far as its index is known: of every message, or of every stride-th if there
/// are very many. Immutable once published; any thread.
struct MessageTimes {
    std::uint64_t first = 0;         ///< number of the first message: 0, except in a trace that drops its oldest ones
    std::vector<Nanoseconds> times;  ///< of message first, first + stride, first + 2 * stride ...; never decreasing: an
                                     ///< earlier time is replaced by that of the previous message
    std::uint64_t stride = 1;
    std::uint64_t count = 0;         ///< messages known so far, with those that were dropped
    Nanoseconds last{};              ///< time of message count - 1
    std::uint64_t backward = 0;      ///< messages with an earlier time than the previous message
    std::uint64_t overtaken = 0;     ///< messages with an earlier time than any message before them
    std::uint64_t without_time = 0;  ///< messages whose time is assumed
    bool all_assumed = false;        ///< no message has a later time than the first one: all others are assumed
    bool complete = false;           ///< the index is complete
    /// Of what a model returns: messages from this time on are not computed yet. Empty: all are.
    std::optional<Nanoseconds> known_until;

    /// The last known message at or before t; exact if stride is 1, otherwise at most stride - 1 messages too early.
    [[nodiscard]] std::optional<std::uint64_t> last_until(Nanoseconds t) const noexcept;
    /// The time of a message; with a stride, that of the last stored message before it.
    [[nodiscard]] Nanoseconds time_of(std::uint64_t number) const noexcept;
    /// From the first message to one typical step after the last; empty without messages.
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept;
    /// The mean time between messages; empty for fewer than two.
    [[nodiscard]] std::optional<Nanoseconds> step() const noexcept;
    /// The median of (up to 200 of) the times between messages: gaps do not affect it. Empty for fewer than two.
    [[nodiscard]] std::optional<Nanoseconds> typical_step() const noexcept;
};

/// The times of the messages of a channel on the time axis, one after the other: an earlier time is replaced by that of
/// the previous message, and steps of 0.1 s are assumed where messages have no time.
class MessageClock {
public:
    /// Of the next message, whose own time is `own`.
    Nanoseconds next(std::optional<Nanoseconds> own) noexcept;
    /// Number of messages so far.
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    Nanoseconds last_{};
    std::uint64_t count_ = 0;
};

/// Of message `number` if no message has a later time than the first one, `begin`.
[[nodiscard]] Nanoseconds assumed_time(Nanoseconds begin, std::uint64_t number) noexcept;

/// Are the log times of a channel its OSI times, as the standard of OSI-MCAP requires? Compares the first message, the
/// middle and the last one; false if one of them cannot be read.
[[nodiscard]] bool log_times_are_osi_times(const Trace& trace, std::uint32_t channel);

/// Collects the message times of a channel, from the first message on. If the log times of an MCAP file equal the OSI
/// times, as the standard requires, the times of its index are used and the messages are not read. One thread.
class TimesWalk {
public:
    /// Memory: 8 bytes per message up to this number; above it, every second, fourth ... time is stored.
    static constexpr std::size_t max_kept = std::size_t{1} << 20;

    TimesWalk(std::shared_ptr<const Trace> trace, std::uint32_t channel, std::size_t kept = max_kept);

    /// Collects up to `messages` more. Returns false at the end of the channel, or where the file is damaged.
    bool walk(std::uint64_t messages);
    /// Instead of walk(), of a trace that grows: adds what has arrived, and forgets what was dropped. `trace` has the
    /// frames of the walk's trace.
    void follow(const LiveTrace& trace);
    [[nodiscard]] const MessageTimes& times() const noexcept { return times_; }
    /// Why the times end before the channel does; empty if they do not.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

private:
    [[nodiscard]] std::string known_damage() const;
    [[nodiscard]] std::optional<Nanoseconds> read_time(std::uint64_t number) const;
    void add(std::optional<Nanoseconds> time);
    void thin_out();
    void end();

    std::shared_ptr<const Trace> trace_;
    std::uint32_t channel_;
    std::size_t kept_;
    std::optional<bool> by_log_time_;
    MessageClock clock_;
    std::optional<Nanoseconds> previous_;  ///< the last time that a message had, as it is
    MessageTimes times_;
    std::string problem_;
};

}  // namespace ositrace::gui
