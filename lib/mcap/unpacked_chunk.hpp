// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "lib/mcap/chunk_decoder.hpp"

namespace ositrace {

/// The records of a chunk and where they were found.
struct UnpackedChunk {
    ChunkBytes records;
    std::string compression;           ///< as in the file: empty = none
    std::uint64_t offset = 0;          ///< of the Chunk record
    std::uint64_t records_offset = 0;  ///< of its records, as they are stored
};

}  // namespace ositrace
