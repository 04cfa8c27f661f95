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
/// The section limits playing only: a seek or a step out of it leaves it, and all is played until a seek or a step goes
/// into it again. Playing through it does not.
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
    /// Never after the last message, and the same until time_changed() comes.
    [[nodiscard]] Nanoseconds time() const noexcept { return time_; }
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
    /// It is what is played.
    [[nodiscard]] bool section_applies() const noexcept { return section_applies_; }
    /// From the first message to the last one, whose time is `to`; empty while nothing can be played.
    [[nodiscard]] std::optional<TimeSection> extent() const;

    void play();   ///< at the end: from the beginning
    void pause();  ///< at what is on the screen
    void toggle();
    void seek(Nanoseconds time);
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
    /// Goes into it.
    void set_section(std::optional<TimeSection> section);

    /// What belongs to this time is on the screen: in every_message the next may come.
    void shown(Nanoseconds time) noexcept;
    /// What the timer does.
    void tick();

signals:
    void time_changed();
    void playing_changed();
    void settings_changed();  ///< rate, loop, mode, section, whether it applies

private:
    [[nodiscard]] TimeSection played() const;
    [[nodiscard]] Nanoseconds last_message(const TimeSection& section) const;
    void begin_line(Nanoseconds at);
    void fit_line();
    void go_to(Nanoseconds time);
    void move_to(Nanoseconds time);
    [[nodiscard]] Nanoseconds held(Nanoseconds time) const;
    [[nodiscard]] bool is_in_section(Nanoseconds time) const noexcept;
    void apply_section(bool applies);
    void set_time(Nanoseconds time);
    [[nodiscard]] const OpenChannel* active_channel() const noexcept;
    void play_next_message();
    void start_timer();
    void stop_timer();

    LineClock clock_;
    QTimer timer_;
    std::shared_ptr<const OpenChannels> channels_;
    std::uint32_t active_ = 0;
    bool complete_ = false;
    std::optional<TimeSection> extent_;  ///< to one step after the last message: a loop shows it as long as the others
    std::optional<TimeSection> section_;
    bool section_applies_ = false;
    std::optional<Timeline> line_;
    Nanoseconds time_{};                ///< where the line was at the last tick, or sought since
    std::optional<Nanoseconds> shown_;  ///< on the screen; empty after a seek
    std::optional<PinnedMessage> pinned_;
    bool playing_ = false;
    double rate_ = 1;
    bool loops_ = false;
    PlaybackMode mode_ = PlaybackMode::real_time;
    bool waits_for_screen_ = false;
    Nanoseconds next_message_due_{};  ///< clock time
};

}  // namespace ositrace::gui
