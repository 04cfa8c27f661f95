// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/table_mask.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ositrace::flat {

namespace {

// Tables of another kind differ in their first words.
constexpr std::size_t blocks_at_first = 2;

}  // namespace

TableMask::TableMask(std::uint32_t bytes) : bytes_(bytes), blocks_((bytes + block_bytes - 1) / block_bytes)
{
#if defined(__x86_64__)
    wide_ = __builtin_cpu_supports("avx2") != 0;
#endif
}

void TableMask::set(std::uint32_t position, std::uint32_t word, std::uint32_t moving) noexcept
{
    const auto last = blocks_.size() - 1;
    const auto number = std::min<std::size_t>(position / block_bytes, last);
    const auto start = number == last ? bytes_ - block_bytes : static_cast<std::uint32_t>(number) * block_bytes;
    const auto place = (position - start) / 4;
    auto& block = blocks_[number];
    block.mask[place] = ~std::uint32_t{0};
    block.expected[place] = word;
    block.moving[place] = moving;
}

bool TableMask::matches_narrow(const std::byte* at, std::uint32_t table) const noexcept
{
    using Words = std::uint32_t __attribute__((vector_size(16)));
    const Words shift = {table, table, table, table};
    const auto load_words = [](const void* from) {
        Words found;
        std::memcpy(&found, from, sizeof found);
        return found;
    };
    const auto difference = [&](const Block& block, const std::byte* from) {
        Words sum{};
        for (std::size_t half = 0; half != words; half += words / 2)
            sum |= ((load_words(from + 4 * half) - (load_words(block.moving.data() + half) & shift)) &
                    load_words(block.mask.data() + half)) ^
                   load_words(block.expected.data() + half);
        return sum;
    };
    Words sum{};
    for (std::size_t i = 0; i + 1 != blocks_.size(); ++i) {
        sum |= difference(blocks_[i], at + i * block_bytes);
        if (i == blocks_at_first && (sum[0] | sum[1] | sum[2] | sum[3]) != 0) return false;
    }
    sum |= difference(blocks_.back(), at + bytes_ - block_bytes);
    return (sum[0] | sum[1] | sum[2] | sum[3]) == 0;
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
    const auto* block = blocks_.data();
    const auto* const last = block + blocks_.size() - 1;
    const auto* const first_end = blocks_.size() > blocks_at_first ? block + blocks_at_first : last;
    for (const auto* end = first_end;; end = last) {
        for (; block != end; ++block, at += block_bytes) {
            const auto moved = _mm256_and_si256(load_words(block->moving.data()), shift);
            const auto found =
                _mm256_and_si256(_mm256_sub_epi32(load_words(at), moved), load_words(block->mask.data()));
            sum = _mm256_or_si256(sum, _mm256_xor_si256(found, load_words(block->expected.data())));
        }
        if (_mm256_testz_si256(sum, sum) == 0) return false;
        if (block == last) break;
    }
    at += bytes_ - block_bytes - (blocks_.size() - 1) * block_bytes;
    const auto moved = _mm256_and_si256(load_words(block->moving.data()), shift);
    const auto found = _mm256_and_si256(_mm256_sub_epi32(load_words(at), moved), load_words(block->mask.data()));
    sum = _mm256_xor_si256(found, load_words(block->expected.data()));
    return _mm256_testz_si256(sum, sum) != 0;
}

#else

bool TableMask::matches_wide(const std::byte* at, std::uint32_t table) const noexcept
{
    return matches_narrow(at, table);
}

#endif

}  // namespace ositrace::flat
