// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/to_protobuf.hpp"

#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/wire.hpp"
#include "formats/recognize/identifier.hpp"

namespace ositrace {

namespace {

std::uint64_t load_scalar(const flat::Buffer& in, std::uint32_t position, std::uint8_t size)
{
    switch (size) {
    case 1: return load<std::uint8_t>(in.at(position));
    case 4: return load<std::uint32_t>(in.at(position));
    default: return load<std::uint64_t>(in.at(position));
    }
}

}  // namespace

ToProtobuf::ToProtobuf(const MessageTable& root, Layout layout, const TranscodeOptions& options, Texts texts)
    : options_(options),
      texts_(texts),
      layout_(layout),
      types_(root, [](const MessageTable& table) { return std::make_unique<Type>(table); })
{
}

void ToProtobuf::transcode(Bytes in, ByteBuffer& out)
{
    start_vtables();
    in_ = flat::Buffer(in);
    ++buffer_;
    depth_ = 0;
    recorder_ = nullptr;
    places_[0] = {};
    try {
        out_.start(out, std::max(last_output_bytes_, in.size()),
                   std::min(options_.limits.max_output_bytes, max_encodable_bytes));
        const auto table = flat::root_of(in_);
        check_identifier(in);
        write_root(table);
    } catch (const Error& error) {
        throw Error(error.cause(), {.file = {}, .frame = {}, .offset = error.where().offset, .field = path()},
                    error.reason());
    }
    out_.finish();
    last_output_bytes_ = out_.written();
}

/// A frame among those of another type would be read as nonsense. One without an identifier is assumed to be what the
/// caller says it is.
void ToProtobuf::check_identifier(Bytes in) const
{
    const auto expected = message_type_by_full_name(types_.root().table.full_name);
    if (!expected || identifier_of(in) == row_of(*expected).file_identifier[static_cast<std::size_t>(layout_)]) return;
    const auto claimed = claimed_by_identifier(in);
    if (!claimed) return;
    const auto described = [](MessageType type, Layout layout) {
        return std::string(row_of(type).name) + " in layout " + std::string(name_of(layout));
    };
    throw Error(Cause::mismatch, {.file = {}, .frame = {}, .offset = 4, .field = {}},
                "the file identifier '" + std::string(identifier_of(in)) + "' says " +
                    described(claimed->type, claimed->format.layout) + ", expected " + described(*expected, layout_));
}

std::uint32_t ToProtobuf::follow(std::uint32_t slot)
{
    const auto target = in_.follow(slot);
    if (recorder_ != nullptr) recorder_->constants.push_back({slot, target - slot});
    return target;
}

flat::Vector ToProtobuf::vector_at(std::uint32_t position, std::uint32_t element_bytes)
{
    const auto vector = flat::vector_at(in_, position, element_bytes);
    if (recorder_ != nullptr) {
        recorder_->constants.push_back({position, vector.count});
        recorder_->touched(vector.first + vector.count * element_bytes);
    }
    return vector;
}

// ---------------------------------------------------------------- writing

void ToProtobuf::put_tag(const Field& field)
{
    if (field.tag_bytes == 1) return out_.prepend(field.tag.front());
    std::memcpy(out_.extend(field.tag_bytes), field.tag.data(), field.tag_bytes);
}

void ToProtobuf::write_table(PresentFields& present, std::uint32_t table, int depth)
{
    depth_ = depth;
    auto& place = places_[static_cast<std::size_t>(depth)];
    place.field = nullptr;
    if (depth > max_message_depth)
        throw Error(Cause::limit, {.file = {}, .frame = {}, .offset = table, .field = {}}, nests_too_deep);
    if (present.unknown != 0) {
        if (options_.strict)
            throw Error(Cause::lossy, {.file = {}, .frame = {}, .offset = table, .field = {}},
                        "a table has fields that the schema does not know");
        unknown_fields_ += present.unknown;
    }
    if (recorder_ != nullptr) {
        recorder_->table(table, present, depth);
        // What is recorded in vain ends here: elements further down may have shapes instead.
        if (!recorder_->usable()) recorder_ = nullptr;
    }
    for (const auto& field : present.fields) {
        place = {field.row, no_element};
        write_field(field, table + field.offset, depth);
    }
    place.field = nullptr;
}

void ToProtobuf::write_field(const Field& field, std::uint32_t position, int depth)
{
    const auto& row = *field.row;
    if (row.repeated) return write_repeated(field, position, depth);
    if (row.kind == FieldKind::message)
        write_message(*field.child, position, depth);
    else if (row.wire_type == wire::length_delimited)
        write_text(position, row.kind == FieldKind::string);
    else if (row.wire_type == wire::varint)
        write_varint(row, position);
    else
        write_fixed(row, position);
    put_tag(field);
}

void ToProtobuf::write_varint(const FieldRow& row, std::uint32_t position)
{
    const auto before = out_.written();
    out_.prepend_varint(wire::encode_varint(row.kind, load_scalar(in_, position, row.flat_size)));
    if (recorder_ != nullptr)
        recorder_->values.push_back({position, out_.written(), static_cast<std::uint32_t>(out_.written() - before),
                                     TableRecording::Copy::varint, row.kind, row.flat_size});
}

void ToProtobuf::write_fixed(const FieldRow& row, std::uint32_t position)
{
    std::memcpy(out_.extend(row.flat_size), in_.at(position), row.flat_size);
    if (recorder_ != nullptr) {
        const auto copy = row.flat_size == 8 ? TableRecording::Copy::bytes8 : TableRecording::Copy::bytes4;
        recorder_->values.push_back({position, out_.written(), row.flat_size, copy, row.kind, row.flat_size});
    }
}

void ToProtobuf::write_text(std::uint32_t slot, bool terminated)
{
    auto text = vector_at(follow(slot), 1);
    const auto end = text.first + text.count;
    if (terminated) {
        flat::check_terminator(in_, end);
        if (recorder_ != nullptr) recorder_->terminators.push_back(end);
    }
    if (texts_ == Texts::checked && text.count > max_checked_text_bytes) text.count = 0;
    auto* const to = out_.extend(text.count);
    if (text.count != 0) std::memcpy(to, in_.at(text.first), text.count);
    if (recorder_ != nullptr && text.count != 0)
        recorder_->values.push_back(
            {text.first, out_.written(), text.count, TableRecording::Copy::text, FieldKind::bytes, 0});
    out_.prepend_varint(text.count);
}

void ToProtobuf::write_message(Type& type, std::uint32_t slot, int depth)
{
    const auto before = out_.written();
    const auto table = follow(slot);
    write_element(type, table, depth + 1);
    depth_ = depth;
    out_.prepend_varint(out_.written() - before);
}

void ToProtobuf::write_repeated(const Field& field, std::uint32_t slot, int depth)
{
    const auto& row = *field.row;
    const auto elements = vector_at(follow(slot), row.wire_type == wire::length_delimited ? 4 : row.flat_size);
    if (recorder_ != nullptr && (elements.count > TableRecording::max_values || !recorder_->usable()))
        recorder_ = nullptr;
    if (row.kind == FieldKind::message) return write_messages(field, elements, depth);
    auto& place = places_[static_cast<std::size_t>(depth)];
    if (row.wire_type != wire::length_delimited) return write_scalars(field, elements);
    for (std::uint32_t i = elements.count; i-- != 0;) {
        place.element = i;
        write_text(elements.first + 4 * i, true);
        put_tag(field);
    }
}

void ToProtobuf::write_scalars(const Field& field, const flat::Vector& elements)
{
    const auto& row = *field.row;
    const auto before = out_.written();
    for (std::uint32_t i = elements.count; i-- != 0;) {
        const auto position = elements.first + i * row.flat_size;
        if (row.wire_type == wire::varint)
            write_varint(row, position);
        else
            write_fixed(row, position);
        if (!row.packed) put_tag(field);
    }
    if (!row.packed || elements.count == 0) return;
    out_.prepend_varint(out_.written() - before);
    put_tag(field);
}

void ToProtobuf::write_messages(const Field& field, const flat::Vector& elements, int depth)
{
    auto& place = places_[static_cast<std::size_t>(depth)];
    for (std::uint32_t i = elements.count; i != 0;) {
        --i;
        place.element = i;
        const auto slot = elements.first + 4 * i;
        const auto before = out_.written();
        auto* const shape = write_element(*field.child, follow(slot), depth + 1);
        depth_ = depth;
        out_.prepend_varint(out_.written() - before);
        put_tag(field);
        if (shape != nullptr && i != 0) i -= write_run(*shape, field, elements.first, i);
    }
}

/// A frame that looks like an earlier one as a whole needs no look at its vtables; one that does not may still have
/// elements that do.
void ToProtobuf::write_root(std::uint32_t table)
{
    const auto size = in_.size();
    if (options_.shapes) {
        const auto* const shape = whole_shapes_.find(in_.at(0), size);
        if (shape != nullptr && shape->write(in_.at(0), out_)) return;
    }
    auto& present = present_fields(types_.root(), table, 0);
    const bool record = options_.shapes && present.kept && whole_shapes_.wants(size);
    const auto unknown_before = unknown_fields_;
    if (record) {
        recording_.clear();
        recorder_ = &recording_;
    }
    write_table(present, table, 0);
    if (!record) return;
    const bool repeatable = recorder_ != nullptr && unknown_fields_ == unknown_before;  // a shape does not count
    recorder_ = nullptr;
    whole_shapes_.add(size, repeatable ? WholeShape::make(recording_, in_, out_) : nullptr);
}

ProtobufShape* ToProtobuf::write_element(Type& type, std::uint32_t table, int depth)
{
    auto& present = present_fields(type, table, depth);
    const bool learning = options_.shapes && recorder_ == nullptr && present.kept;
    if (learning)
        if (auto* const shape = type.shapes.write(&present, in_, buffer_, table, out_, max_message_depth - depth))
            return shape;
    const bool record = learning && type.shapes.wants(&present);
    const auto before = out_.written();
    const auto unknown_before = unknown_fields_;
    if (record) {
        recording_.clear();
        recorder_ = &recording_;
    }
    write_table(present, table, depth);
    if (record) {
        const bool repeatable = recorder_ != nullptr && unknown_fields_ == unknown_before;  // a shape does not count
        recorder_ = nullptr;
        type.shapes.add(&present,
                        repeatable ? ProtobufShape::make(recording_, in_, table, out_, before, depth) : nullptr);
    }
    return nullptr;
}

std::string ToProtobuf::path() const
{
    std::string text;
    for (int depth = 0; depth <= depth_; ++depth) {
        const auto& place = places_[static_cast<std::size_t>(depth)];
        if (place.field == nullptr) break;
        if (!text.empty()) text += '.';
        text.append(place.field->name);
        if (place.field->repeated && place.element != no_element) text += '[' + std::to_string(place.element) + ']';
    }
    return text;
}

}  // namespace ositrace
