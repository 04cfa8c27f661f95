// SPDX-License-Identifier: MPL-2.0
#include "lib/check/time_check.hpp"

#include <utility>

#include "lib/check/seconds_text.hpp"
#include "lib/trace/time_steps.hpp"

namespace ositrace {

void TimeCheck::add(const FindingPlace& place)
{
    const auto time = *place.time;
    const auto last = std::exchange(last_, time);
    if (time < Nanoseconds{})
        findings_.add(
            Kind::time_negative, place, [&] { return "found " + seconds_text(time); }, [] { return "timestamp"; });
    if (!last) return;
    const auto length = distance(*last, time);
    if (length > Nanoseconds{}) return add_step(length, place);
    const auto kind = length == Nanoseconds{} ? Kind::time_equal : Kind::time_backward;
    findings_.add(
        kind, place,
        [&] {
            return length == Nanoseconds{} ? seconds_text(time) + " is the time of the frame before, too"
                                           : seconds_text(time) + " is earlier than " + seconds_text(*last) + " of the frame before";
        },
        [] { return "timestamp"; });
}

bool TimeCheck::agree(Nanoseconds a, Nanoseconds b) const noexcept
{
    const auto difference = a > b ? a - b : b - a;
    return difference <= b / 10;
}

void TimeCheck::add_step(Nanoseconds length, const FindingPlace& place)
{
    if (usual_ && agree(length, *usual_)) return judge_gaps();
    if (!waiting_.empty() && !agree(length, waiting_.front().length)) judge_gaps();
    waiting_.push_back({length, place});
    if (waiting_.size() < agreeing_steps) return;
    const auto before = std::exchange(usual_, waiting_.front().length);
    if (before) {
        findings_.add(
            Kind::time_rate, waiting_.front().place,
            [&] { return "from here on a frame comes every " + seconds_text(*usual_) + ", before it every " + seconds_text(*before); },
            [] { return "timestamp"; });
    }
    waiting_.clear();
}

void TimeCheck::judge_gaps()
{
    for (const auto& step : std::exchange(waiting_, {})) {
        if (!usual_ || step.length - *usual_ <= *usual_ / 2) continue;
        findings_.add(
            Kind::time_gap, step.place,
            [&] { return seconds_text(step.length) + " after the frame before, where " + seconds_text(*usual_) + " is usual"; },
            [] { return "timestamp"; });
    }
}

void TimeCheck::finish() { judge_gaps(); }

}  // namespace ositrace
