// SPDX-License-Identifier: MPL-2.0
// How fast are the compressors themselves? Compresses every chunk of an uncompressed MCAP file in memory, with the
// library functions and settings that our writer uses, and prints wall and CPU seconds. With OUT: from file to file.
// Every thread reads a chunk, compresses it and writes it where there is room, in no order, without records, CRCs and
// indexes, in memory that it uses again and again: what a program that works from files cannot go below. Of the input
// the process then touches nothing else but where the chunks begin. usage: compress_chunks FILE.mcap lz4|zstd LEVEL
// THREADS [OUT]
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <lz4frame.h>
#include <zstd.h>

#include "tests/bench/mcap_chunks.hpp"

namespace {

std::size_t bound_of(bool lz4, std::size_t size, const LZ4F_preferences_t& preferences)
{
    return lz4 ? LZ4F_compressFrameBound(size, &preferences) : ZSTD_compressBound(size);
}

/// Compresses on one thread.
class Compressor {
public:
    Compressor(bool lz4, int level) : lz4_(lz4)
    {
        preferences_.compressionLevel = level;
        preferences_.frameInfo.blockSizeID = LZ4F_max256KB;
        preferences_.frameInfo.blockMode = LZ4F_blockIndependent;
        ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
    }
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;
    ~Compressor() { ZSTD_freeCCtx(context_); }

    /// The size; the bytes are in out().
    std::size_t compress(const char* data, std::size_t size)
    {
        preferences_.frameInfo.contentSize = size;
        const auto bound = bound_of(lz4_, size, preferences_);
        if (out_.size() < bound) out_.resize(bound);
        const auto made = lz4_ ? LZ4F_compressFrame(out_.data(), bound, data, size, &preferences_)
                               : ZSTD_compress2(context_, out_.data(), bound, data, size);
        if (lz4_ ? LZ4F_isError(made) : ZSTD_isError(made)) std::abort();
        return made;
    }
    [[nodiscard]] const char* out() const { return out_.data(); }

private:
    bool lz4_;
    LZ4F_preferences_t preferences_{};
    ZSTD_CCtx* const context_ = ZSTD_createCCtx();
    std::vector<char> out_;
};

void in_memory(const McapChunks& file, std::atomic<std::size_t>& next, Compressor&& compressor)
{
    for (auto i = next++; i < file.chunks.size(); i = next++)
        compressor.compress(file.chunks[i].data, file.chunks[i].size);
}

class BetweenFiles {
public:
    BetweenFiles(const McapChunks& file, const char* from, const char* to)
        : file_(file),
          from_(open(from, O_RDONLY | O_CLOEXEC)),
          to_(open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
    {
    }
    BetweenFiles(const BetweenFiles&) = delete;
    BetweenFiles& operator=(const BetweenFiles&) = delete;
    ~BetweenFiles()
    {
        close(from_);
        close(to_);
    }
    void work(std::atomic<std::size_t>& next, Compressor&& compressor)
    {
        std::vector<char> in;
        for (auto i = next++; i < file_.chunks.size(); i = next++) {
            const auto& chunk = file_.chunks[i];
            if (in.size() < chunk.size) in.resize(chunk.size);
            expect(pread(from_, in.data(), chunk.size, chunk.data - file_.file.data()), chunk.size);
            const auto made = compressor.compress(in.data(), chunk.size);
            expect(pwrite(to_, compressor.out(), made, static_cast<off_t>(end_.fetch_add(made))), made);
        }
    }

private:
    static void expect(ssize_t done, std::size_t size)
    {
        if (done != static_cast<ssize_t>(size)) std::abort();
    }

    const McapChunks& file_;
    int from_, to_;
    std::atomic<std::size_t> end_ = 0;
};

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 5 && argc != 6) return 2;
    const McapChunks file(argv[1], argc == 5);
    const bool lz4 = std::string(argv[2]) == "lz4";
    const int level = std::atoi(argv[3]), threads = std::atoi(argv[4]);
    std::atomic<std::size_t> next = 0;
    if (argc == 5) {
        time_on_threads(threads, [&] { in_memory(file, next, Compressor(lz4, level)); });
    } else {
        BetweenFiles files(file, argv[1], argv[5]);
        time_on_threads(threads, [&] { files.work(next, Compressor(lz4, level)); });
    }
}
