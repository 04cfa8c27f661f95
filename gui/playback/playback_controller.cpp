// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/playback_controller.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ositrace::gui {

namespace {

constexpr std::array all_rates{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1.0, 2.0, 3.0, 5.0};
constexpr auto timer_period = std::chrono::milliseconds(16);

}  // namespace

std::span<const double> PlaybackController::rates() noexcept { return all_rates; }

PlaybackController::PlaybackController(std::function<Nanoseconds()> clock, QObject* parent)
    : QObject(parent), clock_(std::move(clock))
{
    timer_.setInterval(timer_period);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &PlaybackController::tick);
}

void PlaybackController::set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active, bool complete)
{
    const auto before = std::exchange(channels_, std::move(channels));
    active_ = active;
    complete_ = complete;
    extent_ = channels_ ? extent_of(*channels_) : std::nullopt;
    if (extent_ && extent_->from >= extent_->to) extent_->from = extent_->to - Nanoseconds(1);
    if (pinned_) {
        const bool is_there = active_channel() != nullptr && pinned_->number < active_channel()->times->count &&
                              pinned_->number >= active_channel()->times->first;
        const auto place = is_there ? place_of(*before, pinned_->source, *channels_) : std::nullopt;
        if (place == active_)
            pinned_->source = active_;
        else
            pinned_.reset();
    }
    if (extent_) {
        fit_timeline();
        if (live_)
            move_to(last_message(*extent_));
        else
            set_time(time_);
    } else {
        if (playing_) pause();  // what is live goes on with the next message
        timeline_.reset();
        pinned_.reset();
        time_ = {};
        section_applies_ = false;
        if (std::exchange(section_, std::nullopt)) emit settings_changed();
    }
    emit time_changed();
}

void PlaybackController::set_grows(bool grows)
{
    if (std::exchange(grows_, grows) == grows) return;
    set_live(grows && !playing_ && extent_ && time_ == last_message(*extent_));
    emit settings_changed();
}

void PlaybackController::set_live(bool live)
{
    if (std::exchange(live_, live) != live) emit playing_changed();
}

void PlaybackController::go_live()
{
    if (!grows_) return;
    pause();
    pinned_.reset();
    set_live(true);
    if (!timeline_) return;
    move_to(last_message(*extent_));
    emit time_changed();
}

void PlaybackController::set_active(std::uint32_t source)
{
    if (active_ == source) return;
    active_ = source;
    pinned_.reset();
}

std::optional<TimeSection> PlaybackController::extent() const
{
    if (!extent_) return std::nullopt;
    return TimeSection{extent_->from, last_message(*extent_)};
}

void PlaybackController::play()
{
    if (!timeline_ || playing_) return;
    if (grows_ && !live_ && time_ == last_message(*extent_)) return go_live();
    set_live(false);
    if (complete_ && time_ >= last_message(played())) {
        pinned_.reset();
        move_to(played().from);
        emit time_changed();
    }
    playing_ = true;
    start_timer();
    emit playing_changed();
}

void PlaybackController::pause()
{
    set_live(false);
    if (!playing_) return;
    playing_ = false;
    stop_timer();
    // The clock may be ahead of the screen: the next step starts at the time on the screen.
    if (timeline_ && mode_ == PlaybackMode::real_time) move_to(shown_.value_or(time_));
    emit playing_changed();
    emit time_changed();
}

void PlaybackController::toggle()
{
    if (playing_ || live_)
        pause();
    else
        play();
}

void PlaybackController::seek(Nanoseconds time)
{
    if (!timeline_) return;
    pinned_.reset();
    go_to(time);
    set_live(grows_ && !playing_ && time_ == last_message(*extent_));
    emit time_changed();
}

void PlaybackController::jump(Nanoseconds by) { seek(shifted(time_, by)); }

void PlaybackController::step(int direction)
{
    const auto* const channel = active_channel();
    if (!timeline_ || channel == nullptr || channel->times->count == 0) return;
    pause();
    const auto number = active_number();
    if (!number) return go_to_message(channel->times->first);
    if (direction < 0 && *number == 0) return go_to_message(0);
    go_to_message(direction < 0 ? *number - 1 : *number + 1);
}

void PlaybackController::go_to_message(std::uint64_t number)
{
    const auto* const channel = active_channel();
    if (!timeline_ || channel == nullptr || channel->times->count == 0) return;
    pause();
    number = std::clamp(number, channel->times->first, channel->times->count - 1);
    go_to(channel->time_of(number));
    pinned_ = PinnedMessage{active_, number};
    emit time_changed();
}

void PlaybackController::to_start()
{
    if (timeline_) seek(played().from);
}

void PlaybackController::to_end()
{
    if (!timeline_) return;
    if (grows_) return go_live();
    pause();
    seek(last_message(played()));
}

void PlaybackController::shown(Nanoseconds time) noexcept
{
    shown_ = time;
    if (time == time_) waits_for_screen_ = false;
}

void PlaybackController::set_rate(double rate)
{
    rate_ = std::clamp(rate, all_rates.front(), Timeline::max_rate);
    const auto by_line = std::max(rate_, Timeline::min_rate);
    clock_.set_speed(rate_ / by_line);
    if (timeline_) timeline_->set_rate(clock_.now(), by_line);
    next_message_due_ = clock_.system_now();
    emit settings_changed();
}

void PlaybackController::faster()
{
    const auto next = std::upper_bound(all_rates.begin(), all_rates.end(), rate_);
    if (next != all_rates.end()) set_rate(*next);
}

void PlaybackController::slower()
{
    const auto same = std::lower_bound(all_rates.begin(), all_rates.end(), rate_);
    if (same != all_rates.begin()) set_rate(*std::prev(same));
}

void PlaybackController::set_loops(bool loops)
{
    if (loops_ == loops) return;
    loops_ = loops;
    if (timeline_) begin_timeline(time_);
    emit settings_changed();
}

void PlaybackController::set_mode(PlaybackMode mode)
{
    if (mode_ == mode) return;
    mode_ = mode;
    waits_for_screen_ = false;
    if (playing_) start_timer();
    emit settings_changed();
}

void PlaybackController::begin_section()
{
    if (!timeline_) return;
    const auto number = active_number();
    const auto from = number ? std::min(active_channel()->time_of(*number), time_) : time_;
    const auto to = section_ && section_->to > from ? section_->to : extent_->to;
    set_section(TimeSection{from, std::max(to, from + Nanoseconds(1))});
}

/// The shown message belongs to the section.
void PlaybackController::end_section()
{
    if (!timeline_) return;
    const auto to = shifted(time_, Nanoseconds(1));
    const auto from = section_ && section_->from < to ? section_->from : extent_->from;
    if (from < to) set_section(TimeSection{from, to});
}

void PlaybackController::set_section(std::optional<TimeSection> section)
{
    if (section && section->from >= section->to) section.reset();
    section_ = section;
    section_applies_ = section.has_value();
    if (section) set_live(false);
    if (timeline_) {
        fit_timeline();
        if (section_applies_ && !is_in_section(time_))
            move_to(std::clamp(time_, played().from, last_message(played())));
    }
    emit settings_changed();
    emit time_changed();
}

void PlaybackController::tick()
{
    if (!timeline_ || !playing_) return;
    if (mode_ == PlaybackMode::every_message) return play_next_message();
    pinned_.reset();
    const auto now = clock_.now();
    const bool ends = complete_ && timeline_->finished(now);
    set_time(ends ? last_message(played()) : std::min(timeline_->at(now).time, last_message(played())));
    if (ends) {
        shown_.reset();  // moves to the last message, whatever is on the screen
        return pause();
    }
    emit time_changed();
}

/// The section if it applies and contains something to play, else everything.
TimeSection PlaybackController::played() const
{
    if (!section_applies_) return *extent_;
    const TimeSection common{std::max(section_->from, extent_->from), std::min(section_->to, extent_->to)};
    return common.from < common.to ? common : *extent_;
}

Nanoseconds PlaybackController::last_message(const TimeSection& section) const
{
    auto last = section.from;
    for (const auto& each : *channels_)
        if (const auto number = each.last_until(section.to - Nanoseconds(1)))
            last = std::max(last, each.time_of(*number));
    return last;
}

void PlaybackController::begin_timeline(Nanoseconds at)
{
    const auto now = clock_.now();
    timeline_.emplace(played(), loops_ ? 0 : 1);
    timeline_->set_rate(now, std::max(rate_, Timeline::min_rate));
    timeline_->seek(now, at);
    if (playing_ && mode_ == PlaybackMode::real_time) timeline_->resume(now);
}

void PlaybackController::fit_timeline()
{
    if (!timeline_) {
        time_ = played().from;
        return begin_timeline(time_);
    }
    if (timeline_->section() != played()) timeline_->set_section(clock_.now(), played());
}

/// A seek of the user: into the section, or out of it.
void PlaybackController::go_to(Nanoseconds time)
{
    apply_section(is_in_section(clamped(time)));
    move_to(time);
}

void PlaybackController::move_to(Nanoseconds time)
{
    set_time(time);
    shown_.reset();
    timeline_->seek(clock_.now(), time_);
    next_message_due_ = clock_.system_now();
}

void PlaybackController::set_time(Nanoseconds time)
{
    time_ = clamped(time);
    if (section_applies_ && !is_in_section(time_)) apply_section(false);
}

Nanoseconds PlaybackController::clamped(Nanoseconds time) const
{
    return std::clamp(time, extent_->from, last_message(*extent_));
}

bool PlaybackController::is_in_section(Nanoseconds time) const noexcept
{
    return section_ && section_->from <= time && time < section_->to;
}

void PlaybackController::apply_section(bool applies)
{
    if (std::exchange(section_applies_, applies) == applies) return;
    fit_timeline();
    emit settings_changed();
}

const OpenChannel* PlaybackController::active_channel() const noexcept
{
    return channels_ && active_ < channels_->size() ? &(*channels_)[active_] : nullptr;
}

std::optional<std::uint64_t> PlaybackController::active_number() const
{
    if (pinned_ && pinned_->source == active_) return pinned_->number;
    return active_channel() ? active_channel()->last_until(time_) : std::nullopt;
}

void PlaybackController::play_next_message()
{
    const auto* const channel = active_channel();
    if (waits_for_screen_ || channel == nullptr || clock_.system_now() < next_message_due_) return;
    const auto number = active_number();
    auto next = number ? *number + 1 : channel->times->first;
    if (next >= channel->times->count || channel->time_of(next) >= played().to) {
        if (!complete_) return;
        if (!loops_) return pause();
        const auto before_all = channel->last_until(shifted(played().from, Nanoseconds(-1)));
        next = before_all ? *before_all + 1 : channel->times->first;
        const bool there_is_none = next >= channel->times->count || channel->time_of(next) >= played().to;
        if (there_is_none) return pause();
    }
    const auto before = time_;
    move_to(
        std::max(channel->time_of(next), played().from));  // an index with a stride has the time of an earlier message
    pinned_ = PinnedMessage{active_, next};
    const auto distance = std::clamp(time_ - before, Nanoseconds(0), Nanoseconds(std::chrono::seconds(10)));
    next_message_due_ =
        clock_.system_now() + Nanoseconds(static_cast<std::int64_t>(static_cast<double>(distance.count()) / rate_));
    waits_for_screen_ = true;
    emit time_changed();
}

void PlaybackController::start_timer()
{
    next_message_due_ = clock_.system_now();
    waits_for_screen_ = false;
    if (mode_ == PlaybackMode::real_time)
        timeline_->resume(clock_.now());
    else
        timeline_->pause(clock_.now());
    timer_.start();
}

void PlaybackController::stop_timer()
{
    timer_.stop();
    if (timeline_) timeline_->pause(clock_.now());
}

}  // namespace ositrace::gui
