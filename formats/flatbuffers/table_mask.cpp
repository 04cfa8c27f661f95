// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/table_mask.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ositrace::flat {

namespace {

constexpr std::size_t first_checked = 8;  // the second block

}  // namespace

TableMask::TableMask(std::uint32_t bytes) : mask_(bytes / 4), expected_(bytes / 4), moving_(bytes / 4)
{
#if defined(__x86_64__)
    wide_ = __builtin_cpu_supports("avx2") != 0;
#endif
}

bool TableMask::matches_narrow(const std::byte* at, std::uint32_t table) const noexcept
{
    using Words = std::uint32_t __attribute__((vector_size(16)));
    const Words shift = {table, table, table, table};
    const auto load_narrow = [](const void* from) {
        Words found;
        std::memcpy(&found, from, sizeof found);
        return found;
    };
    Words sum{};
    const auto add_block = [&](std::size_t first) {
        for (std::size_t word = first; word != first + block_words; word += sizeof(Words) / 4)
            sum |= ((load_narrow(at + 4 * word) - (load_narrow(&moving_[word]) & shift)) & load_narrow(&mask_[word])) ^
                   load_narrow(&expected_[word]);
        return (sum[0] | sum[1] | sum[2] | sum[3]) == 0;
    };
    const auto last = mask_.size() - block_words;
    for (std::size_t first = 0; first < last; first += block_words)
        if (!add_block(first)) return false;
    return add_block(last);
}

#if defined(__x86_64__)

namespace {

__attribute__((target("avx2"))) __m256i load_words(const void* from) noexcept
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

}  // namespace

__attribute__((target("avx2"))) bool TableMask::matches_wide(const std::byte* at, std::uint32_t table) const noexcept
{
    const auto shift = _mm256_set1_epi32(static_cast<int>(table));
    auto sum = _mm256_setzero_si256();
    const auto* const mask = mask_.data();
    const auto* const expected = expected_.data();
    const auto* const moving = moving_.data();
    const auto last = mask_.size() - block_words;
    for (std::size_t first = 0;; first = std::min(first + block_words, last)) {
        const auto moved = _mm256_and_si256(load_words(moving + first), shift);
        const auto found =
            _mm256_and_si256(_mm256_sub_epi32(load_words(at + 4 * first), moved), load_words(mask + first));
        sum = _mm256_or_si256(sum, _mm256_xor_si256(found, load_words(expected + first)));
        if (first == last) break;
        // Tables of another kind differ in their first words.
        if (first == first_checked && _mm256_testz_si256(sum, sum) == 0) return false;
    }
    return _mm256_testz_si256(sum, sum) != 0;
}

#else

bool TableMask::matches_wide(const std::byte* at, std::uint32_t table) const noexcept
{
    return matches_narrow(at, table);
}

#endif

}  // namespace ositrace::flat
