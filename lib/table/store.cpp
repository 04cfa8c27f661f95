// SPDX-License-Identifier: MPL-2.0
#include "lib/table/store.hpp"

#include <algorithm>
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

/// Bits `[from, to)`.
void set_bits(const Memory& bitmap, std::size_t from, std::size_t to, bool value) noexcept
{
    auto* const bytes = bitmap.get();
    const auto set = [&](std::size_t bit) {
        const auto mask = static_cast<std::byte>(1u << bit % 8);
        bytes[bit / 8] = value ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask;
    };
    for (; from != to && from % 8 != 0; ++from) set(from);
    std::memset(bytes + from / 8, value ? 0xff : 0, (to - from) / 8);
    for (from += (to - from) / 8 * 8; from != to; ++from) set(from);
}

}  // namespace

Memory Budget::allocate(std::size_t bytes)
{
    const auto rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    if (rounded < bytes || rounded > limit_ - used_)
        throw Error(Cause::limit,
                    "the columns of a batch exceed the limit of " + std::to_string(limit_ >> 20) + " MiB");
    constexpr auto aligned = std::align_val_t(alignment);
    auto* const memory = static_cast<std::byte*>(::operator new(rounded, aligned));
    used_ += rounded;
    return {memory, [](std::byte* owned) { ::operator delete(owned, aligned); }};
}

Store::Store(const TablePlan::Implementation& plan, std::size_t max_bytes)
    : columns_(plan.column_rows.size()), levels_(plan.levels.size()), budget_(max_bytes)
{
    for (std::size_t i = 0; i != levels_.size(); ++i) {
        const auto& row = plan.levels[i];
        auto& level = levels_[i];
        if (row.parent != none) level.parent = &levels_[row.parent];
        for (const auto place : row.columns) {
            auto& column = columns_[place];
            column.storage = plan.column_rows[place].storage;
            column.default_bits = plan.column_rows[place].default_bits;
            level.columns.push_back(&column);
            if (column.is_text()) level.texts.push_back(&column);
            level.entry_bytes += column.is_text() ? 4 : column.value_bytes();
        }
        for (const auto child : row.children) level.children.push_back(&levels_[child]);
        level.entry_bytes += 4 * level.children.size();
    }
    reset();
}

void Store::grow(LevelData& level)
{
    constexpr std::size_t smallest = 64;
    const auto capacity =
        level.capacity == 0 ? std::max(smallest, level.expected + level.expected / 8) : level.capacity * 2;
    if (capacity > most_offset)
        throw Error(Cause::limit, "the number of rows of a batch exceeds the limit of 2147483647");
    for (auto* const column : level.columns) {
        if (column->is_text()) {
            column->offsets = moved(budget_, column->offsets, 4 * (column->filled + 1), 4 * (capacity + 1));
        } else {
            const auto width = column->value_bytes();
            column->values = moved(budget_, column->values, width * column->filled, width * capacity);
        }
        if (column->validity == nullptr) continue;
        const auto used = bitmap_bytes(level.capacity);
        column->validity = moved(budget_, column->validity, used, bitmap_bytes(capacity));
        std::fill_n(column->validity.get() + used, bitmap_bytes(capacity) - used, std::byte{0xff});
    }
    for (auto* const child : level.children)
        child->offsets = moved(budget_, child->offsets, 4 * child->filled_offsets, 4 * (capacity + 1));
    level.capacity = capacity;
}

void Store::fill_gap(ColumnData& column, const LevelData& level)
{
    const auto first = column.filled;
    const auto end = level.count;
    if (column.validity == nullptr) {
        column.validity = budget_.allocate(bitmap_bytes(level.capacity));
        set_bits(column.validity, 0, bitmap_bytes(level.capacity) * 8, true);
    }
    set_bits(column.validity, first, end, false);
    const auto fill = [&](auto value) {
        for (auto row = first; row != end; ++row) store(column.values.get() + sizeof value * row, value);
    };
    if (column.is_text()) {
        const auto last = load_le32(column.offsets.get() + 4 * first);
        for (auto row = first; row != end; ++row) store_offset(column.offsets, row + 1, last);
    } else if (column.storage == Storage::eight_bytes) {
        fill(column.default_bits);
    } else if (column.storage == Storage::four_bytes) {
        fill(static_cast<std::uint32_t>(column.default_bits));
    } else {
        fill(static_cast<std::byte>(column.default_bits));
    }
    column.filled = end;
}

void Store::fill_offsets(LevelData& level, std::size_t last) noexcept
{
    for (; level.filled_offsets <= last; ++level.filled_offsets)
        store_offset(level.offsets, level.filled_offsets, level.count);
}

void Store::set_text(ColumnData& column, LevelData& level, Bytes text)
{
    std::string replaced;
    if (column.storage == Storage::text && !is_utf8(text_of(text))) {
        replaced = as_utf8(text_of(text));
        text = bytes_of(replaced);
    }
    prepare(column, level, 1);
    const std::size_t start = load_le32(column.offsets.get() + 4 * level.count);
    const auto end = start + text.size();
    if (end > most_offset)
        throw Error(Cause::limit, "the texts of a column in a batch exceed the limit of 2147483647 bytes");
    if (end > column.text_capacity) {
        const auto capacity = std::max({std::size_t{256}, end, column.text_capacity * 2});
        column.values = moved(budget_, column.values, start, capacity);
        column.text_capacity = capacity;
    }
    std::ranges::copy(text, column.values.get() + start);
    store_offset(column.offsets, level.count + 1, end);
}

std::span<const std::size_t> Store::mark()
{
    mark_.resize(levels_.size());
    for (std::size_t i = 0; i != levels_.size(); ++i) mark_[i] = levels_[i].count;
    return mark_;
}

void Store::go_back(std::span<const std::size_t> mark) noexcept
{
    for (std::size_t i = 0; i != levels_.size(); ++i) {
        auto& level = levels_[i];
        level.count = mark[i];
        for (auto* const column : level.columns) {
            if (column->filled <= level.count) continue;
            if (column->validity != nullptr)
                set_bits(column->validity, level.count, std::min(column->filled, level.capacity), true);
            column->filled = level.count;
        }
        for (auto* const child : level.children) child->filled_offsets = std::min(child->filled_offsets, level.count);
    }
}

std::size_t Store::bytes() const noexcept
{
    std::size_t sum = 0;
    for (const auto& level : levels_) {
        sum += level.entry_bytes * level.count;
        for (const auto* const text : level.texts) sum += load_le32(text->offsets.get() + 4 * text->filled);
    }
    return sum;
}

void Store::close()
{
    for (auto& level : levels_) {
        for (auto* const column : level.columns)
            if (column->filled < level.count) fill_gap(*column, level);
        for (auto* const child : level.children) fill_offsets(*child, level.count);
    }
}

void Store::reset()
{
    budget_.reset();
    for (auto& level : levels_) {
        level.expected = level.count;
        level.count = level.capacity = level.filled_offsets = 0;
        for (auto* const column : level.columns) {
            column->values = column->validity = column->offsets = nullptr;
            column->filled = column->text_capacity = 0;
            if (!column->is_text()) continue;
            column->offsets = budget_.allocate(4);
            store_offset(column->offsets, 0, 0);
        }
        for (auto* const child : level.children) child->offsets = budget_.allocate(4);
    }
}

}  // namespace ositrace::table
