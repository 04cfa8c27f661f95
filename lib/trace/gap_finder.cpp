// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/gap_finder.hpp"

#include <algorithm>
#include <vector>

namespace ositrace {

void GapFinder::add(const TimeStep& step, const OnGap& on_gap)
{
    window_.push_back(step);
    if (window_.size() < steps_around) return;
    if (full_) window_.pop_front();
    judge(full_ ? steps_on_a_side : 0, steps_on_a_side + 1, on_gap);
    full_ = true;
}

void GapFinder::finish(const OnGap& on_gap) { judge(full_ ? steps_on_a_side + 1 : 0, window_.size(), on_gap); }

void GapFinder::judge(std::size_t from, std::size_t to, const OnGap& on_gap) const
{
    for (; from < to; ++from)
        if (is_gap(window_[from].length())) on_gap(window_[from], usual_step());
}

/// Counting says it of the median without sorting.
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

}  // namespace ositrace
