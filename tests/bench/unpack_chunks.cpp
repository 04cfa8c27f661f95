// SPDX-License-Identifier: MPL-2.0
// How fast are the decompressors themselves? Unpacks every chunk of an MCAP file from memory to memory, with the
// library functions that our reader uses, and prints wall and CPU seconds. usage: unpack_chunks FILE.mcap lz4|zstd
// THREADS
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <lz4frame.h>
#include <zstd.h>

#include "tests/bench/mcap_chunks.hpp"

namespace {

void unpack(const std::vector<McapChunks::Chunk>& chunks, std::atomic<std::size_t>& next, bool lz4)
{
    LZ4F_dctx* lz4_context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4_context, LZ4F_VERSION))) std::abort();
    auto* const zstd_context = ZSTD_createDCtx();
    std::vector<char> out;
    for (auto i = next++; i < chunks.size(); i = next++) {
        const auto& chunk = chunks[i];
        if (out.size() < chunk.unpacked_size) out.resize(chunk.unpacked_size);
        auto made = chunk.unpacked_size;
        auto taken = chunk.size;
        if (!lz4)
            made = ZSTD_decompressDCtx(zstd_context, out.data(), out.size(), chunk.data, chunk.size);
        else if (LZ4F_decompress(lz4_context, out.data(), &made, chunk.data, &taken, nullptr) != 0)
            std::abort();
        if (made != chunk.unpacked_size) std::abort();
    }
    LZ4F_freeDecompressionContext(lz4_context);
    ZSTD_freeDCtx(zstd_context);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 4) return 2;
    const McapChunks file(argv[1], true);
    std::atomic<std::size_t> next = 0;
    time_on_threads(std::atoi(argv[3]), [&] { unpack(file.chunks, next, std::string(argv[2]) == "lz4"); });
}
