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

/// Does a number at one of these places lead to `end`?
bool any_place_leads(Bytes payload, std::size_t from, std::size_t to, std::size_t end) noexcept
{
    for (auto place = std::max<std::size_t>(from, 1); place < to; ++place)
        if (leads_to(payload, place, end)) return true;
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

/// The same for the blocks of places from `from` to `to`, the last of which may overlap the one before it.
template <class Words>
[[gnu::always_inline]] inline bool any_block_leads(Bytes payload, std::size_t from, std::size_t to,
                                                   std::size_t end) noexcept
{
    const auto last = to - block_bytes;
    for (auto place = std::min(from, last);; place = std::min(place + block_bytes, last)) {
        if (may_lead_to_end<Words>(payload.data() + place, end - prefix_bytes - place) &&
            any_place_leads(payload, place, place + block_bytes, end))
            return true;
        if (place == last) return false;
    }
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) bool any_block_leads_wide(Bytes payload, std::size_t from, std::size_t to,
                                                          std::size_t end) noexcept
{
    return any_block_leads<Wide>(payload, from, to, end);
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

void TrailingLengthScan::add(Bytes arrived) noexcept
{
    const auto places = arrived.size() - std::min(arrived.size(), prefix_bytes);
    const bool is_whole = arrived.size() == size_;
    if (found_ || places <= place_) return;
    if (places < block_bytes) {
        if (is_whole) found_ = any_place_leads(arrived, place_, places, size_);
        return;
    }
    const auto to = is_whole ? places : places - (places - place_) % block_bytes;
    if (to <= place_) return;
#if defined(__x86_64__)
    found_ = has_wide() ? any_block_leads_wide(arrived, place_, to, size_)
                        : any_block_leads<Narrow>(arrived, place_, to, size_);
#else
    found_ = any_block_leads<Narrow>(arrived, place_, to, size_);
#endif
    place_ = to;
}

bool may_hold_frames(Bytes payload) noexcept
{
    TrailingLengthScan scan(payload.size());
    scan.add(payload);
    return scan.may_hold_frames();
}

}  // namespace ositrace::length_prefix
