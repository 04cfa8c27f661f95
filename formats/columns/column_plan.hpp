// SPDX-License-Identifier: MPL-2.0
// Which fields of a message, and of the messages below it, go into which column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

struct ColumnPlan {
    static constexpr std::uint8_t no_column = 0xff;
    struct Action {
        std::uint8_t column = no_column;
        std::unique_ptr<ColumnPlan> child;  ///< of a message field that contains leaves
        [[nodiscard]] bool wanted() const noexcept { return column != no_column || child != nullptr; }
    };

    explicit ColumnPlan(const MessageTable& message) : table(&message), actions(message.fields.size()) {}

    /// Adds a leaf; its row. Throws Error (usage) for a path that does not lead to one value.
    const FieldRow& add(std::string_view path, std::uint8_t column);

    const MessageTable* table;
    std::vector<Action> actions;  ///< by FieldRow::index
};

/// Where the values of a row go.
class ColumnStore {
public:
    explicit ColumnStore(std::size_t columns) : columns_(columns) {}

    void clear() noexcept { rows_ = own_presence_ = 0; }
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_.size(); }
    /// Room for `count` more rows, now.
    void reserve(std::size_t count)
    {
        if (capacity_ - rows_ < count) grow(count);
    }
    /// A new row, nothing set; reserve() has made room.
    void begin_row() noexcept
    {
        for (auto& column : columns_) store_le64(column.data() + 8 * rows_, 0);
        write_presence();
        presence_[rows_] = 0;
    }
    void end_row() noexcept { own_presence_ = ++rows_; }
    void set(std::uint8_t column, std::uint64_t bits) noexcept
    {
        store_le64(columns_[column].data() + 8 * rows_, bits);
        mark(column);
    }
    void mark(std::uint8_t column) noexcept { presence_[rows_] |= std::uint32_t{1} << column; }

    /// For those who fill many rows at once: where the values of the next row go.
    [[nodiscard]] std::byte* next(std::uint8_t column) noexcept { return columns_[column].data() + 8 * rows_; }
    void add_rows(std::size_t count, std::uint32_t presence) noexcept
    {
        if (presence != equal_presence_) write_presence();
        equal_presence_ = presence;
        rows_ += count;
    }

    [[nodiscard]] std::span<const double> reals(std::size_t column) const noexcept
    {
        return columns_[column].as<double>(rows_);
    }
    [[nodiscard]] std::span<const std::uint64_t> integers(std::size_t column) const noexcept
    {
        return columns_[column].as<std::uint64_t>(rows_);
    }
    [[nodiscard]] std::span<const std::uint32_t> presence() noexcept
    {
        write_presence();
        return {presence_.get(), rows_};
    }
    [[nodiscard]] bool has(std::size_t column, std::size_t row) const noexcept
    {
        return ((row < own_presence_ ? presence_[row] : equal_presence_) >> column & 1) != 0;
    }

private:
    /// Eight bytes for each row, a double or an integer. In large pages, where the system has some: that is a fifth of
    /// the time.
    struct Column {
        ByteBuffer values;
        [[nodiscard]] std::byte* data() noexcept { return values.data(); }
        template <class T>
        [[nodiscard]] std::span<const T> as(std::size_t rows) const noexcept
        {
            return {reinterpret_cast<const T*>(values.data()), rows};
        }
    };
    void grow(std::size_t count);
    void write_presence() noexcept
    {
        std::fill(presence_.get() + own_presence_, presence_.get() + rows_, equal_presence_);
        own_presence_ = rows_;
    }

    std::vector<Column> columns_;
    /// Of the first `own_presence_` rows; the others are alike, and seldom does anybody ask.
    std::unique_ptr<std::uint32_t[]> presence_;
    std::size_t own_presence_ = 0;
    std::uint32_t equal_presence_ = 0;
    std::size_t rows_ = 0;
    std::size_t capacity_ = 0;
};

/// Elements of one shape that become rows at once: column by column is several times as fast as row by row.
inline constexpr std::size_t block_rows = 64;

/// Stored bits of a leaf (as a FlatBuffer holds them) as its column holds them.
[[nodiscard]] std::uint64_t column_bits(const FieldRow& leaf, std::uint64_t stored) noexcept;

}  // namespace ositrace
