// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/mcap_channels.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

/// What came out of a damaged chunk.
struct SalvagedChunk {
    std::vector<mcap::RawRecord> messages;  ///< their contents stand in memory of the owner
    std::shared_ptr<const void> owner;      ///< null: in the chunk itself
    std::uint64_t lost_bytes = 0;           ///< of the record: the share of the unpacked chunk that is not kept
    bool proven = false;                    ///< by the CRC: the damage is none of the messages
    std::string compression;                ///< as its record has it
};

/// Unpacks a chunk as far as that goes and walks its records. Kept are messages of known channels that stand where the
/// record in front of them ends, or that a search behind a break finds, of which `is_whole` says yes; where the CRC is
/// right after all, all of them, and where the chunk states none, also those of foreign channels to which the record in
/// front of them leads. Schemas and channels that are declared in the chunk are added to `channels`. `content`: of the
/// Chunk record, which may be cut off.
[[nodiscard]] SalvagedChunk salvage_chunk(Bytes content, McapChannels& channels, const IsWholeMessage& is_whole,
                                          const McapLimits& limits);

}  // namespace ositrace
