// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <ositrace/player.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// Shows where a replay is, a few times a second, from a thread of its own: a terminal that is slow makes no frame
/// late.
class StatusLine {
public:
    explicit StatusLine(Messages& messages);
    ~StatusLine();

    /// From the thread of the player, after every step.
    void update(const PlayStatus& status);

private:
    void draw(const std::stop_token& stop);

    struct Shown {
        Nanoseconds time{};  ///< of the trace
        Nanoseconds now{};
        std::uint64_t lost = 0;
        std::size_t frame_bytes = 0;
        Nanoseconds late{};
    };
    [[nodiscard]] std::string text_of(const Shown& shown);

    Messages& messages_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Shown> latest_;
    std::optional<Nanoseconds> first_;  ///< `now` of the first step; of the drawing thread
    std::chrono::steady_clock::time_point began_;
    std::jthread thread_;  // last: it uses the above
};

}  // namespace ositrace::app
