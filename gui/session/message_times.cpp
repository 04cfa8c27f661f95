// SPDX-License-Identifier: MPL-2.0
#include "gui/session/message_times.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/live_trace.hpp>

namespace ositrace::gui {

namespace {

/// How long the only message of a channel is shown.
constexpr Nanoseconds lone_step = std::chrono::milliseconds(100);

Nanoseconds sum(Nanoseconds a, Nanoseconds b) noexcept
{
    return a > Nanoseconds::max() - b ? Nanoseconds::max() : a + b;
}

}  // namespace

std::optional<std::uint64_t> MessageTimes::last_until(Nanoseconds t) const noexcept
{
    if (count == 0) return std::nullopt;
    if (t >= last) return count - 1;
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    if (after == times.begin()) return std::nullopt;
    return first + static_cast<std::uint64_t>(after - times.begin() - 1) * stride;
}

Nanoseconds MessageTimes::time_of(std::uint64_t number) const noexcept
{
    if (times.empty()) return {};
    if (number + 1 >= count) return last;
    const auto place = number - std::min(number, first);
    return times[std::min<std::uint64_t>(place / stride, times.size() - 1)];
}

std::optional<TimeSection> MessageTimes::extent() const noexcept
{
    if (count == 0) return std::nullopt;
    return TimeSection{times.front(), sum(last, std::max(typical_step().value_or(lone_step), Nanoseconds(1)))};
}

std::optional<Nanoseconds> MessageTimes::step() const noexcept
{
    if (count < first + 2) return std::nullopt;
    // As unsigned: the difference of two times of a damaged file may exceed int64.
    const auto span = static_cast<std::uint64_t>(last.count()) - static_cast<std::uint64_t>(times.front().count());
    return Nanoseconds(static_cast<std::int64_t>(span / (count - first - 1)));
}

std::optional<Nanoseconds> MessageTimes::typical_step() const noexcept
{
    constexpr std::size_t most_steps = 200;
    if (times.size() < 2) return std::nullopt;
    const auto count_of_steps = std::min(times.size() - 1, most_steps);
    std::array<std::uint64_t, most_steps> steps{};
    for (std::size_t n = 0; n != count_of_steps; ++n) {
        const auto i = n * (times.size() - 1) / count_of_steps;
        steps.at(n) = static_cast<std::uint64_t>(times[i + 1].count()) - static_cast<std::uint64_t>(times[i].count());
    }
    auto* const middle = steps.begin() + count_of_steps / 2;
    std::nth_element(steps.begin(), middle, steps.begin() + count_of_steps);
    return Nanoseconds(static_cast<std::int64_t>(*middle / stride));
}

namespace {

/// Between messages without a time.
constexpr Nanoseconds assumed_step = std::chrono::milliseconds(100);

}  // namespace

Nanoseconds MessageClock::next(std::optional<Nanoseconds> own) noexcept
{
    const bool is_first = count_++ == 0;
    if (own)
        last_ = is_first ? *own : std::max(*own, last_);
    else if (!is_first)
        last_ = sum(last_, assumed_step);
    return last_;
}

Nanoseconds assumed_time(Nanoseconds begin, std::uint64_t number) noexcept
{
    return begin + assumed_step * static_cast<std::int64_t>(number);
}

// The first message is read anyway, because it is shown first.
bool log_times_are_osi_times(const Trace& trace, std::uint32_t channel)
try {
    const auto& info = trace.info();
    if (!info.container.log_times) return false;
    const auto count = trace.frame_count(channel);
    if (count == 0) return false;
    const auto first = trace.frame(channel, 0);
    const auto agrees = [&](std::uint64_t number) {
        const auto time = trace.frame_time(channel, number);
        return !time || time == trace.log_time(channel, number);
    };
    return (!first.time || first.time == first.log_time) && agrees(count / 2) && agrees(count - 1);
} catch (const Error&) {
    return false;
}

TimesWalk::TimesWalk(std::shared_ptr<const Trace> trace, std::uint32_t channel, std::size_t kept)
    : trace_(std::move(trace)), channel_(channel), kept_(std::max<std::size_t>(kept, 2))
{
}

bool TimesWalk::walk(std::uint64_t messages)
try {
    if (times_.complete) return false;
    if (!by_log_time_) {
        problem_ = known_damage();
        by_log_time_ = log_times_are_osi_times(*trace_, channel_);
    }
    for (; messages != 0; --messages) add(read_time(times_.count));
    return true;
} catch (const Error& error) {
    end();
    if (error.cause() != Cause::usage) problem_ = error.what();  // usage: the end of the channel
    return false;
}

void TimesWalk::follow(const LiveTrace& trace)
{
    const auto arrived = trace.times(channel_, times_.count);
    const auto dropped = std::min<std::uint64_t>(arrived.first - times_.first, times_.times.size());
    times_.times.erase(times_.times.begin(), times_.times.begin() + static_cast<std::ptrdiff_t>(dropped));
    times_.first = arrived.first;
    times_.count = arrived.from;
    for (const auto& time : arrived.times) add(time);
}

/// The index of an MCAP file is complete when the file is opened, but ends where the file is damaged: reading past its
/// last message reports nothing.
std::string TimesWalk::known_damage() const
try {
    if (trace_->info().container.index) static_cast<void>(trace_->frame_count(channel_));
    return {};
} catch (const Error& error) {
    return error.what();
}

std::optional<Nanoseconds> TimesWalk::read_time(std::uint64_t number) const
{
    if (*by_log_time_) return trace_->log_time(channel_, number);
    if (const auto time = trace_->frame_time(channel_, number)) return time;
    return trace_->log_time(channel_, number);
}

void TimesWalk::add(std::optional<Nanoseconds> time)
{
    if (!time) ++times_.without_time;
    if (time && times_.count != 0 && *time < times_.last) ++times_.overtaken;
    if (time && previous_ && *time < *previous_) ++times_.backward;
    if (time) previous_ = time;
    times_.last = clock_.next(time);
    if (times_.count++ % times_.stride != 0) return;
    times_.times.push_back(times_.last);
    if (times_.times.size() > kept_) thin_out();
}

/// If no message has a later time than the first one, steps are assumed, so that every message can be reached by its
/// time.
void TimesWalk::end()
{
    times_.complete = true;
    const bool has_steps = times_.count < 2 || times_.last != times_.times.front();
    const auto most = (Nanoseconds::max() - std::max(times_.last, Nanoseconds(0))) / assumed_step;
    if (has_steps || times_.count > static_cast<std::uint64_t>(most)) return;
    times_.all_assumed = true;
    const auto begin = times_.last;
    for (std::size_t i = 0; i != times_.times.size(); ++i) times_.times[i] = assumed_time(begin, i * times_.stride);
    times_.last = assumed_time(begin, times_.count - 1);
}

void TimesWalk::thin_out()
{
    auto& times = times_.times;
    for (std::size_t i = 0; 2 * i < times.size(); ++i) times[i] = times[2 * i];
    times.resize((times.size() + 1) / 2);
    times_.stride *= 2;
}

}  // namespace ositrace::gui
