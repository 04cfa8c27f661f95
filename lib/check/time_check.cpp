// SPDX-License-Identifier: MPL-2.0
#include "lib/check/time_check.hpp"

#include <utility>

#include "lib/check/seconds_text.hpp"

namespace ositrace {

namespace {

bool agree(Nanoseconds a, Nanoseconds b) noexcept { return (a > b ? a - b : b - a) <= b / 10; }

}  // namespace

void TimeCheck::add(const FindingPlace& place)
{
    const auto time = *place.time;
    const auto last = std::exchange(last_, time);
    if (time < Nanoseconds{})
        findings_.add(
            Kind::time_negative, place, [&] { return "found " + seconds_text(time); }, [] { return "timestamp"; });
    if (!last) return;
    const auto length = distance(*last, time);
    if (length > Nanoseconds{}) {
        channel_ = place.channel;
        gaps_.add({place.frame.value_or(0), place.byte, *last, time},
                  [this](const TimeStep& gap, Nanoseconds usual) { add_gap(gap, usual); });
        return follow_rate(length, place);
    }
    const auto kind = length == Nanoseconds{} ? Kind::time_equal : Kind::time_backward;
    findings_.add(
        kind, place,
        [&] {
            return length == Nanoseconds{}
                       ? seconds_text(time) + " is the time of the frame before, too"
                       : seconds_text(time) + " is earlier than " + seconds_text(*last) + " of the frame before";
        },
        [] { return "timestamp"; });
}

void TimeCheck::follow_rate(Nanoseconds length, const FindingPlace& place)
{
    if (run_ == 0 || !agree(length, run_step_)) {
        run_ = 0;
        run_step_ = length;
        run_place_ = place;
    }
    if (++run_ != agreeing_steps) return;
    const auto before = std::exchange(rate_step_, run_step_);
    if (!before || agree(run_step_, *before)) return;
    findings_.add(
        Kind::time_rate, run_place_,
        [&] {
            return "from here on a frame comes every " + seconds_text(run_step_) + ", before it every " +
                   seconds_text(*before);
        },
        [] { return "timestamp"; });
}

void TimeCheck::add_gap(const TimeStep& gap, Nanoseconds usual)
{
    findings_.add(
        Kind::time_gap, {gap.frame, gap.to, gap.byte, channel_},
        [&] {
            return seconds_text(gap.length()) + " after the frame before, where " + seconds_text(usual) + " is usual";
        },
        [] { return "timestamp"; });
}

void TimeCheck::finish()
{
    gaps_.finish([this](const TimeStep& gap, Nanoseconds usual) { add_gap(gap, usual); });
}

}  // namespace ositrace
