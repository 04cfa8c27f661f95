// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>

#include "formats/mcap/records.hpp"
#include "lib/io/buffer_pool.hpp"
#include "lib/io/decompressor.hpp"

namespace ositrace {

/// The records of a chunk.
struct ChunkBytes {
    Bytes bytes;
    std::shared_ptr<const void> owner;
    std::uint64_t application_records = 0;  ///< among them, where they were counted

    [[nodiscard]] std::size_t size() const noexcept { return bytes.size(); }
};

/// Unpacks chunks. Thread-safe.
class ChunkDecoder {
public:
    /// `max_bytes`: of an unpacked chunk.
    explicit ChunkDecoder(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

    /// `owner`: of the chunk's bytes, which are the result where nothing is compressed. Memory grows as bytes come out,
    /// so that an announced size allocates nothing by itself. Throws Error without a place: malformed (damaged, another
    /// size or CRC than announced), limit, unsupported.
    [[nodiscard]] ChunkBytes decode(const mcap::Chunk& chunk, std::shared_ptr<const void> owner);
    /// Memory for chunks as they are stored.
    [[nodiscard]] BufferPool& pool() noexcept { return pool_; }

private:
    struct Idle {
        std::string_view compression;
        std::unique_ptr<Decompressor> decompressor;
    };
    ChunkBytes unpack(const mcap::Chunk& chunk);

    std::uint64_t max_bytes_;
    BufferPool pool_;
    std::mutex mutex_;
    std::vector<Idle> idle_;
};

/// `none` for the empty name that MCAP has for it.
[[nodiscard]] std::string_view chunk_compression_name(std::string_view compression) noexcept;

/// Threads that unpack chunks beside the reading one: `asked`, or one per core, but no more than keep a reader busy.
[[nodiscard]] unsigned unpacking_threads(unsigned asked) noexcept;

}  // namespace ositrace
