// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_check.hpp>

#include <string>

#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/flatbuffers/table.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

[[noreturn]] void fail_depth(std::uint64_t offset) { throw Error(Cause::limit, {.offset = offset}, nests_too_deep); }

// In large payloads, of lists of short messages (clouds of points), those that begin alike are looked into now and
// then. Damage that is longer than an element hits the tags, lengths and offsets between them.
constexpr std::size_t large_bytes = std::size_t{1} << 20;
constexpr std::size_t short_bytes = 64;
constexpr std::uint32_t looked_into_first = 16;
constexpr std::uint32_t passed_over_at_once = 15;

class WireCheck {
public:
    explicit WireCheck(Bytes payload) : payload_(payload) {}

    void run(const MessageTable& table)
    {
        message(payload_.data(), payload_.data() + payload_.size(), table, 0);
        if (known_fields_ == 0 && !payload_.empty())
            throw Error(Cause::malformed, Location{.offset = 0},
                        "no field of " + std::string(table.full_name) + " is in it");
    }

private:
    using Place = const std::byte*;

    void message(Place at, Place end, const MessageTable& table, int depth)
    {
        if (depth > max_message_depth) fail_depth(offset_of(at));
        const FieldRow* last = nullptr;
        std::uint32_t in_a_row = 0;
        while (at != end) {
            const auto start = at;
            std::uint32_t tag = 0;
            at = wire::read_tag(at, end, tag);
            if (at == nullptr) fail(start, wire::why_broken_tag(start, end));
            const auto* const field = table.find(wire::number_of(tag));
            const auto wire_type = wire::wire_type_of(tag);
            const bool known = field != nullptr && wire::accepts(*field, wire_type);
            known_fields_ += known ? 1 : 0;
            in_a_row = field == last ? in_a_row + 1 : 0;
            last = field;
            const bool delimited = known && wire_type == wire::length_delimited;
            at = delimited ? after_delimited(*field, at, end, depth) : after(field, tag, at, end, depth);
            if (delimited && is_large() && in_a_row >= looked_into_first && field->kind == FieldKind::message)
                at = after_those_alike(start, at, end);
        }
    }

    Place after_delimited(const FieldRow& field, Place at, Place end, int depth)
    {
        std::size_t length = 0;
        const auto start = wire::read_length(at, end, length);
        if (start == nullptr) fail(at, wire::why_broken(at, end, wire::length_delimited), &field);
        if (field.kind == FieldKind::message) {
            try {
                message(start, start + length, *field.child, depth + 1);
            } catch (const Error& error) {
                throw error.within({.field = std::string(field.name)});
            }
        } else if (is_scalar(field.kind) && length != 0) {
            check_packed(field, start, length);
        }
        return start + length;
    }

    /// Behind elements that begin with the tag and the length of the one that ends at `at`.
    static Place after_those_alike(Place element, Place at, Place end) noexcept
    {
        const auto stride = static_cast<std::size_t>(at - element);
        if (stride < 4 || stride >= short_bytes) return at;
        std::uint32_t tag = 0;
        std::size_t length = 0;
        const auto head_bytes = wire::read_length(wire::read_tag(element, at, tag), at, length) - element;
        if (head_bytes > 4) return at;
        const std::uint32_t mask = head_bytes == 4 ? 0xffff'ffff : (std::uint32_t{1} << 8 * head_bytes) - 1;
        const auto head = load_le32(element) & mask;
        for (std::uint32_t i = 0;
             i != passed_over_at_once && static_cast<std::size_t>(end - at) >= stride && (load_le32(at) & mask) == head;
             ++i)
            at += stride;
        return at;
    }

    /// The last element ends with the list.
    void check_packed(const FieldRow& field, Place start, std::size_t length) const
    {
        const bool is_varint = field.wire_type == wire::varint;
        const std::size_t size = field.wire_type == wire::fixed64 ? 8 : 4;
        if (is_varint ? static_cast<std::uint8_t>(start[length - 1]) >= 0x80 : length % size != 0)
            fail(start, "the last element of a list is cut off", &field);
    }

    Place after(const FieldRow* field, std::uint32_t tag, Place at, Place end, int depth) const
    {
        const auto next = wire::skip_field(at, end, tag, max_message_depth - depth);
        if (next == nullptr) fail(at, wire::why_broken(at, end, wire::wire_type_of(tag)), field);
        return next;
    }

    [[nodiscard]] bool is_large() const noexcept { return payload_.size() >= large_bytes; }
    [[nodiscard]] std::uint64_t offset_of(Place at) const noexcept
    {
        return static_cast<std::uint64_t>(at - payload_.data());
    }
    [[noreturn]] void fail(Place where, std::string_view what, const FieldRow* field = nullptr) const
    {
        throw Error(Cause::malformed,
                    {.offset = offset_of(where), .field = field ? std::string(field->name) : std::string()}, what);
    }

    Bytes payload_;
    std::uint64_t known_fields_ = 0;
};

class FlatCheck {
public:
    FlatCheck(Bytes payload, Layout layout)
        : buffer_(payload), layout_(layout), work_left_(work_per_byte * payload.size())
    {
    }

    void run(const MessageTable& table_of_root) { table(flat::root_of(buffer_), table_of_root, 0); }

private:
    /// Tables and vtables may be shared, so that a small buffer can be endless to walk.
    static constexpr std::uint64_t work_per_byte = 16;

    /// A vtable that names nothing but scalars inside its table: another table that has it needs no look at its fields.
    struct ScalarVtable {
        const MessageTable* message = nullptr;
        flat::Vtable vtable;
    };

    void table(std::uint32_t position, const MessageTable& message, int depth)
    {
        if (depth > max_message_depth) fail_depth(position);
        if (!spend(1) || is_like_last(position, message)) return;
        const auto vtable = flat::vtable_of(buffer_, position);
        bool all_scalar = true;
        const auto slots = vtable.slots();
        for (std::uint32_t slot = 0; slot < slots && spend(1); ++slot) {
            const std::uint32_t offset = vtable.offset(buffer_, slot);
            const auto* const field = offset == 0 ? nullptr : message.find_slot(slot, layout_);
            if (field == nullptr) continue;
            const bool scalar = is_scalar(field->kind) && !field->repeated;
            try {
                // Beyond the table's end, but within the buffer, it is read as flatbuffers' Verifier does.
                buffer_.check(std::uint64_t{position} + offset, scalar ? field->flat_size : 4,
                              "a table leaves the buffer");
                all_scalar = all_scalar && scalar && offset + field->flat_size <= vtable.table_bytes;
                if (!scalar) reference(*field, buffer_.follow(position + offset), depth);
            } catch (const Error& error) {
                throw error.within({.field = std::string(field->name)});
            }
        }
        if (all_scalar) scalar_ = {&message, vtable};
    }

    [[nodiscard]] bool is_like_last(std::uint32_t position, const MessageTable& message) const noexcept
    {
        return scalar_.message == &message && buffer_.holds(position, scalar_.vtable.table_bytes) &&
               position - buffer_.load_u32(position) == scalar_.vtable.position;
    }

    void reference(const FieldRow& field, std::uint32_t position, int depth)
    {
        if (!field.repeated) return single(field, position, depth);
        const auto elements = flat::vector_at(buffer_, position, field.flat_size);
        if (is_scalar(field.kind)) return;
        for (std::uint32_t i = 0; i < elements.count && spend(1); ++i) {
            const auto element = buffer_.follow(elements.first + 4 * i);
            const bool alike = buffer_.size() >= large_bytes && i >= looked_into_first &&
                               scalar_.message == field.child && scalar_.vtable.table_bytes < short_bytes;
            if (!alike || i % (passed_over_at_once + 1) == 0) single(field, element, depth);
        }
    }

    void single(const FieldRow& field, std::uint32_t position, int depth)
    {
        if (field.kind == FieldKind::message) return table(position, *field.child, depth + 1);
        const auto text = flat::vector_at(buffer_, position, 1);
        if (field.kind == FieldKind::string) flat::check_terminator(buffer_, std::uint64_t{text.first} + text.count);
    }

    bool spend(std::uint64_t work) noexcept
    {
        if (work_left_ < work) return false;
        work_left_ -= work;
        return true;
    }

    flat::Buffer buffer_;
    Layout layout_;
    std::uint64_t work_left_;
    ScalarVtable scalar_;
};

}  // namespace

void check_structure(Bytes payload, const MessageTable& table, Format format)
{
    if (format.encoding == Encoding::flatbuffers) return FlatCheck(payload, format.layout).run(table);
    WireCheck(payload).run(table);
}

}  // namespace ositrace
