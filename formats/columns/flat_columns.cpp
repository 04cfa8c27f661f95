// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/flat_columns.hpp"

#include <algorithm>
#include <span>

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

void FlatColumns::learn(Known& known, const Node& node, const flat::Buffer& buffer, Layout layout, const flat::Vtable& vtable)
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

void FlatColumns::read_table(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table, ColumnStore& to)
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

void FlatColumns::take(Block& block, ColumnStore& to) noexcept
{
    if (block.count == 0) return;
    const std::span tables(block.tables.data(), block.count);
    const auto& known = *block.known;
    std::uint32_t presence = 0;
    for (const auto& value : known.values) presence |= std::uint32_t{1} << value.column;
    for (std::uint8_t column = 0; column != to.columns(); ++column)
        if ((presence >> column & 1) == 0) std::fill_n(to.next(column), 8 * tables.size(), std::byte{0});
    for (const auto& value : known.values) {
        auto* out = to.next(value.column);
        const auto& field = *value.field;
        const auto offset = value.offset;
        const auto fill = [&](auto read) {
            for (const auto* const table : tables) {
                store_le64(out, read(table + offset));
                out += 8;
            }
        };
        if (field.kind == FieldKind::double_) fill([](const std::byte* at) { return load_le64(at); });
        else fill([&field](const std::byte* at) { return stored_value(field, at); });
    }
    for (const auto column : known.present) presence |= std::uint32_t{1} << column;
    to.add_rows(tables.size(), presence);
    block.count = 0;
}

void FlatColumns::read_element(Block& block, const flat::Buffer& buffer, Layout layout, std::uint32_t table, ColumnStore& to)
{
    const auto* known = find(root_, buffer, table);
    if (known == nullptr || known != block.known || block.count == block_rows) take(block, to);  // learning may forget what the block stands on
    if (known == nullptr) known = &learn(root_, buffer, layout, table);
    if (known->children.empty()) {
        buffer.check(table, known->extent, "a table leaves the buffer");
        block.known = known;
        block.tables[block.count++] = buffer.at(table);
        return;
    }
    block.known = nullptr;
    to.begin_row();
    read_table(root_, buffer, layout, table, to);
    to.end_row();
}

void FlatColumns::read(const flat::Buffer& buffer, Layout layout, flat::Vector elements, std::size_t every, ColumnStore& to)
{
    root_.forget();
    to.reserve((elements.count + every - 1) / every);
    Block block;
    try {
        for (std::size_t i = 0; i < elements.count; i += every)
            read_element(block, buffer, layout, buffer.follow(elements.first + static_cast<std::uint32_t>(4 * i)), to);
    } catch (...) {
        take(block, to);  // the rows in front of the error count
        throw;
    }
    take(block, to);
}

}  // namespace ositrace
