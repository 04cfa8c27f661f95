// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/chunk_compression.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <array>
#include <string>

#include <ositrace/error.hpp>

#include "lib/io/zstd_encoder.hpp"

namespace ositrace::mcap {

namespace {

/// One LZ4 frame per chunk. Level 1 is the fast mode, from level 3 on LZ4 HC.
class Lz4Encoder final : public BlockEncoder {
public:
    explicit Lz4Encoder(int level)
    {
        preferences_.compressionLevel = level;
        preferences_.frameInfo.blockSizeID = LZ4F_max4MB;
        preferences_.frameInfo.blockMode = LZ4F_blockIndependent;
    }

    void encode(Bytes block, ByteBuffer& out) override
    {
        preferences_.frameInfo.contentSize = block.size();
        const auto bound = LZ4F_compressFrameBound(block.size(), &preferences_);
        out.clear(bound);
        const auto size = LZ4F_compressFrame(out.reserve_back(bound), bound, block.data(), block.size(), &preferences_);
        if (LZ4F_isError(size)) throw Error(Cause::io, std::string("lz4: ") + LZ4F_getErrorName(size));
        out.commit_back(size);
    }

private:
    LZ4F_preferences_t preferences_{};
};

std::unique_ptr<BlockEncoder> lz4_encoder(int level) { return std::make_unique<Lz4Encoder>(level); }

// The chunk has its own checksum.
std::unique_ptr<BlockEncoder> plain_zstd_encoder(int level) { return zstd_encoder(level, false); }

constexpr std::array rows{
    ChunkCompressionRow{"none", "", 0, 0, 0, nullptr},
    ChunkCompressionRow{"lz4", "lz4", 1, 12, 1, lz4_encoder},
    ChunkCompressionRow{"zstd", "zstd", 1, 22, 3, plain_zstd_encoder},
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
    if (!row->encoder) throw Error(Cause::usage, "chunks that are not compressed have no level");
    throw Error(Cause::usage, "level " + std::to_string(*level) + " is none of " + std::string(name) + ", which has " +
                                  std::to_string(row->min_level) + " to " + std::to_string(row->max_level));
}

}  // namespace ositrace::mcap
