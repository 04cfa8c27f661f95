// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/protobuf_shape.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

namespace {

using Copy = TableRecording::Copy;

std::uint64_t load_sized(const std::byte* from, std::uint8_t size)
{
    switch (size) {
    case 1: return load<std::uint8_t>(from);
    case 4: return load<std::uint32_t>(from);
    default: return load<std::uint64_t>(from);
    }
}

}  // namespace

bool PresentFields::describes(const flat::Buffer& in, std::uint64_t number, std::uint32_t table) noexcept
{
    const auto position = table - in.load_u32(table);
    if (buffer == number && position == vtable_position) return true;
    if (!in.holds(position, vtable.size()) || std::memcmp(in.at(position), vtable.data(), vtable.size()) != 0)
        return false;
    buffer = number;
    vtable_position = position;
    return true;
}

void TableRecording::clear()
{
    values.clear();
    tables.clear();
    constants.clear();
    terminators.clear();
    end = 0;
    deepest = 0;
    all_kept = true;
}

void TableRecording::table(std::uint32_t position, PresentFields& present, int depth)
{
    tables.push_back({position, &present});
    touched(position + present.extent);
    deepest = std::max(deepest, depth);
    all_kept = all_kept && present.kept;
}

std::unique_ptr<ProtobufShape> ProtobufShape::make(const TableRecording& recording, std::uint32_t table,
                                                   BackwardOutput& out, std::size_t written_before, int depth)
{
    const auto bytes = out.written() - written_before;
    if (bytes == 0 || bytes > ProtobufShapes::max_element_bytes || !recording.usable()) return nullptr;
    auto shape = std::make_unique<ProtobufShape>();
    shape->levels_below_ = recording.deepest - depth;
    shape->image_.assign(out.front(), out.front() + bytes);
    shape->extent_ = recording.end - table;
    for (const auto& entry : recording.tables) shape->tables_.push_back({entry.position - table, entry.fields});
    for (const auto& entry : recording.constants) shape->constants_.push_back({entry.position - table, entry.value});
    for (const auto position : recording.terminators) {
        shape->terminators_.push_back(position - table);
        shape->extent_ = std::max(shape->extent_, position + 1 - table);
    }
    for (const auto& value : recording.values)
        shape->values_.push_back({value.from - table, static_cast<std::uint32_t>(out.written() - value.written),
                                  value.length, value.copy, value.kind, value.flat_size});
    // Written back to front: turn them round, so that memory is touched forward.
    std::reverse(shape->values_.begin(), shape->values_.end());
    const auto others = std::stable_partition(shape->values_.begin(), shape->values_.end(),
                                              [](const Value& value) { return value.copy == Copy::bytes8; });
    shape->eights_ = static_cast<std::size_t>(others - shape->values_.begin());
    shape->compile_doubles();
    return shape;
}

void ProtobufShape::compile_doubles()
{
    if (tables_.size() != 1 || !constants_.empty() || values_.empty() || values_.size() > 6 ||
        image_.size() != 9 * values_.size())
        return;
    Doubles doubles{};
    doubles.count = static_cast<unsigned>(values_.size());
    doubles.fields = tables_.front().fields;
    for (std::size_t i = 0; i != values_.size(); ++i) {
        if (values_[i].copy != Copy::bytes8 || values_[i].to != 9 * i + 1) return;
        doubles.offsets[i] = values_[i].from;
        doubles.tags[i] = image_[9 * i];
    }
    doubles_ = doubles;
}

bool ProtobufShape::matches(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) const noexcept
{
    if (!in.holds(table, extent_)) return false;
    const auto* const base = in.at(table);
    for (const auto& entry : tables_)
        if (!entry.fields->describes(in, buffer, table + entry.position)) return false;
    std::uint32_t difference = 0;
    for (const auto position : terminators_) difference |= std::to_integer<std::uint32_t>(base[position]);
    for (const auto& constant : constants_) difference |= load_le32(base + constant.position) ^ constant.value;
    return difference == 0;
}

bool ProtobufShape::fill(const std::byte* table, std::byte* to) const noexcept
{
    for (std::size_t i = 0; i != eights_; ++i) store(to + values_[i].to, load<std::uint64_t>(table + values_[i].from));
    for (std::size_t i = eights_; i != values_.size(); ++i) {
        const auto& value = values_[i];
        const auto* const from = table + value.from;
        auto* const place = to + value.to;
        switch (value.copy) {
        case Copy::bytes8: break;
        case Copy::bytes4: store(place, load<std::uint32_t>(from)); break;
        case Copy::text: std::memcpy(place, from, value.length); break;
        case Copy::varint: {
            const auto encoded = wire::encode_varint(value.kind, load_sized(from, value.flat_size));
            if (static_cast<std::uint32_t>(wire::varint_size(encoded)) != value.length) return false;
            if (value.length == 1)
                *place = static_cast<std::byte>(encoded);
            else
                wire::write_varint(place, encoded);
            break;
        }
        }
    }
    return true;
}

bool ProtobufShape::write(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table, BackwardOutput& out,
                          int levels) const
{
    if (!matches(in, buffer, table) || levels_below_ > levels || !out.reserve(image_.size())) return false;
    auto* const to = out.front() - image_.size();
    std::memcpy(to, image_.data(), image_.size());
    if (!fill(in.at(table), to)) return false;  // a varint of another length; nothing was written yet
    out.extend(image_.size());
    return true;
}

std::size_t ProtobufShape::memory() const noexcept
{
    return sizeof *this + tables_.size() * sizeof(TableRecording::Table) +
           constants_.size() * sizeof(TableRecording::Constant) + terminators_.size() * sizeof(std::uint32_t) +
           values_.size() * sizeof(Value) + image_.size();
}

ProtobufShapes::OfVtable* ProtobufShapes::find(const PresentFields* fields) noexcept
{
    if (fields == last_fields_) return last_;
    const auto found = by_vtable_.find(fields);
    if (found == by_vtable_.end()) return nullptr;
    last_fields_ = fields;
    return last_ = &found->second;  // a node of the map: it stays where it is
}

const ProtobufShape* ProtobufShapes::write(const PresentFields* fields, const flat::Buffer& in, std::uint64_t buffer,
                                           std::uint32_t table, BackwardOutput& out, int levels)
{
    auto* const of_vtable = find(fields);
    if (of_vtable == nullptr) return nullptr;
    auto& shapes = of_vtable->shapes;
    for (std::size_t i = 0; i != shapes.size(); ++i) {
        if (!shapes[i]->write(in, buffer, table, out, levels)) continue;
        if (++hits_ == hits_per_compilation) {
            hits_ = 0;
            budget_ = std::min(budget_ + 1, starting_budget);
        }
        if (i == 0) return shapes[0].get();
        std::swap(shapes[i], shapes[i - 1]);
        return shapes[i - 1].get();
    }
    return nullptr;
}

bool ProtobufShapes::wants(const PresentFields* fields)
{
    if (budget_ <= 0) return false;
    auto& of_vtable = by_vtable_[fields];
    return ++of_vtable.misses >= 2 && of_vtable.failures < max_failures;
}

void ProtobufShapes::add(const PresentFields* fields, std::unique_ptr<ProtobufShape> shape)
{
    --budget_;
    auto& of_vtable = by_vtable_[fields];
    if (!shape) {
        ++of_vtable.failures;
        return;
    }
    of_vtable.misses = 0;
    memory_ += shape->memory();
    if (memory_ > max_memory) return clear();
    if (of_vtable.shapes.size() < max_shapes_per_vtable) {
        of_vtable.shapes.push_back(std::move(shape));
        return;
    }
    auto& victim = of_vtable.shapes[of_vtable.next_victim++ % max_shapes_per_vtable];
    memory_ -= victim->memory();
    victim = std::move(shape);
}

void ProtobufShapes::clear()
{
    by_vtable_.clear();
    last_fields_ = nullptr;
    last_ = nullptr;
    memory_ = 0;
    budget_ = starting_budget;
    hits_ = 0;
}

}  // namespace ositrace
