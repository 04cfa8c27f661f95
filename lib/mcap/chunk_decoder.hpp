// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/random_access.hpp>

#include "formats/mcap/records.hpp"
#include "lib/io/buffer_pool.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/ordered_workers.hpp"

namespace ositrace {

/// The records of a chunk.
struct ChunkBytes {
    Bytes bytes;
    std::shared_ptr<const void> owner;
    std::uint64_t application_records = 0;  ///< among them, where they were counted
    bool confirmed = false;                 ///< a checksum of these records, or of all that is around them, is compared
    std::uint64_t start = 0;                ///< the log times that the chunk states; from 0 on: none
    std::uint64_t end = ~std::uint64_t{0};

    void set_times(const mcap::Chunk& stated) noexcept
    {
        if (stated.message_end_time == 0) return;
        start = stated.message_start_time;
        end = stated.message_end_time;
    }

    [[nodiscard]] std::size_t size() const noexcept { return bytes.size(); }
};

/// A chunk that was read and unpacked at once.
struct DecodedChunk {
    std::string_view compression;             ///< static
    mcap::Chunk stated;                       ///< see stated_by()
    std::optional<std::uint32_t> record_crc;  ///< of all of the record, if it was asked for
    std::uint64_t records_offset = 0;         ///< of its records in the file; 0: they are compressed
    ChunkBytes records;
};

/// Unpacks chunks. Thread-safe.
class ChunkDecoder {
public:
    /// What is read and unpacked at once: it and what it unpacks to fit into a core's cache.
    static constexpr std::size_t usual_piece_bytes = std::size_t{256} << 10;

    /// `max_bytes`: of an unpacked chunk.
    explicit ChunkDecoder(std::uint64_t max_bytes, std::size_t piece_bytes = usual_piece_bytes)
        : max_bytes_(max_bytes), piece_bytes_(piece_bytes)
    {
    }

    /// `owner`: of the chunk's bytes, which are the result where nothing is compressed. Memory grows as bytes come out,
    /// so that an announced size allocates nothing by itself. Throws Error without a place: malformed (damaged, another
    /// size or CRC than announced), limit, unsupported.
    [[nodiscard]] ChunkBytes decode(const mcap::Chunk& chunk, std::shared_ptr<const void> owner);
    /// Reads a Chunk record from a file and decodes it. `length`: with its prefix. Each piece is still in the
    /// processor's cache when it is unpacked, and so is the result when its CRC is computed. nullopt: the caller must
    /// read the record and decode it by the other function. Small reads are expensive, memory would have to grow, or
    /// there is damage, which the other function describes.
    [[nodiscard]] std::optional<DecodedChunk> decode(const RandomAccess& file, std::uint64_t offset,
                                                     std::uint64_t length, bool wants_record_crc);
    /// Memory for chunks as they are stored.
    [[nodiscard]] BufferPool& pool() noexcept { return pool_; }

private:
    using CreateDecompressor = std::unique_ptr<Decompressor> (*)();
    struct Idle {
        CreateDecompressor kind;
        std::unique_ptr<Decompressor> decompressor;
    };
    /// Afterwards it is to be put back, unless it failed halfway.
    [[nodiscard]] std::unique_ptr<Decompressor> take(CreateDecompressor kind);
    void put_back(CreateDecompressor kind, std::unique_ptr<Decompressor> decompressor);
    ChunkBytes unpack(const mcap::Chunk& chunk);
    [[nodiscard]] std::optional<DecodedChunk> read_plain(const RandomAccess& file, std::uint64_t offset, Bytes front,
                                                         const mcap::Chunk& chunk, std::uint64_t length,
                                                         bool wants_record_crc);

    std::uint64_t max_bytes_;
    std::size_t piece_bytes_;
    BufferPool pool_;
    BufferPool pieces_;
    std::mutex mutex_;
    std::vector<Idle> idle_;
};

/// The numbers of a Chunk record, without what it borrows.
[[nodiscard]] mcap::Chunk stated_by(mcap::Chunk chunk) noexcept;

/// The CRC of a Chunk record that was decoded: that of its records is used where they are stored as they are. `record`:
/// with its prefix.
[[nodiscard]] std::uint32_t chunk_record_crc(Bytes record);

/// `none` for the empty name that MCAP has for it.
[[nodiscard]] std::string_view chunk_compression_name(std::string_view compression) noexcept;

/// Threads that unpack chunks beside the reading one: `asked`, or one per processor, but no more than keep a reader
/// busy. None with one processor, where they would only take turns.
[[nodiscard]] unsigned unpacking_threads(unsigned asked) noexcept;

/// Unpacks chunks ahead on threads, in the order in which they are added: for the stream reader, for the walk through
/// a file without an index, for check, and for the cursor of an indexed trace. One thread at a time.
template <class Unpacked>
class ChunkQueue {
public:
    /// Bytes of chunks that are unpacked or wait; one more chunk may be, whatever its size.
    static constexpr std::uint64_t enough_bytes = std::uint64_t{40} << 20;

    explicit ChunkQueue(unsigned threads) : threads_(threads), workers_(threads) {}

    [[nodiscard]] bool empty() const noexcept { return chunks_.empty(); }
    [[nodiscard]] bool full() const noexcept { return chunks_.size() > threads_ || bytes_ >= enough_bytes; }
    [[nodiscard]] bool contains(std::uint64_t key) const
    {
        return std::ranges::find(chunks_, key, &Chunk::key) != chunks_.end();
    }
    /// `stored` and `unpacked`: lengths in bytes; `unpacked` is only announced, so it counts up to enough_bytes.
    void add(std::uint64_t key, std::uint64_t stored, std::uint64_t unpacked, std::function<Unpacked()> unpack)
    {
        chunks_.push_back({key, std::max(stored, std::min(unpacked, enough_bytes))});
        bytes_ += chunks_.back().bytes;
        workers_.add(std::move(unpack));
    }
    /// The key of the oldest chunk, which there must be.
    [[nodiscard]] std::uint64_t front() const noexcept { return chunks_.front().key; }
    /// The oldest chunk. Throws what its unpacking threw.
    Unpacked take()
    {
        bytes_ -= chunks_.front().bytes;
        chunks_.pop_front();
        return workers_.take();
    }
    void clear()
    {
        workers_.clear();
        chunks_.clear();
        bytes_ = 0;
    }

private:
    struct Chunk {
        std::uint64_t key, bytes;
    };

    unsigned threads_;
    std::deque<Chunk> chunks_;
    std::uint64_t bytes_ = 0;
    OrderedWorkers<Unpacked> workers_;
};

}  // namespace ositrace
