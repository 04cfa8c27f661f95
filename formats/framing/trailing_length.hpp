// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>

#include <ositrace/bytes.hpp>

namespace ositrace::length_prefix {

/// Is the number at `place` a length that leads exactly to `end`? `place` + 4 <= the size of `bytes`, and <= `end`.
[[nodiscard]] bool leads_to(Bytes bytes, std::size_t place, std::size_t end) noexcept;

/// Does a length in the payload, anywhere after its first byte, lead exactly to its end? Then its own length prefix may
/// be wrong, and cover the next frame, too. A linear scan, of 10 GB/s from memory and 30 GB/s from the cache.
[[nodiscard]] bool may_hold_frames(Bytes payload) noexcept;

/// The same of a payload that arrives in pieces, each of which is scanned while it is in the cache.
class TrailingLengthScan {
public:
    explicit TrailingLengthScan(std::size_t payload_bytes) noexcept : size_(payload_bytes) {}
    /// `arrived`: the payload so far, from its first byte.
    void add(Bytes arrived) noexcept;
    /// Once all of it has arrived.
    [[nodiscard]] bool may_hold_frames() const noexcept { return found_; }

private:
    std::size_t size_;
    std::size_t place_ = 0;  ///< places before it were compared
    bool found_ = false;
};

}  // namespace ositrace::length_prefix
