// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/flat_columns.hpp"

#include <algorithm>

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

const FlatColumns::Known& FlatColumns::known_of(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table)
{
    buffer.check(table, 4, "a table leaves the buffer");
    const auto position = table - buffer.load_u32(table);  // where it leaves the buffer, vtable_of() says so
    for (auto& known : node.known)
        if (known.vtable_position == position && position != 0) return known;
    auto& known = node.known[node.next++ % Node::remembered];
    learn(known, node, buffer, layout, flat::vtable_of(buffer, table));
    return known;
}

void FlatColumns::read_table(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table, ColumnStore& to)
{
    const auto& known = known_of(node, buffer, layout, table);
    buffer.check(table, known.extent, "a table leaves the buffer");
    const auto* const at = buffer.at(table);
    for (const auto& value : known.values) {
        const auto* const from = at + value.offset;
        const auto bytes = value.field->flat_size;
        const std::uint64_t stored = bytes == 8 ? load_le64(from) : bytes == 4 ? load_le32(from) : load<std::uint8_t>(from);
        to.set(value.column, value.field->kind == FieldKind::double_ ? stored : column_bits(*value.field, stored));
    }
    for (const auto column : known.present) to.mark(column);
    for (const auto& child : known.children) {
        const auto target = buffer.follow(table + child.offset);
        read_table(node.children[child.node], buffer, layout, target, to);
    }
}

void FlatColumns::read(const flat::Buffer& buffer, Layout layout, flat::Vector elements, std::size_t every, ColumnStore& to)
{
    root_.forget();
    to.reserve((elements.count + every - 1) / every);
    for (std::size_t i = 0; i < elements.count; i += every) {
        to.begin_row();
        read_table(root_, buffer, layout, buffer.follow(elements.first + static_cast<std::uint32_t>(4 * i)), to);
        to.end_row();
    }
}

}  // namespace ositrace
