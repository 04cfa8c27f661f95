// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunk_compression.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "lib/io/lz4_block.hpp"
#include "lib/io/zstd_encoder.hpp"

namespace ositrace::mcap {

namespace {

void append_le32(ByteBuffer& out, std::uint32_t value)
{
    store_le32(out.reserve_back(sizeof value), value);
    out.commit_back(sizeof value);
}

class PlainEncoder final : public BlockEncoder {
public:
    void encode(const GatheredBytes& chunk, ByteBuffer& out) override
    {
        std::uint32_t crc = 0;
        for (const auto part : chunk.parts()) crc = crc32(part, crc);
        out.clear(chunk_crc_bytes);
        append_le32(out, crc);
    }
};

/// One LZ4 frame per chunk, whose blocks are small enough to stay in a core's cache between the CRC and the compression, and to lose
/// little when one is damaged. Level 1 is the fast mode, from level 3 on LZ4 HC.
class Lz4Encoder final : public BlockEncoder {
public:
    static constexpr std::size_t block_bytes = std::size_t{256} << 10;  // Lz4BlockSize::kib256

    explicit Lz4Encoder(int level) : blocks_(level) {}

    void encode(const GatheredBytes& chunk, ByteBuffer& out) override
    {
        constexpr std::size_t frame_bytes = 32;  // its front and end, and some
        const auto blocks = chunk.size() / block_bytes + 1;
        out.clear(chunk_crc_bytes + frame_bytes + chunk.size() + blocks * Lz4BlockEncoder::prefix_bytes);
        append_le32(out, 0);
        append_lz4_header(out, Lz4BlockSize::kib256, chunk.size(), false);
        std::uint32_t crc = 0;
        const auto parts = chunk.parts();
        EqualPieces pieces(parts, block_bytes, straddling_);
        for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
            crc = crc32(piece, crc);
            blocks_.append(piece, out);
        }
        append_lz4_end(out);
        store_le32(out.data(), crc);
    }

private:
    Lz4BlockEncoder blocks_;
    ByteBuffer straddling_;
};

class ZstdEncoder final : public BlockEncoder {
public:
    explicit ZstdEncoder(int level) : compression_(zstd_encoder(level, false)) {}  // the chunk has its own checksum

    void encode(const GatheredBytes& chunk, ByteBuffer& out) override
    {
        std::uint32_t crc = 0;
        for (const auto part : chunk.parts()) crc = crc32(part, crc);
        compression_->encode(chunk, out);
        std::array<std::byte, chunk_crc_bytes> front;
        store_le32(front.data(), crc);
        out.prepend(front);
    }

private:
    std::unique_ptr<BlockEncoder> compression_;
};

template <class Encoder>
std::unique_ptr<BlockEncoder> make(int level)
{
    return std::make_unique<Encoder>(level);
}

constexpr std::array rows{
    ChunkCompressionRow{"none", "", 0, 0, 0, true, [](int) -> std::unique_ptr<BlockEncoder> { return std::make_unique<PlainEncoder>(); }},
    ChunkCompressionRow{"lz4", "lz4", 1, 12, 1, true, make<Lz4Encoder>},
    ChunkCompressionRow{"zstd", "zstd", 1, 22, 3, false, make<ZstdEncoder>},
};

std::string known_names()
{
    std::string names;
    for (const auto& row : rows) names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

}  // namespace

std::span<const ChunkCompressionRow> chunk_compressions() noexcept { return rows; }

const ChunkCompressionRow& chunk_compression(std::string_view name, std::optional<int> level)
{
    const auto row = std::ranges::find(rows, name, &ChunkCompressionRow::name);
    if (row == rows.end())
        throw Error(Cause::usage, "unknown chunk compression '" + std::string(name) + "' (known: " + known_names() + ")");
    if (!level || (*level >= row->min_level && *level <= row->max_level)) return *row;
    if (!row->compresses()) throw Error(Cause::usage, "chunks that are not compressed have no level");
    throw Error(Cause::usage, "level " + std::to_string(*level) + " is none of " + std::string(name) + ", which has " +
                                  std::to_string(row->min_level) + " to " + std::to_string(row->max_level));
}

}  // namespace ositrace::mcap
