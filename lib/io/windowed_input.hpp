// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/bytes.hpp>

#include "lib/io/buffer_pool.hpp"
#include "lib/io/byte_source.hpp"

namespace ositrace {

/// A byte source seen through a window: contiguous bytes at the position, in memory that can be kept. What is asked for
/// is read once into its place; only a rest that straddles two windows is copied. One thread at a time.
class WindowedInput {
public:
    /// Bytes read at once where nothing large is asked for.
    static constexpr std::size_t window_bytes = std::size_t{1} << 18;
    /// A request above this gets a block of its own, filled with nothing else.
    static constexpr std::size_t large_bytes = window_bytes / 4;

    /// `offset`: of the source's next byte, for offset().
    explicit WindowedInput(std::unique_ptr<ByteSource> source, std::uint64_t offset = 0);

    /// At least `count` bytes at the position; fewer only at the end or when a stop was requested. They stay valid
    /// while owner() is kept. Memory grows as bytes arrive, so an unverified `count` allocates nothing that the input
    /// does not fill. `behind`: bytes that may be read besides into a large request's own block, and are not waited
    /// for.
    Bytes ensure(std::size_t count, const std::stop_token& stop, std::size_t behind = 0);
    /// What is there without reading.
    [[nodiscard]] Bytes buffered() const noexcept
    {
        return {block_ ? block_->data() + begin_ : nullptr, end_ - begin_};
    }
    /// Steps over bytes that are buffered().
    void consume(std::size_t count) noexcept;
    /// Steps over bytes, buffered or not. Those of a source that can skip are not read, and few of those behind them at
    /// once.
    void skip(std::uint64_t count, const std::stop_token& stop);
    /// From here on the CRC of all that is consumed is kept, until bytes are skipped that are not read.
    void keep_crc() noexcept { crc_ = 0; }
    void drop_crc() noexcept { crc_.reset(); }
    /// nullopt: it is not kept, or bytes are missing in it.
    [[nodiscard]] std::optional<std::uint32_t> crc() const noexcept { return crc_; }
    /// Keeps buffered() alive, beyond this object if need be.
    [[nodiscard]] std::shared_ptr<const void> owner() noexcept;
    /// Of the position in the input.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    [[nodiscard]] const ByteSource& source() const noexcept { return *source_; }

private:
    void make_room(std::size_t count, std::size_t behind);
    [[nodiscard]] std::size_t room_for(std::size_t missing) noexcept;
    [[nodiscard]] std::size_t first_capacity(std::size_t wanted) const;

    std::unique_ptr<ByteSource> source_;
    BufferPool pool_;
    std::shared_ptr<Block> block_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t limit_ = 0;  ///< how far the block is to be filled
    bool skipped_ = false;   ///< just now: it may go on like this
    bool lent_ = false;      ///< somebody else may look at the block, so it must not move
    std::uint64_t offset_ = 0;
    std::optional<std::uint32_t> crc_;
};

}  // namespace ositrace
