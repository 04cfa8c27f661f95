// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/time_steps.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

void TimeStepCounter::add(std::uint64_t frame, std::optional<Nanoseconds> time)
{
    if (!time) {
        ++steps_.frames_without_time;
        return;
    }
    const auto last = std::exchange(last_, time);
    if (!last) return;
    const TimeGap step{frame, *last, *time};
    const auto length = distance(step.from, step.to);
    steps_.shortest = first_ ? length : std::min(steps_.shortest, length);
    steps_.longest = first_ ? length : std::max(steps_.longest, length);
    first_ = false;
    steps_.repeated += length == Nanoseconds{} ? 1 : 0;
    steps_.backward += length < Nanoseconds{} ? 1 : 0;
    if (step_) return count_gap(step);
    undecided_.push_back(step);
    if (undecided_.size() == deciding_steps) decide();
}

void TimeStepCounter::finish()
{
    if (!step_) decide();
}

void TimeStepCounter::decide()
{
    std::vector<Nanoseconds> lengths;
    for (const auto& step : undecided_)
        if (step.to > step.from) lengths.push_back(distance(step.from, step.to));
    if (lengths.empty()) return undecided_.clear();
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    step_ = *middle;
    for (const auto& step : std::exchange(undecided_, {})) count_gap(step);
}

void TimeStepCounter::count_gap(const TimeGap& step)
{
    const auto length = distance(step.from, step.to);
    if (length <= *step_ || length - *step_ <= *step_ / 2) return;
    ++steps_.gaps;
    if (steps_.listed_gaps.size() < TimeSteps::max_listed_gaps) steps_.listed_gaps.push_back(step);
}

}  // namespace ositrace
