// SPDX-License-Identifier: MPL-2.0
#include "formats/flatbuffers/table_layout.hpp"

#include <algorithm>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

constexpr std::uint32_t soffset_bytes = 4;
constexpr std::uint32_t max_table_bytes = 0xffff;

bool is_reference(const FieldRow& field)
{
    return field.repeated || field.kind == FieldKind::message || field.kind == FieldKind::string ||
           field.kind == FieldKind::bytes;
}

std::uint32_t bytes_in_table(const FieldRow& field) { return is_reference(field) ? 4 : field.flat_size; }

bool same(Presence a, Presence b) noexcept
{
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i != a.size(); ++i) difference |= a[i] ^ b[i];
    return difference == 0;
}

/// The fields of one size, consumed from the front.
class Queue {
public:
    void push(std::uint16_t field) { fields_.push_back(field); }
    [[nodiscard]] std::size_t size() const noexcept { return fields_.size() - next_; }
    std::uint16_t pop() { return fields_[next_++]; }

private:
    std::vector<std::uint16_t> fields_;
    std::size_t next_ = 0;
};

}  // namespace

void TableLayout::write_vtable(FlatOutput& out)
{
    out.count_vtable();
    out.align(8, vtable_bytes);
    vtable_position = out.size();
    auto* const vtable = out.extend(vtable_bytes);
    std::memset(vtable, 0, vtable_bytes);
    store(vtable, static_cast<std::uint16_t>(vtable_bytes));
    store(vtable + 2, static_cast<std::uint16_t>(table_bytes));
    for (const auto* places : {&scalars, &references})
        for (const auto& place : *places) store(vtable + 4 + 2 * place.slot, place.offset);
}

LayoutCache::LayoutCache(const MessageTable& table, Layout layout)
    : table_(&table), layout_(layout), words_(std::max<std::size_t>(1, (table.fields.size() + 63) / 64))
{
}

TableLayout& LayoutCache::find(Presence presence)
{
    std::uint64_t hash = 0;
    for (const auto word : presence) hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15;
    auto& recent = recent_[hash >> 61];
    if (recent == nullptr || !same(recent->presence, presence)) recent = &find_or_compute(presence, hash);
    return *recent;
}

TableLayout& LayoutCache::find_or_compute(Presence presence, std::uint64_t hash)
{
    for (auto [at, end] = layouts_.equal_range(hash); at != end; ++at)
        if (same(at->second->presence, presence)) return *at->second;
    return *layouts_.emplace(hash, compute(presence))->second;
}

bool LayoutCache::overgrown() const noexcept { return layouts_.size() > max_layouts_kept; }

void LayoutCache::clear()
{
    layouts_.clear();
    recent_.fill(nullptr);
}

std::unique_ptr<TableLayout> LayoutCache::compute(Presence presence) const
{
    auto layout = std::make_unique<TableLayout>();
    layout->presence.assign(presence.begin(), presence.end());
    Queue of_8, of_4, of_1;
    for (const auto& field : table_->fields) {
        if ((presence[field.index / 64] >> (field.index % 64) & 1) == 0) continue;
        const auto bytes = bytes_in_table(field);
        (bytes == 8 ? of_8 : bytes == 4 ? of_4 : of_1).push(field.index);
    }

    std::uint32_t offset = soffset_bytes, slots = 0;
    const auto place = [&](std::uint16_t index) {
        const auto& field = table_->fields[index];
        if (offset > max_table_bytes)
            throw Error(Cause::unsupported, "the FlatBuffers table exceeds the limit of 65535 bytes");
        const auto slot = field.slot(layout_);
        (is_reference(field) ? layout->references : layout->scalars)
            .push_back({index, static_cast<std::uint16_t>(offset), slot});
        offset += bytes_in_table(field);
        slots = std::max<std::uint32_t>(slots, slot + 1u);
    };
    if (of_8.size() != 0) {
        if (of_4.size() != 0)
            place(of_4.pop());
        else
            while (of_1.size() != 0 && offset < 8) place(of_1.pop());
        offset = 8;
    }
    while (of_8.size() != 0) place(of_8.pop());
    while (of_4.size() != 0) place(of_4.pop());
    while (of_1.size() != 0) place(of_1.pop());
    if (offset > max_table_bytes)
        throw Error(Cause::unsupported, "the FlatBuffers table exceeds the limit of 65535 bytes");

    for (auto* places : {&layout->scalars, &layout->references})
        std::sort(places->begin(), places->end(), [](const auto& a, const auto& b) { return a.field < b.field; });
    layout->table_bytes = offset;
    layout->vtable_bytes = 4 + 2 * slots;
    return layout;
}

}  // namespace ositrace
