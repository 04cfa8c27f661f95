// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::flat {

/// The words of a table and of what is below it that are structure: offsets, lengths and which vtables they have. An
/// offset to a vtable grows with the position of the table.
class TableMask {
public:
    static constexpr std::uint32_t block_bytes = 32;

    TableMask() = default;
    /// `bytes`: up to the end of the last word; a multiple of 4, from block_bytes on.
    explicit TableMask(std::uint32_t bytes);

    [[nodiscard]] bool empty() const noexcept { return mask_.empty(); }
    /// The word at `position`, a multiple of 4 before the end.
    void expect(std::uint32_t position, std::uint32_t word) noexcept { set(position, word, 0); }
    /// The same, of which the position of the first table is taken away.
    void expect_soffset(std::uint32_t position, std::uint32_t word) noexcept { set(position, word, ~std::uint32_t{0}); }
    /// `at`: the first table, whose position in the buffer is `table`.
    [[nodiscard]] bool matches(const std::byte* at, std::uint32_t table) const noexcept
    {
        return wide_ ? matches_wide(at, table) : matches_narrow(at, table);
    }
    [[nodiscard]] std::size_t memory() const noexcept { return 12 * mask_.size(); }

    /// The same with registers of 16 bytes, which every processor has, and of 32: for tests.
    [[nodiscard]] bool matches_narrow(const std::byte* at, std::uint32_t table) const noexcept;
    [[nodiscard]] bool matches_wide(const std::byte* at, std::uint32_t table) const noexcept;
    [[nodiscard]] bool has_wide() const noexcept { return wide_; }

private:
    static constexpr std::size_t block_words = block_bytes / 4;
    void set(std::uint32_t position, std::uint32_t word, std::uint32_t moving) noexcept
    {
        mask_[position / 4] = ~std::uint32_t{0};
        expected_[position / 4] = word;
        moving_[position / 4] = moving;
    }

    bool wide_ = false;
    std::vector<std::uint32_t> mask_, expected_, moving_;  ///< the last block ends with them
};

}  // namespace ositrace::flat
