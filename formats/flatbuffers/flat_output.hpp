// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>

namespace ositrace {

/// A FlatBuffer under construction, written from its first byte to its last. Positions, not pointers, are what one
/// keeps: memory moves when it grows. Every byte is written, padding with zeros, so that equal messages give equal
/// bytes.
class FlatOutput {
public:
    /// Empties `out` and writes there until finish(). More than `max_bytes` throws Error (limit).
    void start(ByteBuffer& out, std::size_t expected_bytes, std::size_t max_bytes);
    void finish();

    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(size_); }
    [[nodiscard]] std::byte* at(std::uint32_t position) noexcept { return base_ + position; }

    /// How many more bytes the limit allows.
    [[nodiscard]] std::size_t left() const noexcept { return max_bytes_ - size_; }
    /// Memory for `count` more bytes, now; extend() up to that count does not move anything. False when that is beyond
    /// the limit.
    bool reserve(std::size_t count) { return capacity_ - size_ >= count || grow(count); }
    /// Appends `count` bytes for the caller to write.
    std::byte* extend(std::size_t count)
    {
        if (!reserve(count)) refuse();
        auto* const start = base_ + size_;
        size_ += count;
        return start;
    }
    /// Pads with zeros until `offset` bytes further on the position is a multiple of `alignment`.
    void align(std::size_t alignment, std::size_t offset = 0)
    {
        const auto padding = (0 - (size_ + offset)) & (alignment - 1);
        if (padding != 0) std::memset(extend(padding), 0, padding);
    }
    template <class T>
    void append(T value)
    {
        store(extend(sizeof value), value);
    }
    /// Vtables written so far, and one more. More than `max_vtables` throws Error (limit): each costs memory in the
    /// tables of those who write and read, and no sane message has a thousandth of that.
    [[nodiscard]] std::size_t vtables() const noexcept { return vtables_; }
    void count_vtable()
    {
        if (vtables_++ == max_vtables) refuse_vtable();
    }
    static constexpr std::size_t max_vtables = 65'536;

    /// Lets the unsigned offset at `slot` point to `target`, which follows it.
    void point(std::uint32_t slot, std::uint32_t target) noexcept { store_le32(at(slot), target - slot); }

private:
    bool grow(std::size_t count);
    [[noreturn]] void refuse() const;
    [[noreturn]] static void refuse_vtable();

    ByteBuffer* out_ = nullptr;
    std::byte* base_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t max_bytes_ = 0;
    std::size_t vtables_ = 0;
};

}  // namespace ositrace
