// SPDX-License-Identifier: MPL-2.0
#include "gui/session/message_times.hpp"

#include <algorithm>
#include <array>

namespace ositrace::gui {

namespace {

/// How long the only message of a channel is shown.
constexpr Nanoseconds lone_step = std::chrono::milliseconds(100);

Nanoseconds sum(Nanoseconds a, Nanoseconds b) noexcept
{
    return a > Nanoseconds::max() - b ? Nanoseconds::max() : a + b;
}

}  // namespace

std::optional<std::uint64_t> MessageTimes::last_until(Nanoseconds t) const noexcept
{
    if (count == 0) return std::nullopt;
    if (t >= last) return count - 1;
    const auto behind = std::upper_bound(times.begin(), times.end(), t);
    if (behind == times.begin()) return std::nullopt;
    return static_cast<std::uint64_t>(behind - times.begin() - 1) * stride;
}

Nanoseconds MessageTimes::time_of(std::uint64_t number) const noexcept
{
    if (times.empty()) return {};
    if (number + 1 >= count) return last;
    return times[std::min<std::uint64_t>(number / stride, times.size() - 1)];
}

std::optional<TimeSection> MessageTimes::extent() const noexcept
{
    if (count == 0) return std::nullopt;
    return TimeSection{times.front(), sum(last, std::max(typical_step().value_or(lone_step), Nanoseconds(1)))};
}

std::optional<Nanoseconds> MessageTimes::step() const noexcept
{
    if (count < 2) return std::nullopt;
    // As unsigned: the whole range of int64 may lie between two times of a broken file.
    const auto span = static_cast<std::uint64_t>(last.count()) - static_cast<std::uint64_t>(times.front().count());
    return Nanoseconds(static_cast<std::int64_t>(span / (count - 1)));
}

std::optional<Nanoseconds> MessageTimes::typical_step() const noexcept
{
    constexpr std::size_t asked = 200;
    if (times.size() < 2) return std::nullopt;
    const auto count_of_steps = std::min(times.size() - 1, asked);
    std::array<std::uint64_t, asked> steps{};
    for (std::size_t n = 0; n != count_of_steps; ++n) {
        const auto i = n * (times.size() - 1) / count_of_steps;
        steps.at(n) = static_cast<std::uint64_t>(times[i + 1].count()) - static_cast<std::uint64_t>(times[i].count());
    }
    auto* const middle = steps.begin() + count_of_steps / 2;
    std::nth_element(steps.begin(), middle, steps.begin() + count_of_steps);
    return Nanoseconds(static_cast<std::int64_t>(*middle / stride));
}

}  // namespace ositrace::gui
