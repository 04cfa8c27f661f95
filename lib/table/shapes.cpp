// SPDX-License-Identifier: MPL-2.0
#include "lib/table/shapes.hpp"

#include <algorithm>

#include "formats/protobuf/wire.hpp"

namespace ositrace::table {

using What = Recording::Step::What;

namespace {

std::uint64_t value_at(const Recording::Step& step, const std::byte* element) noexcept
{
    const auto* const at = element + step.from;
    if (step.field->wire_type == wire::fixed64) return load_le64(at);
    if (step.field->wire_type == wire::fixed32) return load_le32(at);
    return wire::decode_varint(step.field->kind, read_known_varint(at, step.bytes));
}

/// A column of many elements.
template <class Load>
void fill(const Recording::Step& step, std::size_t row, std::span<const std::byte* const> elements, Load load) noexcept
{
    auto* const values = step.column->values.get();
    const auto write = [&](auto store_one) {
        for (std::size_t i = 0; i != elements.size(); ++i) store_one(row + i, load(elements[i]));
    };
    switch (step.column->storage) {
    case Storage::eight_bytes:
        return write([&](std::size_t at, std::uint64_t bits) { store_le64(values + 8 * at, bits); });
    case Storage::four_bytes:
        return write(
            [&](std::size_t at, std::uint64_t bits) { store_le32(values + 4 * at, static_cast<std::uint32_t>(bits)); });
    default: return write([&](std::size_t at, std::uint64_t bits) { values[at] = static_cast<std::byte>(bits); });
    }
}

}  // namespace

void Recording::value(const std::byte* from, const std::byte* to, std::uint8_t wire_type)
{
    const auto structure = wire_type == wire::varint ? std::byte{0x80} : std::byte{0};
    std::fill(mask.begin() + (from - start), mask.begin() + (to - start), structure);
}

Shape::Shape(Bytes element, const Recording& recording, const LevelData& level)
    : structure_(element, recording.mask), steps_(recording.steps)
{
    for (const auto& step : steps_) {
        const bool is_number = step.what == What::set || step.what == What::set_zero;
        is_flat_ = is_flat_ && is_number && step.level == &level;
    }
}

void Shape::read(const std::byte* element, Store& store) const
{
    for (const auto& step : steps_) {
        switch (step.what) {
        case What::set: store.set(*step.column, *step.level, value_at(step, element)); break;
        case What::set_zero: store.set(*step.column, *step.level, 0); break;
        case What::set_text: store.set_text(*step.column, *step.level, {element + step.from, step.bytes}); break;
        case What::begin_entry: store.begin_entry(*step.level); break;
        case What::end_entry: store.end_entry(*step.level); break;
        }
    }
}

void Shape::read_all(std::span<const std::byte* const> elements, Store& store, LevelData& level, ColumnData* source,
                     std::uint64_t source_bits) const
{
    store.reserve(level, elements.size());
    const auto row = level.count;
    if (source != nullptr) {
        store.prepare(*source, level, elements.size());
        for (std::size_t i = 0; i != elements.size(); ++i)
            store_le32(source->values.get() + 4 * (row + i), static_cast<std::uint32_t>(source_bits));
    }
    for (const auto& step : steps_) {
        store.prepare(*step.column, level, elements.size());
        if (step.what == What::set_zero)
            fill(step, row, elements, [](const std::byte*) { return std::uint64_t{0}; });
        else if (step.field->wire_type == wire::fixed64)
            fill(step, row, elements, [&](const std::byte* element) { return load_le64(element + step.from); });
        else
            fill(step, row, elements, [&](const std::byte* element) { return value_at(step, element); });
    }
    level.count += elements.size();
}

}  // namespace ositrace::table
