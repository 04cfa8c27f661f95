// SPDX-License-Identifier: MPL-2.0
#include "formats/schema_text/flat_table_draft.hpp"

#include <algorithm>
#include <cstring>

namespace ositrace {

std::uint32_t FlatTableDraft::write(FlatOutput& out)
{
    std::stable_sort(fields_.begin(), fields_.end(), [](const Field& a, const Field& b) { return a.bytes > b.bytes; });
    std::uint16_t slots = 0;
    // The table is 8-aligned and starts with 4 bytes of its own, so a 4-byte field or padding comes before the 8-byte
    // ones.
    std::uint32_t table_bytes = !fields_.empty() && fields_.front().bytes == 8 ? 8 : 4;
    for (auto& field : fields_) {
        slots = std::max<std::uint16_t>(slots, static_cast<std::uint16_t>(field.slot + 1));
        field.place = table_bytes;
        table_bytes += field.bytes;
    }

    const std::uint32_t vtable_bytes = 4u + 2u * slots;
    out.align(8, vtable_bytes);
    const auto vtable = out.size();
    std::memset(out.extend(vtable_bytes), 0, vtable_bytes);
    const auto table = out.size();
    std::memset(out.extend(table_bytes), 0, table_bytes);
    store(out.at(vtable), static_cast<std::uint16_t>(vtable_bytes));
    store(out.at(vtable + 2), static_cast<std::uint16_t>(table_bytes));
    store(out.at(table), static_cast<std::int32_t>(table - vtable));
    for (auto& field : fields_) {
        store(out.at(vtable + 4 + 2u * field.slot), static_cast<std::uint16_t>(field.place));
        field.place += table;
        std::memcpy(out.at(field.place), &field.value, field.bytes);
    }
    return table;
}

void FlatTableDraft::point(FlatOutput& out, std::uint16_t slot, std::uint32_t target) const
{
    const auto field =
        std::find_if(fields_.begin(), fields_.end(), [&](const Field& known) { return known.slot == slot; });
    out.point(field->place, target);
}

std::uint32_t write_flat_string(FlatOutput& out, std::string_view text)
{
    out.align(4);
    const auto position = out.size();
    out.append(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) std::memcpy(out.extend(text.size()), text.data(), text.size());
    out.append(char{0});
    return position;
}

FlatOffsets write_flat_offsets(FlatOutput& out, std::size_t count)
{
    out.align(4);
    const auto position = out.size();
    out.append(static_cast<std::uint32_t>(count));
    std::memset(out.extend(4 * count), 0, 4 * count);
    return {position, position + 4};
}

}  // namespace ositrace
