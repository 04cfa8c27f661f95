// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The bytes of an encoded message that are structure: tags, lengths, varint continuation bits. Another message of the
/// same length and structure has its values in the same places.
class StructureMask {
public:
    using Words = std::uint64_t __attribute__((vector_size(16)));  // one register

    StructureMask() = default;
    /// `mask`: of every byte of `element` the bits that are structure.
    StructureMask(Bytes element, std::span<const std::byte> mask) : length_(static_cast<std::uint32_t>(element.size()))
    {
        for (std::uint32_t at = 0; at < length_; at += block_bytes) {
            const auto from = length_ >= block_bytes ? std::min(at, length_ - block_bytes) : 0;
            const auto bytes = std::min(block_bytes, length_);
            Block block{};
            std::memcpy(&block.mask, mask.data() + from, bytes);
            std::memcpy(&block.expected, element.data() + from, bytes);
            block.expected &= block.mask;
            blocks_.push_back(block);
        }
    }

    /// Has the element, of the length that the mask was made from and more than 0, this structure?
    [[nodiscard]] bool matches(const std::byte* element) const noexcept
    {
        if (length_ < block_bytes) {
            std::array<std::byte, block_bytes> padded{};
            std::memcpy(padded.data(), element, length_);
            return is_zero(blocks_.front().difference(padded.data()));
        }
        Words difference{};
        for (std::size_t i = 0; i + 1 != blocks_.size(); ++i)
            difference |= blocks_[i].difference(element + i * block_bytes);
        difference |= blocks_.back().difference(element + length_ - block_bytes);
        return is_zero(difference);
    }
    [[nodiscard]] std::uint32_t length() const noexcept { return length_; }
    [[nodiscard]] std::size_t memory() const noexcept { return blocks_.size() * sizeof(Block); }

private:
    static constexpr std::uint32_t block_bytes = 16;
    struct Block {
        Words mask, expected;
        [[nodiscard]] Words difference(const std::byte* at) const noexcept
        {
            Words found;
            std::memcpy(&found, at, sizeof found);
            return (found & mask) ^ expected;
        }
    };
    static bool is_zero(Words words) noexcept { return (words[0] | words[1]) == 0; }

    std::uint32_t length_ = 0;
    std::vector<Block> blocks_;  ///< the last one ends with the element
};

/// The value of a varint whose length and continuation bits are known.
[[nodiscard]] inline std::uint64_t read_known_varint(const std::byte* from, std::uint32_t length) noexcept
{
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i != length && i != 10; ++i)
        value |= (std::to_integer<std::uint64_t>(from[i]) & 0x7f) << (7 * i);
    return value;
}

}  // namespace ositrace
