// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include <ositrace/compare_traces.hpp>

#include "lib/trace/time_distance.hpp"

namespace ositrace {

namespace {

/// Time between messages, the median: gaps do not matter. Of very many messages, that of some of them.
std::optional<Nanoseconds> usual_step(std::span<const Nanoseconds> times)
{
    constexpr std::size_t most = 1000;
    std::vector<Nanoseconds> steps;
    const auto every = std::max<std::size_t>(1, times.size() / most);
    for (std::size_t i = 1; i < times.size(); i += every) steps.push_back(distance(times[i - 1], times[i]));
    if (steps.empty()) return std::nullopt;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace

Nanoseconds usual_tolerance(std::span<const Nanoseconds> a, std::span<const Nanoseconds> b)
{
    constexpr auto without_steps = std::chrono::milliseconds(50);
    const auto step_a = usual_step(a), step_b = usual_step(b);
    if (!step_a && !step_b) return without_steps;
    return std::max(step_a.value_or(Nanoseconds(0)), step_b.value_or(Nanoseconds(0))) / 2;
}

std::vector<MessagePair> pair_messages(std::span<const Nanoseconds> a, Nanoseconds shift_a,
                                       std::span<const Nanoseconds> b, Nanoseconds shift_b, Nanoseconds tolerance)
{
    // In long double, which holds the sum and difference of any times exactly.
    const auto gap = [&](std::size_t i, std::size_t j) {
        return (static_cast<long double>(b[j].count()) + static_cast<long double>(shift_b.count())) -
               (static_cast<long double>(a[i].count()) + static_cast<long double>(shift_a.count()));
    };
    const auto allowed = static_cast<long double>(tolerance.count());
    std::vector<MessagePair> pairs;
    for (std::size_t i = 0, j = 0; i != a.size() && j != b.size();) {
        const auto now = gap(i, j);
        // The next message of the side that is behind may be nearer to this one of the other side.
        if (now > 0 && (now > allowed || (i + 1 != a.size() && std::abs(gap(i + 1, j)) < now))) {
            ++i;
        } else if (now < 0 && (-now > allowed || (j + 1 != b.size() && std::abs(gap(i, j + 1)) < -now))) {
            ++j;
        } else {
            pairs.push_back({i, j});
            ++i;
            ++j;
        }
    }
    return pairs;
}

}  // namespace ositrace
