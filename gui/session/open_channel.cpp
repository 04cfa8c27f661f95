// SPDX-License-Identifier: MPL-2.0
#include "gui/session/open_channel.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <ositrace/live_trace.hpp>

namespace ositrace::gui {

Nanoseconds shifted(Nanoseconds a, Nanoseconds b) noexcept
{
    if (b.count() > 0 && a > Nanoseconds::max() - b) return Nanoseconds::max();
    if (b.count() < 0 && a < Nanoseconds::min() - b) return Nanoseconds::min();
    return a + b;
}

namespace {

/// The least int64 has no negative.
Nanoseconds negative(Nanoseconds t) noexcept { return t == Nanoseconds::min() ? Nanoseconds::max() : -t; }

}  // namespace

std::optional<std::uint64_t> OpenChannel::last_until(Nanoseconds t) const noexcept
{
    if (is_unknown(t)) return std::nullopt;
    return times->last_until(shifted(t, negative(shift)));
}

bool OpenChannel::is_unknown(Nanoseconds t) const noexcept
{
    return times->known_until && shifted(t, negative(shift)) >= *times->known_until;
}

std::string OpenChannel::absence(Nanoseconds t) const
{
    if (is_unknown(t)) return name + ": not computed yet";
    if (times->first != 0 && !last_until(t)) return name + ": its messages at this time are no longer kept";
    return {};
}

Nanoseconds OpenChannel::time_of(std::uint64_t number) const noexcept { return shifted(times->time_of(number), shift); }

Nanoseconds OpenChannel::end_of(std::uint64_t number) const noexcept
{
    if (number + 1 < times->count) return time_of(number + 1);
    const auto all = extent();
    return all ? std::max(all->to, time_of(number)) : time_of(number);
}

std::optional<TimeSection> OpenChannel::extent() const noexcept
{
    auto extent = times->extent();
    if (extent) *extent = {shifted(extent->from, shift), shifted(extent->to, shift)};
    return extent;
}

bool OpenChannel::is_past(std::uint64_t number, Nanoseconds t) const noexcept
{
    constexpr double few_steps = 5;
    const bool more_may_come = !times->complete && number + 1 >= times->count;
    if (more_may_come || times->count < 2) return false;
    // The mean as well: of messages that arrive in bursts, most steps are short.
    const auto usual = std::max(times->typical_step().value_or(Nanoseconds(0)), times->step().value_or(Nanoseconds(0)));
    // As double: the difference may not fit in Nanoseconds.
    const auto silent = static_cast<double>(t.count()) - static_cast<double>(time_of(number).count());
    return usual.count() > 0 && silent > few_steps * static_cast<double>(usual.count());
}

std::optional<std::uint32_t> place_of(const OpenChannels& before, std::uint32_t source,
                                      const OpenChannels& now) noexcept
{
    const auto& wanted = before[source];
    const auto is_like = [&](const OpenChannel& each) {
        return each.trace_number == wanted.trace_number && each.channel->topic == wanted.channel->topic &&
               each.channel->type_name == wanted.channel->type_name;
    };
    auto turn = std::count_if(before.begin(), before.begin() + source, is_like);
    for (std::uint32_t i = 0; i != now.size(); ++i)
        if (is_like(now[i]) && turn-- == 0) return i;
    return std::nullopt;
}

QStringList names_of(const OpenChannels& channels)
{
    QStringList names;
    for (const auto& each : channels) names += QString::fromStdString(each.name);
    return names;
}

std::optional<TimeSection> extent_of(const OpenChannels& channels) noexcept
{
    std::optional<TimeSection> all;
    for (const auto& each : channels) {
        const auto extent = each.extent();
        if (!extent) continue;
        if (!all) all = extent;
        all->from = std::min(all->from, extent->from);
        all->to = std::max(all->to, extent->to);
    }
    return all;
}

std::shared_ptr<const Channel> viewed_channel(const std::shared_ptr<const Trace>& trace, std::uint32_t in_trace,
                                              std::string& note)
{
    const auto& channel = trace->info().channels[in_trace];
    if (!channel.replaced_schema.empty())
        note = "read with the built-in OSI schema; its own cannot be used: " + channel.replaced_schema;
    return {trace, &channel};
}

bool grows(const OpenChannel& channel) noexcept { return as_live(*channel.trace) != nullptr; }

bool wait_for_messages(const OpenChannel& channel, std::uint64_t number, const std::stop_token& stop,
                       std::chrono::nanoseconds moment)
{
    if (!wait_for_frame(*channel.trace, channel.in_trace, number, stop)) return false;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any nothing;
    nothing.wait_for(lock, stop, moment, [] { return false; });
    return !stop.stop_requested();
}

}  // namespace ositrace::gui
