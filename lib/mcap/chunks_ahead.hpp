// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "lib/io/ordered_workers.hpp"
#include "lib/io/seekable_file.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/unpacked_chunk.hpp"

namespace ositrace {

/// Reads and unpacks chunks of a file on threads, in the order in which they are begun. One thread at a time.
class ChunksAhead {
public:
    /// Bytes of chunks that are being unpacked or wait to be taken; one more may be, whatever its size.
    static constexpr std::uint64_t enough_bytes = std::uint64_t{40} << 20;

    ChunksAhead(std::shared_ptr<const SeekableFile> file, std::size_t max_chunk_bytes, unsigned threads);

    [[nodiscard]] bool empty() const noexcept { return begun_.empty(); }
    [[nodiscard]] bool full() const noexcept { return begun_.size() > threads_ || begun_bytes_ >= enough_bytes; }
    /// `length`: of the content of the Chunk record at `offset`. `unpacked_bytes`: what the record announces.
    void begin(std::uint64_t offset, std::uint64_t length, std::uint64_t unpacked_bytes);
    /// Where the oldest begins, which there must be.
    [[nodiscard]] std::uint64_t offset() const noexcept { return begun_.front().offset; }
    /// The oldest. Throws Error: without a place what ChunkDecoder throws, else naming file and byte.
    [[nodiscard]] UnpackedChunk take();
    void clear();

private:
    struct Begun {
        std::uint64_t offset, bytes;
    };
    UnpackedChunk read(std::uint64_t offset, std::uint64_t length);

    std::shared_ptr<const SeekableFile> file_;
    ChunkDecoders decoders_;
    unsigned threads_;
    std::deque<Begun> begun_;
    std::uint64_t begun_bytes_ = 0;
    OrderedWorkers<UnpackedChunk> workers_;  // last: its threads use the above
};

}  // namespace ositrace
