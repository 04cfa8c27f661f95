// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"

namespace ositrace::gui {

/// Learns the message times of a channel, from the first on. Where an MCAP file keeps the OSI times as its log times,
/// as the standard has it, those of its index are taken, which spares reading the messages. One thread.
class TimesWalk {
public:
    /// Memory: 8 bytes per message up to this many; beyond, every second, fourth ... time is kept.
    static constexpr std::size_t max_kept = std::size_t{1} << 20;

    TimesWalk(std::shared_ptr<const Trace> trace, std::uint32_t channel, std::size_t kept = max_kept);

    /// Up to `messages` further. False when the end is reached, or the place where the file breaks.
    bool walk(std::uint64_t messages);
    [[nodiscard]] const MessageTimes& times() const noexcept { return times_; }
    /// Why not all that the file should hold is walked; empty where it is.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

private:
    [[nodiscard]] std::string known_damage() const;
    [[nodiscard]] bool log_times_are_osi_times() const;
    [[nodiscard]] std::optional<Nanoseconds> read_time(std::uint64_t number) const;
    void add(std::optional<Nanoseconds> time);
    void thin_out();
    void end();

    std::shared_ptr<const Trace> trace_;
    std::uint32_t channel_;
    std::size_t kept_;
    std::optional<bool> by_log_time_;
    MessageTimes times_;
    std::string problem_;
};

}  // namespace ositrace::gui
