// SPDX-License-Identifier: MPL-2.0
// The Protobuf wire format: varints, tags, skipping. Source: protobuf.dev/programming-guides/encoding; where that is
// silent, libprotobuf 3.21. Functions return a pointer after what they read, nullptr when the bytes are broken or end
// too early; nothing beyond `end` is touched.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

namespace ositrace::wire {

enum WireType : std::uint8_t {
    varint = 0,
    fixed64 = 1,
    length_delimited = 2,
    start_group = 3,
    end_group = 4,
    fixed32 = 5
};

inline constexpr int max_varint_bytes = 10;
inline constexpr int max_tag_bytes = 5;

constexpr std::uint32_t make_tag(std::uint32_t number, std::uint8_t wire_type) noexcept
{
    return number << 3 | wire_type;
}
constexpr std::uint32_t number_of(std::uint32_t tag) noexcept { return tag >> 3; }
constexpr std::uint8_t wire_type_of(std::uint32_t tag) noexcept { return tag & 7; }

/// Bits beyond the 64th are ignored, as libprotobuf does.
[[nodiscard]] const std::byte* read_varint_slow(const std::byte* at, const std::byte* end,
                                                std::uint64_t& value) noexcept;
[[nodiscard]] const std::byte* read_tag_slow(const std::byte* at, const std::byte* end, std::uint32_t& tag) noexcept;

[[nodiscard]] inline const std::byte* read_varint(const std::byte* at, const std::byte* end,
                                                  std::uint64_t& value) noexcept
{
    if (at < end && static_cast<std::uint8_t>(*at) < 0x80) {
        value = static_cast<std::uint8_t>(*at);
        return at + 1;
    }
    if (end - at > 1 && static_cast<std::uint8_t>(at[1]) < 0x80) {
        value = (static_cast<std::uint64_t>(at[0]) & 0x7f) | static_cast<std::uint64_t>(at[1]) << 7;
        return at + 2;
    }
    return read_varint_slow(at, end, value);
}

/// A tag has at most 5 bytes; field number 0 is broken.
[[nodiscard]] inline const std::byte* read_tag(const std::byte* at, const std::byte* end, std::uint32_t& tag) noexcept
{
    if (at < end && static_cast<std::uint8_t>(*at) < 0x80 && static_cast<std::uint8_t>(*at) >= 8) {
        tag = static_cast<std::uint8_t>(*at);
        return at + 1;
    }
    return read_tag_slow(at, end, tag);
}

/// Reads a length and checks it against the bytes left.
[[nodiscard]] inline const std::byte* read_length(const std::byte* at, const std::byte* end,
                                                  std::size_t& length) noexcept
{
    std::uint64_t value = 0;
    at = read_varint(at, end, value);
    if (at == nullptr || value > static_cast<std::uint64_t>(end - at)) return nullptr;
    length = static_cast<std::size_t>(value);
    return at;
}

/// Skips a field whose tag has been read. Groups nest up to `depth` levels.
[[nodiscard]] const std::byte* skip_field(const std::byte* at, const std::byte* end, std::uint32_t tag,
                                          int depth) noexcept;

/// Can these bytes be read as fields, whatever they mean?
[[nodiscard]] bool are_fields(Bytes bytes) noexcept;

/// Why read_tag() refused the bytes at `at`, for people: what was found and what was expected.
[[nodiscard]] std::string why_broken_tag(const std::byte* at, const std::byte* end);

/// Why skip_field() refused the value at `at`, for people: what was found and what was expected.
[[nodiscard]] std::string why_broken(const std::byte* at, const std::byte* end, std::uint8_t wire_type);

constexpr int varint_size(std::uint64_t value) noexcept
{
    return (static_cast<int>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

/// Writes forward; returns the end. Up to 10 bytes must be free.
inline std::byte* write_varint(std::byte* to, std::uint64_t value) noexcept
{
    while (value >= 0x80) {
        *to++ = static_cast<std::byte>(value | 0x80);
        value >>= 7;
    }
    *to++ = static_cast<std::byte>(value);
    return to;
}

constexpr std::uint64_t zigzag(std::int64_t value) noexcept
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept
{
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

/// The wire type of one (unpacked) element.
constexpr std::uint8_t wire_type_of(FieldKind kind) noexcept
{
    switch (kind) {
    case FieldKind::double_:
    case FieldKind::fixed64:
    case FieldKind::sfixed64: return fixed64;
    case FieldKind::float_:
    case FieldKind::fixed32:
    case FieldKind::sfixed32: return fixed32;
    case FieldKind::string:
    case FieldKind::bytes:
    case FieldKind::message: return length_delimited;
    default: return varint;
    }
}

/// Is an occurrence with this wire type one of the field? Lists of scalars are read packed and unpacked, however they
/// are declared. An occurrence with another wire type is an unknown field, as libprotobuf sees it.
inline bool accepts(const FieldRow& field, std::uint8_t wire_type) noexcept
{
    return wire_type == field.wire_type || (field.repeated && wire_type == length_delimited);
}

/// What a varint means for a field, as the bits that a FlatBuffer stores: int32 and enum are truncated to 32 bits, bool
/// is 0 or 1.
constexpr std::uint64_t decode_varint(FieldKind kind, std::uint64_t raw) noexcept
{
    switch (kind) {
    case FieldKind::bool_: return raw != 0 ? 1 : 0;
    case FieldKind::int32:
    case FieldKind::uint32:
    case FieldKind::enumeration: return static_cast<std::uint32_t>(raw);
    case FieldKind::sint32: {
        const auto low = static_cast<std::uint32_t>(raw);
        return (low >> 1) ^ (~(low & 1) + 1);
    }
    case FieldKind::sint64: return static_cast<std::uint64_t>(unzigzag(raw));
    default: return raw;
    }
}

/// The other way: stored bits to the varint that libprotobuf writes. int32 and enum are sign-extended to ten bytes when
/// negative.
constexpr std::uint64_t encode_varint(FieldKind kind, std::uint64_t stored) noexcept
{
    switch (kind) {
    case FieldKind::bool_: return stored != 0 ? 1 : 0;
    case FieldKind::int32:
    case FieldKind::enumeration:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(stored)));
    case FieldKind::uint32: return static_cast<std::uint32_t>(stored);
    case FieldKind::sint32: {
        const auto value = static_cast<std::uint32_t>(stored);
        return (value << 1) ^ (~(value >> 31) + 1);
    }
    case FieldKind::sint64: return zigzag(static_cast<std::int64_t>(stored));
    default: return stored;
    }
}

}  // namespace ositrace::wire
