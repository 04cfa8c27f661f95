// SPDX-License-Identifier: MPL-2.0
#include "gui/session/times_walk.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

/// Between messages that have no time.
constexpr Nanoseconds assumed_step = std::chrono::milliseconds(100);

}  // namespace

TimesWalk::TimesWalk(std::shared_ptr<const Trace> trace, std::uint32_t channel, std::size_t kept)
    : trace_(std::move(trace)), channel_(channel), kept_(std::max<std::size_t>(kept, 2))
{
}

bool TimesWalk::walk(std::uint64_t messages)
try {
    if (times_.complete) return false;
    if (!by_log_time_) {
        problem_ = known_damage();
        by_log_time_ = log_times_are_osi_times();
    }
    for (; messages != 0; --messages) add(read_time(times_.count));
    return true;
} catch (const Error& error) {
    end();
    if (error.cause() != Cause::usage) problem_ = error.what();  // usage: there is no such message
    return false;
}

/// The index of an MCAP file, complete from the beginning, ends where the file is damaged: behind its last message
/// nothing says so.
std::string TimesWalk::known_damage() const
try {
    if (trace_->info().container == "mcap") static_cast<void>(trace_->frame_count(channel_));
    return {};
} catch (const Error& error) {
    return error.what();
}

/// Asked of the first message, which is read as a whole because it is shown first, the middle and the last one; a
/// message that cannot be read says no.
bool TimesWalk::log_times_are_osi_times() const
try {
    const auto& info = trace_->info();
    if (info.container != "mcap") return false;
    const auto count = trace_->frame_count(channel_);
    if (count == 0) return false;
    const auto first = trace_->frame(channel_, 0);
    const auto agrees = [&](std::uint64_t number) {
        const auto time = trace_->frame_time(channel_, number);
        return !time || time == trace_->log_time(channel_, number);
    };
    return (!first.time || first.time == first.log_time) && agrees(count / 2) && agrees(count - 1);
} catch (const Error&) {
    return false;
}

std::optional<Nanoseconds> TimesWalk::read_time(std::uint64_t number) const
{
    if (*by_log_time_) return trace_->log_time(channel_, number);
    if (const auto time = trace_->frame_time(channel_, number)) return time;
    return trace_->log_time(channel_, number);
}

void TimesWalk::add(std::optional<Nanoseconds> time)
{
    if (!time) {
        ++times_.without_time;
        time = times_.count == 0                                 ? Nanoseconds(0)
               : times_.last > Nanoseconds::max() - assumed_step ? times_.last
                                                                 : times_.last + assumed_step;
    }
    if (times_.count != 0 && *time < times_.last) ++times_.backward;
    times_.last = times_.count == 0 ? *time : std::max(*time, times_.last);
    if (times_.count++ % times_.stride != 0) return;
    times_.times.push_back(times_.last);
    if (times_.times.size() > kept_) thin_out();
}

/// Where no message says a later time than the first one, each has a place of its own all the same: the steps are
/// assumed.
void TimesWalk::end()
{
    times_.complete = true;
    const bool has_steps = times_.count < 2 || times_.last != times_.times.front();
    const auto most = (Nanoseconds::max() - std::max(times_.last, Nanoseconds(0))) / assumed_step;
    if (has_steps || times_.count > static_cast<std::uint64_t>(most)) return;
    times_.all_assumed = true;
    const auto begin = times_.last;
    for (std::size_t i = 0; i != times_.times.size(); ++i)
        times_.times[i] = begin + assumed_step * static_cast<std::int64_t>(i * times_.stride);
    times_.last = begin + assumed_step * static_cast<std::int64_t>(times_.count - 1);
}

void TimesWalk::thin_out()
{
    auto& times = times_.times;
    for (std::size_t i = 0; 2 * i < times.size(); ++i) times[i] = times[2 * i];
    times.resize((times.size() + 1) / 2);
    times_.stride *= 2;
}

}  // namespace ositrace::gui
