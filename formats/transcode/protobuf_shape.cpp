// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/protobuf_shape.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "formats/protobuf/structure_mask.hpp"

namespace ositrace {

namespace {

using Copy = TableRecording::Copy;

constexpr std::uint32_t double_field_bytes = 9;  // tag and value

Copy copy_of_varint(FieldKind kind, std::uint8_t flat_size, std::uint32_t length)
{
    const bool zigzag = kind == FieldKind::sint32 || kind == FieldKind::sint64;
    if (zigzag) return Copy::varint;
    if (length != 1)
        return flat_size != 8 ? Copy::varint
               : length == 2  ? Copy::pair_of_8
               : length == 10 ? Copy::ten_of_8
                              : Copy::varint;
    return flat_size == 1 ? Copy::byte_of_1 : flat_size == 4 ? Copy::byte_of_4 : Copy::byte_of_8;
}

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

std::unique_ptr<ProtobufShape> ProtobufShape::make(const TableRecording& recording, const flat::Buffer& in,
                                                   std::uint32_t table, BackwardOutput& out, std::size_t written_before,
                                                   int depth)
{
    const auto bytes = out.written() - written_before;
    if (bytes == 0 || bytes > ProtobufShapes::max_element_bytes || !recording.usable()) return nullptr;
    auto shape = std::make_unique<ProtobufShape>();
    shape->levels_below_ = recording.deepest - depth;
    shape->take(recording, table, out, bytes);
    shape->extent_ = recording.end - table;
    for (const auto& entry : recording.tables) shape->tables_.push_back({entry.position - table, entry.fields});
    for (const auto& entry : recording.constants) shape->constants_.push_back({entry.position - table, entry.value});
    for (const auto position : recording.terminators) {
        shape->terminators_.push_back(position - table);
        shape->extent_ = std::max(shape->extent_, position + 1 - table);
    }
    shape->key_ = key_of(*recording.tables.front().fields, in.at(table));
    shape->compile_mask();
    return shape;
}

void ProtobufShape::compile_mask()
{
    std::uint32_t end = 0, positions = 0;
    const auto add = [&](std::uint32_t position) {
        end = std::max(end, position + 4);
        positions |= position;
    };
    for (const auto& entry : tables_) add(entry.position);
    for (const auto& constant : constants_) add(constant.position);
    if (end < flat::TableMask::block_bytes || positions % 4 != 0) return;
    mask_ = flat::TableMask(end);
    for (const auto& constant : constants_) mask_.expect(constant.position, constant.value);
}

/// The image, and the values: how far they are from `base`.
void ProtobufShape::take(const TableRecording& recording, std::uint32_t base, BackwardOutput& out, std::size_t bytes)
{
    image_.assign(out.front(), out.front() + bytes);
    std::vector<Value> values;
    for (const auto& value : recording.values) {
        const auto copy =
            value.copy == Copy::varint ? copy_of_varint(value.kind, value.flat_size, value.length) : value.copy;
        values.push_back({value.from - base, static_cast<std::uint32_t>(out.written() - value.written), value.length,
                          copy, value.kind, value.flat_size});
    }
    // Written back to front: turn them round, so that memory is touched forward.
    std::reverse(values.begin(), values.end());
    if (recording.tables.size() == 1 && recording.constants.empty()) compile_doubles(recording, values);
    values_ = SortedValues(values, [](const Value& value, const Value& next) {
        return next.from == value.from + 8 && next.to == value.to + double_field_bytes;
    });
}

std::unique_ptr<WholeShape> WholeShape::make(const TableRecording& recording, const flat::Buffer& in,
                                             BackwardOutput& out)
{
    if (out.written() == 0 || !recording.usable()) return nullptr;
    auto shape = std::make_unique<WholeShape>();
    shape->take(recording, 0, out, out.written());
    std::vector<std::byte> mask(in.size());
    const auto mark = [&](std::uint32_t from, std::size_t bytes) {
        std::fill_n(mask.begin() + from, bytes, std::byte{0xff});
    };
    mark(0, sizeof(std::uint32_t));  // where the root table is
    for (const auto& table : recording.tables) {
        mark(table.position, sizeof(std::uint32_t));
        mark(table.position - in.load_u32(table.position), table.fields->vtable.size());
    }
    for (const auto& constant : recording.constants) mark(constant.position, sizeof constant.value);
    for (const auto position : recording.terminators) mark(position, 1);
    shape->structure_ = StructureMask({in.at(0), in.size()}, mask);
    return shape;
}

void ProtobufShape::compile_doubles(const TableRecording& recording, std::span<const Value> values)
{
    if (values.empty() || values.size() > 6 || image_.size() != 9 * values.size()) return;
    Doubles doubles{};
    doubles.count = static_cast<unsigned>(values.size());
    doubles.fields = recording.tables.front().fields;
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (values[i].copy != Copy::bytes8 || values[i].to != 9 * i + 1) return;
        doubles.offsets[i] = values[i].from;
        doubles.tags[i] = image_[9 * i];
    }
    doubles_ = doubles;
}

bool ProtobufShape::matches(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) noexcept
{
    if (!in.holds(table, extent_)) return false;
    const auto* const base = in.at(table);
    const bool masked = knows_vtables(buffer);
    if (masked && !mask_.matches(base, table)) return false;
    std::uint32_t difference = 0;
    for (const auto position : terminators_) difference |= std::to_integer<std::uint32_t>(base[position]);
    return difference == 0 && varints_fit(base) && (masked || has_structure(in, buffer, table));
}

/// As a rule equal tables of a buffer have one vtable: once all of them were met, the mask tells the tables that have
/// them.
bool ProtobufShape::knows_vtables(std::uint64_t buffer) noexcept
{
    if (mask_buffer_ == buffer) return true;
    if (mask_.empty()) return false;
    for (const auto& entry : std::span(tables_)) {
        if (entry.fields->buffer != buffer) return false;
        mask_.expect_soffset(entry.position, entry.position - entry.fields->vtable_position);
    }
    mask_buffer_ = buffer;
    return true;
}

/// Word by word, whatever vtables there are.
bool ProtobufShape::has_structure(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) const noexcept
{
    for (const auto& constant : constants_)
        if (in.load_u32(table + constant.position) != constant.value) return false;
    for (const auto& entry : tables_)
        if (!entry.fields->describes(in, buffer, table + entry.position)) return false;
    return true;
}

/// Not 0: the varint has another length.
template <Copy How>
std::uint64_t ProtobufShape::Value::misfit(const std::byte* table) const noexcept
{
    const auto* const at = table + from;
    if constexpr (How == Copy::byte_of_4) return load<std::uint32_t>(at) >> 7;
    if constexpr (How == Copy::byte_of_8) return load<std::uint64_t>(at) >> 7;
    if constexpr (How == Copy::ten_of_8) return ~load<std::uint64_t>(at) >> 63;
    if constexpr (How == Copy::pair_of_8) return (load<std::uint64_t>(at) - 0x80) / (0x4000 - 0x80);
    const auto encoded = wire::encode_varint(kind, load_sized(at, flat_size));
    return static_cast<std::uint64_t>(wire::varint_size(encoded)) ^ length;
}

template <Copy How>
void ProtobufShape::Value::store(const std::byte* table, std::byte* image) const noexcept
{
    const auto* const at = table + from;
    auto* const place = image + to;
    if constexpr (How == Copy::byte_of_1) {
        *place = static_cast<std::byte>(*at != std::byte{0});
    } else if constexpr (How == Copy::byte_of_4 || How == Copy::byte_of_8) {
        *place = *at;
    } else if constexpr (How == Copy::pair_of_8) {
        const auto stored = load<std::uint16_t>(at);
        ositrace::store(place, static_cast<std::uint16_t>((stored & 0x7f) | 0x80 | (stored >> 7 << 8)));
    } else if constexpr (How == Copy::ten_of_8) {
        write_known_varint(place, load<std::uint64_t>(at), 10);
    } else if constexpr (How == Copy::varint) {
        write_known_varint(place, wire::encode_varint(kind, load_sized(at, flat_size)), length);
    } else if constexpr (How == Copy::bytes4) {
        ositrace::store(place, load<std::uint32_t>(at));
    } else if constexpr (How == Copy::bytes8) {
        ositrace::store(place, load<std::uint64_t>(at));
    } else if constexpr (How == Copy::triple) {
        for (std::uint32_t i = 0; i != 3; ++i)
            ositrace::store(place + double_field_bytes * i, load<std::uint64_t>(at + 8 * i));
    } else {
        std::memcpy(place, at, length);
    }
}

inline bool ProtobufShape::varints_fit(const std::byte* table) const noexcept
{
    std::uint64_t sum = 0;
    const auto add_all = [&]<Copy How>(std::span<const Value> group) {
        for (const auto& value : group) sum |= value.template misfit<How>(table);
    };
    values_.for_each_group([&](Copy how, std::span<const Value> group) __attribute__((always_inline)) {
        switch (how) {
        case Copy::byte_of_4: return add_all.template operator()<Copy::byte_of_4>(group);
        case Copy::byte_of_8: return add_all.template operator()<Copy::byte_of_8>(group);
        case Copy::ten_of_8: return add_all.template operator()<Copy::ten_of_8>(group);
        case Copy::pair_of_8: return add_all.template operator()<Copy::pair_of_8>(group);
        case Copy::varint: return add_all.template operator()<Copy::varint>(group);
        default: return;  // no varint that could have another length
        }
    });
    return sum == 0;
}

inline void ProtobufShape::fill(const std::byte* table, std::byte* image) const noexcept
{
    const auto store_all = [&]<Copy How>(std::span<const Value> group) {
        for (const auto& value : group) value.template store<How>(table, image);
    };
    values_.for_each_group([&](Copy how, std::span<const Value> group) __attribute__((always_inline)) {
        switch (how) {
        case Copy::byte_of_1: return store_all.template operator()<Copy::byte_of_1>(group);
        case Copy::byte_of_4: return store_all.template operator()<Copy::byte_of_4>(group);
        case Copy::byte_of_8: return store_all.template operator()<Copy::byte_of_8>(group);
        case Copy::ten_of_8: return store_all.template operator()<Copy::ten_of_8>(group);
        case Copy::pair_of_8: return store_all.template operator()<Copy::pair_of_8>(group);
        case Copy::varint: return store_all.template operator()<Copy::varint>(group);
        case Copy::bytes4: return store_all.template operator()<Copy::bytes4>(group);
        case Copy::bytes8: return store_all.template operator()<Copy::bytes8>(group);
        case Copy::triple: return store_all.template operator()<Copy::triple>(group);
        case Copy::text: return store_all.template operator()<Copy::text>(group);
        }
    });
}

bool WholeShape::matches(const std::byte* buffer) const noexcept
{
    return structure_.matches(buffer) && varints_fit(buffer);
}

bool ProtobufShape::write(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table, BackwardOutput& out,
                          int levels)
{
    return levels_below_ <= levels && matches(in, buffer, table) && write_image(in.at(table), out);
}

bool ProtobufShape::write_image(const std::byte* table, BackwardOutput& out) const
{
    if (!out.reserve(image_.size())) return false;
    auto* const to = out.front() - image_.size();
    std::memcpy(to, image_.data(), image_.size());
    fill(table, to);
    out.extend(image_.size());
    return true;
}

std::uint32_t ProtobufShape::write_run(const Run& run, const flat::Buffer& in, std::uint64_t buffer,
                                       BackwardOutput& out)
{
    constexpr std::size_t reserved_at_once = std::size_t{64} << 10;
    const auto head_bytes = run.head.size();
    const auto stride = head_bytes + image_.size();
    if (run_image_.size() != stride || std::memcmp(run_image_.data(), run.head.data(), head_bytes) != 0) {
        run_image_.assign(run.head.begin(), run.head.end());
        run_image_.insert(run_image_.end(), image_.begin(), image_.end());
    }
    std::uint32_t done = 0;
    for (std::size_t room = 0; done != run.count; ++done, --room) {
        if (room == 0) {
            room = std::min({std::size_t{run.count - done}, 1 + reserved_at_once / stride, out.left() / stride});
            if (room == 0 || !out.reserve(room * stride)) break;
        }
        const auto slot = run.first_slot + 4 * (run.count - 1 - done);
        const auto offset = in.load_u32(slot);
        if (offset == 0 || offset > in.size() - slot || !matches(in, buffer, slot + offset)) break;
        auto* const to = out.front() - stride;
        std::memcpy(to, run_image_.data(), stride);
        fill(in.at(slot + offset), to + head_bytes);
        out.extend(stride);
    }
    return done;
}

std::size_t ProtobufShape::memory() const noexcept
{
    return sizeof *this + tables_.size() * sizeof(TableRecording::Table) +
           constants_.size() * sizeof(TableRecording::Constant) + terminators_.size() * sizeof(std::uint32_t) +
           mask_.memory() + values_.memory() + 2 * (image_.size() + 8);
}

ProtobufShapes::OfVtable* ProtobufShapes::find(const PresentFields* fields) noexcept
{
    if (fields == last_fields_) return last_;
    const auto found = by_vtable_.find(fields);
    if (found == by_vtable_.end()) return nullptr;
    last_fields_ = fields;
    return last_ = &found->second;  // a node of the map: it stays where it is
}

ProtobufShape* ProtobufShapes::write(const PresentFields* fields, const flat::Buffer& in, std::uint64_t buffer,
                                     std::uint32_t table, BackwardOutput& out, int levels)
{
    auto* const of_vtable = find(fields);
    if (of_vtable == nullptr) return nullptr;
    auto& shapes = of_vtable->shapes;
    const auto key = ProtobufShape::key_of(*fields, in.at(table));
    for (std::size_t i = 0; i != shapes.size(); ++i) {
        if (shapes[i]->key() != key || !shapes[i]->write(in, buffer, table, out, levels)) continue;
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
