// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/flat_columns.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

FlatColumns::Node::Node(const ColumnPlan& of) : plan(&of)
{
    for (const auto& field : plan->table->fields) {
        const auto& action = plan->actions[field.index];
        if (!action.child) continue;
        child_fields.push_back(&field);
        children.emplace_back(*action.child);
    }
}

void FlatColumns::Node::forget() noexcept
{
    for (auto& vtable : known) vtable.vtable_position = 0;
    for (auto& child : children) child.forget();
}

void FlatColumns::learn(Known& known, const Node& node, const flat::Buffer& buffer, Layout layout,
                        const flat::Vtable& vtable)
{
    known = {.vtable_position = vtable.position, .extent = vtable.table_bytes};
    for (const auto& field : node.plan->table->fields) {
        const auto& action = node.plan->actions[field.index];
        const auto offset = vtable.offset(buffer, field.slot(layout));
        if (!action.wanted() || offset == 0) continue;
        known.extent = std::max<std::uint32_t>(known.extent, offset + std::uint32_t{field.flat_size});
        if (field.kind != FieldKind::message) {
            known.values.push_back({offset, action.column, &field});
            continue;
        }
        if (action.column != ColumnPlan::no_column) known.present.push_back(action.column);
        for (std::size_t i = 0; i != node.children.size(); ++i)
            if (node.child_fields[i] == &field) known.children.push_back({offset, i});
    }
}

const FlatColumns::Known* FlatColumns::find(const Node& node, const flat::Buffer& buffer, std::uint32_t table)
{
    buffer.check(table, 4, "a table leaves the buffer");
    const auto position = table - buffer.load_u32(table);  // where it leaves the buffer, vtable_of() says so
    for (const auto& known : node.known)
        if (known.vtable_position == position && position != 0) return &known;
    return nullptr;
}

const FlatColumns::Known& FlatColumns::learn(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table)
{
    auto& known = node.known[node.next++ % Node::remembered];
    learn(known, node, buffer, layout, flat::vtable_of(buffer, table));
    return known;
}

namespace {

std::uint64_t stored_value(const FieldRow& field, const std::byte* at) noexcept
{
    const auto bytes = field.flat_size;
    const std::uint64_t stored = bytes == 8 ? load_le64(at) : bytes == 4 ? load_le32(at) : load<std::uint8_t>(at);
    return field.kind == FieldKind::double_ ? stored : column_bits(field, stored);
}

}  // namespace

void FlatColumns::read_table(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table,
                             ColumnStore& to)
{
    const auto* const found = find(node, buffer, table);
    const auto& known = found != nullptr ? *found : learn(node, buffer, layout, table);
    buffer.check(table, known.extent, "a table leaves the buffer");
    const auto* const at = buffer.at(table);
    for (const auto& value : known.values) to.set(value.column, stored_value(*value.field, at + value.offset));
    for (const auto column : known.present) to.mark(column);
    for (const auto& child : known.children) {
        const auto target = buffer.follow(table + child.offset);
        read_table(node.children[child.node], buffer, layout, target, to);
    }
}

bool FlatColumns::fill(Node& node, const Known& known, Reading& reading, std::span<const std::uint32_t> tables,
                       Filled& filled)
{
    const auto& buffer = reading.buffer;
    for (const auto& value : known.values) {
        auto* out = reading.to.next(value.column);
        const auto& field = *value.field;
        const auto offset = value.offset;
        const auto fill_column = [&](auto read) {
            for (const auto table : tables) {
                store_le64(out, read(buffer.at(table) + offset));
                out += 8;
            }
        };
        if (field.kind == FieldKind::double_)
            fill_column([](const std::byte* at) { return load_le64(at); });
        else
            fill_column([&field](const std::byte* at) { return stored_value(field, at); });
        filled.values |= std::uint32_t{1} << value.column;
    }
    for (const auto column : known.present) filled.present |= std::uint32_t{1} << column;
    std::array<std::uint32_t, block_rows> offsets;
    for (const auto& child : known.children) {
        for (std::size_t i = 0; i != tables.size(); ++i) offsets[i] = tables[i] + child.offset;
        if (!fill_child(node.children[child.node], reading, {offsets.data(), tables.size()}, filled)) return false;
    }
    return true;
}

bool FlatColumns::fill_child(Node& node, Reading& reading, std::span<const std::uint32_t> offsets, Filled& filled)
{
    const auto& buffer = reading.buffer;
    std::array<std::uint32_t, block_rows> tables;
    const Known* shared = nullptr;
    for (std::size_t i = 0; i != offsets.size(); ++i) {
        tables[i] = buffer.follow(offsets[i]);
        const auto* const known = find(node, buffer, tables[i]);
        if (i == 0)
            shared = known != nullptr ? known : &learn(node, buffer, reading.layout, tables[i]);
        else if (known != shared)
            return false;
        buffer.check(tables[i], shared->extent, "a table leaves the buffer");
    }
    return fill(node, *shared, reading, {tables.data(), offsets.size()}, filled);
}

void FlatColumns::read_row(Reading& reading, std::uint32_t table)
{
    reading.to.begin_row();
    read_table(root_, reading.buffer, reading.layout, table, reading.to);
    reading.to.end_row();
}

void FlatColumns::take(Block& block, Reading& reading)
{
    const std::span<const std::uint32_t> tables(block.tables.data(), std::exchange(block.count, 0));
    if (tables.empty()) return;
    Filled filled;
    bool whole = false;
    try {
        whole = fill(root_, *block.known, reading, tables, filled);
    } catch (const Error&) {  // row by row it is thrown where it belongs
    }
    if (!whole) {
        ++reading.mixed_blocks;
        for (const auto table : tables) read_row(reading, table);
        return;
    }
    for (std::uint8_t column = 0; column != reading.to.columns(); ++column)
        if ((filled.values >> column & 1) == 0) std::fill_n(reading.to.next(column), 8 * tables.size(), std::byte{0});
    reading.to.add_rows(tables.size(), filled.values | filled.present);
}

void FlatColumns::read_element(Block& block, Reading& reading, std::uint32_t table)
{
    constexpr int most_mixed_blocks = 2;  // then elements with children are not tried any more
    const auto* known = find(root_, reading.buffer, table);
    if (known == nullptr || known != block.known || block.count == block_rows)
        take(block, reading);  // learning may drop what the block refers to
    if (known == nullptr) known = &learn(root_, reading.buffer, reading.layout, table);
    if (!known->children.empty() && reading.mixed_blocks > most_mixed_blocks) {
        take(block, reading);
        return read_row(reading, table);
    }
    reading.buffer.check(table, known->extent, "a table leaves the buffer");
    block.known = known;
    block.tables[block.count++] = table;
}

// Elements that have the vtable of the last one in the block; their number. What is wrong with the next one is not
// found here.
std::size_t FlatColumns::run(Block& block, Reading& reading, std::uint32_t slot, std::size_t step, std::size_t count)
{
    const auto& buffer = reading.buffer;
    const auto extent = block.known->extent, vtable = block.known->vtable_position;
    std::size_t done = 0;
    for (; done != count; ++done, slot += static_cast<std::uint32_t>(step)) {
        const auto offset = buffer.load_u32(slot);
        const auto table = std::uint64_t{slot} + offset;
        if (offset == 0 || !buffer.holds(table, extent)) break;
        const auto position = static_cast<std::uint32_t>(table);
        if (position - buffer.load_u32(position) != vtable) break;
        if (block.count == block_rows) take(block, reading);
        block.tables[block.count++] = position;
    }
    return done;
}

void FlatColumns::read(const flat::Buffer& buffer, Layout layout, flat::Vector elements, std::size_t every,
                       ColumnStore& to)
{
    root_.forget();
    to.reserve((elements.count + every - 1) / every);
    Reading reading{buffer, layout, to};
    Block block;
    try {
        for (std::size_t i = 0; i < elements.count; i += every) {
            const auto slot = elements.first + static_cast<std::uint32_t>(4 * i);
            read_element(block, reading, buffer.follow(slot));
            if (block.count == 0 || !block.known->children.empty()) continue;
            const auto left = (elements.count - i - 1) / every;
            i += every * run(block, reading, slot + static_cast<std::uint32_t>(4 * every), 4 * every, left);
        }
    } catch (...) {
        take(block, reading);  // the rows before the error count, and an error in them comes first
        throw;
    }
    take(block, reading);
}

}  // namespace ositrace
