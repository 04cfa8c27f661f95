// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <utility>

#include <ositrace/scalar_value.hpp>

#include "formats/columns/wire_columns.hpp"
#include "formats/protobuf/oneof_choice.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace {

/// Walks an element and marks what is value in it, of every field that the schema knows.
struct ElementShape::Recording {
    const std::byte* start;
    std::vector<std::byte> mask;
    std::vector<Value> values;
    std::uint32_t presence = 0;

    void mark(const std::byte* from, std::size_t bytes, std::byte structure)
    {
        std::fill_n(mask.begin() + (from - start), bytes, structure);
    }
    void value(const FieldRow& field, std::uint8_t column, const std::byte* from, const std::byte* to)
    {
        if (column == ColumnPlan::no_column) return;
        presence |= std::uint32_t{1} << column;
        values.push_back(
            {static_cast<std::uint32_t>(from - start), static_cast<std::uint8_t>(to - from), column, &field});
    }
    /// False: there is something that a shape does not hold.
    bool message(Bytes bytes, const MessageTable& table, const ColumnPlan* plan, int depth);
    const std::byte* field(const FieldRow& field, const ColumnPlan* plan, const std::byte* at, const std::byte* end,
                           int depth);
};

bool ElementShape::Recording::message(Bytes bytes, const MessageTable& table, const ColumnPlan* plan, int depth)
{
    const wire::OneofChoice oneofs(bytes, table, 0);
    const auto* at = bytes.data();
    const auto* const end = at + bytes.size();
    while (at != end) {
        const auto* const tag_start = at;
        std::uint32_t tag = 0;
        at = wire::read_tag(at, end, tag);
        if (at == nullptr || oneofs.is_replaced(tag, tag_start)) return false;
        const auto* const row = table.find(wire::number_of(tag));
        if (row == nullptr || row->wire_type != wire::wire_type_of(tag)) return false;
        at = field(*row, plan, at, end, depth);
        if (at == nullptr) return false;
    }
    return true;
}

const std::byte* ElementShape::Recording::field(const FieldRow& field, const ColumnPlan* plan, const std::byte* at,
                                                const std::byte* end, int depth)
{
    const auto* const action = plan == nullptr ? nullptr : &plan->actions[field.index];
    const auto column = action == nullptr ? ColumnPlan::no_column : action->column;
    if (field.wire_type == wire::length_delimited) {
        std::size_t length = 0;
        at = wire::read_length(at, end, length);
        if (at == nullptr) return nullptr;
        if (field.kind != FieldKind::message) {
            mark(at, length, std::byte{0});
        } else {
            if (column != ColumnPlan::no_column) presence |= std::uint32_t{1} << column;
            if (depth == 0 ||
                !message({at, length}, *field.child, action == nullptr ? nullptr : action->child.get(), depth - 1))
                return nullptr;
        }
        return at + length;
    }
    const auto* const next = wire::skip_field(at, end, field.wire_type, 0);
    if (next == nullptr) return nullptr;
    mark(at, static_cast<std::size_t>(next - at), field.wire_type == wire::varint ? std::byte{0x80} : std::byte{0});
    value(field, column, at, next);
    return next;
}

std::unique_ptr<ElementShape> ElementShape::make(Bytes element, const ColumnPlan& plan, std::size_t columns)
{
    constexpr int deepest = 16;
    Recording recording{element.data(), std::vector<std::byte>(element.size(), std::byte{0xff}), {}, 0};
    if (element.empty() || !recording.message(element, *plan.table, &plan, deepest)) return nullptr;
    auto shape = std::make_unique<ElementShape>();
    shape->structure_ = StructureMask(element, recording.mask);
    shape->mask_ = std::move(recording.mask);
    shape->presence_ = recording.presence;
    for (const auto& value : recording.values)
        (value.field->kind == FieldKind::double_ ? shape->eights_ : shape->others_).push_back(value);
    for (std::size_t column = 0; column < columns; ++column) {
        const auto named = [&](const Value& value) { return value.column == column; };
        if (std::ranges::none_of(recording.values, named)) shape->unset_.push_back(static_cast<std::uint8_t>(column));
    }
    return shape;
}

const StructureMask& ElementShape::structure_with(Bytes head, Bytes element)
{
    if (!std::ranges::equal(head, head_)) {
        std::vector<std::byte> mask(head.size(), std::byte{0xff});
        mask.insert(mask.end(), mask_.begin(), mask_.end());
        run_front_.assign(element.data() - head.size(), element.data() + element.size());
        run_structure_ = StructureMask(run_front_, mask);
        run_mask_ = std::move(mask);
        head_.assign(head.begin(), head.end());
    }
    return run_structure_;
}

}  // namespace ositrace
