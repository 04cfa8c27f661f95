// SPDX-License-Identifier: MPL-2.0
#include "formats/view/protobuf_access.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_check.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/oneof_choice.hpp"

namespace ositrace {

/// A singular submessage that is split into several pieces on the wire, joined: the pieces one after another are
/// the merged message, that is how Protobuf defines merging. Only scans go over the copy; what they find is looked up
/// in the original bytes, so that strings and messages that are handed out do not depend on the copy.
struct MergedMessage {
    struct Piece {
        std::size_t start;       ///< in `bytes`
        Bytes original;          ///< in the payload
        std::uint32_t position;  ///< of the original in the payload
    };
    std::vector<std::byte> bytes;
    std::vector<Piece> pieces;  ///< ascending by start

    void add(Bytes original, std::uint32_t position)
    {
        pieces.push_back({bytes.size(), original, position});
        bytes.insert(bytes.end(), original.begin(), original.end());
    }

    /// The piece that holds a place in `bytes`.
    [[nodiscard]] const Piece& piece_at(std::size_t place) const noexcept
    {
        std::size_t low = 0, high = pieces.size();
        while (high - low > 1) {
            const auto middle = (low + high) / 2;
            (pieces[middle].start <= place ? low : high) = middle;
        }
        return pieces[low];
    }
};

namespace {

bool packs(const FieldRow& field) noexcept { return field.repeated && is_scalar(field.kind); }

std::uint32_t own_tag(const FieldRow& field) noexcept { return wire::make_tag(field.number, field.wire_type); }
std::uint32_t packed_tag(const FieldRow& field) noexcept
{
    return wire::make_tag(field.number, wire::length_delimited);
}

/// Payload of a length-delimited field that a scan has accepted.
Bytes payload_of(const std::byte* value, const std::byte* next) noexcept
{
    std::size_t length = 0;
    const auto* const start = wire::read_length(value, next, length);
    return {start, length};
}

/// Decodes one element whose end has been checked.
std::uint64_t stored_bits(const FieldRow& field, const std::byte* at, const std::byte* end) noexcept
{
    if (field.wire_type == wire::fixed64) return load_le64(at);
    if (field.wire_type == wire::fixed32) return load_le32(at);
    std::uint64_t raw = 0;
    static_cast<void>(wire::read_varint(at, end, raw));
    return wire::decode_varint(field.kind, raw);
}

}  // namespace

/// Calls visit(occurrence) until it returns false. Checks as it goes, so a later occurrence may still throw.
template <class Visit>
void ProtobufAccess::scan(const MessageView& view, Visit&& visit)
{
    const auto* at = view.bytes_.data();
    const auto* const end = at + view.bytes_.size();
    const wire::OneofChoice oneofs(view.bytes_, *view.table_, view.depth_);
    while (at != end) {
        const auto* const start = at;
        Occurrence field{};
        at = wire::read_tag(at, end, field.tag);
        if (at == nullptr) fail_at(view, start);
        field.value = at;
        if (wire::wire_type_of(field.tag) == wire::length_delimited) {
            std::size_t length = 0;
            at = wire::read_length(at, end, length);
            if (at != nullptr) at += length;
        } else {
            at = wire::skip_field(at, end, field.tag, max_message_depth - view.depth_);
        }
        if (at == nullptr) fail_at(view, start);
        field.next = at;
        if (oneofs.is_replaced(field.tag, start)) continue;
        if (!visit(field)) return;
    }
}

/// Calls visit(start of the element) until it returns false; false when it did.
template <class Visit>
bool ProtobufAccess::scan_packed(const MessageView& view, const FieldRow& field, Bytes chunk, Visit&& visit)
{
    const auto* at = chunk.data();
    const auto* const end = at + chunk.size();
    const auto tag = own_tag(field);
    while (at != end) {
        const auto* const element = at;
        at = wire::skip_field(at, end, tag, 0);
        if (at == nullptr) fail(view, element, &field, "the packed elements end in the middle of one");
        if (!visit(element)) return false;
    }
    return true;
}

template <class Visit>
void ProtobufAccess::scan_elements(const MessageView& view, const FieldRow& field, Visit&& visit)
{
    const auto tag = own_tag(field);
    const auto packed = packs(field) ? packed_tag(field) : tag;
    scan(view, [&](const Occurrence& found) {
        if (found.tag == tag) return static_cast<bool>(visit(found.value));
        if (found.tag == packed) return scan_packed(view, field, payload_of(found.value, found.next), visit);
        return true;
    });
}

bool ProtobufAccess::has(const MessageView& view, const FieldRow& field)
{
    bool found = false;
    scan_elements(view, field, [&](const std::byte*) {
        found = true;
        return false;
    });
    return found;
}

std::optional<std::uint64_t> ProtobufAccess::stored_scalar(const MessageView& view, const FieldRow& field)
{
    const std::byte* last = nullptr;
    const auto tag = own_tag(field);
    scan(view, [&](const Occurrence& found) {
        if (found.tag == tag) last = found.value;
        return true;
    });
    if (last == nullptr) return std::nullopt;
    return stored_bits(field, last, view.bytes_.data() + view.bytes_.size());
}

Value ProtobufAccess::reference(const MessageView& view, const FieldRow& field)
{
    const auto tag = own_tag(field);
    std::size_t count = 0;
    Bytes last;
    scan(view, [&](const Occurrence& found) {
        if (found.tag != tag) return true;
        last = payload_of(found.value, found.next);
        ++count;
        return true;
    });
    if (count == 0) return {};
    return count > 1 && field.kind == FieldKind::message ? merged_child(view, field) : reference_to(view, field, last);
}

Value ProtobufAccess::reference_to(const MessageView& view, const FieldRow& field, Bytes payload)
{
    if (field.kind == FieldKind::message) return child(view, field, payload);
    std::uint32_t position = 0;
    payload = original(view, payload, position);
    if (field.kind == FieldKind::string) return text_of(payload);
    return payload;
}

Bytes ProtobufAccess::original(const MessageView& view, Bytes found, std::uint32_t& position) noexcept
{
    const auto place = static_cast<std::size_t>(found.data() - view.bytes_.data());
    position = view.position_ + static_cast<std::uint32_t>(place);
    if (view.merged_ == nullptr) return found;
    const auto& piece = view.merged_->piece_at(place);
    position = piece.position + static_cast<std::uint32_t>(place - piece.start);
    return piece.original.subspan(place - piece.start, found.size());
}

MessageView ProtobufAccess::child(const MessageView& view, const FieldRow& field, Bytes payload)
{
    if (view.depth_ >= max_message_depth) fail(view, payload.data(), &field, nests_too_deep, Cause::limit);
    MessageView child;
    child.bytes_ = original(view, payload, child.position_);
    child.table_ = field.child;
    child.depth_ = static_cast<std::uint16_t>(view.depth_ + 1);
    child.format_ = view.format_;
    return child;
}

MessageView ProtobufAccess::merged_child(const MessageView& view, const FieldRow& field)
{
    const auto merged = std::make_shared<MergedMessage>();
    const auto tag = own_tag(field);
    MessageView whole;
    scan(view, [&](const Occurrence& found) {
        if (found.tag != tag) return true;
        whole = child(view, field, payload_of(found.value, found.next));
        // Each piece must be whole by itself: a field cut off at its end must not go on in the next one.
        scan(whole, [](const Occurrence&) { return true; });
        merged->add(whole.bytes_, whole.position_);
        return true;
    });
    whole.bytes_ = merged->bytes;
    whole.position_ = 0;
    whole.merged_ = merged;
    return whole;
}

Value ProtobufAccess::value_at(const MessageView& view, const FieldRow& field, const std::byte* at)
{
    const auto* const end = view.bytes_.data() + view.bytes_.size();
    if (is_scalar(field.kind)) return scalar_value(field, stored_bits(field, at, end));
    return reference_to(view, field, payload_of(at, end));
}

RepeatedView ProtobufAccess::repeated(const MessageView& view, const FieldRow& field)
{
    const auto offsets = std::make_shared<std::vector<std::uint32_t>>();
    const auto* const start = view.bytes_.data();
    scan_elements(view, field, [&](const std::byte* element) {
        offsets->push_back(static_cast<std::uint32_t>(element - start));
        return true;
    });
    RepeatedView elements;
    elements.message_ = view;
    elements.field_ = &field;
    elements.size_ = static_cast<std::uint32_t>(offsets->size());
    elements.offsets_ = offsets;
    return elements;
}

Value ProtobufAccess::element(const RepeatedView& elements, std::size_t i)
{
    const auto& view = elements.message_;
    return value_at(view, *elements.field_, view.bytes_.data() + (*elements.offsets_)[i]);
}

void ProtobufAccess::for_each_element(const MessageView& view, const FieldRow& field,
                                      const std::function<bool(const Value&)>& visit)
{
    scan_elements(view, field, [&](const std::byte* element) { return visit(value_at(view, field, element)); });
}

void ProtobufAccess::for_each_field(const MessageView& view, const std::function<bool(const FieldRow&)>& visit)
{
    const auto& fields = view.table_->fields;
    std::vector<bool> present(fields.size());
    scan(view, [&](const Occurrence& found) {
        const auto* const field = view.table_->find(wire::number_of(found.tag));
        if (field == nullptr || !wire::accepts(*field, wire::wire_type_of(found.tag))) return true;
        if (found.tag == own_tag(*field) || !payload_of(found.value, found.next).empty()) present[field->index] = true;
        return true;
    });
    for (const auto& field : fields)
        if (present[field.index] && !visit(field)) return;
}

void MessageView::find_fields(std::span<WirePlace> places) const
{
    const auto* const start = bytes_.data();
    ProtobufAccess::scan(*this, [&](const ProtobufAccess::Occurrence& found) {
        const auto* const field = table_->find(wire::number_of(found.tag));
        if (field == nullptr || !wire::accepts(*field, wire::wire_type_of(found.tag))) return true;
        auto& place = places[field->index];
        ++place.count;
        place.last = static_cast<std::uint32_t>(found.value - start);
        return true;
    });
}

std::uint64_t MessageView::scalar_at(const FieldRow& field, WirePlace place) const
{
    return stored_bits(field, bytes_.data() + place.last, bytes_.data() + bytes_.size());
}

Value MessageView::reference_at(const FieldRow& field, WirePlace place) const
{
    if (place.count > 1 && field.kind == FieldKind::message) return ProtobufAccess::merged_child(*this, field);
    const auto* const value = bytes_.data() + place.last;
    return ProtobufAccess::reference_to(*this, field, payload_of(value, bytes_.data() + bytes_.size()));
}

std::size_t ProtobufAccess::unknown_fields(const MessageView& view)
{
    std::size_t count = 0;
    scan(view, [&](const Occurrence& found) {
        const auto* const field = view.table_->find(wire::number_of(found.tag));
        if (field == nullptr || !wire::accepts(*field, wire::wire_type_of(found.tag))) ++count;
        return true;
    });
    return count;
}

MessageView ProtobufAccess::up_to_damage(const MessageView& view)
{
    auto front = view;
    const auto* end = view.bytes_.data();
    try {
        scan(view, [&](const Occurrence& found) {
            end = found.next;
            return true;
        });
    } catch (const Error&) {
        front.bytes_ = view.bytes_.first(static_cast<std::size_t>(end - view.bytes_.data()));
    }
    return front;
}

void ProtobufAccess::fail(const MessageView& view, const std::byte* where, const FieldRow* field,
                          std::string_view reason, Cause cause)
{
    std::uint32_t position = 0;
    static_cast<void>(original(view, {where, std::size_t{0}}, position));
    Location place;
    place.offset = position;
    if (field != nullptr) place.field = field->name;
    throw Error(cause, place, reason);
}

void ProtobufAccess::fail_at(const MessageView& view, const std::byte* start)
{
    const auto* const end = view.bytes_.data() + view.bytes_.size();
    std::uint32_t tag = 0;
    const auto* const value = wire::read_tag(start, end, tag);
    if (value == nullptr) fail(view, start, nullptr, wire::why_broken_tag(start, end));
    const auto number = wire::number_of(tag);
    const auto* const field = view.table_->find(number);
    const auto unknown =
        field == nullptr ? "field " + std::to_string(number) + " (unknown to the schema): " : std::string();
    fail(view, start, field, unknown + wire::why_broken(value, end, wire::wire_type_of(tag)));
}

MessageView up_to_damage(const MessageView& message)
{
    return message.format().encoding == Encoding::protobuf ? ProtobufAccess::up_to_damage(message) : message;
}

}  // namespace ositrace
