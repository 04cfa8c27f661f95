// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

/// A Protobuf message under construction, written from its last byte to its first: every length is known when it is
/// written. Positions are distances from the end (`written()`), because memory moves when it grows.
class BackwardOutput {
public:
    /// Empties `out` and writes there until finish(). More than `max_bytes` throws Error (limit).
    void start(ByteBuffer& out, std::size_t expected_bytes, std::size_t max_bytes);
    void finish();

    [[nodiscard]] std::size_t written() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    /// How many more bytes the limit allows.
    [[nodiscard]] std::size_t left() const noexcept { return max_bytes_ - written(); }
    /// Memory for `count` more bytes, now. False when that is beyond the limit.
    bool reserve(std::size_t count) { return static_cast<std::size_t>(at_ - floor_) >= count || grow(count); }
    /// Puts `count` bytes, for the caller to write, in front.
    std::byte* extend(std::size_t count)
    {
        if (!reserve(count)) refuse();
        return at_ -= count;
    }
    /// The first byte written so far.
    [[nodiscard]] std::byte* front() noexcept { return at_; }

    template <class T>
    void prepend(T value)
    {
        store(extend(sizeof value), value);
    }
    void prepend_varint(std::uint64_t value)
    {
        if (value < 0x80)
            prepend(static_cast<std::uint8_t>(value));
        else
            wire::write_varint(extend(static_cast<std::size_t>(wire::varint_size(value))), value);
    }

private:
    bool grow(std::size_t count);
    [[noreturn]] void refuse() const;
    void take(std::byte* front);

    ByteBuffer* out_ = nullptr;
    std::byte* at_ = nullptr;
    std::byte* end_ = nullptr;
    std::byte* floor_ = nullptr;  ///< nothing is written before it: headroom, or the limit
    std::size_t max_bytes_ = 0;
};

}  // namespace ositrace
