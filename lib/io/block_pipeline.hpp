// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <ositrace/byte_buffer.hpp>

namespace ositrace {

/// A sequence of bytes: small parts are copied into memory of its own, large parts between them are referenced. clear()
/// keeps the memory. One thread at a time.
class GatheredBytes {
public:
    /// Only for appending.
    [[nodiscard]] ByteBuffer& own() noexcept { return own_; }
    /// Appends bytes without copying them. `owner`, or the caller, keeps them alive until clear().
    void borrow(Bytes bytes, std::shared_ptr<const void> owner);

    [[nodiscard]] std::size_t size() const noexcept { return own_.size() + borrowed_bytes_; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// In order. Valid until the next change.
    [[nodiscard]] std::vector<Bytes> parts() const;
    /// All bytes in one piece: without a copy if nothing is borrowed, else in `scratch`.
    [[nodiscard]] Bytes joined(ByteBuffer& scratch) const;
    /// Removes all bytes and reserves memory for `capacity` own bytes.
    void clear(std::size_t capacity = 0);

private:
    struct Borrowed {
        std::size_t at;  ///< of own_
        Bytes bytes;
        std::shared_ptr<const void> owner;
    };
    ByteBuffer own_;
    std::vector<Borrowed> borrowed_;
    std::size_t borrowed_bytes_ = 0;
};

/// Iterates over parts in pieces of one size (the last may be smaller). Only pieces that span parts are copied.
class EqualPieces {
public:
    /// References both. `scratch` holds pieces that span parts.
    EqualPieces(const std::vector<Bytes>& parts, std::size_t piece_bytes, ByteBuffer& scratch)
        : parts_(parts), piece_bytes_(piece_bytes), scratch_(scratch)
    {
    }
    /// Valid until the next call; empty at the end.
    [[nodiscard]] Bytes next();

private:
    const std::vector<Bytes>& parts_;
    std::size_t piece_bytes_;
    ByteBuffer& scratch_;
    std::size_t part_ = 0;
    std::size_t taken_ = 0;  ///< of parts_[part_]
};

/// Compresses single blocks; one per thread.
class BlockEncoder {
public:
    virtual ~BlockEncoder() = default;
    /// Replaces the contents of `out` by the block's compressed form.
    virtual void encode(const GatheredBytes& block, ByteBuffer& out) = 0;
};

/// `asked`, or one per core where that is 0.
[[nodiscard]] unsigned compression_threads(unsigned asked) noexcept;

/// Encodes blocks on threads and passes them on in order. The thread that fills the blocks does all but the encoding.
/// Memory: as many input and output blocks as there are slots, but at most `enough_in_flight` bytes, or
/// Limits::own_bytes of copied bytes; one block per helper and one are always allowed.
class BlockPipeline {
public:
    using MakeEncoder = std::function<std::unique_ptr<BlockEncoder>()>;
    /// May swap `encoded` for another buffer, whose memory is used again.
    using PassOn = std::function<void(const GatheredBytes& block, ByteBuffer& encoded)>;

    static constexpr std::size_t enough_in_flight = std::size_t{40} << 20;

    /// Limits of the blocks in flight. Small blocks need more slots, so that the helpers have work while the filling
    /// thread passes blocks on. Reusing memory soon saves page faults.
    struct Limits {
        unsigned slots = 0;  ///< at least: two per helper and two
        std::size_t own_bytes = enough_in_flight;
    };

    /// `helpers`: threads that encode; 0: the filling thread encodes.
    BlockPipeline(MakeEncoder make_encoder, PassOn pass_on, unsigned helpers, Limits limits);
    BlockPipeline(const BlockPipeline&) = delete;
    BlockPipeline& operator=(const BlockPipeline&) = delete;
    ~BlockPipeline();

    /// The block to fill, empty after hand_over() and drain(). The reference is valid until then.
    [[nodiscard]] GatheredBytes& block() noexcept { return slots_[filling_].block; }
    /// Has the block encoded. After an exception of an encoder or of `pass_on`, this and all further calls throw it, as
    /// a block is missing.
    void hand_over();
    /// Hands over the block if it is not empty, and returns when all blocks have been passed on.
    void drain();
    /// The last drain(): ends threads and frees memory as soon as they are unused, not all at once after the last
    /// block.
    void finish();
    /// Passes on the oldest blocks that are encoded.
    void pass_on_encoded();

private:
    struct Slot {
        enum class State : std::uint8_t { free, waiting, encoding, encoded } state = State::free;
        GatheredBytes block;
        ByteBuffer encoded;
        std::exception_ptr error;
    };

    enum class Ending : std::uint8_t { no, when_done, at_once };

    void end_helpers(Ending ending);
    [[nodiscard]] bool too_much_in_flight() const;
    [[nodiscard]] std::size_t blocks_in_flight() const noexcept
    {
        return (filling_ + slots_.size() - oldest_) % slots_.size();
    }
    void check_failure() const;
    void pass_on(Slot& slot);
    void encode_here();
    void take_back(Slot& slot);
    void take_spare_memory(Slot& slot);
    void start_helper();
    void help(BlockEncoder& encoder);
    [[nodiscard]] std::size_t next(std::size_t slot) const noexcept { return (slot + 1) % slots_.size(); }

    MakeEncoder make_encoder_;
    PassOn pass_on_;
    std::unique_ptr<BlockEncoder> encoder_;  ///< of the filling thread
    unsigned most_helpers_;
    std::size_t most_own_bytes_;

    std::vector<Slot> slots_;    ///< a ring: each is filled, encoded and passed on in turn
    std::size_t filling_ = 0;    ///< the slot of block()
    std::size_t oldest_ = 0;     ///< the first slot that is handed over and not yet passed on; filling_: none
    std::size_t in_flight_ = 0;  ///< bytes in the slots from oldest_ to filling_
    std::size_t own_in_flight_ = 0;
    std::vector<GatheredBytes> spare_blocks_;
    std::vector<ByteBuffer> spare_;  ///< memory of slots that were passed on: as much as is in flight, not per slot
    std::mutex mutex_;  ///< guards the states, encoding_, ending_ (the filling thread, which sets it, reads it without)
    std::condition_variable changed_;
    std::size_t encoding_ = 0;  ///< the slot that a helper takes next
    Ending ending_ = Ending::no;
    std::exception_ptr failure_;  ///< the first
    std::vector<std::thread> helpers_;
};

}  // namespace ositrace
