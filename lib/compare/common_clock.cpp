// SPDX-License-Identifier: MPL-2.0
#include "lib/compare/common_clock.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::compare {

std::shared_ptr<const Channel> channel_of(const ComparedChannel& side)
{
    if (side.channel) return side.channel;
    return {side.trace, &side.trace->info().channels.at(side.in_trace)};
}

namespace {

std::shared_ptr<const std::vector<Nanoseconds>> times_of(const ComparedChannel& side, const std::stop_token& stop)
{
    if (side.times) return side.times;
    auto times = std::make_shared<std::vector<Nanoseconds>>();
    const auto count = side.trace->frame_count(side.in_trace);
    for (std::uint64_t i = 0; i != count && !stop.stop_requested(); ++i) {
        const auto before = times->empty() ? Nanoseconds::min() : times->back();
        times->push_back(std::max(side.trace->frame_time(side.in_trace, i).value_or(before), before));
    }
    return times;
}

}  // namespace

CommonClock::CommonClock(const ComparedChannel& a, const ComparedChannel& b, std::optional<Nanoseconds> given,
                         const std::stop_token& stop)
    : times{times_of(a, stop), times_of(b, stop)},
      tolerance(given ? *given : usual_tolerance(*times[0], *times[1])),
      pairs(pair_messages(*times[0], a.shift, *times[1], b.shift, tolerance)),
      shift(a.shift),
      shift_b(b.shift)
{
}

/// As pair_messages() does, in long double: it holds the sum and difference of any times exactly.
Nanoseconds CommonClock::farthest() const noexcept
{
    long double most = 0;
    for (const auto& pair : pairs) {
        const auto b = static_cast<long double>((*times[1])[pair.b].count()) + shift_b.count();
        const auto a = static_cast<long double>((*times[0])[pair.a].count()) + shift.count();
        most = std::max(most, std::abs(b - a));
    }
    return most < static_cast<long double>(tolerance.count()) ? Nanoseconds(std::llround(most)) : tolerance;
}

Nanoseconds CommonClock::time_of(const MessagePair& pair) const noexcept
{
    Nanoseconds::rep sum = 0;
    const auto time = (*times[0])[pair.a];
    if (__builtin_add_overflow(time.count(), shift.count(), &sum)) return time;
    return Nanoseconds(sum);
}

ComparedMessage SideReader::read(std::uint64_t number, const std::stop_token& stop)
{
    frame_ = side_.trace->frame(side_.in_trace, number);
    map_ = maps_.find(side_.in_trace, number, frame_, stop);
    return {&frame_, map_ ? &map_->frame : nullptr};
}

}  // namespace ositrace::compare
