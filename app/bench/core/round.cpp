// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/round.hpp"

#include <algorithm>
#include <array>

namespace ositrace::bench {

std::string_view name_of(Role role) noexcept
{
    constexpr std::array names{"yardstick", "naive", "ours", "other"};
    return names[static_cast<std::size_t>(role)];
}

double quantile_of(std::vector<double> sorted, double share)
{
    std::ranges::sort(sorted);
    const auto place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double Timing::quantile(double share) const { return quantile_of(samples, share); }

const Timing* RoundResult::first(Role role) const noexcept
{
    const auto found = std::ranges::find(timings, role, &Timing::role);
    return found == timings.end() ? nullptr : &*found;
}

std::optional<double> RoundResult::ratio_to(Role role, const Timing& timing) const
{
    const auto* other = first(role);
    if (other == nullptr || other->median() <= 0) return std::nullopt;
    return timing.median() / other->median();
}

bool RoundResult::has_rates() const noexcept
{
    return std::ranges::any_of(timings, [](const Timing& timing) { return timing.bytes_in != 0; });
}

std::string RoundResult::ratio_title(Role role) const
{
    const auto* other = first(role);
    return other == nullptr ? "" : "x " + other->name.substr(0, other->name.find_first_of(" ,"));
}

}  // namespace ositrace::bench
