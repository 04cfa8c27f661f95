// SPDX-License-Identifier: MPL-2.0
// The reading half of ToFlat: which fields a message has and where their values are.
#include "formats/transcode/to_flat.hpp"

#include <string>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

constexpr std::ptrdiff_t least_assumed_bytes = 65'536;
/// Where an element begins is known only when the length of the one before has been read: the processor waits for each,
/// unless the code prefetches it.
constexpr std::ptrdiff_t fetched_ahead = 2048;

}  // namespace

void ToFlat::scan(Level& level, const std::byte* at, const std::byte* end, int depth)
{
    const auto& table = level.type->table;
    while (at < end) {
        const auto* const tag_at = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        if (value == nullptr) fail(Cause::malformed, tag_at, wire::why_broken_tag(tag_at, end));
        const auto* const field = table.find(wire::number_of(tag));
        if (field == nullptr || !wire::accepts(*field, wire::wire_type_of(tag))) {
            at = skip_unknown(tag, tag_at, value, end, depth);
            continue;
        }
        at = field->repeated ? scan_repeated(level, *field, tag, tag_at, value, end)
                             : scan_singular(level, *field, tag_at, value, end);
        if (at == nullptr) fail_in(level, *field, tag_at, wire::why_broken(value, end, wire::wire_type_of(tag)));
    }
}

const std::byte* ToFlat::skip_unknown(std::uint32_t tag, const std::byte* tag_at, const std::byte* at,
                                      const std::byte* end, int depth)
{
    const auto* const next = wire::skip_field(at, end, tag, max_message_depth - depth);
    const auto wire_type = wire::wire_type_of(tag);
    if (next == nullptr || options_.strict) {
        const auto name = "field " + std::to_string(wire::number_of(tag));
        if (next == nullptr)
            fail(Cause::malformed, tag_at, name + ", unknown to the schema: " + wire::why_broken(at, end, wire_type));
        fail(Cause::lossy, tag_at,
             name + " with wire type " + std::to_string(wire_type) +
                 " is unknown to the schema and has no place in a FlatBuffer");
    }
    ++unknown_fields_;
    if (recorder_ != nullptr) recorder_->usable = false;
    return next;
}

ToFlat::Found& ToFlat::found_in(Level& level, const FieldRow& field, bool& first)
{
    auto& word = level.presence[field.index / 64];
    const auto bit = std::uint64_t{1} << (field.index % 64);
    first = (word & bit) == 0;
    word |= bit;
    return level.found[field.index];
}

const std::byte* ToFlat::scan_singular(Level& level, const FieldRow& field, const std::byte* tag_at,
                                       const std::byte* at, const std::byte* end)
{
    bool first = false;
    auto& found = found_in(level, field, first);
    if (field.wire_type == wire::length_delimited) return scan_delimited(found, field, first, tag_at, at, end);
    found.at = at;
    if (field.wire_type == wire::varint) {
        std::uint64_t raw = 0;
        found.end = wire::read_varint(at, end, raw);
        found.bits = wire::decode_varint(field.kind, raw);
    } else {
        found.end = end - at < field.flat_size ? nullptr : at + field.flat_size;
    }
    return found.end;
}

// Of strings the last occurrence counts; of messages all do: they will be merged, so the first tag is kept.
const std::byte* ToFlat::scan_delimited(Found& found, const FieldRow& field, bool first, const std::byte* tag_at,
                                        const std::byte* at, const std::byte* end)
{
    std::size_t length = 0;
    const auto* const value = wire::read_length(at, end, length);
    if (value == nullptr) return nullptr;
    found.end = value + length;
    if (first || field.kind != FieldKind::message) {
        found.at = field.kind == FieldKind::message ? tag_at : value;
        found.bits = static_cast<std::uint64_t>(value - tag_at);
        found.count = 1;
    } else {
        ++found.count;
    }
    return found.end;
}

const std::byte* ToFlat::scan_repeated(Level& level, const FieldRow& field, std::uint32_t tag, const std::byte* tag_at,
                                       const std::byte* at, const std::byte* end)
{
    const auto* next = wire::skip_field(at, end, tag, 0);
    if (next == nullptr) return nullptr;
    const bool packed = wire::wire_type_of(tag) != field.wire_type;
    const auto elements = packed ? count_packed(level, field, at, next) : 1;
    if (elements == 0) return next;  // an empty packed list is no element: the field is not present
    bool first = false;
    auto& found = found_in(level, field, first);
    if (first) found = {tag_at, next, 0, 0, nullptr};
    found.count += elements;
    if (field.wire_type == wire::length_delimited) next = scan_run(found, field, tag_at, next, end);
    return found.end = next;
}

// Lidar reflections: hundreds of thousands of elements with one tag and one length. Two bytes show that the next one is
// alike. Where the last one before the end of the message is alike and they would fill the space between, the others
// are assumed to be so, too, and write_messages() checks it: large messages are then read from memory once instead of
// twice.
const std::byte* ToFlat::scan_run(Found& found, const FieldRow& field, const std::byte* tag_at, const std::byte* at,
                                  const std::byte* end)
{
    const auto stride = at - tag_at;
    if (std::to_integer<unsigned>(tag_at[0]) >= 0x80 || std::to_integer<unsigned>(tag_at[1]) >= 0x80) return at;
    const auto head = load<std::uint16_t>(tag_at);
    const auto left = end - at;
    if (assume_runs_ && left >= least_assumed_bytes && field.kind == FieldKind::message && left % stride == 0 &&
        load<std::uint16_t>(end - stride) == head) {
        assumed_ = true;
        found.run = tag_at;
        found.count += static_cast<std::uint32_t>(left / stride);
        return end;
    }
    std::uint32_t more = 0;
    while (end - at >= stride && load<std::uint16_t>(at) == head) {
        at += stride;
        ++more;
    }
    found.count += more;
    return scan_others(found, tag_at[0], at, end);
}

// What follows with the same tag: objects, whose lengths differ. One that is broken is left to scan().
const std::byte* ToFlat::scan_others(Found& found, std::byte tag, const std::byte* at, const std::byte* end)
{
    while (at != end && *at == tag) {
        if (end - at > fetched_ahead) __builtin_prefetch(at + fetched_ahead);
        std::size_t length = 0;
        const auto* const value = wire::read_length(at + 1, end, length);
        if (value == nullptr) break;
        at = value + length;
        ++found.count;
    }
    return at;
}

std::uint32_t ToFlat::count_packed(Level& level, const FieldRow& field, const std::byte* at, const std::byte* end)
{
    std::size_t length = 0;
    at = wire::read_length(at, end, length);
    if (field.wire_type != wire::varint) {
        const std::size_t size = field.wire_type == wire::fixed64 ? 8 : 4;
        if (length % size != 0)
            fail_in(level, field, at,
                    "a packed list of " + std::to_string(length) + " bytes, expected a multiple of " +
                        std::to_string(size));
        return static_cast<std::uint32_t>(length / size);
    }
    std::uint32_t count = 0;
    while (at < end) {
        std::uint64_t value = 0;
        const auto* const next = wire::read_varint(at, end, value);
        if (next == nullptr) fail_in(level, field, at, "broken varint in a packed list");
        at = next;
        ++count;
    }
    return count;
}

}  // namespace ositrace
