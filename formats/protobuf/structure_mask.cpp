// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/structure_mask.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ositrace {

namespace {

#if defined(__x86_64__)

__attribute__((target("avx2"))) __m256i load_wide(const std::byte* from) noexcept
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) __m256i add_difference(__m256i sum, const std::byte* at, const std::byte* mask,
                                                       const std::byte* expected) noexcept
{
    const auto found = _mm256_and_si256(load_wide(at), load_wide(mask));
    return _mm256_or_si256(sum, _mm256_xor_si256(found, load_wide(expected)));
}

#endif

}  // namespace

StructureMask::StructureMask(Bytes element, std::span<const std::byte> mask)
    : length_(static_cast<std::uint32_t>(element.size()))
{
    for (std::uint32_t at = 0; at < length_; at += block_bytes) {
        Block block{};
        const auto put = [&](std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
            std::copy_n(mask.begin() + from, bytes, block.mask.begin() + to);
            for (std::uint32_t i = 0; i != bytes; ++i) block.expected[to + i] = element[from + i] & mask[from + i];
        };
        if (length_ >= block_bytes) {
            put(0, std::min(at, length_ - block_bytes), block_bytes);
        } else if (length_ >= narrow_bytes) {
            put(0, 0, narrow_bytes);
            put(narrow_bytes, length_ - narrow_bytes, narrow_bytes);
        } else {
            put(0, 0, length_);
        }
        blocks_.push_back(block);
    }
    wide_ = has_wide();
}

// Elements of up to one block are compared with the mask in registers, eight before the result is looked at.
std::size_t StructureMask::leading(const std::byte* first, std::size_t stride, std::size_t count) const noexcept
{
    constexpr std::size_t at_once = 8;
    std::size_t done = 0;
    if (length_ >= narrow_bytes && length_ <= block_bytes) {
        const auto block = blocks_.front();
        const auto second = length_ - narrow_bytes;
        for (; done + at_once <= count; done += at_once) {
            Words found{};
            for (std::size_t i = 0; i != at_once; ++i) {
                const auto* const element = first + (done + i) * stride;
                found |= difference(block, 0, element) | difference(block, 1, element + second);
            }
            if (!is_zero(found)) break;
        }
    }
    while (done != count && matches(first + done * stride)) ++done;
    return done;
}

#if defined(__x86_64__)

bool StructureMask::processor_has_wide() noexcept
{
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
}

__attribute__((target("avx2"))) bool StructureMask::matches_wide(const std::byte* element) const noexcept
{
    auto sum = _mm256_setzero_si256();
    const auto* block = blocks_.data();
    const auto* const last = element + length_ - block_bytes;
    for (; element < last; element += block_bytes, ++block)
        sum = add_difference(sum, element, block->mask.data(), block->expected.data());
    sum = add_difference(sum, last, block->mask.data(), block->expected.data());
    return _mm256_testz_si256(sum, sum) != 0;
}

#else

bool StructureMask::processor_has_wide() noexcept { return false; }
bool StructureMask::matches_wide(const std::byte* element) const noexcept { return matches_narrow(element); }

#endif

}  // namespace ositrace
