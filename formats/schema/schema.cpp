// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema.hpp>

#include <algorithm>

#include <ositrace/error.hpp>

namespace ositrace {

std::string_view EnumTable::name_of(std::int32_t number) const noexcept
{
    for (const auto& value : values)
        if (value.number == number) return value.name;
    return {};
}

const FieldRow* MessageTable::find_large(std::uint32_t number) const noexcept
{
    const auto row =
        std::lower_bound(fields.begin(), fields.end(), number,
                         [](const FieldRow& field, std::uint32_t wanted) { return field.number < wanted; });
    return row != fields.end() && row->number == number ? &*row : nullptr;
}

const FieldRow* MessageTable::find(std::string_view wanted) const noexcept
{
    for (const auto& field : fields)
        if (field.name == wanted) return &field;
    return nullptr;
}

const FieldRow* MessageTable::find_slot(std::uint32_t slot, Layout layout) const noexcept
{
    if (layout == Layout::numbered) return find(slot + 1);
    return slot < declared_order.size() ? &fields[declared_order[slot]] : nullptr;
}

std::string OsiVersion::to_string() const
{
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

Schema::Schema() = default;
Schema::~Schema() = default;

const MessageTable* Schema::find(std::string_view full_name) const noexcept
{
    const auto found = by_name_.find(full_name);
    return found == by_name_.end() ? nullptr : found->second;
}

const MessageTable& Schema::root(MessageType type) const
{
    const auto& row = row_of(type);
    if (const auto* const table = find(row.full_name)) return *table;
    throw Error(Cause::mismatch, "the schema has no message " + std::string(row.full_name));
}

}  // namespace ositrace
