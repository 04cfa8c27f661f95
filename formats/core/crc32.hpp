// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// CRC-32 of IEEE 802.3 (zlib, MCAP). To go on over bytes in pieces, hand the value so far in as `crc`.
[[nodiscard]] std::uint32_t crc32(Bytes bytes, std::uint32_t crc = 0) noexcept;

/// How it is computed: by tables, or by carry-less multiplication of that many bits. All give the same.
enum class CrcWay : std::uint8_t { tables, fold_128, fold_256, fold_512 };

/// The fastest that this processor has; it has those before, too.
[[nodiscard]] CrcWay best_crc_way() noexcept;

/// For tests: crc32() in a way that this processor has.
[[nodiscard]] std::uint32_t crc32(Bytes bytes, std::uint32_t crc, CrcWay way) noexcept;

/// The CRC of two adjacent ranges, from theirs. Costs microseconds whatever their lengths.
[[nodiscard]] std::uint32_t crc32_joined(std::uint32_t front, std::uint32_t back, std::uint64_t back_bytes) noexcept;

}  // namespace ositrace
