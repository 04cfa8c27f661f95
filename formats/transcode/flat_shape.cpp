// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/flat_shape.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/limits.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

using Copy = ShapeRecording::Copy;

constexpr std::size_t max_tables = 0xffff;       // whose place is 16 bits
constexpr std::uint32_t double_field_bytes = 9;  // tag and value

Copy copy_of_varint(const FieldRow& field, std::uint32_t length)
{
    const bool zigzag = field.kind == FieldKind::sint32 || field.kind == FieldKind::sint64;
    if (zigzag) return Copy::varint;
    if (length != 1)
        return field.flat_size != 8 ? Copy::varint
               : length == 2        ? Copy::pair_to_8
               : length == 10       ? Copy::ten_to_8
                                    : Copy::varint;
    return field.flat_size == 1 ? Copy::byte_to_1 : field.flat_size == 4 ? Copy::byte_to_4 : Copy::byte_to_8;
}

void store_sized(std::byte* to, std::uint64_t bits, std::uint8_t size)
{
    switch (size) {
    case 1: store(to, static_cast<std::uint8_t>(bits)); break;
    case 4: store(to, static_cast<std::uint32_t>(bits)); break;
    default: store(to, bits); break;
    }
}

}  // namespace

void ShapeRecording::clear()
{
    values.clear();
    tables.clear();
    pointers.clear();
    deepest = 0;
    usable = true;
}

void ShapeRecording::table(std::uint32_t position, std::uint32_t before, TableLayout& layout, int depth)
{
    tables.push_back({position, before, &layout});
    deepest = std::max(deepest, depth);
}

void ShapeRecording::varint(const std::byte* from, std::uint32_t length, std::uint32_t to, const FieldRow& field)
{
    values.push_back({from, to, length, copy_of_varint(field, length), field.kind, field.flat_size});
}

void ShapeRecording::copied(const std::byte* from, std::uint32_t length, std::uint32_t to)
{
    const auto copy = length == 8 ? Copy::bytes8 : length == 4 ? Copy::bytes4 : Copy::text;
    values.push_back({from, to, length, copy, FieldKind::bytes, 0});
}

template <Copy How>
void FlatShape::Value::store(const std::byte* element, std::byte* place) const noexcept
{
    const auto* const at = element + from;
    if constexpr (How == Copy::byte_to_1)
        ositrace::store(place, static_cast<std::uint8_t>(*at != std::byte{0}));
    else if constexpr (How == Copy::byte_to_4)
        ositrace::store(place, std::to_integer<std::uint32_t>(*at));
    else if constexpr (How == Copy::byte_to_8)
        ositrace::store(place, std::to_integer<std::uint64_t>(*at));
    else if constexpr (How == Copy::pair_to_8)
        ositrace::store(place, std::uint64_t{read_varint_of_two(at)});
    else if constexpr (How == Copy::ten_to_8)
        ositrace::store(place, read_known_varint(at, 10));
    else if constexpr (How == Copy::varint)
        store_sized(place, wire::decode_varint(kind, read_known_varint(at, length)), flat_size);
    else if constexpr (How == Copy::bytes4)
        ositrace::store(place, load<std::uint32_t>(at));
    else if constexpr (How == Copy::bytes8)
        ositrace::store(place, load<std::uint64_t>(at));
    else if constexpr (How == Copy::triple)
        for (std::uint32_t i = 0; i != 3; ++i)
            ositrace::store(place + 8 * i, load<std::uint64_t>(at + double_field_bytes * i));
    else
        std::memcpy(place, at, length);
}

std::unique_ptr<FlatShape> FlatShape::make(const ShapeRecording& recording, Bytes element, FlatOutput& out, int depth)
{
    if (!recording.usable || element.empty() || recording.tables.size() > max_tables) return nullptr;
    const auto inside = [&](const ShapeRecording::Value& value) {
        return value.from >= element.data() && value.from + value.length <= element.data() + element.size();
    };
    if (!std::all_of(recording.values.begin(), recording.values.end(), inside)) return nullptr;

    auto shape = std::make_unique<FlatShape>();
    shape->levels_below_ = recording.deepest - depth;
    shape->take_image(recording, out);
    const auto values = shape->values_of(recording, element);
    shape->values_ = SortedValues(values, [](const Value& value, const Value& next) {
        return next.from == value.from + double_field_bytes && next.to == value.to + 8;
    });
    shape->compile_structure(element, recording);
    shape->compile_doubles(element, values);
    return shape;
}

// The image is the output without the vtables that happened to be written on the way.
void FlatShape::take_image(const ShapeRecording& recording, FlatOutput& out)
{
    for (std::size_t i = 0; i != recording.tables.size(); ++i) {
        const auto& table = recording.tables[i];
        const auto end = i + 1 == recording.tables.size() ? out.size() : recording.tables[i + 1].before;
        image_.resize((image_.size() + 7) / 8 * 8);
        const auto offset = static_cast<std::uint32_t>(image_.size());
        image_.insert(image_.end(), out.at(table.position), out.at(end));
        tables_.push_back({offset, static_cast<std::uint32_t>(image_.size()), table.layout, table.position - offset});
    }
    constexpr std::size_t alignment = 8;
    image_bytes_ = static_cast<std::uint32_t>(image_.size());
    image_.resize((image_.size() + alignment - 1) / alignment * alignment);
    most_bytes_ = alignment + image_.size();
    for (const auto& table : tables_) most_bytes_ += table.layout->vtable_bytes + 2 * alignment;
    for (const auto& recorded : recording.pointers) {
        const auto slot = place_of(recorded.slot), target = place_of(recorded.target);
        pointers_.push_back({slot, target, table_at(slot), table_at(target)});
        store_le32(image_.data() + slot, target - slot);
    }
}

// Where a position of the recorded output is in the image; tables still know their shift.
std::uint32_t FlatShape::place_of(std::uint32_t position) const noexcept
{
    const auto next =
        std::upper_bound(tables_.begin(), tables_.end(), position,
                         [](std::uint32_t wanted, const Table& table) { return wanted < table.offset + table.shift; });
    return position - std::prev(next)->shift;
}

std::vector<FlatShape::Value> FlatShape::values_of(const ShapeRecording& recording, Bytes element) const
{
    std::vector<Value> values;
    for (const auto& value : recording.values) {
        const auto to = place_of(value.to);
        values.push_back({static_cast<std::uint32_t>(value.from - element.data()), to, value.length, table_at(to),
                          value.copy, value.kind, value.flat_size});
    }
    return values;
}

void FlatShape::compile_structure(Bytes element, const ShapeRecording& recording)
{
    std::vector<std::byte> mask(element.size(), std::byte{0xff});
    for (const auto& value : recording.values) {
        const bool is_varint = value.copy < Copy::bytes4;
        std::fill_n(mask.begin() + (value.from - element.data()), value.length,
                    is_varint ? std::byte{0x80} : std::byte{0});
    }
    structure_ = StructureMask(element, mask);
}

void FlatShape::compile_doubles(Bytes element, std::span<const Value> values)
{
    if (tables_.size() != 1 || values.empty() || values.size() > 6 || element.size() != 9 * values.size()) return;
    Doubles doubles{};
    doubles.count = static_cast<unsigned>(values.size());
    doubles.table_bytes = image_bytes_;
    doubles.layout = tables_.front().layout;
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (values[i].copy != Copy::bytes8 || values[i].from != 9 * i + 1 || values[i].to < 8) return;
        doubles.tags[i] = element[9 * i];
        doubles.offsets[i] = values[i].to;
    }
    if (doubles.table_bytes != 8 + 8 * doubles.count) return;
    doubles_ = doubles;
}

bool FlatShape::fits(FlatOutput& out, int depth) const
{
    return depth + levels_below_ <= max_message_depth && out.vtables() + tables_.size() <= FlatOutput::max_vtables &&
           out.reserve(most_bytes_);
}

std::size_t FlatShape::memory() const noexcept
{
    return sizeof *this + structure_.memory() + image_.size() + tables_.size() * (sizeof(Table) + sizeof(Soffset)) +
           2 * values_.memory() + pointers_.size() * sizeof(Pointer) + most_bytes_;
}

bool FlatShape::ready(std::uint64_t buffer) noexcept
{
    if (ready_buffer_ == buffer) return true;
    for (const auto& table : tables_)
        if (table.layout->buffer != buffer) return false;
    soffsets_.resize(tables_.size());
    for (std::size_t i = 0; i != tables_.size(); ++i)
        soffsets_[i] = {tables_[i].offset, tables_[i].offset - tables_[i].layout->vtable_position};
    ready_buffer_ = buffer;
    return true;
}

template <class Place>
inline void FlatShape::fill(const SortedValues<Value>& values, const std::byte* element, Place place)
{
    const auto store_all = [&]<Copy How>(std::span<const Value> group) {
        for (const auto& value : group) value.template store<How>(element, place(value));
    };
    values.for_each_group([&](Copy how, std::span<const Value> group) __attribute__((always_inline)) {
        switch (how) {
        case Copy::byte_to_1: return store_all.template operator()<Copy::byte_to_1>(group);
        case Copy::byte_to_4: return store_all.template operator()<Copy::byte_to_4>(group);
        case Copy::byte_to_8: return store_all.template operator()<Copy::byte_to_8>(group);
        case Copy::ten_to_8: return store_all.template operator()<Copy::ten_to_8>(group);
        case Copy::pair_to_8: return store_all.template operator()<Copy::pair_to_8>(group);
        case Copy::varint: return store_all.template operator()<Copy::varint>(group);
        case Copy::bytes4: return store_all.template operator()<Copy::bytes4>(group);
        case Copy::bytes8: return store_all.template operator()<Copy::bytes8>(group);
        case Copy::triple: return store_all.template operator()<Copy::triple>(group);
        case Copy::text: return store_all.template operator()<Copy::text>(group);
        }
    });
}

inline void FlatShape::write_at(std::byte* to, std::uint32_t position, const std::byte* element) const
{
    for (const auto& soffset : std::span(soffsets_)) store_le32(to + soffset.offset, position + soffset.base);
    fill(values_, element, [to](const Value& value) { return to + value.to; });
}

std::uint32_t FlatShape::write(const std::byte* element, FlatOutput& out) const
{
    out.align(8);
    const auto start = out.size();
    auto* const to = out.extend(image_bytes_);
    std::memcpy(to, image_.data(), image_bytes_);
    write_at(to, start, element);
    return start;
}

std::uint32_t FlatShape::write_run(Run& run, FlatOutput& out) const
{
    const auto stride = static_cast<std::ptrdiff_t>(run.head_bytes + structure_.length());
    const auto padding = static_cast<std::uint32_t>((0 - out.size()) & 7);
    const auto bytes = static_cast<std::uint32_t>(image_.size());
    // Only what the limit lets be: the element that exceeds it is for the slow path to find.
    const auto room = out.left() > padding ? (out.left() - padding) / bytes : 0;
    const auto count = static_cast<std::uint32_t>(
        std::min({std::size_t{run.count}, room, static_cast<std::size_t>((run.end - run.at) / stride)}));
    if (count == 0 || !out.reserve(padding + std::size_t{count} * bytes)) return 0;
    const auto start = out.size() + padding;
    auto* const table = out.at(start);
    auto* const slots = out.at(run.slot);
    std::uint32_t done = 0;
    for (; done != count; ++done, run.at += stride) {
        const auto* const element = run.at + run.head_bytes;
        if (((load_le32(run.at) ^ run.head) & run.head_mask) != 0 || !structure_.matches(element)) break;
        const auto offset = done * bytes;
        std::memcpy(table + offset, image_.data(), bytes);
        write_at(table + offset, start + offset, element);
        store_le32(slots + 4 * std::size_t{done}, start + offset - (run.slot + 4 * done));
    }
    if (done == 0) return 0;
    out.align(8);
    out.extend(std::size_t{done} * bytes - (bytes - image_bytes_));  // nothing follows the last one yet
    return done;
}

std::uint32_t FlatShape::write_with_vtables(const std::byte* element, FlatOutput& out, std::uint64_t buffer)
{
    for (auto& table : tables_) {
        if (table.layout->buffer != buffer) {
            table.layout->write_vtable(out);
            table.layout->buffer = buffer;
        }
        out.align(8);
        const auto position = out.size();
        table.shift = position - table.offset;
        std::memcpy(out.extend(table.end - table.offset), image_.data() + table.offset, table.end - table.offset);
        store_le32(out.at(position), position - table.layout->vtable_position);
    }
    for (const auto& pointer : pointers_)
        out.point(pointer.slot + tables_[pointer.slot_table].shift,
                  pointer.target + tables_[pointer.target_table].shift);
    fill(values_, element, [&](const Value& value) { return out.at(value.to + tables_[value.table].shift); });
    return tables_.front().offset + tables_.front().shift;
}

std::uint32_t FlatShape::write_root(const std::byte* element, FlatOutput& out, std::uint64_t buffer)
{
    const auto start = out.size();
    if (root_image_.empty()) {
        root_position_ = write_with_vtables(element, out, buffer);
        root_image_.assign(out.at(start), out.at(start) + (out.size() - start));
        root_values_ = values_;
        for (auto& value : root_values_.all()) value.to += tables_[value.table].shift - start;
        return root_position_;
    }
    auto* const to = out.extend(root_image_.size());
    std::memcpy(to, root_image_.data(), root_image_.size());
    fill(root_values_, element, [to](const Value& value) { return to + value.to; });
    return root_position_;
}

// Tables are in ascending order, each followed by what belongs to it.
std::uint16_t FlatShape::table_at(std::uint32_t offset) const noexcept
{
    const auto next = std::upper_bound(tables_.begin(), tables_.end(), offset,
                                       [](std::uint32_t wanted, const Table& table) { return wanted < table.offset; });
    return static_cast<std::uint16_t>(next - tables_.begin() - 1);
}

}  // namespace ositrace
