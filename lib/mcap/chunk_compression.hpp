// SPDX-License-Identifier: MPL-2.0
// The compressions of MCAP chunks. A new one is a new row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "lib/io/block_pipeline.hpp"

namespace ositrace::mcap {

struct ChunkCompressionRow {
    std::string_view name;       ///< as on the command line: `none`, `lz4`
    std::string_view mcap_name;  ///< as in the record: empty, `lz4`
    int min_level, max_level, default_level;
    bool takes_parts;  ///< else a chunk that is not in one piece is copied
    /// What it makes of a chunk: four bytes of CRC of the chunk, then its compressed form (nothing, where the chunk is written as it is).
    std::unique_ptr<BlockEncoder> (*encoder)(int level);

    [[nodiscard]] bool compresses() const noexcept { return !mcap_name.empty(); }
};

inline constexpr std::size_t chunk_crc_bytes = sizeof(std::uint32_t);

[[nodiscard]] std::span<const ChunkCompressionRow> chunk_compressions() noexcept;
/// Throws Error (usage) for an unknown name or a level that it does not have.
[[nodiscard]] const ChunkCompressionRow& chunk_compression(std::string_view name, std::optional<int> level);

}  // namespace ositrace::mcap
