// SPDX-License-Identifier: MPL-2.0
// The keys that steer a replay while osiplay runs on a terminal.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include <ositrace/player.hpp>

#include "app/osiplay/play_report.hpp"

namespace ositrace::app {

enum class Key : std::uint8_t { space, left, right, up, down, q };

/// The keys in what a terminal sent; other keys are left out.
[[nodiscard]] std::vector<Key> keys_in(std::string_view typed);

/// Reads keys from standard input on a thread of its own, if that is the terminal of this process: space pauses and
/// resumes; left and right go a second back and ahead, or a step while paused; up and down double and halve the rate;
/// q ends like Ctrl-C.
class KeyControl {
public:
    /// `line` shows that the replay is paused; may be null. All must outlive this.
    KeyControl(Player& player, double rate, bool paused, bool seekable, StatusLine* line);
    ~KeyControl();

    /// From the thread of the player, after every step.
    void update(const PlayStatus& status);

private:
    void watch(const std::stop_token& stop);
    void press(Key key);
    void seek_by(Nanoseconds distance);
    void show_pause();

    Player& player_;
    double rate_;
    bool paused_;
    bool seekable_;
    StatusLine* line_;
    std::mutex mutex_;
    std::optional<Nanoseconds> position_;
    std::jthread thread_;  // last: it uses the above
};

/// Undoes what a KeyControl changed of the terminal. Any thread.
void restore_terminal() noexcept;

}  // namespace ositrace::app
