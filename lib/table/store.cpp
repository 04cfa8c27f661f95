// SPDX-License-Identifier: MPL-2.0
#include "lib/table/store.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/utf8.hpp>

namespace ositrace::table {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t most_offset = INT32_MAX;

Memory moved(Budget& budget, const Memory& from, std::size_t used, std::size_t bytes)
{
    auto to = budget.allocate(bytes);
    if (used != 0) std::memcpy(to.get(), from.get(), used);
    return to;
}

std::size_t bitmap_bytes(std::size_t bits) noexcept { return (bits + 7) / 8; }

void set_bit(const Memory& bitmap, std::size_t place, bool value) noexcept
{
    const auto bit = static_cast<std::byte>(1u << place % 8);
    auto& byte = bitmap.get()[place / 8];
    byte = value ? byte | bit : byte & ~bit;
}

}  // namespace

Memory Budget::allocate(std::size_t bytes)
{
    const auto rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    if (rounded < bytes || rounded > TableBuilder::max_batch_bytes - used_)
        throw Error(Cause::limit, "the columns of a batch exceed the limit of " +
                                      std::to_string(TableBuilder::max_batch_bytes >> 30) + " GiB");
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
    if (memory == nullptr) throw std::bad_alloc();
    used_ += rounded;
    return {memory, std::free};
}

Store::Store(const TablePlan::Implementation& plan) : columns_(plan.column_rows.size()), levels_(plan.levels.size())
{
    for (std::size_t i = 0; i != levels_.size(); ++i) {
        const auto& row = plan.levels[i];
        auto& level = levels_[i];
        level.seen.resize((row.columns.size() + 63) / 64);
        level.all.resize(level.seen.size());
        for (const auto place : row.columns) {
            auto& column = columns_[place];
            const auto& description = plan.column_rows[place];
            column.storage = description.storage;
            column.default_bits = description.default_bits;
            column.word = description.place / 64;
            column.bit = std::uint64_t{1} << description.place % 64;
            level.all[column.word] |= column.bit;
            level.columns.push_back(&column);
        }
        for (const auto child : row.children) level.children.push_back(&levels_[child]);
    }
    reset();
}

void Store::grow(LevelData& level)
{
    constexpr std::size_t smallest = 64;
    const auto capacity =
        level.capacity == 0 ? std::max(smallest, level.expected + level.expected / 8) : level.capacity * 2;
    if (capacity > most_offset) throw Error(Cause::limit, "a batch has more than 2147483647 rows");
    for (auto* const column : level.columns) {
        if (column->is_text()) {
            column->offsets = moved(budget_, column->offsets, 4 * (level.count + 1), 4 * (capacity + 1));
        } else {
            const auto width = column->value_bytes();
            column->values = moved(budget_, column->values, width * level.count, width * capacity);
        }
        if (column->validity == nullptr) continue;
        const auto used = bitmap_bytes(level.capacity);
        column->validity = moved(budget_, column->validity, used, bitmap_bytes(capacity));
        std::fill_n(column->validity.get() + used, bitmap_bytes(capacity) - used, std::byte{0xff});
    }
    for (auto* const child : level.children)
        child->offsets = moved(budget_, child->offsets, 4 * (level.count + 1), 4 * (capacity + 1));
    level.capacity = capacity;
}

void Store::set_missing(LevelData& level, std::size_t word, std::uint64_t missing)
{
    for (; missing != 0; missing &= missing - 1)
        set_null(*level.columns[64 * word + static_cast<std::size_t>(std::countr_zero(missing))], level);
}

void Store::set_null(ColumnData& column, const LevelData& level)
{
    const auto row = level.count;
    if (column.validity == nullptr) {
        column.validity = budget_.allocate(bitmap_bytes(level.capacity));
        std::fill_n(column.validity.get(), bitmap_bytes(level.capacity), std::byte{0xff});
    }
    set_bit(column.validity, row, false);
    if (column.is_text())
        store_offset(column.offsets, row + 1, load_le32(column.offsets.get() + 4 * row));
    else if (column.storage == Storage::eight_bytes)
        store_le64(column.values.get() + 8 * row, column.default_bits);
    else if (column.storage == Storage::four_bytes)
        store_le32(column.values.get() + 4 * row, static_cast<std::uint32_t>(column.default_bits));
    else
        column.values.get()[row] = static_cast<std::byte>(column.default_bits);
}

void Store::set_text(ColumnData& column, LevelData& level, Bytes text)
{
    std::string replaced;
    if (column.storage == Storage::text && !is_utf8(text_of(text))) {
        replaced = as_utf8(text_of(text));
        text = bytes_of(replaced);
    }
    const std::size_t start = load_le32(column.offsets.get() + 4 * level.count);
    const auto end = start + text.size();
    if (end > most_offset) throw Error(Cause::limit, "the texts of a column exceed 2 GiB in one batch");
    if (end > column.text_capacity) {
        column.text_capacity = std::max({std::size_t{256}, end, column.text_capacity * 2});
        column.values = moved(budget_, column.values, start, column.text_capacity);
    }
    std::ranges::copy(text, column.values.get() + start);
    store_offset(column.offsets, level.count + 1, end);
    level.seen[column.word] |= column.bit;
}

std::vector<std::size_t> Store::mark() const
{
    std::vector<std::size_t> counts;
    for (const auto& level : levels_) counts.push_back(level.count);
    return counts;
}

void Store::go_back(std::span<const std::size_t> mark) noexcept
{
    for (std::size_t i = 0; i != levels_.size(); ++i) {
        auto& level = levels_[i];
        for (auto row = mark[i]; row < std::min(level.count + 1, level.capacity); ++row)
            for (auto* const column : level.columns)
                if (column->validity != nullptr) set_bit(column->validity, row, true);
        level.count = mark[i];
    }
}

std::size_t Store::bytes() const noexcept
{
    std::size_t sum = 0;
    for (const auto& level : levels_) {
        for (const auto* const column : level.columns)
            sum += column->is_text() ? 4 * level.count + load_le32(column->offsets.get() + 4 * level.count)
                                     : column->value_bytes() * level.count;
        sum += 4 * level.count * level.children.size();
    }
    return sum;
}

void Store::close_lists()
{
    for (auto& level : levels_)
        for (auto* const child : level.children) store_offset(child->offsets, level.count, child->count);
}

void Store::reset()
{
    budget_.reset();
    for (auto& level : levels_) {
        level.expected = level.count;
        level.count = level.capacity = 0;
        for (auto* const column : level.columns) {
            column->values = column->validity = nullptr;
            column->text_capacity = 0;
            column->offsets = budget_.allocate(4);
            store_offset(column->offsets, 0, 0);
            if (!column->is_text()) column->offsets = nullptr;
        }
        for (auto* const child : level.children) {
            child->offsets = budget_.allocate(4);
            store_offset(child->offsets, 0, 0);
        }
    }
}

}  // namespace ositrace::table
