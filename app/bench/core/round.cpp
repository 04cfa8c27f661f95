// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/round.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ositrace::bench {

void Answer::mix(std::uint64_t& digest, std::uint64_t word) noexcept
{
    if (spoiled_) word ^= 1;
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    digest = std::rotl((digest ^ word) * odd, 29);
}

void Answer::mix(std::uint64_t& digest, Bytes bytes) noexcept
{
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
        mix(digest, word);
    }
    mix(digest, bytes.size());
}

void Answer::add(Bytes exact, Bytes coarse)
{
    mix(exact_, exact);
    add_coarse(coarse);
}

void Answer::add_coarse(Bytes coarse)
{
    size_ += coarse.size();
    mix(coarse_, coarse);
    spoiled_ = false;
}

void Answer::add(std::span<const double> numbers)
{
    size_ += numbers.size();
    for (const double number : numbers) {
        const auto rounded = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        mix(exact_, std::bit_cast<std::uint64_t>(number));
        mix(coarse_, rounded);
        spoiled_ = false;
    }
}

void Answer::add_coarse(std::span<const float> numbers)
{
    size_ += numbers.size();
    for (const float number : numbers) {
        mix(coarse_, std::bit_cast<std::uint32_t>(number));
        spoiled_ = false;
    }
}

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
