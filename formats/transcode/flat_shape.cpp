// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/flat_shape.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/transcoder.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

using Copy = ShapeRecording::Copy;

Copy copy_of_varint(const FieldRow& field, std::uint32_t length)
{
    const bool zigzag = field.kind == FieldKind::sint32 || field.kind == FieldKind::sint64;
    if (length != 1 || zigzag) return Copy::long_varint;
    return field.flat_size == 1   ? Copy::bytes1_varint
           : field.flat_size == 4 ? Copy::bytes4_varint
                                  : Copy::bytes8_varint;
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

void FlatShape::Value::store(const std::byte* element, std::byte* place) const noexcept
{
    const auto* const at = element + from;
    switch (copy) {
    case Copy::bytes8: ositrace::store(place, load<std::uint64_t>(at)); break;
    case Copy::bytes4: ositrace::store(place, load<std::uint32_t>(at)); break;
    case Copy::bytes4_varint: ositrace::store(place, std::to_integer<std::uint32_t>(*at)); break;
    case Copy::bytes8_varint: ositrace::store(place, std::to_integer<std::uint64_t>(*at)); break;
    case Copy::bytes1_varint: ositrace::store(place, static_cast<std::uint8_t>(*at != std::byte{0})); break;
    case Copy::text: std::memcpy(place, at, length); break;
    case Copy::long_varint:
        store_sized(place, wire::decode_varint(kind, read_known_varint(at, length)), flat_size);
        break;
    }
}

std::unique_ptr<FlatShape> FlatShape::make(const ShapeRecording& recording, Bytes element, FlatOutput& out, int depth)
{
    if (!recording.usable || element.empty()) return nullptr;
    const auto inside = [&](const ShapeRecording::Value& value) {
        return value.from >= element.data() && value.from + value.length <= element.data() + element.size();
    };
    if (!std::all_of(recording.values.begin(), recording.values.end(), inside)) return nullptr;

    auto shape = std::make_unique<FlatShape>();
    shape->levels_below_ = recording.deepest - depth;
    shape->take_image(recording, out);
    for (const auto& value : recording.values)
        shape->values_.push_back({static_cast<std::uint32_t>(value.from - element.data()), shape->place_of(value.to),
                                  value.length, value.copy, value.kind, value.flat_size});
    const auto others = std::stable_partition(shape->values_.begin(), shape->values_.end(),
                                              [](const Value& value) { return value.copy == Copy::bytes8; });
    shape->eights_ = static_cast<std::size_t>(others - shape->values_.begin());
    shape->compile_structure(element, recording);
    shape->compile_doubles(element);
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
    most_bytes_ = alignment + image_.size();
    for (const auto& table : tables_) most_bytes_ += table.layout->vtable_bytes + 2 * alignment;
    for (const auto& recorded : recording.pointers) {
        const auto& pointer =
            pointers_.emplace_back(ShapeRecording::Pointer{place_of(recorded.slot), place_of(recorded.target)});
        store_le32(image_.data() + pointer.slot, pointer.target - pointer.slot);
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

void FlatShape::compile_doubles(Bytes element)
{
    if (tables_.size() != 1 || values_.empty() || values_.size() > 6 || element.size() != 9 * values_.size()) return;
    Doubles doubles{};
    doubles.count = static_cast<unsigned>(values_.size());
    doubles.table_bytes = static_cast<std::uint32_t>(image_.size());
    doubles.layout = tables_.front().layout;
    for (std::size_t i = 0; i != values_.size(); ++i) {
        if (values_[i].copy != Copy::bytes8 || values_[i].from != 9 * i + 1 || values_[i].to < 8) return;
        doubles.tags[i] = element[9 * i];
        doubles.offsets[i] = values_[i].to;
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
    return sizeof *this + structure_.memory() + image_.size() + tables_.size() * sizeof(Table) +
           values_.size() * sizeof(Value) + pointers_.size() * sizeof(ShapeRecording::Pointer) + most_bytes_ +
           values_.size() * sizeof(std::uint32_t);
}

bool FlatShape::ready(std::uint64_t buffer) noexcept
{
    if (ready_buffer_ == buffer) return true;
    for (const auto& table : tables_)
        if (table.layout->buffer != buffer) return false;
    ready_buffer_ = buffer;
    return true;
}

// Most values have eight bytes, and a loop without a branch is worth 14 % on moving objects.
template <class Place>
void FlatShape::fill(const std::byte* element, Place place) const
{
    for (std::size_t i = 0; i != eights_; ++i) store(place(i), load<std::uint64_t>(element + values_[i].from));
    for (std::size_t i = eights_; i != values_.size(); ++i) values_[i].store(element, place(i));
}

std::uint32_t FlatShape::write(const std::byte* element, FlatOutput& out) const
{
    out.align(8);
    const auto start = out.size();
    auto* const to = out.extend(image_.size());
    std::memcpy(to, image_.data(), image_.size());
    for (const auto& table : tables_)
        store_le32(to + table.offset, start + table.offset - table.layout->vtable_position);
    fill(element, [&](std::size_t i) { return to + values_[i].to; });
    return start;
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
        out.point(pointer.slot + shift_of(pointer.slot), pointer.target + shift_of(pointer.target));
    fill(element, [&](std::size_t i) { return out.at(values_[i].to + shift_of(values_[i].to)); });
    return tables_.front().offset + tables_.front().shift;
}

std::uint32_t FlatShape::write_root(const std::byte* element, FlatOutput& out, std::uint64_t buffer)
{
    const auto start = out.size();
    if (root_image_.empty()) {
        root_position_ = write_with_vtables(element, out, buffer);
        root_image_.assign(out.at(start), out.at(start) + (out.size() - start));
        for (const auto& value : values_) root_places_.push_back(value.to + shift_of(value.to) - start);
        return root_position_;
    }
    auto* const to = out.extend(root_image_.size());
    std::memcpy(to, root_image_.data(), root_image_.size());
    fill(element, [&](std::size_t i) { return to + root_places_[i]; });
    return root_position_;
}

// Tables are in ascending order, each followed by what belongs to it.
std::uint32_t FlatShape::shift_of(std::uint32_t offset) const noexcept
{
    const auto next = std::upper_bound(tables_.begin(), tables_.end(), offset,
                                       [](std::uint32_t wanted, const Table& table) { return wanted < table.offset; });
    return std::prev(next)->shift;
}

FlatShape* FlatShapes::find(const std::byte* element, std::uint32_t length) noexcept
{
    if (length >= by_length_.size() || !by_length_[length]) return nullptr;
    auto& shapes = by_length_[length]->shapes;
    for (std::size_t i = 0; i != shapes.size(); ++i) {
        if (!shapes[i]->matches(element)) continue;
        if (i != 0) std::swap(shapes[i], shapes[i - 1]);
        if (++hits_ == hits_per_compilation) {
            hits_ = 0;
            budget_ = std::min(budget_ + 1, starting_budget);
        }
        return shapes[i == 0 ? 0 : i - 1].get();
    }
    return nullptr;
}

bool FlatShapes::wants(std::uint32_t length)
{
    if (length == 0 || length > max_element_bytes || budget_ <= 0) return false;
    if (by_length_.size() <= length) by_length_.resize(length + 1);
    auto& of_length = by_length_[length];
    if (!of_length) of_length = std::make_unique<OfLength>();
    return ++of_length->misses >= 2;
}

void FlatShapes::add(std::uint32_t length, std::unique_ptr<FlatShape> shape)
{
    --budget_;
    if (!shape) return;
    memory_ += shape->memory();
    if (memory_ > max_memory) return clear();
    auto& of_length = *by_length_[length];
    of_length.misses = 0;
    if (of_length.shapes.size() < max_shapes_per_length) {
        of_length.shapes.push_back(std::move(shape));
        return;
    }
    auto& victim = of_length.shapes[of_length.next_victim++ % max_shapes_per_length];
    memory_ -= victim->memory();
    victim = std::move(shape);
}

void FlatShapes::clear()
{
    by_length_.clear();
    memory_ = 0;
    budget_ = starting_budget;
    hits_ = 0;
}

}  // namespace ositrace
