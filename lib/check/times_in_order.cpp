// SPDX-License-Identifier: MPL-2.0
#include "lib/check/times_in_order.hpp"

#include <tuple>

namespace ositrace {

bool TimesInOrder::Later::operator()(const Waiting& a, const Waiting& b) const noexcept
{
    return std::tie(a.log_time, a.number) > std::tie(b.log_time, b.number);
}

void TimesInOrder::add(Nanoseconds log_time, const FindingPlace& place, TimeCheck& check)
{
    if (const auto last = last_.find(&check); last != last_.end() && log_time < last->second) return;
    waiting_.push({log_time, frames_++, place, &check});
    if (waiting_.size() > max_waiting) hand_out();
}

void TimesInOrder::finish()
{
    while (!waiting_.empty()) hand_out();
}

void TimesInOrder::hand_out()
{
    const auto next = waiting_.top();
    waiting_.pop();
    last_[next.check] = next.log_time;
    next.check->add(next.place);
}

}  // namespace ositrace
