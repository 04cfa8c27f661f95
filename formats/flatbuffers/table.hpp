// SPDX-License-Identifier: MPL-2.0
// Reads a FlatBuffer that is not verified: every offset is checked before it is followed. Alignment is not required
// (loads are unaligned), so that buffers after a size prefix can be read, too.
// Source: flatbuffers.dev/internals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

namespace ositrace::flat {

/// Where an offset leads nowhere; the caller adds field path and file.
[[noreturn]] void fail(std::uint64_t position, std::string_view what);
/// Likewise, with what was found and what was expected.
[[noreturn]] void fail(std::uint64_t position, std::string_view what, std::uint64_t found, std::string_view expected);

/// A buffer of at most 2^31 - 1 bytes; positions are offsets from its start.
class Buffer {
public:
    explicit Buffer(Bytes bytes);

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] const std::byte* at(std::uint32_t position) const noexcept { return data_ + position; }
    [[nodiscard]] bool holds(std::uint64_t position, std::uint64_t count) const noexcept
    {
        return position <= size_ && count <= size_ - position;
    }
    void check(std::uint64_t position, std::uint64_t count, const char* what) const
    {
        if (!holds(position, count)) fail_check(position, count, what);
    }
    [[nodiscard]] std::uint32_t load_u32(std::uint32_t position) const noexcept { return load_le32(data_ + position); }
    [[nodiscard]] std::uint16_t load_u16(std::uint32_t position) const noexcept
    {
        return load<std::uint16_t>(data_ + position);
    }

    /// Follows the unsigned offset at `position` (whose 4 bytes were checked). An offset of 0 would point to itself.
    [[nodiscard]] std::uint32_t follow(std::uint32_t position) const
    {
        const auto offset = load_u32(position);
        if (offset == 0 || offset > size_ - position) fail_offset(position, offset);
        return position + offset;
    }

private:
    [[noreturn]] void fail_check(std::uint64_t position, std::uint64_t count, const char* what) const;
    [[noreturn]] void fail_offset(std::uint32_t position, std::uint32_t offset) const;

    const std::byte* data_;
    std::uint32_t size_;
};

/// A vtable: how long, and where in the table each slot is.
struct Vtable {
    std::uint32_t position = 0;
    std::uint16_t bytes = 0;  ///< of the vtable
    std::uint16_t table_bytes = 0;

    [[nodiscard]] std::uint32_t slots() const noexcept { return (bytes - 4u) / 2; }
    /// Offset of a slot from the start of the table; 0 = not present.
    [[nodiscard]] std::uint16_t offset(const Buffer& buffer, std::uint32_t slot) const noexcept
    {
        return slot < slots() ? buffer.load_u16(position + 4 + 2 * slot) : std::uint16_t{0};
    }
};

/// The vtable of the table at `table`, checked to lie in the buffer, as does the table.
[[nodiscard]] inline Vtable vtable_of(const Buffer& buffer, std::uint32_t table)
{
    buffer.check(table, 4, "a table leaves the buffer");
    const auto position = std::int64_t{table} - static_cast<std::int32_t>(buffer.load_u32(table));
    if (position < 0 || !buffer.holds(static_cast<std::uint64_t>(position), 4))
        fail(table, "a vtable leaves the buffer: it would be at byte " + std::to_string(position));
    Vtable vtable{static_cast<std::uint32_t>(position), 0, 0};
    vtable.bytes = buffer.load_u16(vtable.position);
    vtable.table_bytes = buffer.load_u16(vtable.position + 2);
    if (vtable.bytes < 4 || vtable.bytes % 2 != 0)
        fail(vtable.position, "a vtable of an impossible length", vtable.bytes, "an even number from 4 on");
    buffer.check(vtable.position, vtable.bytes, "a vtable leaves the buffer");
    if (vtable.table_bytes < 4)
        fail(vtable.position, "a vtable for a table of an impossible length", vtable.table_bytes, "4 or more");
    buffer.check(table, vtable.table_bytes, "a table leaves the buffer");
    return vtable;
}

/// Does vtable_of() return one? For a search that tries every byte: an exception for each would take most of its time.
[[nodiscard]] inline bool has_vtable(const Buffer& buffer, std::uint32_t table) noexcept
{
    if (!buffer.holds(table, 4)) return false;
    const auto position = std::int64_t{table} - static_cast<std::int32_t>(buffer.load_u32(table));
    if (position < 0 || !buffer.holds(static_cast<std::uint64_t>(position), 4)) return false;
    const auto vtable = static_cast<std::uint32_t>(position);
    const auto bytes = buffer.load_u16(vtable);
    const auto table_bytes = buffer.load_u16(vtable + 2);
    return bytes >= 4 && bytes % 2 == 0 && buffer.holds(vtable, bytes) && table_bytes >= 4 &&
           buffer.holds(table, table_bytes);
}

/// A vector (or string): its elements, checked to lie in the buffer.
struct Vector {
    std::uint32_t first = 0;  ///< position of element 0
    std::uint32_t count = 0;
};

[[nodiscard]] inline Vector vector_at(const Buffer& buffer, std::uint32_t position, std::uint32_t element_bytes)
{
    buffer.check(position, 4, "a vector leaves the buffer");
    const Vector vector{position + 4, buffer.load_u32(position)};
    buffer.check(vector.first, std::uint64_t{vector.count} * element_bytes, "a vector leaves the buffer");
    return vector;
}

/// Strings end with a zero byte that their length does not count; it is at `end`.
inline void check_terminator(const Buffer& buffer, std::uint64_t end)
{
    buffer.check(end, 1, "a string leaves the buffer");
    if (*buffer.at(static_cast<std::uint32_t>(end)) != std::byte{0})
        fail(end, "a string does not end with a zero byte");
}

/// The root table of a finished buffer.
[[nodiscard]] inline std::uint32_t root_of(const Buffer& buffer)
{
    if (buffer.size() < 8) fail(0, "too short for a FlatBuffer", buffer.size(), "8 bytes or more");
    return buffer.follow(0);
}

}  // namespace ositrace::flat
