// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <QObject>
#include <QTimer>

#include <ositrace/timeline.hpp>

#include "gui/playback/line_clock.hpp"
#include "gui/session/moment_request.hpp"

namespace ositrace::gui {

enum class PlaybackMode : std::uint8_t {
    real_time,      ///< by the clock: what comes too late is left out
    every_message,  ///< of the active channel, one after the other, at most as fast as the rate says
};

/// Where playing is: the library's Timeline, a timer while it runs, and steps by message. No I/O. GUI thread.
class PlaybackController : public QObject {
    Q_OBJECT
public:
    /// Trace seconds per second.
    [[nodiscard]] static std::span<const double> rates() noexcept;

    /// `clock`: monotonic; null: that of the machine.
    explicit PlaybackController(std::function<Nanoseconds()> clock = {}, QObject* parent = nullptr);

    /// What can be played; the position is kept where it lies inside. `complete`: nothing will be added.
    void set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active, bool complete);
    void set_active(std::uint32_t source);

    [[nodiscard]] bool can_play() const noexcept { return line_.has_value(); }
    [[nodiscard]] Nanoseconds time() const;
    /// The message that was stepped to, until the time changes otherwise.
    [[nodiscard]] const std::optional<PinnedMessage>& pinned() const noexcept { return pinned_; }
    /// Of the message of the active channel that belongs to the time; empty before its first.
    [[nodiscard]] std::optional<std::uint64_t> active_number() const;
    [[nodiscard]] bool playing() const noexcept { return playing_; }
    [[nodiscard]] double rate() const noexcept { return rate_; }
    [[nodiscard]] bool loops() const noexcept { return loops_; }
    [[nodiscard]] PlaybackMode mode() const noexcept { return mode_; }
    /// What a person chose to play; empty: all.
    [[nodiscard]] const std::optional<TimeSection>& section() const noexcept { return section_; }
    [[nodiscard]] const std::optional<TimeSection>& extent() const noexcept { return extent_; }

    void play();  ///< at the end: from the beginning
    void pause();
    void toggle();
    void seek(Nanoseconds time);
    /// The same, but not behind the last message that is played.
    void go_to(Nanoseconds time);
    void jump(Nanoseconds by);
    /// To the next or the previous message of the active channel; pauses.
    void step(int direction);
    /// To a message of the active channel, the last one where there are not so many; pauses.
    void go_to_message(std::uint64_t number);
    void to_start();
    void to_end();
    void set_rate(double rate);
    void faster();
    void slower();
    void set_loops(bool loops);
    void set_mode(PlaybackMode mode);
    void begin_section();  ///< at the time now
    void end_section();
    void set_section(std::optional<TimeSection> section);

    /// What was asked for is on the screen: in every_message the next may come.
    void shown() noexcept { waits_for_screen_ = false; }
    /// What the timer does.
    void tick();

signals:
    void time_changed();
    void playing_changed();
    void settings_changed();  ///< rate, loop, mode, section

private:
    [[nodiscard]] TimeSection played() const;
    [[nodiscard]] Nanoseconds end() const;  ///< the last message that is played
    void begin_line(Nanoseconds at);
    void fit_line();
    void move_to(Nanoseconds time);
    [[nodiscard]] const OpenChannel* active_channel() const noexcept;
    void play_next_message();
    void start_timer();
    void stop_timer();

    LineClock clock_;
    QTimer timer_;
    std::shared_ptr<const OpenChannels> channels_;
    std::uint32_t active_ = 0;
    bool complete_ = false;
    std::optional<TimeSection> extent_;
    std::optional<TimeSection> section_;
    std::optional<Timeline> line_;
    std::optional<PinnedMessage> pinned_;
    bool playing_ = false;
    double rate_ = 1;
    bool loops_ = false;
    PlaybackMode mode_ = PlaybackMode::real_time;
    bool waits_for_screen_ = false;
    Nanoseconds next_message_due_{};  ///< clock time
};

}  // namespace ositrace::gui
