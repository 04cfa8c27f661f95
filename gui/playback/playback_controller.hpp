// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <QObject>
#include <QTimer>

#include <ositrace/frame.hpp>
#include <ositrace/timeline.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A clock with an adjustable speed that never jumps. A Timeline plays at a tenth of real time at least: a slower clock
/// makes it play more slowly.
class AdjustableClock {
public:
    /// `clock`: monotonic; null: the system's.
    explicit AdjustableClock(std::function<Nanoseconds()> clock) : clock_(std::move(clock))
    {
        if (!clock_)
            clock_ = [] {
                return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
            };
        since_ = clock_();
    }
    [[nodiscard]] Nanoseconds system_now() const { return clock_(); }
    [[nodiscard]] Nanoseconds now() const
    {
        return at_ + Nanoseconds(std::llround(static_cast<double>((clock_() - since_).count()) * speed_));
    }
    void set_speed(double speed)
    {
        at_ = now();
        since_ = clock_();
        speed_ = speed;
    }

private:
    std::function<Nanoseconds()> clock_;
    Nanoseconds since_{};
    Nanoseconds at_{};
    double speed_ = 1;
};

enum class PlaybackMode : std::uint8_t {
    real_time,      ///< by the clock: messages that are late are dropped
    every_message,  ///< every message of the active channel, at most at the selected rate
};

/// The position of playback: the library's Timeline, a timer while playing, and steps by message. No I/O. GUI thread.
/// The section limits playing only: a seek or a step out of it suspends it, and the whole trace is played until a seek
/// or a step leads back into it; playing into it does not.
class PlaybackController : public QObject {
    Q_OBJECT
public:
    /// Trace seconds per second.
    [[nodiscard]] static std::span<const double> rates() noexcept;

    /// `clock`: monotonic; null: the system's.
    explicit PlaybackController(std::function<Nanoseconds()> clock = {}, QObject* parent = nullptr);

    /// Sets the channels; the position is kept if it is within them. `complete`: no messages will be added.
    void set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active, bool complete);
    void set_active(std::uint32_t source);
    /// May messages be added for ever: can it be live?
    void set_grows(bool grows);
    [[nodiscard]] bool grows() const noexcept { return grows_; }

    [[nodiscard]] bool can_play() const noexcept { return timeline_.has_value(); }
    /// Never after the last message; constant until time_changed() is emitted.
    [[nodiscard]] Nanoseconds time() const noexcept { return time_; }
    /// The message that the user stepped to, until the time changes otherwise.
    [[nodiscard]] const std::optional<PinnedMessage>& pinned() const noexcept { return pinned_; }
    /// Index of the message of the active channel at the time; empty before its first.
    [[nodiscard]] std::optional<std::uint64_t> active_number() const;
    [[nodiscard]] bool playing() const noexcept { return playing_; }
    /// Does the time follow the last message as messages are added?
    [[nodiscard]] bool live() const noexcept { return live_; }
    [[nodiscard]] double rate() const noexcept { return rate_; }
    [[nodiscard]] bool loops() const noexcept { return loops_; }
    [[nodiscard]] PlaybackMode mode() const noexcept { return mode_; }
    /// The section selected by the user; empty: all.
    [[nodiscard]] const std::optional<TimeSection>& section() const noexcept { return section_; }
    /// Does the section limit playing?
    [[nodiscard]] bool section_applies() const noexcept { return section_applies_; }
    /// From the first message to the last one, whose time is `to`; empty while nothing can be played.
    [[nodiscard]] std::optional<TimeSection> extent() const;

    void play();   ///< at the end: from the start; live if messages are added there
    void pause();  ///< at the time on the screen
    void toggle();
    /// To the last message, also of those to come. Any other move ends it, except a seek to the last message.
    void go_live();
    void seek(Nanoseconds time);
    void jump(Nanoseconds by);
    /// To the next or the previous message of the active channel; pauses.
    void step(int direction);
    /// To a message of the active channel, at most the last one; pauses.
    void go_to_message(std::uint64_t number);
    void to_start();
    void to_end();
    void set_rate(double rate);
    void faster();
    void slower();
    void set_loops(bool loops);
    void set_mode(PlaybackMode mode);
    void begin_section();  ///< at the shown message of the active channel
    void end_section();
    /// Moves the time into the section.
    void set_section(std::optional<TimeSection> section);

    /// The screen shows this time: in every_message the next message may follow.
    void shown(Nanoseconds time) noexcept;
    /// Called by the timer.
    void tick();

signals:
    void time_changed();
    void playing_changed();   ///< or live
    void settings_changed();  ///< rate, loop, mode, section, whether it applies

private:
    void set_live(bool live);
    [[nodiscard]] TimeSection played() const;
    [[nodiscard]] Nanoseconds last_message(const TimeSection& section) const;
    void begin_timeline(Nanoseconds at);
    void fit_timeline();
    void go_to(Nanoseconds time);
    void move_to(Nanoseconds time);
    [[nodiscard]] Nanoseconds clamped(Nanoseconds time) const;
    [[nodiscard]] bool is_in_section(Nanoseconds time) const noexcept;
    void apply_section(bool applies);
    void set_time(Nanoseconds time);
    [[nodiscard]] const OpenChannel* active_channel() const noexcept;
    void play_next_message();
    void start_timer();
    void stop_timer();

    AdjustableClock clock_;
    QTimer timer_;
    std::shared_ptr<const OpenChannels> channels_;
    std::uint32_t active_ = 0;
    bool complete_ = false;
    std::optional<TimeSection>
        extent_;  ///< to one step after the last message, so that a loop shows it as long as the others
    std::optional<TimeSection> section_;
    bool section_applies_ = false;
    std::optional<Timeline> timeline_;
    Nanoseconds time_{};                ///< time of the last tick or seek
    std::optional<Nanoseconds> shown_;  ///< time on the screen; empty after a seek
    std::optional<PinnedMessage> pinned_;
    bool playing_ = false;
    bool grows_ = false;
    bool live_ = false;  ///< not while playing
    double rate_ = 1;
    bool loops_ = false;
    PlaybackMode mode_ = PlaybackMode::real_time;
    bool waits_for_screen_ = false;
    Nanoseconds next_message_due_{};  ///< clock time
};

}  // namespace ositrace::gui
