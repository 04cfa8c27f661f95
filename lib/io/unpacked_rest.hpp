// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The part of a damaged compressed block that can be decompressed.
struct UnpackedRest {
    std::vector<std::byte> bytes;
    /// [from, to) of `bytes`, ascending: zeros for lost bytes.
    std::vector<std::pair<std::size_t, std::size_t>> holes;
};

/// Decompresses an LZ4 frame (frame format 1.6.2): all blocks before the damage, the part of the damaged block before
/// it, and the blocks after it where blocks are independent. Ignores checksums: the caller must verify the result. At
/// most `max_bytes`.
[[nodiscard]] UnpackedRest unpack_lz4_rest(Bytes frame, std::size_t max_bytes);

/// The same of a block of any compression of MCAP chunks: `lz4`, `zstd` (only what is before the damage), or empty
/// (these bytes). If the name is damaged, the first bytes decide.
[[nodiscard]] UnpackedRest unpack_rest(Bytes block, std::string_view compression, std::size_t max_bytes);

}  // namespace ositrace
