// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

/// A field of a message with its tag ready to be written: looked up once, used in every loop. The schema must outlive
/// it.
class FieldTag {
public:
    /// Throws Error (mismatch) when the message has no such field, Error (unsupported) when the field is packed.
    FieldTag(const MessageTable& message, std::string_view field);

    [[nodiscard]] const FieldRow& row() const noexcept { return *row_; }
    [[nodiscard]] Bytes bytes() const noexcept { return {bytes_.data(), size_}; }
    /// The number of an enumerator of this enum field. Throws Error (mismatch) when there is none of that name.
    [[nodiscard]] std::int32_t enumerator(std::string_view name) const;

private:
    const FieldRow* row_;
    std::array<std::byte, wire::max_tag_bytes> bytes_{};
    std::uint8_t size_ = 0;
};

/// Writes one message forward in canonical form: shortest lengths, fields in the order of the calls, which must ascend
/// by number (asserted, as is that the call suits the kind of the field). Appends to `out`, which must outlive it.
class MessageWriter {
public:
    explicit MessageWriter(ByteBuffer& out) noexcept : out_(&out) {}

    /// double and float fields.
    void real(const FieldTag& tag, double value)
    {
        const auto kind = tag.row().kind;
        assert(kind == FieldKind::double_ || kind == FieldKind::float_);
        auto* const to = put(tag, sizeof value);
        if (kind == FieldKind::double_) {
            store(to, value);
            out_->commit_back(sizeof value);
        } else {
            store(to, static_cast<float>(value));
            out_->commit_back(sizeof(float));
        }
    }
    /// int32, int64, sint, enum and bool fields.
    void integer(const FieldTag& tag, std::int64_t value) { varint(tag, static_cast<std::uint64_t>(value)); }
    /// uint32 and uint64 fields.
    void unsigned_integer(const FieldTag& tag, std::uint64_t value) { varint(tag, value); }
    void boolean(const FieldTag& tag, bool value) { varint(tag, value ? 1 : 0); }
    /// An enum field by the name of the enumerator; a search, so resolve it with FieldTag::enumerator() for a hot loop.
    void enumeration(const FieldTag& tag, std::string_view name) { integer(tag, tag.enumerator(name)); }
    /// string and bytes fields, and messages that are encoded already.
    void bytes(const FieldTag& tag, Bytes value);
    void text(const FieldTag& tag, std::string_view value) { bytes(tag, bytes_of(value)); }

    /// A submessage: `content()` writes its fields with this writer. With a good guess of the size large ones are not
    /// moved.
    template <class Content>
    void message(const FieldTag& tag, Content&& content, std::size_t expected_bytes = 0)
    {
        assert(tag.row().kind == FieldKind::message);
        put(tag, 0);
        const auto outer_number = last_number_;
        last_number_ = 0;
        const auto start = begin_length(expected_bytes);
        content();
        end_length(start, expected_bytes);
        last_number_ = outer_number;
    }

    /// The buffer, for what is encoded already: whole fields, tags included.
    [[nodiscard]] ByteBuffer& buffer() noexcept { return *out_; }

private:
    /// Writes the tag, and makes room for `value_bytes` after it.
    std::byte* put(const FieldTag& tag, std::size_t value_bytes)
    {
        assert(tag.row().number >= last_number_);
        last_number_ = tag.row().number;
        const auto bytes = tag.bytes();
        auto* const to = out_->reserve_back(wire::max_tag_bytes + value_bytes);
        std::memcpy(to, bytes.data(), bytes.size());
        out_->commit_back(bytes.size());
        return to + bytes.size();
    }
    void varint(const FieldTag& tag, std::uint64_t value)
    {
        assert(tag.row().wire_type == wire::varint);
        auto* const to = put(tag, wire::max_varint_bytes);
        auto* const end = wire::write_varint(to, wire::encode_varint(tag.row().kind, value));
        out_->commit_back(static_cast<std::size_t>(end - to));
    }
    std::size_t begin_length(std::size_t expected_bytes);
    void end_length(std::size_t start, std::size_t expected_bytes);

    ByteBuffer* out_;
    std::uint32_t last_number_ = 0;
};

}  // namespace ositrace
