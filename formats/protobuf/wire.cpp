// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/wire.hpp"

#include <algorithm>

namespace ositrace::wire {

const std::byte* read_varint_slow(const std::byte* at, const std::byte* end, std::uint64_t& value) noexcept
{
    std::uint64_t result = 0;
    for (int shift = 0; shift < 7 * max_varint_bytes; shift += 7) {
        if (at == end) return nullptr;
        const auto byte = static_cast<std::uint8_t>(*at++);
        if (shift < 64) result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            value = result;
            return at;
        }
    }
    return nullptr;
}

const std::byte* read_tag_slow(const std::byte* at, const std::byte* end, std::uint32_t& tag) noexcept
{
    std::uint64_t value = 0;
    const auto* const limit = at + std::min<std::ptrdiff_t>(end - at, max_tag_bytes);
    at = read_varint_slow(at, limit, value);
    tag = static_cast<std::uint32_t>(value);
    return number_of(tag) == 0 ? nullptr : at;
}

namespace {

const std::byte* skip_group(const std::byte* at, const std::byte* end, std::uint32_t number, int depth) noexcept
{
    while (at != nullptr) {
        std::uint32_t tag = 0;
        at = read_tag(at, end, tag);
        if (at == nullptr) return nullptr;
        if (wire_type_of(tag) == end_group) return number_of(tag) == number ? at : nullptr;
        at = skip_field(at, end, tag, depth);
    }
    return nullptr;
}

}  // namespace

const std::byte* skip_field(const std::byte* at, const std::byte* end, std::uint32_t tag, int depth) noexcept
{
    std::uint64_t value = 0;
    std::size_t length = 0;
    switch (wire_type_of(tag)) {
    case varint: return read_varint(at, end, value);
    case fixed64: return end - at < 8 ? nullptr : at + 8;
    case length_delimited: at = read_length(at, end, length); return at == nullptr ? nullptr : at + length;
    case start_group: return depth <= 0 ? nullptr : skip_group(at, end, number_of(tag), depth - 1);
    case fixed32: return end - at < 4 ? nullptr : at + 4;
    default: return nullptr;
    }
}

namespace {

std::string too_short(const std::string& expected, std::ptrdiff_t found)
{
    return expected + ", found " + std::to_string(found) + " before the end of the message";
}

}  // namespace

bool are_fields(Bytes bytes) noexcept
{
    constexpr int depth = 100;
    const auto* at = bytes.data();
    const auto* const end = at + bytes.size();
    while (at != nullptr && at < end) {
        std::uint32_t tag = 0;
        at = read_tag(at, end, tag);
        if (at != nullptr) at = wire_type_of(tag) == end_group ? nullptr : skip_field(at, end, tag, depth);
    }
    return at != nullptr || bytes.empty();
}

std::string why_broken_tag(const std::byte* at, const std::byte* end)
{
    std::uint64_t value = 0;
    const auto* const limit = at + std::min<std::ptrdiff_t>(end - at, max_tag_bytes);
    if (read_varint_slow(at, limit, value) != nullptr) return "field number 0, expected 1 to 536870911";
    return end - at < max_tag_bytes ? "a tag that the end of the message cuts off" : "a tag of more than 5 bytes";
}

std::string why_broken(const std::byte* at, const std::byte* end, std::uint8_t wire_type)
{
    std::uint64_t value = 0;
    switch (wire_type) {
    case fixed64: return too_short("expected 8 bytes", end - at);
    case fixed32: return too_short("expected 4 bytes", end - at);
    case start_group: return "a group without its end, or its nesting exceeds the limit of 100 levels";
    case varint:
    case length_delimited: break;
    default: return "wire type " + std::to_string(wire_type) + ", expected 0, 1, 2 or 5";
    }
    const auto* const next = read_varint(at, end, value);
    if (next != nullptr) return too_short("a length of " + std::to_string(value) + " bytes", end - next);
    return end - at < max_varint_bytes ? "a varint that the end of the message cuts off"
                                       : "a varint of more than 10 bytes";
}

}  // namespace ositrace::wire
