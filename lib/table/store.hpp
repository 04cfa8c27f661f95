// SPDX-License-Identifier: MPL-2.0
// Where the values go while messages are walked: buffers as Arrow wants them, so that a batch takes them over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/arrow_data.hpp>
#include <ositrace/bytes.hpp>

#include "lib/table/plan.hpp"

namespace ositrace::table {

struct ColumnData {
    Storage storage = Storage::eight_bytes;
    std::uint64_t default_bits = 0;
    std::size_t filled = 0;  ///< entries that are written; those up to the next one that is set are null
    Memory values;           ///< of text and binary: the bytes
    Memory offsets;          ///< of text and binary: int32
    Memory validity;         ///< null: all are set
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
    LevelData* parent = nullptr;
    Memory offsets;                  ///< int32, of the entries of the parent: where theirs begin here
    std::size_t filled_offsets = 0;  ///< entries of the parent whose offset is written
    std::vector<ColumnData*> columns;
    std::vector<ColumnData*> texts;
    std::vector<LevelData*> children;
    std::size_t entry_bytes = 0;  ///< without what the texts have
};

/// What is not set costs nothing until something is set after it, or the batch is finished.
class Store {
public:
    Store(const TablePlan::Implementation& plan, std::size_t max_bytes);
    Store(Store&&) = delete;

    [[nodiscard]] LevelData& level(std::size_t place) noexcept { return levels_[place]; }
    [[nodiscard]] ColumnData& column(std::size_t place) noexcept { return columns_[place]; }
    [[nodiscard]] Budget& budget() noexcept { return budget_; }

    /// Entries that begin now belong to the open entry of the parent.
    void begin_entry(LevelData& level) { reserve(level, 1); }
    void end_entry(LevelData& level) noexcept { ++level.count; }
    /// Room for so many entries.
    void reserve(LevelData& level, std::size_t count)
    {
        while (level.capacity - level.count < count) grow(level);
        if (level.parent != nullptr && level.filled_offsets <= level.parent->count)
            fill_offsets(level, level.parent->count);
    }
    /// Of the open entry; a later value replaces an earlier one.
    void set(ColumnData& column, LevelData& level, std::uint64_t bits)
    {
        prepare(column, level, 1);
        auto* const values = column.values.get();
        switch (column.storage) {
        case Storage::eight_bytes: store_le64(values + 8 * level.count, bits); break;
        case Storage::four_bytes: store_le32(values + 4 * level.count, static_cast<std::uint32_t>(bits)); break;
        default: values[level.count] = static_cast<std::byte>(bits); break;
        }
    }
    /// Has the open entry a value?
    [[nodiscard]] static bool is_set(const ColumnData& column, const LevelData& level) noexcept
    {
        return column.filled > level.count;
    }
    /// The value of eight bytes of an entry that has ended.
    [[nodiscard]] static std::optional<std::uint64_t> value(const ColumnData& column, std::size_t entry) noexcept
    {
        if (entry >= column.filled) return std::nullopt;
        const bool is_valid = column.validity == nullptr ||
                              (std::to_integer<unsigned>(column.validity.get()[entry / 8]) >> entry % 8 & 1) != 0;
        return is_valid ? std::optional(load_le64(column.values.get() + 8 * entry)) : std::nullopt;
    }
    void set_text(ColumnData& column, LevelData& level, Bytes text);
    /// The next entries get a value of this column, by the caller.
    void prepare(ColumnData& column, const LevelData& level, std::size_t count)
    {
        if (column.filled < level.count) fill_gap(column, level);
        column.filled = level.count + count;
    }

    /// Entries of every level, to go back to. Valid until the next call.
    [[nodiscard]] std::span<const std::size_t> mark();
    void go_back(std::span<const std::size_t> mark) noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// bytes() is no more than this.
    [[nodiscard]] std::size_t most_bytes() const noexcept { return budget_.used(); }
    /// Writes what a batch needs of what is not set.
    void close();
    /// Empty; the memory belongs to the batch that took it.
    void reset();

    static void store_offset(const Memory& offsets, std::size_t place, std::size_t value) noexcept
    {
        store_le32(offsets.get() + 4 * place, static_cast<std::uint32_t>(value));
    }

private:
    void grow(LevelData& level);
    void fill_gap(ColumnData& column, const LevelData& level);
    static void fill_offsets(LevelData& level, std::size_t last) noexcept;

    std::vector<ColumnData> columns_;
    std::vector<LevelData> levels_;
    std::vector<std::size_t> mark_;
    Budget budget_;
};

}  // namespace ositrace::table
