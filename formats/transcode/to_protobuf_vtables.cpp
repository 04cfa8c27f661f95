// SPDX-License-Identifier: MPL-2.0
// From the vtable of a table to the list of its fields. Lists are kept over buffers, by the bytes of the vtable; a
// buffer that was made to fill memory or time with vtables (thousands of them, overlapping, 64 kB each) is read with
// bounded amounts of both.
#include "formats/transcode/to_protobuf.hpp"

#include <algorithm>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

constexpr std::size_t max_vtables_kept = 16'384;
constexpr std::uint16_t long_vtable_bytes = 4096;  // OSI's longest: 2014

bool is_reference(const FieldRow& row) { return row.repeated || row.wire_type == wire::length_delimited; }

}  // namespace

/// Before a buffer: what hostile ones have left is forgotten.
void ToProtobuf::start_vtables()
{
    if (!long_vtables_.empty()) {
        long_vtables_.clear();
        for (const auto& type : types_.all()) type->long_vtable_bytes = 0;
    }
    if (vtables_ <= max_vtables_kept) return;
    for (const auto& type : types_.all()) {
        type->shapes.clear();
        type->present.clear();
    }
    whole_shapes_.clear();
    known_.fill({});
    vtables_ = 0;
}

PresentFields& ToProtobuf::present_fields(Type& type, std::uint32_t table, int depth)
{
    in_.check(table, 4, "a table leaves the buffer");
    const auto position = table - in_.load_u32(table);
    auto& known = known_[(position / 2 ^ type.table.index * 7u) % known_.size()];
    if (known.buffer == buffer_ && known.position == position && known.type == &type) {
        in_.check(table, known.present->extent, "a table leaves the buffer");
        return *known.present;
    }
    const auto vtable = flat::vtable_of(in_, table);
    auto& present = learn_vtable(type, vtable, depth);
    in_.check(table, present.extent, "a table leaves the buffer");
    if (present.kept) {
        present.buffer = buffer_;
        present.vtable_position = vtable.position;
        known = {buffer_, vtable.position, &type, &present};
    }
    return present;
}

PresentFields& ToProtobuf::learn_vtable(Type& type, const flat::Vtable& vtable, int depth)
{
    if (auto* const present = find_long_vtable(type, vtable)) return *present;
    const auto bytes = text_of({in_.at(vtable.position), vtable.bytes});
    auto place = type.present.find(std::string(bytes));
    if (place == type.present.end()) {
        if (vtables_ > max_vtables_kept)
            return *(not_kept_[static_cast<std::size_t>(depth)] = read_vtable(type, vtable));
        ++vtables_;
        place = type.present.emplace(bytes, read_vtable(type, vtable)).first;
        place->second->vtable = place->first;
        place->second->kept = true;
    }
    if (vtable.bytes > long_vtable_bytes)
        long_vtables_[std::uint64_t{type.table.index} << 32 | vtable.position] = place->second.get();
    return *place->second;
}

/// A long vtable is looked at once. All of them together cannot be longer than the buffer, unless they overlap.
PresentFields* ToProtobuf::find_long_vtable(Type& type, const flat::Vtable& vtable)
{
    if (vtable.bytes <= long_vtable_bytes) return nullptr;
    const auto [place, is_new] = long_vtables_.try_emplace(std::uint64_t{type.table.index} << 32 | vtable.position);
    if (place->second != nullptr) return place->second;
    type.long_vtable_bytes += vtable.bytes;
    if (type.long_vtable_bytes > in_.size()) flat::fail(vtable.position, "vtables overlap");
    return nullptr;
}

std::unique_ptr<PresentFields> ToProtobuf::read_vtable(const Type& type, const flat::Vtable& vtable) const
{
    auto present = std::make_unique<PresentFields>();
    present->extent = vtable.table_bytes;
    for (std::uint32_t slot = 0; slot != vtable.slots(); ++slot) {
        const auto offset = vtable.offset(in_, slot);
        if (offset == 0) continue;
        const auto* const row = type.table.find_slot(slot, layout_);
        if (row == nullptr) {
            ++present->unknown;
            continue;
        }
        PresentFields::Field field{row, type.children[row->index], offset, 0, {}};
        const auto wire_type = row->packed ? static_cast<std::uint8_t>(wire::length_delimited) : row->wire_type;
        const auto* const end = wire::write_varint(field.tag.data(), wire::make_tag(row->number, wire_type));
        field.tag_bytes = static_cast<std::uint8_t>(end - field.tag.data());
        present->fields.push_back(field);
        if (is_reference(*row)) present->references.push_back(offset);
        present->extent = std::max<std::uint32_t>(present->extent, offset + (is_reference(*row) ? 4u : row->flat_size));
    }
    std::sort(present->fields.begin(), present->fields.end(),
              [](const auto& a, const auto& b) { return a.row->number > b.row->number; });
    return present;
}

}  // namespace ositrace
