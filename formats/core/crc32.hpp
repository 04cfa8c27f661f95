// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// CRC-32 of IEEE 802.3 (zlib, MCAP). To go on over bytes in pieces, hand the value so far in as `crc`.
[[nodiscard]] std::uint32_t crc32(Bytes bytes, std::uint32_t crc = 0) noexcept;

/// The CRC of two adjacent ranges, from theirs. Costs microseconds whatever their lengths.
[[nodiscard]] std::uint32_t crc32_joined(std::uint32_t front, std::uint32_t back, std::uint64_t back_bytes) noexcept;

}  // namespace ositrace
