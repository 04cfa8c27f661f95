// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/to_flat.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

// Then nothing is assumed any more: this trace is not of that kind.
constexpr int max_wrong_assumptions = 4;

/// A run that scan_run() took for granted holds something else.
struct WrongAssumption {};

constexpr std::uint32_t header_bytes = 8;  // root offset and file identifier

/// OSI's 33 fields on 8 levels, all interleaved, stay below it whatever the size.
constexpr std::uint64_t max_walked_bytes(std::size_t message_bytes)
{
    return (std::uint64_t{1} << 30) + 512 * std::uint64_t{message_bytes};
}

// Calls visit(tag, value, end) for each occurrence of a field between the first tag and the end of the last occurrence.
// The bytes were scanned before: they are well-formed.
template <class Visit>
void for_each_occurrence(const FieldRow& field, const std::byte* at, const std::byte* end, Visit&& visit)
{
    while (at < end) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        at = wire::skip_field(value, end, tag, max_message_depth);
        if (wire::number_of(tag) == field.number && wire::accepts(field, wire::wire_type_of(tag)))
            visit(tag, value, at);
    }
}

}  // namespace

ToFlat::ToFlat(const MessageTable& root, Layout layout, const TranscodeOptions& options, Texts texts)
    : options_(options),
      texts_(texts),
      types_(root, [&](const MessageTable& table) { return std::make_unique<Type>(table, layout); })
{
    if (const auto type = message_type_by_full_name(root.full_name))
        file_identifier_ = row_of(*type).file_identifier[static_cast<std::size_t>(layout)];
}

void ToFlat::transcode(Bytes in, ByteBuffer& out)
{
    if (in.size() > max_encodable_bytes)
        throw Error(Cause::limit, "a Protobuf message of " + std::to_string(in.size()) + " bytes" +
                                      exceeds(max_encodable_bytes, "bytes"));
    forget_hostile_layouts();
    in_ = in;
    assume_runs_ = options_.shapes && wrong_assumptions_ < max_wrong_assumptions;
    assumed_ = false;
    const auto unknown_before = unknown_fields_;
    try {
        return write(out);
    } catch (...) {
        if (!assumed_) throw;
    }
    // The elements of a run were not what they seemed: once more, with every one looked at before the first is written.
    ++wrong_assumptions_;
    assume_runs_ = false;
    unknown_fields_ = unknown_before;
    write(out);
}

void ToFlat::write(ByteBuffer& out)
{
    ++buffer_;
    walked_ = 0;
    depth_ = 0;
    recorder_ = nullptr;
    try {
        out_.start(out, std::max(last_output_bytes_, in_.size() * 2 + 512),
                   std::min(options_.limits.max_output_bytes, max_encodable_bytes));
        auto* const header = out_.extend(header_bytes);
        store_le64(header, 0);
        if (!file_identifier_.empty()) std::memcpy(header + 4, file_identifier_.data(), file_identifier_.size());
        FlatShape* shape = nullptr;
        const auto root = write_element(types_.root(), in_, 0, shape);
        out_.point(0, root);
    } catch (const Error& error) {
        // Limits and layouts know no place.
        if (error.where().offset || !error.where().field.empty()) throw;
        throw Error(error.cause(), {.file = {}, .frame = {}, .offset = {}, .field = path()}, error.reason());
    }
    out_.finish();
    last_output_bytes_ = out_.size();
}

void ToFlat::forget_hostile_layouts()
{
    const bool many_layouts = out_.vtables() > LayoutCache::max_layouts_kept;
    if (buffer_ % 64 != 0 && !many_layouts) return;
    if (std::ranges::none_of(types_.all(), [](const auto& type) { return type->layouts.overgrown(); })) return;
    for (const auto& type : types_.all()) {
        type->shapes.clear();  // they point to layouts
        type->layouts.clear();
    }
}

ToFlat::Level& ToFlat::enter(int depth, Type& type)
{
    if (static_cast<std::size_t>(depth) == levels_.size()) levels_.push_back(std::make_unique<Level>());
    auto& level = *levels_[static_cast<std::size_t>(depth)];
    level.type = &type;
    level.field = nullptr;
    level.element = no_element;
    if (level.found.size() < type.table.fields.size()) level.found.resize(type.table.fields.size());
    level.presence.assign(type.layouts.words(), 0);
    depth_ = depth;
    return level;
}

std::uint32_t ToFlat::write_table(Type& type, const std::byte* at, const std::byte* end, int depth)
{
    if (depth > max_message_depth) fail(Cause::limit, at, nests_too_deep);
    auto& level = enter(depth, type);
    scan(level, at, end, depth);

    auto& layout = type.layouts.find(level.presence);
    const auto before = out_.size();
    if (layout.buffer != buffer_) {
        layout.write_vtable(out_);
        layout.buffer = buffer_;
    }
    out_.align(8);
    const auto position = out_.size();
    auto* const table = out_.extend(layout.table_bytes);
    std::memset(table, 0, layout.table_bytes);
    store_le32(table, position - layout.vtable_position);
    if (recorder_ != nullptr) recorder_->table(position, before, layout, depth);
    for (const auto& place : layout.scalars)
        write_scalar(type.table.fields[place.field], level.found[place.field], position + place.offset);
    for (const auto& place : layout.references) {
        level.field = &type.table.fields[place.field];
        level.element = no_element;
        write_reference(level, *level.field, position + place.offset, depth);
    }
    level.field = nullptr;
    return position;
}

void ToFlat::write_scalar(const FieldRow& field, const Found& found, std::uint32_t position)
{
    auto* const to = out_.at(position);
    const auto length = static_cast<std::uint32_t>(found.end - found.at);
    if (field.wire_type != wire::varint) {
        std::memcpy(to, found.at, length);
        if (recorder_ != nullptr) recorder_->copied(found.at, length, position);
        return;
    }
    std::memcpy(to, &found.bits, field.flat_size);
    if (recorder_ != nullptr) recorder_->varint(found.at, length, position, field);
}

void ToFlat::write_reference(Level& level, const FieldRow& field, std::uint32_t slot, int depth)
{
    const auto& found = level.found[field.index];
    // A schema with thousands of repeated fields, all interleaved, would make us pass over the message thousands of
    // times.
    if (field.repeated) {
        walked_ += static_cast<std::uint64_t>(found.end - found.at);
        if (walked_ > max_walked_bytes(in_.size()))
            fail(Cause::limit, found.at, "too many interleaved repeated fields");
    }
    std::uint32_t target = 0;
    if (!field.repeated)
        target = field.kind == FieldKind::message ? write_message(level, field, found, depth)
                                                  : write_text(found.at, found.end, field.kind == FieldKind::string);
    else if (field.kind == FieldKind::message)
        target = write_messages(level, field, found, depth);
    else if (field.wire_type == wire::length_delimited)
        target = write_texts(level, field, found);
    else
        target = write_scalars(field, found);
    point(slot, target);
}

void ToFlat::point(std::uint32_t slot, std::uint32_t target)
{
    out_.point(slot, target);
    if (recorder_ != nullptr) recorder_->pointed(slot, target);
}

std::uint32_t ToFlat::write_message(Level& level, const FieldRow& field, const Found& found, int depth)
{
    auto& child = *level.type->children[field.index];
    std::uint32_t position = 0;
    if (found.count == 1) {
        FlatShape* shape = nullptr;
        position = write_element(child, {found.at + found.bits, found.end}, depth + 1, shape);
    } else {
        // Occurrences of a singular message merge; the parser sees that as one message whose fields follow each other.
        const auto merged = merge(level, field, found.at, found.end);
        if (recorder_ != nullptr) recorder_->usable = false;
        position = write_table(child, merged.data(), merged.data() + merged.size(), depth + 1);
    }
    depth_ = depth;
    return position;
}

Bytes ToFlat::merge(Level& level, const FieldRow& field, const std::byte* at, const std::byte* end)
{
    level.merged.clear();
    for_each_occurrence(field, at, end, [&](std::uint32_t, const std::byte* value, const std::byte* next) {
        std::size_t length = 0;
        const auto* const start = wire::read_length(value, next, length);
        check_whole(start, next);
        level.merged.insert(level.merged.end(), start, next);
    });
    return level.merged;
}

// A field cut off at the end of one piece must not go on in the next one.
void ToFlat::check_whole(const std::byte* at, const std::byte* end) const
{
    while (at != end) {
        const auto* const field_at = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        if (value == nullptr) fail(Cause::malformed, field_at, wire::why_broken_tag(field_at, end));
        at = wire::skip_field(value, end, tag, max_message_depth - depth_ - 1);
        if (at == nullptr) fail(Cause::malformed, field_at, wire::why_broken(value, end, wire::wire_type_of(tag)));
    }
}

std::uint32_t ToFlat::write_text(const std::byte* at, const std::byte* end, bool terminated)
{
    auto length = static_cast<std::size_t>(end - at);
    if (texts_ == Texts::checked && length > max_checked_text_bytes) length = 0;
    out_.align(4);
    const auto position = out_.size();
    auto* const to = out_.extend(4 + length + (terminated ? 1 : 0));
    store_le32(to, static_cast<std::uint32_t>(length));
    if (length != 0) std::memcpy(to + 4, at, length);
    if (terminated) to[4 + length] = std::byte{0};
    if (recorder_ != nullptr && length != 0) recorder_->copied(at, static_cast<std::uint32_t>(length), position + 4);
    return position;
}

/// A repeated number becomes a vector: the count, then the elements at a multiple of their size. On the wire they come
/// packed, one by one, or mixed, in any number of places.
std::uint32_t ToFlat::write_scalars(const FieldRow& field, const Found& found)
{
    static_cast<void>(out_.reserve(16 + std::size_t{found.count} * field.flat_size));
    out_.align(field.flat_size == 8 ? 8 : 4, 4);
    const auto position = out_.size();
    out_.append(found.count);
    for_each_occurrence(field, found.at, found.end,
                        [&](std::uint32_t tag, const std::byte* value, const std::byte* next) {
                            if (wire::wire_type_of(tag) == field.wire_type) {
                                write_element_scalar(field, value, next);
                            } else {
                                std::size_t length = 0;
                                value = wire::read_length(value, next, length);
                                while (value < next) value = write_element_scalar(field, value, next);
                            }
                        });
    return position;
}

const std::byte* ToFlat::write_element_scalar(const FieldRow& field, const std::byte* at, const std::byte* end)
{
    const auto position = out_.size();
    auto* const to = out_.extend(field.flat_size);
    if (field.wire_type == wire::varint) {
        std::uint64_t raw = 0;
        const auto* const next = wire::read_varint(at, end, raw);
        raw = wire::decode_varint(field.kind, raw);
        std::memcpy(to, &raw, field.flat_size);
        if (recorder_ != nullptr) recorder_->varint(at, static_cast<std::uint32_t>(next - at), position, field);
        return next;
    }
    std::memcpy(to, at, field.flat_size);
    if (recorder_ != nullptr) recorder_->copied(at, field.flat_size, position);
    return at + field.flat_size;
}

std::uint32_t ToFlat::write_texts(Level& level, const FieldRow& field, const Found& found)
{
    out_.align(4);
    const auto position = out_.size();
    store_le32(out_.extend(4 + 4 * std::size_t{found.count}), found.count);
    std::uint32_t slot = position + 4;
    level.element = 0;
    for_each_occurrence(field, found.at, found.end, [&](std::uint32_t, const std::byte* value, const std::byte* next) {
        std::size_t length = 0;
        value = wire::read_length(value, next, length);
        // A vector of vectors does not exist in FlatBuffers: elements of `repeated bytes` are
        // strings.
        point(slot, write_text(value, next, true));
        slot += 4;
        ++level.element;
    });
    return position;
}

std::uint32_t ToFlat::write_messages(Level& level, const FieldRow& field, const Found& found, int depth)
{
    auto& child = *level.type->children[field.index];
    out_.align(4);
    const auto position = out_.size();
    store_le32(out_.extend(4 + 4 * std::size_t{found.count}), found.count);
    const auto* at = found.at;
    for (std::uint32_t i = 0; i != found.count;) {
        const auto* const tag_at = at;
        if (found.run != nullptr && at >= found.run && load<std::uint16_t>(at) != load<std::uint16_t>(found.run))
            throw WrongAssumption{};
        std::uint32_t tag = 0;
        at = wire::read_tag(at, found.end, tag);
        if (wire::number_of(tag) != field.number || wire::wire_type_of(tag) != field.wire_type) {
            at = wire::skip_field(at, found.end, tag, max_message_depth);
            continue;
        }
        std::size_t length = 0;
        at = wire::read_length(at, found.end, length);
        level.element = i;
        const auto slot = position + 4 + 4 * i;
        FlatShape* shape = nullptr;
        point(slot, write_element(child, {at, length}, depth + 1, shape));
        depth_ = depth;
        const auto head_bytes = static_cast<std::uint32_t>(at - tag_at);
        at += length;
        ++i;
        if (shape == nullptr || i == found.count || head_bytes > 4 || at - tag_at < 4) continue;
        const auto head_mask = 0xffff'ffff >> 8 * (4 - head_bytes);
        FlatShape::Run run{at,       found.end,      load_le32(tag_at) & head_mask, head_mask, head_bytes,
                           slot + 4, found.count - i};
        i += shape->doubles() && head_bytes == 2 ? write_doubles(*shape->doubles(), run)
             : shape->ready(buffer_)             ? shape->write_run(run, out_)
                                                 : 0;
        at = run.at;
    }
    return position;
}

std::uint32_t ToFlat::write_element(Type& type, Bytes element, int depth, FlatShape*& shape)
{
    const auto* const at = element.data();
    const auto length = static_cast<std::uint32_t>(element.size());
    const bool learning = options_.shapes && recorder_ == nullptr;
    if (learning) {
        shape = type.shapes.find(at, length);
        if (shape != nullptr && shape->fits(out_, depth)) {
            if (depth == 0) return shape->write_root(at, out_, buffer_);
            return shape->ready(buffer_) ? shape->write(at, out_) : shape->write_with_vtables(at, out_, buffer_);
        }
    }
    const bool record = learning && std::exchange(shape, nullptr) == nullptr && type.shapes.wants(length);
    if (record) {
        recording_.clear();
        recorder_ = &recording_;
    }
    const auto position = write_table(type, at, at + length, depth);
    if (record) {
        recorder_ = nullptr;
        type.shapes.add(length, FlatShape::make(recording_, element, out_, depth));
    }
    return position;
}

void ToFlat::fail(Cause cause, const std::byte* at, std::string_view reason) const
{
    Location where{.file = {}, .frame = {}, .offset = {}, .field = path()};
    // Bytes of a merged message are nowhere in the input.
    if (at >= in_.data() && at <= in_.data() + in_.size()) where.offset = static_cast<std::uint64_t>(at - in_.data());
    throw Error(cause, std::move(where), reason);
}

void ToFlat::fail_in(Level& level, const FieldRow& field, const std::byte* at, std::string_view reason) const
{
    const bool present = (level.presence[field.index / 64] >> (field.index % 64) & 1) != 0;
    level.field = &field;
    level.element = present ? level.found[field.index].count : 0;
    fail(Cause::malformed, at, reason);
}

std::string ToFlat::path() const
{
    std::string text;
    for (int depth = 0; depth <= depth_ && static_cast<std::size_t>(depth) < levels_.size(); ++depth) {
        const auto& level = *levels_[static_cast<std::size_t>(depth)];
        if (level.field == nullptr) break;
        if (!text.empty()) text += '.';
        text.append(level.field->name);
        if (level.field->repeated && level.element != no_element) text += '[' + std::to_string(level.element) + ']';
    }
    return text;
}

}  // namespace ositrace
