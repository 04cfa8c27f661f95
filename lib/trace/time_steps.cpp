// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/time_steps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ositrace {

void GapFinder::add(const TimeStep& step, const OnGap& on_gap)
{
    window_.push_back(step);
    if (window_.size() < steps_around) return;
    if (full_) window_.erase(window_.begin());
    check(full_ ? steps_on_a_side : 0, steps_on_a_side + 1, on_gap);
    full_ = true;
}

void GapFinder::finish(const OnGap& on_gap) { check(full_ ? steps_on_a_side + 1 : 0, window_.size(), on_gap); }

void GapFinder::check(std::size_t from, std::size_t to, const OnGap& on_gap) const
{
    for (; from < to; ++from)
        if (is_gap(window_[from].length())) on_gap(window_[from], usual_step());
}

/// Counts, which needs no sorting for the median.
bool GapFinder::is_gap(Nanoseconds length) const
{
    const auto shorter = std::ranges::count_if(window_, [&](const TimeStep& step) {
        const auto usual = step.length();
        return length > usual && length - usual > usual / 2;
    });
    return static_cast<std::size_t>(shorter) > window_.size() / 2;
}

Nanoseconds GapFinder::usual_step() const
{
    std::vector<Nanoseconds> lengths;
    for (const auto& step : window_) lengths.push_back(step.length());
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

void TimeStepCounter::add(std::uint64_t frame, std::optional<Nanoseconds> time)
{
    if (!time) {
        ++steps_.frames_without_time;
        return;
    }
    ++timed_;
    include_time(bounds_, *time);
    const auto last = std::exchange(last_, time);
    if (!last) return;
    const auto length = distance(*last, *time);
    steps_.shortest = first_ ? length : std::min(steps_.shortest, length);
    steps_.longest = first_ ? length : std::max(steps_.longest, length);
    first_ = false;
    steps_.repeated += length == Nanoseconds{} ? 1 : 0;
    steps_.backward += length < Nanoseconds{} ? 1 : 0;
    if (length <= Nanoseconds{}) return;
    gaps_.add({frame, {}, *last, *time}, [this](const TimeStep& gap, Nanoseconds) { add_gap(gap); });
    if (step_) return;
    first_steps_.push_back(length);
    if (first_steps_.size() == deciding_steps) decide();
}

void TimeStepCounter::finish()
{
    gaps_.finish([this](const TimeStep& gap, Nanoseconds) { add_gap(gap); });
    if (!step_) decide();
}

void TimeStepCounter::decide()
{
    if (first_steps_.empty()) return;
    const auto middle = first_steps_.begin() + static_cast<std::ptrdiff_t>(first_steps_.size() / 2);
    std::ranges::nth_element(first_steps_, middle);
    step_ = *middle;
    first_steps_ = {};
}

void TimeStepCounter::add_gap(const TimeStep& gap)
{
    ++steps_.gaps;
    if (steps_.listed_gaps.size() < TimeSteps::max_listed_gaps)
        steps_.listed_gaps.push_back({gap.frame, gap.from, gap.to});
}

}  // namespace ositrace
