// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// What still comes out of a damaged compressed block.
struct UnpackedRest {
    std::vector<std::byte> bytes;
    std::vector<std::pair<std::size_t, std::size_t>>
        holes;  ///< [from, to) of `bytes`, ascending: zeros for what did not come out
};

/// Of an LZ4 frame: all blocks in front of the damage, of the broken block what stands in front of the break, and the
/// blocks behind it where blocks are independent. Checksums are passed over: that what comes out is right must be known
/// otherwise. No more than `max_bytes`. Source: the LZ4 frame format 1.6.2 and the LZ4 block format.
[[nodiscard]] UnpackedRest unpack_lz4_rest(Bytes frame, std::size_t max_bytes);

}  // namespace ositrace
