// SPDX-License-Identifier: MPL-2.0
// What a replay reports: a status line while it runs, the log of its frames, and the report at its end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <ositrace/performance_log.hpp>
#include <ositrace/player.hpp>

#include "app/osiplay/play_request.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// The text of --report. Lateness is only printed with a rate, and losses only if there can be some.
[[nodiscard]] std::string text_of(const PlayReport& report, const Losses& losses, bool at_a_rate);
[[nodiscard]] std::string json_of(const PlayReport& report, const Losses& losses);
/// The limit that was exceeded, as text; empty: none. Lost frames were dropped, not delivered, or not received.
[[nodiscard]] std::string exceeded_limit(const PlayReport& report, const Losses& losses, const PlayLimits& limits);
/// `frame 30 is due in 499 s, at its time of 500 s`
[[nodiscard]] std::string long_wait_text(const Frame& frame, Nanoseconds wait);

/// Shows the position of a replay a few times a second, from a separate thread: a slow terminal delays no frame.
class StatusLine {
public:
    explicit StatusLine(Messages& messages);
    ~StatusLine();

    /// From the thread of the player, after every step.
    void update(const PlayStatus& status);
    /// From any thread.
    void set_paused(bool paused) { paused_ = paused; }

private:
    void draw(const std::stop_token& stop);

    struct Shown {
        Nanoseconds time{};  ///< of the trace
        Nanoseconds now{};
        std::uint64_t lost = 0;
        std::size_t frame_bytes = 0;
        Nanoseconds late{};
        std::chrono::steady_clock::time_point at;  ///< when it was delivered
        // Of all playing so far, without pauses and seeks: how long it took, and how far the time went.
        std::chrono::duration<double> played{}, advanced{};
    };
    [[nodiscard]] std::string text_of(const Shown& shown);

    Messages& messages_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Shown> latest_;
    std::atomic<bool> paused_ = false;
    std::deque<Shown> recent_;  ///< in the last second that was played; of the drawing thread
    std::jthread thread_;       // last: it uses the above
};

/// `--log`: the player is a source in the terms of the studies. StartSourceCalc is when a frame was due (at `max`: when
/// the previous step ended), StartOSISerialize when the first sink received it, StopOSISerialize when the last sink had
/// processed it.
class PlayLog {
public:
    /// Creates the file, so that an error ends the replay before it begins. Throws Error (exists, io).
    PlayLog(const std::filesystem::path& file, bool overwrite);

    void step_is_due(const PlayStatus& status, bool at_a_rate);
    void step_is_done(const PlayStatus& status);
    /// Throws Error (io).
    void close();

private:
    void add(PerformanceEvent event, Nanoseconds at, const PlayStatus& status);

    std::map<std::string, std::uint32_t, std::less<>> messages_;  ///< by type name: its place in the log's list
    PerformanceLog log_;
    std::optional<Nanoseconds> last_done_;
};

}  // namespace ositrace::app
