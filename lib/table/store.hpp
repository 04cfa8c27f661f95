// SPDX-License-Identifier: MPL-2.0
// Where the values go while messages are walked: buffers as Arrow wants them, so that a batch takes them over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>

#include "lib/table/plan.hpp"

namespace ositrace::table {

/// Memory at a multiple of 64 bytes, as Arrow recommends, that a batch shares with nobody but its consumers.
using Memory = std::shared_ptr<std::byte>;

/// How much memory a batch may still take.
class Budget {
public:
    /// Never null. Throws Error (limit).
    [[nodiscard]] Memory allocate(std::size_t bytes);
    void reset() noexcept { used_ = 0; }

private:
    std::size_t used_ = 0;
};

struct LevelData;

struct ColumnData {
    Storage storage = Storage::eight_bytes;
    std::uint64_t default_bits = 0;
    std::size_t word = 0;   ///< in LevelData::seen
    std::uint64_t bit = 0;  ///< in the word
    Memory values;          ///< of text and binary: the bytes
    Memory offsets;         ///< of text and binary: int32
    Memory validity;        ///< null: all are set
    std::size_t text_capacity = 0;

    [[nodiscard]] bool is_text() const noexcept { return storage == Storage::text || storage == Storage::binary; }
    [[nodiscard]] std::size_t value_bytes() const noexcept
    {
        return storage == Storage::eight_bytes ? 8 : storage == Storage::four_bytes ? 4 : 1;
    }
};

struct LevelData {
    std::size_t count = 0;
    std::size_t capacity = 0;
    std::size_t expected = 0;  ///< entries of the batch before
    Memory offsets;            ///< int32, of the entries of the parent: where theirs begin here
    std::vector<ColumnData*> columns;
    std::vector<LevelData*> children;
    std::vector<std::uint64_t> seen;  ///< columns that the open entry has set
    std::vector<std::uint64_t> all;
};

class Store {
public:
    explicit Store(const TablePlan::Implementation& plan);
    Store(Store&&) = delete;

    [[nodiscard]] LevelData& level(std::size_t place) noexcept { return levels_[place]; }
    [[nodiscard]] ColumnData& column(std::size_t place) noexcept { return columns_[place]; }
    [[nodiscard]] Budget& budget() noexcept { return budget_; }

    void begin_entry(LevelData& level)
    {
        if (level.count == level.capacity) grow(level);
        for (auto& word : level.seen) word = 0;
        for (auto* const child : level.children) store_offset(child->offsets, level.count, child->count);
    }
    void end_entry(LevelData& level)
    {
        for (std::size_t word = 0; word != level.seen.size(); ++word)
            if (const auto missing = level.all[word] & ~level.seen[word]; missing != 0)
                set_missing(level, word, missing);
        ++level.count;
    }
    /// Of the open entry; a later value replaces an earlier one.
    void set(ColumnData& column, LevelData& level, std::uint64_t bits) noexcept
    {
        auto* const values = column.values.get();
        switch (column.storage) {
        case Storage::eight_bytes: store_le64(values + 8 * level.count, bits); break;
        case Storage::four_bytes: store_le32(values + 4 * level.count, static_cast<std::uint32_t>(bits)); break;
        default: values[level.count] = static_cast<std::byte>(bits); break;
        }
        level.seen[column.word] |= column.bit;
    }
    void set_text(ColumnData& column, LevelData& level, Bytes text);

    /// Entries of every level, to go back to.
    [[nodiscard]] std::vector<std::size_t> mark() const;
    void go_back(std::span<const std::size_t> mark) noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// The offset after the last entry of every list, which a batch needs.
    void close_lists();
    /// Empty; the memory belongs to the batch that took it.
    void reset();

    static void store_offset(const Memory& offsets, std::size_t place, std::size_t value) noexcept
    {
        store_le32(offsets.get() + 4 * place, static_cast<std::uint32_t>(value));
    }

private:
    void grow(LevelData& level);
    void set_missing(LevelData& level, std::size_t word, std::uint64_t missing);
    void set_null(ColumnData& column, const LevelData& level);

    std::vector<ColumnData> columns_;
    std::vector<LevelData> levels_;
    Budget budget_;
};

}  // namespace ositrace::table
