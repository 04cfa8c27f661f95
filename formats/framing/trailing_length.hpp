// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>

#include <ositrace/bytes.hpp>

namespace ositrace::length_prefix {

/// Is the number at `place` a length that leads exactly to `end`? `place` + 4 <= `end` <= the size of `bytes`.
[[nodiscard]] bool leads_to(Bytes bytes, std::size_t place, std::size_t end) noexcept;

/// Does a length in the payload, anywhere after its first byte, lead exactly to its end? Then its own length prefix may
/// be wrong, and cover the next frame, too. A linear scan, of 15 to 20 GB/s.
[[nodiscard]] bool may_hold_frames(Bytes payload) noexcept;

}  // namespace ositrace::length_prefix
