// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <ositrace/bytes.hpp>

#include "lib/io/buffer_pool.hpp"
#include "lib/io/byte_source.hpp"

namespace ositrace {

/// A window on a byte source: contiguous bytes at the current position, in memory that the caller can keep. Bytes are
/// copied only where they span two windows. One thread at a time.
class WindowedInput {
public:
    /// Bytes that are read at once for small requests.
    static constexpr std::size_t window_bytes = std::size_t{1} << 18;
    /// A larger request gets a block of its own.
    static constexpr std::size_t large_bytes = window_bytes / 4;
    static constexpr std::size_t piece_bytes = std::size_t{1} << 18;

    /// `offset`: of the next byte of the source, for offset().
    explicit WindowedInput(std::unique_ptr<ByteSource> source, std::uint64_t offset = 0);

    /// At least `count` bytes at the position; fewer only at the end or when a stop was requested. Valid while owner()
    /// is kept. Memory grows as bytes arrive, so an unverified `count` allocates no more than the input fills. `extra`:
    /// further bytes that a block of a large request may hold, without waiting for them.
    /// `on_piece`: called with the bytes at the position whenever some of a large request have arrived, while the last
    /// `piece_bytes` of them are in the cache.
    Bytes ensure(std::size_t count, const std::stop_token& stop, std::size_t extra = 0,
                 const std::function<void(Bytes)>& on_piece = {});
    /// The bytes that are available without reading.
    [[nodiscard]] Bytes buffered() const noexcept
    {
        return {block_ ? block_->data() + begin_ : nullptr, end_ - begin_};
    }
    /// Skips bytes of buffered().
    void consume(std::size_t count) noexcept;
    /// Skips bytes, buffered or not. Where the source can skip, they are not read, and only a few of the bytes after
    /// them are read at once.
    void skip(std::uint64_t count, const std::stop_token& stop);
    /// Computes the CRC of all bytes consumed from here on, until bytes are skipped without reading them.
    void keep_crc() noexcept { crc_ = 0; }
    void drop_crc() noexcept { crc_.reset(); }
    /// nullopt: it is not computed, or bytes were skipped.
    [[nodiscard]] std::optional<std::uint32_t> crc() const noexcept { return crc_; }
    /// Keeps buffered() alive; may outlive this object.
    [[nodiscard]] std::shared_ptr<const void> owner() noexcept;
    /// Of the current position.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    [[nodiscard]] const ByteSource& source() const noexcept { return *source_; }

private:
    void make_room(std::size_t count, std::size_t extra);
    [[nodiscard]] std::size_t room_for(std::size_t missing) noexcept;
    [[nodiscard]] std::size_t first_capacity(std::size_t wanted) const;

    std::unique_ptr<ByteSource> source_;
    BufferPool pool_;
    std::shared_ptr<Block> block_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t limit_ = 0;   ///< the block is filled up to here
    bool lent_ = false;       ///< the block has another owner, so it must not move
    std::size_t small_read_;  ///< how much the next read takes at once, where not all of it may be wanted; 0: a window
    std::uint64_t offset_ = 0;
    std::optional<std::uint32_t> crc_;
};

}  // namespace ositrace
