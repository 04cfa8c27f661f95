// SPDX-License-Identifier: MPL-2.0
// How fast are the compressors themselves? Compresses every chunk of an uncompressed MCAP file in memory, with the library functions and
// settings that our writer uses, and prints wall and CPU seconds.
// usage: compress_chunks FILE.mcap lz4|zstd LEVEL THREADS
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <lz4frame.h>
#include <zstd.h>

#include "tests/bench/cpu_seconds.hpp"

namespace {

constexpr std::size_t magic_bytes = 8;
constexpr std::size_t prefix_bytes = 9;
constexpr char chunk_opcode = 0x06;
constexpr std::size_t records_at = 8 + 8 + 8 + 4 + 4 + 8;  // in a chunk whose compression is the empty string

struct Chunk {
    const char* data;
    std::size_t size;
};

std::uint64_t load64(const char* from)
{
    std::uint64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::vector<Chunk> chunks_of(const std::string& file)
{
    std::vector<Chunk> chunks;
    for (std::size_t at = magic_bytes; at + prefix_bytes <= file.size() - magic_bytes;) {
        const auto size = load64(file.data() + at + 1);
        if (file[at] == chunk_opcode) chunks.push_back({file.data() + at + prefix_bytes + records_at, size - records_at});
        at += prefix_bytes + size;
    }
    return chunks;
}

std::size_t bound_of(bool lz4, std::size_t size, const LZ4F_preferences_t& preferences)
{
    return lz4 ? LZ4F_compressFrameBound(size, &preferences) : ZSTD_compressBound(size);
}

void compress(const std::vector<Chunk>& chunks, std::atomic<std::size_t>& next, bool lz4, int level)
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
    std::ifstream in(argv[1], std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto chunks = chunks_of(file);
    const bool lz4 = std::string(argv[2]) == "lz4";
    std::atomic<std::size_t> next = 0;
    const auto start = std::chrono::steady_clock::now();
    const auto cpu = cpu_seconds();
    std::vector<std::thread> threads;
    for (int i = 0; i != std::atoi(argv[4]); ++i) threads.emplace_back([&] { compress(chunks, next, lz4, std::atoi(argv[3])); });
    for (auto& thread : threads) thread.join();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f\n", wall.count(), cpu_seconds() - cpu);
}
