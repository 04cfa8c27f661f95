// SPDX-License-Identifier: MPL-2.0
#pragma once

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
    StructureMask() = default;
    /// `mask`: of every byte of `element` the bits that are structure.
    StructureMask(Bytes element, std::span<const std::byte> mask);

    /// Has the element, of the length that the mask was made from and more than 0, this structure?
    [[nodiscard]] bool matches(const std::byte* element) const noexcept
    {
        return wide_ ? matches_wide(element) : matches_narrow(element);
    }
    /// How many of `count` elements, `stride` bytes after each other, match one after the other?
    [[nodiscard]] std::size_t leading(const std::byte* first, std::size_t stride, std::size_t count) const noexcept;
    [[nodiscard]] std::uint32_t length() const noexcept { return length_; }
    [[nodiscard]] std::size_t memory() const noexcept { return blocks_.size() * sizeof(Block); }

    /// The same with registers of 16 bytes, which every processor has, and of 32: for tests.
    [[nodiscard]] bool matches_narrow(const std::byte* element) const noexcept
    {
        if (length_ < narrow_bytes) {
            std::array<std::byte, narrow_bytes> padded{};
            std::memcpy(padded.data(), element, length_);
            return is_zero(difference(blocks_.front(), 0, padded.data()));
        }
        Words found{};
        for (std::size_t i = 0; i + 1 < blocks_.size(); ++i)
            found |= difference(blocks_[i], 0, element + i * block_bytes) |
                     difference(blocks_[i], 1, element + i * block_bytes + narrow_bytes);
        const auto last = length_ - narrow_bytes;
        found |= difference(blocks_.back(), 0, length_ < block_bytes ? element : element + length_ - block_bytes) |
                 difference(blocks_.back(), 1, element + last);
        return is_zero(found);
    }
    [[nodiscard]] bool has_wide() const noexcept { return length_ >= block_bytes && processor_has_wide(); }
    [[nodiscard]] bool matches_wide(const std::byte* element) const noexcept;

private:
    using Words = std::uint64_t __attribute__((vector_size(16)));  // one register
    static constexpr std::uint32_t narrow_bytes = sizeof(Words);
    static constexpr std::uint32_t block_bytes = 2 * narrow_bytes;
    struct Block {
        std::array<std::byte, block_bytes> mask, expected;
    };
    static Words difference(const Block& block, std::size_t half, const std::byte* at) noexcept
    {
        Words found, mask, expected;
        std::memcpy(&found, at, sizeof found);
        std::memcpy(&mask, block.mask.data() + half * narrow_bytes, sizeof mask);
        std::memcpy(&expected, block.expected.data() + half * narrow_bytes, sizeof expected);
        return (found & mask) ^ expected;
    }
    static bool is_zero(Words words) noexcept { return (words[0] | words[1]) == 0; }
    static bool processor_has_wide() noexcept;

    std::uint32_t length_ = 0;
    bool wide_ = false;
    /// The last one ends with the element; of a shorter element its second half does.
    std::vector<Block> blocks_;
};

/// The value of a varint whose length and continuation bits are known.
[[nodiscard]] inline std::uint64_t read_known_varint(const std::byte* from, std::uint32_t length) noexcept
{
    std::uint64_t value = 0;
    std::uint32_t i = 0;
    if (length >= 8) {
        // Eight groups of seven bits become four, two, one.
        auto groups = load_le64(from) & 0x7f7f'7f7f'7f7f'7f7f;
        groups = (groups & 0x007f'007f'007f'007f) | (groups & 0x7f00'7f00'7f00'7f00) >> 1;
        groups = (groups & 0x0000'3fff'0000'3fff) | (groups & 0x3fff'0000'3fff'0000) >> 2;
        value = (groups & 0x0000'0000'0fff'ffff) | (groups & 0x0fff'ffff'0000'0000) >> 4;
        i = 8;
    }
    for (; i != length && i != 10; ++i) value |= (std::to_integer<std::uint64_t>(from[i]) & 0x7f) << (7 * i);
    return value;
}

/// The same for two bytes.
[[nodiscard]] inline std::uint32_t read_varint_of_two(const std::byte* from) noexcept
{
    return (std::to_integer<std::uint32_t>(from[0]) & 0x7f) | (std::to_integer<std::uint32_t>(from[1]) << 7);
}

/// Writes a varint that takes `length` bytes, from 1 to 10.
inline void write_known_varint(std::byte* to, std::uint64_t value, std::uint32_t length) noexcept
{
    std::uint32_t i = 0;
    if (length > 8) {
        auto groups = (value & 0x0000'0000'0fff'ffff) | (value & 0x00ff'ffff'f000'0000) << 4;
        groups = (groups & 0x0000'3fff'0000'3fff) | (groups & 0x0fff'c000'0fff'c000) << 2;
        groups = (groups & 0x007f'007f'007f'007f) | (groups & 0x3f80'3f80'3f80'3f80) << 1;
        store_le64(to, groups | 0x8080'8080'8080'8080);
        i = 8;
    }
    for (; i + 1 < length; ++i) to[i] = static_cast<std::byte>(value >> (7 * i) | 0x80);
    to[i] = static_cast<std::byte>(value >> (7 * i));
}

}  // namespace ositrace
