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
#include "lib/io/decompressor.hpp"

namespace ositrace::mcap {

struct ChunkCompressionRow {
    std::string_view name;       ///< as on the command line: `none`, `lz4`
    std::string_view mcap_name;  ///< as in the record: empty, `lz4`
    int min_level, max_level, default_level;
    std::size_t piece_bytes;  ///< a chunk is compressed in pieces of this size or a little more, at once on several
                              ///< threads; 0: as a whole
    /// Of pieces, see PieceFront.
    std::unique_ptr<BlockEncoder> (*encoder)(int level);
    /// Append what comes before and after the compressed pieces.
    void (*begin)(ByteBuffer& out, std::uint64_t chunk_bytes);
    void (*end)(ByteBuffer& out);
    std::unique_ptr<Decompressor> (*decompressor)();
    /// See create_zstd_decompressor_in_place().
    std::unique_ptr<Decompressor> (*in_place_decompressor)();

    [[nodiscard]] bool compresses() const noexcept { return !mcap_name.empty(); }
};

/// Precedes the output of an encoder for a piece: the compressed piece, or nothing if chunks are not compressed.
struct PieceFront {
    std::uint32_t crc;         ///< of the piece
    std::uint32_t stored_crc;  ///< of its compressed form

    static constexpr std::size_t bytes = 8;
    [[nodiscard]] static PieceFront of(const ByteBuffer& encoded) noexcept;
};

[[nodiscard]] std::span<const ChunkCompressionRow> chunk_compressions() noexcept;
/// Throws Error (usage) for an unknown name or a level that it does not have.
[[nodiscard]] const ChunkCompressionRow& chunk_compression(std::string_view name, std::optional<int> level);
/// Of a chunk that is read. Throws Error (unsupported).
[[nodiscard]] const ChunkCompressionRow& chunk_compression_in_record(std::string_view mcap_name);

}  // namespace ositrace::mcap
