// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>

#include "lib/io/ordered_workers.hpp"

namespace ositrace {

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
