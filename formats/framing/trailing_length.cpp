// SPDX-License-Identifier: MPL-2.0
#include "formats/framing/trailing_length.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "formats/framing/length_prefix.hpp"

namespace ositrace::length_prefix {

namespace {

/// So many places are compared at once.
constexpr std::size_t block_bytes = 128;

bool any_place_leads(Bytes payload, std::size_t from, std::size_t to) noexcept
{
    for (auto place = std::max<std::size_t>(from, 1); place < to; ++place)
        if (leads_to(payload, place, payload.size())) return true;
    return false;
}

/// Numbers of 16 bits that are compared at once.
using Narrow = std::uint16_t __attribute__((vector_size(16)));
using Wide = std::uint16_t __attribute__((vector_size(32)));

/// Is at one of the places from `at` on a number that may be `rest`, less one for each place? Compares the lower halves
/// of the numbers: one in 65 536 fits by chance.
template <class Words>
[[gnu::always_inline]] inline bool may_lead_to_end(const std::byte* at, std::size_t rest) noexcept
{
    Words wanted{};
    for (std::size_t i = 0; i != sizeof(Words) / 2; ++i) wanted[i] = static_cast<std::uint16_t>(rest - 2 * i);
    Words found{};
    for (std::size_t i = 0; i != block_bytes; i += sizeof(Words)) {
        Words even, odd;
        std::memcpy(&even, at + i, sizeof even);
        std::memcpy(&odd, at + i + 1, sizeof odd);
        found |= reinterpret_cast<Words>(even == wanted) | reinterpret_cast<Words>(odd == wanted - 1);
        wanted -= static_cast<std::uint16_t>(sizeof(Words));
    }
    std::array<std::uint64_t, sizeof(Words) / sizeof(std::uint64_t)> parts;
    std::memcpy(parts.data(), &found, sizeof found);
    return std::ranges::any_of(parts, [](std::uint64_t part) { return part != 0; });
}

/// Of a payload with at least a block of places.
template <class Words>
[[gnu::always_inline]] inline bool any_block_leads(Bytes payload) noexcept
{
    const auto last = payload.size() - prefix_bytes - block_bytes;
    for (std::size_t place = 0;; place = std::min(place + block_bytes, last)) {
        if (may_lead_to_end<Words>(payload.data() + place, payload.size() - prefix_bytes - place) &&
            any_place_leads(payload, place, place + block_bytes))
            return true;
        if (place == last) return false;
    }
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) bool any_block_leads_wide(Bytes payload) noexcept
{
    return any_block_leads<Wide>(payload);
}

bool has_wide() noexcept
{
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

#endif

}  // namespace

bool leads_to(Bytes bytes, std::size_t place, std::size_t end) noexcept
{
    return load_le32(bytes.data() + place) == end - place - prefix_bytes;
}

bool may_hold_frames(Bytes payload) noexcept
{
    if (payload.size() < prefix_bytes + block_bytes)
        return payload.size() > prefix_bytes && any_place_leads(payload, 1, payload.size() - prefix_bytes);
#if defined(__x86_64__)
    if (has_wide()) return any_block_leads_wide(payload);
#endif
    return any_block_leads<Narrow>(payload);
}

}  // namespace ositrace::length_prefix
