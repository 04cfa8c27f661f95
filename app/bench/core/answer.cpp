// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/answer.hpp"

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

}  // namespace ositrace::bench
