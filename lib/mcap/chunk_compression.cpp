// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunk_compression.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "lib/io/block_encoders.hpp"
#include "lib/io/decompressors.hpp"

namespace ositrace::mcap {

namespace {

/// The CRCs of what was compressed and of what it became, put in front of that.
void put_front(ByteBuffer& encoded, std::uint32_t crc)
{
    std::array<std::byte, PieceFront::bytes> front;
    store_le32(front.data(), crc);
    store_le32(front.data() + sizeof crc, crc32(encoded.bytes()));
    encoded.prepend(front);
}

/// Compresses a piece as a whole, or not at all.
class WholeEncoder final : public BlockEncoder {
public:
    explicit WholeEncoder(std::unique_ptr<BlockEncoder> compression) : compression_(std::move(compression)) {}

    void encode(const GatheredBytes& piece, ByteBuffer& out) override
    {
        std::uint32_t crc = 0;
        for (const auto part : piece.parts()) crc = crc32(part, crc);
        out.clear();
        if (compression_) compression_->encode(piece, out);
        put_front(out, crc);
    }

private:
    std::unique_ptr<BlockEncoder> compression_;
};

/// The blocks of an LZ4 frame, small enough to stay in a core's cache between the CRC and the compression, and to lose
/// little when one is damaged. Level 1 is the fast mode, from level 3 on LZ4 HC.
class Lz4Encoder final : public BlockEncoder {
public:
    static constexpr auto block_size = Lz4BlockSize::kib256;
    static constexpr std::size_t block_bytes = std::size_t{256} << 10;

    explicit Lz4Encoder(int level) : blocks_(level) {}

    void encode(const GatheredBytes& piece, ByteBuffer& out) override
    {
        out.clear(piece.size() + (piece.size() / block_bytes + 1) * Lz4BlockEncoder::prefix_bytes);
        std::uint32_t crc = 0;
        const auto parts = piece.parts();
        EqualPieces blocks(parts, block_bytes, straddling_);
        for (auto block = blocks.next(); !block.empty(); block = blocks.next()) {
            crc = crc32(block, crc);
            blocks_.append(block, out);
        }
        put_front(out, crc);
    }

private:
    Lz4BlockEncoder blocks_;
    ByteBuffer straddling_;
};

std::unique_ptr<BlockEncoder> plain(int) { return std::make_unique<WholeEncoder>(nullptr); }
std::unique_ptr<BlockEncoder> lz4(int level) { return std::make_unique<Lz4Encoder>(level); }
std::unique_ptr<BlockEncoder> zstd(int level)
{
    return std::make_unique<WholeEncoder>(zstd_encoder(level, false));  // the chunk has its own checksum
}

void nothing_before(ByteBuffer&, std::uint64_t) {}
void nothing_after(ByteBuffer&) {}
void lz4_front(ByteBuffer& out, std::uint64_t chunk_bytes)
{
    append_lz4_header(out, Lz4Encoder::block_size, chunk_bytes, false);
}

constexpr std::array rows{
    ChunkCompressionRow{"none", "", 0, 0, 0, 0, plain, nothing_before, nothing_after, nullptr, nullptr},
    ChunkCompressionRow{"lz4", "lz4", 1, 12, 1, 2 * Lz4Encoder::block_bytes, lz4, lz4_front, append_lz4_end,
                        create_lz4_decompressor, create_lz4_decompressor},
    ChunkCompressionRow{"zstd", "zstd", 1, 22, 3, 0, zstd, nothing_before, nothing_after, create_zstd_decompressor,
                        create_zstd_decompressor_in_place},
};

std::string known_names()
{
    std::string names;
    for (const auto& row : rows) names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

}  // namespace

PieceFront PieceFront::of(const ByteBuffer& encoded) noexcept
{
    return {load_le32(encoded.data()), load_le32(encoded.data() + sizeof(std::uint32_t))};
}

std::span<const ChunkCompressionRow> chunk_compressions() noexcept { return rows; }

const ChunkCompressionRow& chunk_compression(std::string_view name, std::optional<int> level)
{
    const auto row = std::ranges::find(rows, name, &ChunkCompressionRow::name);
    if (row == rows.end())
        throw Error(Cause::usage,
                    "unknown chunk compression '" + std::string(name) + "' (known: " + known_names() + ")");
    if (!level || (*level >= row->min_level && *level <= row->max_level)) return *row;
    if (!row->compresses()) throw Error(Cause::usage, "chunks that are not compressed have no level");
    throw Error(Cause::usage, "level " + std::to_string(*level) + " is not supported by " + std::string(name) +
                                  " (expected " + std::to_string(row->min_level) + " to " +
                                  std::to_string(row->max_level) + ")");
}

const ChunkCompressionRow& chunk_compression_in_record(std::string_view mcap_name)
{
    const auto row = std::ranges::find(rows, mcap_name, &ChunkCompressionRow::mcap_name);
    if (row != rows.end()) return *row;
    throw Error(Cause::unsupported,
                "found the chunk compression '" + std::string(mcap_name) + "', expected lz4, zstd or none");
}

}  // namespace ositrace::mcap
