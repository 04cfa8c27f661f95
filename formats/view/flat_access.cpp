// SPDX-License-Identifier: MPL-2.0
#include "formats/view/flat_access.hpp"

#include <array>

#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace {

namespace {

std::uint64_t load_stored(const std::byte* from, std::uint8_t bytes) noexcept
{
    if (bytes == 8) return load_le64(from);
    if (bytes == 4) return load_le32(from);
    return load<std::uint8_t>(from);
}

}  // namespace

std::uint32_t FlatAccess::place_of(const MessageView& view, const FieldRow& field)
{
    const flat::Buffer buffer(view.bytes_);
    const auto vtable = flat::vtable_of(buffer, view.position_);
    const std::uint32_t offset = vtable.offset(buffer, field.slot(view.format_.layout));
    if (offset == 0) return 0;
    const std::uint32_t bytes = field.repeated ? 4 : field.flat_size;
    // Beyond the table's end, but within the buffer, it is read as flatbuffers' Verifier and accessors do (and the
    // transcoder).
    buffer.check(std::uint64_t{view.position_} + offset, bytes, "a table leaves the buffer");
    return view.position_ + offset;
}

flat::Vector FlatAccess::elements_of(const MessageView& view, const FieldRow& field)
{
    const auto place = place_of(view, field);
    if (place == 0) return {};
    const flat::Buffer buffer(view.bytes_);
    return flat::vector_at(buffer, buffer.follow(place), field.flat_size);
}

bool FlatAccess::has(const MessageView& view, const FieldRow& field)
{
    return field.repeated ? elements_of(view, field).count != 0 : place_of(view, field) != 0;
}

std::optional<std::uint64_t> FlatAccess::stored_scalar(const MessageView& view, const FieldRow& field)
{
    const auto place = place_of(view, field);
    if (place == 0) return std::nullopt;
    return load_stored(view.bytes_.data() + place, field.flat_size);
}

Value FlatAccess::reference(const MessageView& view, const FieldRow& field)
{
    const auto place = place_of(view, field);
    return place == 0 ? Value{} : target_of(view, field, place);
}

Value FlatAccess::target_of(const MessageView& view, const FieldRow& field, std::uint32_t place)
{
    const flat::Buffer buffer(view.bytes_);
    const auto target = buffer.follow(place);
    if (field.kind == FieldKind::message) {
        if (view.depth_ >= max_message_depth) throw Error(Cause::limit, {.offset = place}, nests_too_deep);
        auto child = view;
        child.table_ = field.child;
        child.position_ = target;
        ++child.depth_;
        return child;
    }
    const auto bytes = flat::vector_at(buffer, target, 1);
    // Elements of `repeated bytes` are strings too: FlatBuffers has no vectors of vectors.
    if (field.kind == FieldKind::string || field.repeated)
        flat::check_terminator(buffer, std::uint64_t{bytes.first} + bytes.count);
    const auto value = view.bytes_.subspan(bytes.first, bytes.count);
    if (field.kind == FieldKind::string) return text_of(value);
    return value;
}

RepeatedView FlatAccess::repeated(const MessageView& view, const FieldRow& field)
{
    const auto vector = elements_of(view, field);
    RepeatedView elements;
    elements.message_ = view;
    elements.field_ = &field;
    elements.vector_ = vector.first;
    elements.size_ = vector.count;
    return elements;
}

Value FlatAccess::element(const RepeatedView& elements, std::size_t i)
{
    const auto& field = *elements.field_;
    const auto place = elements.vector_ + static_cast<std::uint32_t>(i) * field.flat_size;
    if (!is_scalar(field.kind)) return target_of(elements.message_, field, place);
    return scalar_value(field, load_stored(elements.message_.bytes_.data() + place, field.flat_size));
}

void FlatAccess::copy_rooted(const MessageView& view, ByteBuffer& out)
{
    std::array<std::byte, 8> front{};  // without an identifier
    store_le32(front.data(), view.position_ + static_cast<std::uint32_t>(front.size()));
    out.clear(front.size() + view.bytes_.size());
    out.append(front);
    out.append(view.bytes_);
}

void FlatAccess::for_each_field(const MessageView& view, const std::function<bool(const FieldRow&)>& visit)
{
    const flat::Buffer buffer(view.bytes_);
    const auto vtable = flat::vtable_of(buffer, view.position_);
    for (const auto& field : view.table_->fields) {
        const bool in_use = vtable.offset(buffer, field.slot(view.format_.layout)) != 0;
        // An empty vector is no element.
        if (in_use && (!field.repeated || view.has(field)) && !visit(field)) return;
    }
}

std::size_t FlatAccess::unknown_fields(const MessageView& view)
{
    const flat::Buffer buffer(view.bytes_);
    const auto vtable = flat::vtable_of(buffer, view.position_);
    std::size_t count = 0;
    for (std::uint32_t slot = 0; slot != vtable.slots(); ++slot)
        if (vtable.offset(buffer, slot) != 0 && view.table_->find_slot(slot, view.format_.layout) == nullptr) ++count;
    return count;
}

}  // namespace ositrace
