// SPDX-License-Identifier: MPL-2.0
#include "lib/play/step_reader.hpp"

#include <algorithm>
#include <utility>

#include "lib/play/static_carrier.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

bool MomentReader::joins(const DueStep& step) const
{
    const auto same_channel = [&](const Frame& frame) { return frame.channel == ahead_->frame.channel; };
    return ahead_->moment == step.moment && std::ranges::none_of(step.frames, same_channel);
}

std::optional<DueStep> MomentReader::next(const std::stop_token& stop)
{
    if (failure_) std::rethrow_exception(failure_);
    if (!ahead_) ahead_ = reader_.next(stop);
    if (!ahead_) return std::nullopt;
    DueStep step;
    if (ahead_->pause) {
        ahead_.reset();
        return step;
    }
    step.moment = ahead_->moment;
    step.placed = ahead_->placed;
    step.time = ahead_->time;
    try {
        do {
            step.frames.push_back(std::move(ahead_->frame));
            ahead_.reset();
            if (together_) ahead_ = reader_.next(stop);
        } while (ahead_ && !ahead_->pause && joins(step));
    } catch (...) {
        failure_ = std::current_exception();
    }
    step.info = reader_.info();
    return step;
}

void MomentReader::seek(Moment moment)
{
    reader_.seek(moment);
    ahead_.reset();
    failure_ = nullptr;
}

HoldReader::HoldReader(SectionReader& reader, const PlayedSource& source, const PlayedSection& section,
                       Nanoseconds step)
    : reader_(reader), source_(source), section_(section), step_(step)
{
    if (source.trace || !section.from_first_frame) start_ = section.times.from;
    begin_round(0);
}

std::optional<DueStep> HoldReader::next(const std::stop_token& stop)
{
    if (!find_start(stop)) return std::nullopt;
    for (;;) {
        if (failure_) std::rethrow_exception(failure_);
        if (held_from_) hold_frames_before(*std::exchange(held_from_, std::nullopt), stop);
        if (held_.empty() && read_ahead(stop)) pass_over_empty_ticks();
        const auto tick = tick_time();
        const bool of_this_round = tick && *tick < section_.times.to;
        if (of_this_round && !hold_up_to(*tick, stop)) return std::nullopt;
        if (!of_this_round || held_.empty()) {
            // Nothing more in this round: reads the rest of it, to reach the next round.
            while (read_ahead(stop) && ahead_->moment.round == round_) ahead_.reset();
            if (failure_) continue;
            if (!ahead_) return std::nullopt;
            begin_round(ahead_->moment.round);
            continue;
        }
        ++tick_;
        DueStep due{{}, {round_, *tick}, true, reader_.info(), *tick};
        for (const auto& [channel, frame] : held_) due.frames.push_back(frame);
        if (source_.trace == nullptr && ended_ && !ahead_) section_.times.to = *tick;  // it was the last tick
        return due;
    }
}

bool HoldReader::find_start(const std::stop_token& stop)
{
    while (!start_ && read_ahead(stop)) {
        if (ahead_->placed) {
            start_ = ahead_->moment.time;
        } else {
            held_[ahead_->frame.channel] = std::move(ahead_->frame);
            ahead_.reset();
        }
    }
    if (ended_ && !held_.empty() && !start_) start_ = Nanoseconds(0);  // no frame at all has a time
    if (failure_ && !start_) std::rethrow_exception(failure_);
    return start_.has_value();
}

/// Reads every frame up to the tick; returns false if a stop was requested.
bool HoldReader::hold_up_to(Nanoseconds tick, const std::stop_token& stop)
{
    while (read_ahead(stop) && ahead_->moment <= Moment{round_, tick}) {
        held_[ahead_->frame.channel] = std::move(ahead_->frame);
        ahead_.reset();
    }
    return ahead_ || ended_ || failure_;
}

/// Reads the next frame; returns false at the end, if a stop was requested, and if it cannot be read.
bool HoldReader::read_ahead(const std::stop_token& stop)
try {
    if (!ahead_ && !ended_ && !failure_) {
        do ahead_ = reader_.next(stop);
        while (ahead_ && ahead_->pause);
        ended_ = !ahead_ && !stop.stop_requested();
    }
    return ahead_.has_value();
} catch (...) {
    failure_ = std::current_exception();
    return false;
}

std::optional<Nanoseconds> HoldReader::tick_time() const noexcept
{
    std::int64_t time = 0;
    if (tick_ > INT64_MAX || __builtin_mul_overflow(static_cast<std::int64_t>(tick_), step_.count(), &time) ||
        __builtin_add_overflow(time, start_->count(), &time))
        return std::nullopt;
    return Nanoseconds(time);
}

std::uint64_t HoldReader::first_tick_at(Nanoseconds time) const noexcept
{
    if (time <= *start_) return 0;
    return (static_cast<std::uint64_t>(time.count()) - static_cast<std::uint64_t>(start_->count()) - 1) /
               static_cast<std::uint64_t>(step_.count()) +
           1;
}

/// A frame may come long after the start.
void HoldReader::pass_over_empty_ticks()
{
    if (ahead_->moment.round == round_) tick_ = std::max(tick_, first_tick_at(ahead_->moment.time));
}

void HoldReader::begin_round(std::uint64_t round)
{
    round_ = round;
    tick_ = 0;
    held_.clear();
    if (source_.trace && !section_.from_first_frame) held_from_ = section_.times.from;
}

void HoldReader::hold_frames_before(Nanoseconds time, const std::stop_token& stop)
{
    const auto channels = static_cast<std::uint32_t>(source_.trace->info().channels.size());
    for (std::uint32_t channel = 0; channel < channels && time > Nanoseconds::min(); ++channel) {
        const auto last = source_.trace->frame_at(channel, time - Nanoseconds(1));
        for (auto count = last ? *last + 1 : 0; count > 0; --count) {
            auto frame = source_.trace->frame(channel, count - 1);
            if (!reader_.is_good(frame)) continue;
            if (source_.carrier) source_.carrier->complete(frame, count - 1, stop);
            held_.emplace(channel, std::move(frame));
            break;
        }
    }
}

void HoldReader::seek(Moment moment)
{
    reader_.seek(moment);
    begin_round(moment.round);
    tick_ = first_tick_at(moment.time);
    held_from_ = moment.time;
    ahead_.reset();
    ended_ = false;
    failure_ = nullptr;
}

}  // namespace ositrace
