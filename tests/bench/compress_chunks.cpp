// SPDX-License-Identifier: MPL-2.0
// How fast are the compressors themselves? Compresses every chunk of an uncompressed MCAP file in memory, with the library functions and
// settings that our writer uses, and prints wall and CPU seconds.
// usage: compress_chunks FILE.mcap lz4|zstd LEVEL THREADS
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <lz4frame.h>
#include <zstd.h>

#include "tests/bench/mcap_chunks.hpp"

namespace {

std::size_t bound_of(bool lz4, std::size_t size, const LZ4F_preferences_t& preferences)
{
    return lz4 ? LZ4F_compressFrameBound(size, &preferences) : ZSTD_compressBound(size);
}

void compress(const std::vector<McapChunks::Chunk>& chunks, std::atomic<std::size_t>& next, bool lz4, int level)
{
    LZ4F_preferences_t preferences{};
    preferences.compressionLevel = level;
    preferences.frameInfo.blockSizeID = LZ4F_max256KB;
    preferences.frameInfo.blockMode = LZ4F_blockIndependent;
    auto* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    std::vector<char> out;
    for (auto i = next++; i < chunks.size(); i = next++) {
        const auto& chunk = chunks[i];
        preferences.frameInfo.contentSize = chunk.size;
        const auto bound = bound_of(lz4, chunk.size, preferences);
        if (out.size() < bound) out.resize(bound);
        const auto size = lz4 ? LZ4F_compressFrame(out.data(), bound, chunk.data, chunk.size, &preferences)
                              : ZSTD_compress2(context, out.data(), bound, chunk.data, chunk.size);
        if (lz4 ? LZ4F_isError(size) : ZSTD_isError(size)) std::abort();
    }
    ZSTD_freeCCtx(context);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 5) return 2;
    const McapChunks file(argv[1]);
    const bool lz4 = std::string(argv[2]) == "lz4";
    std::atomic<std::size_t> next = 0;
    time_on_threads(std::atoi(argv[4]), [&] { compress(file.chunks, next, lz4, std::atoi(argv[3])); });
}
