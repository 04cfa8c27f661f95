// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/wire_columns.hpp"

#include <array>

#include <ositrace/transcoder.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

/// One field after its tag; nullptr when broken.
const std::byte* skip(const std::byte* at, const std::byte* end, std::uint32_t tag) noexcept
{
    if (wire::wire_type_of(tag) != wire::length_delimited) return wire::skip_field(at, end, tag, max_message_depth);
    std::size_t length = 0;
    at = wire::read_length(at, end, length);
    return at == nullptr ? nullptr : at + length;
}

std::uint64_t stored_value(const FieldRow& field, const std::byte* at, const std::byte* end) noexcept
{
    if (field.wire_type == wire::fixed64) return load_le64(at);
    if (field.wire_type == wire::fixed32) return load_le32(at);
    std::uint64_t raw = 0;
    static_cast<void>(wire::read_varint(at, end, raw));
    return wire::decode_varint(field.kind, raw);
}

/// The plain way: field by field. A later value of a field replaces an earlier one and messages merge, as everywhere.
void read_message(Bytes message, const ColumnPlan& plan, ColumnStore& to)
{
    const auto* at = message.data();
    const auto* const end = at + message.size();
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        at = value == nullptr ? nullptr : skip(value, end, tag);
        if (at == nullptr) throw BrokenWire{start, end, plan.table};
        const auto* const field = plan.table->find(wire::number_of(tag));
        if (field == nullptr || field->wire_type != wire::wire_type_of(tag)) continue;
        const auto& action = plan.actions[field->index];
        if (!action.wanted()) continue;
        if (field->kind == FieldKind::message) {
            std::size_t length = 0;
            const auto* const payload = wire::read_length(value, end, length);
            if (action.column != ColumnPlan::no_column) to.mark(action.column);
            if (action.child) read_message({payload, length}, *action.child, to);
        } else {
            to.set(action.column, column_bits(*field, stored_value(*field, value, end)));
        }
    }
}

}  // namespace

struct WireColumns::Walk {
    const std::byte* start;  ///< of the parent
    const std::byte* at;
    const std::byte* end;
    std::size_t every;
    ColumnStore& to;
    std::vector<std::uint32_t>& places;
    std::size_t index = 0;  ///< of the next element
    std::size_t wanted = 0;

    [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end - at); }
    void row(const std::byte* value)
    {
        places.push_back(static_cast<std::uint32_t>(value - start));
        to.reserve(1);
        wanted += every;
    }
    /// Room for elements whose payloads begin `distance` before these places, and where these are.
    void rows(std::span<const std::byte* const> elements, std::size_t distance)
    {
        to.reserve(elements.size());
        for (const auto* const element : elements)
            places.push_back(static_cast<std::uint32_t>(element - distance - start));
    }
};

void WireColumns::read_element(Bytes element, ColumnStore& to)
{
    if (const auto* const shape = shapes_.find(element)) {
        const auto* const start = element.data();
        return shape->read({&start, 1}, to);
    }
    to.begin_row();
    read_message(element, *plan_, to);
    to.end_row();
    shapes_.learn(element, *plan_, to.columns());
}

// Elements after `first` that begin with the same tag and length: those wanted as long as they have the same shape,
// too.
void WireColumns::run(Walk& walk, const std::byte* first)
{
    const auto stride = static_cast<std::size_t>(walk.at - first);
    std::size_t length = 0;
    std::uint32_t tag = 0;
    const auto* const value = wire::read_tag(first, walk.at, tag);
    const auto* const payload = wire::read_length(value, walk.at, length);
    const auto head_bytes = static_cast<std::size_t>(payload - first);
    if (head_bytes > 4 || stride < 4) return;
    const std::uint32_t mask = head_bytes == 4 ? 0xffff'ffff : (std::uint32_t{1} << 8 * head_bytes) - 1;
    const auto head = load_le32(first) & mask;
    const auto* const shape = shapes_.find({payload, length});
    std::array<const std::byte*, block_rows> elements;
    std::size_t waiting = 0;
    const auto take = [&] {
        walk.rows({elements.data(), waiting}, static_cast<std::size_t>(payload - value));
        shape->read({elements.data(), waiting}, walk.to);
        waiting = 0;
    };
    for (; walk.left() >= stride && (load_le32(walk.at) & mask) == head; ++walk.index, walk.at += stride) {
        if (walk.index != walk.wanted) continue;
        if (shape == nullptr || !shape->matches({walk.at + head_bytes, length})) break;
        elements[waiting++] = walk.at + head_bytes;
        walk.wanted += walk.every;
        if (waiting == block_rows) take();
    }
    if (waiting != 0) take();
}

std::size_t WireColumns::read(Bytes parent, std::size_t every, ColumnStore& to, std::vector<std::uint32_t>& places)
{
    Walk walk{parent.data(), parent.data(), parent.data() + parent.size(), every, to, places};
    const auto own = wire::make_tag(elements_->number, elements_->wire_type);
    while (walk.at != walk.end) {
        const auto* const start = walk.at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(start, walk.end, tag);
        const auto* const next = value == nullptr ? nullptr : skip(value, walk.end, tag);
        if (next == nullptr) throw BrokenWire{start, walk.end, nullptr};
        walk.at = next;
        if (tag != own) continue;
        if (walk.index == walk.wanted) {
            std::size_t length = 0;
            const auto* const payload = wire::read_length(value, walk.end, length);
            walk.row(value);
            read_element({payload, length}, to);
        }
        ++walk.index;
        run(walk, start);
    }
    return walk.index;
}

}  // namespace ositrace
