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

#include "lib/io/gathered_bytes.hpp"

namespace ositrace {

/// Compresses single blocks; one per thread.
class BlockEncoder {
public:
    virtual ~BlockEncoder() = default;
    /// Replaces the contents of `out` by the block's compressed form.
    virtual void encode(const GatheredBytes& block, ByteBuffer& out) = 0;
};

/// `asked`, or one per core where that is 0.
[[nodiscard]] unsigned compression_threads(unsigned asked) noexcept;

/// Encodes blocks on threads and passes them on in order. Everything but the encoding happens on the thread that fills
/// the blocks. Memory: as many blocks in and out as there are slots, but no more than make `enough_in_flight` bytes, or
/// Limits::own_bytes of those that were copied; one per helper and one always.
class BlockPipeline {
public:
    using MakeEncoder = std::function<std::unique_ptr<BlockEncoder>()>;
    /// May take `encoded` away (and leave another buffer, whose memory is used again).
    using PassOn = std::function<void(const GatheredBytes& block, ByteBuffer& encoded)>;

    static constexpr std::size_t enough_in_flight = std::size_t{40} << 20;

    /// How much is in flight. Small blocks need more slots, so that the helpers have work while the filling thread
    /// passes on; their own memory, every page of which the system has to make first, is better used again soon.
    struct Limits {
        unsigned slots = 0;  ///< at least: two per helper and two
        std::size_t own_bytes = enough_in_flight;
    };

    /// `helpers`: threads that encode beside the filling one; without any that does it itself.
    BlockPipeline(MakeEncoder make_encoder, PassOn pass_on, unsigned helpers, Limits limits);
    BlockPipeline(const BlockPipeline&) = delete;
    BlockPipeline& operator=(const BlockPipeline&) = delete;
    ~BlockPipeline();

    /// The block to fill, empty after hand_over() and drain(). The reference is good until then.
    [[nodiscard]] GatheredBytes& block() noexcept { return slots_[filling_].block; }
    /// Has the block encoded. Throws what an encoder or `pass_on` threw for this or an earlier one, every time: what
    /// came in between would be missing.
    void hand_over();
    /// Hands over what is in the block, and returns when everything has been passed on.
    void drain();
    /// As drain(), for the last time: threads end and memory goes as soon as nothing is left for them, not all at once
    /// behind the last block.
    void finish();
    /// Passes on the oldest blocks, as far as they are encoded.
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

    std::vector<Slot> slots_;  ///< a ring: each is filled, encoded and passed on in turn
    std::size_t filling_ = 0;  ///< the slot of block()
    std::size_t oldest_ =
        0;  ///< the first slot that was handed over and not yet passed on; filling_ when there is none
    std::size_t in_flight_ = 0;  ///< bytes in the slots between
    std::size_t own_in_flight_ = 0;
    std::vector<GatheredBytes> spare_blocks_;
    std::vector<ByteBuffer>
        spare_;  ///< memory of slots that were passed on, so that there is as much as is in flight, not per slot
    std::mutex
        mutex_;  ///< guards the states, encoding_, ending_ (which the filling thread sets, and may look at without)
    std::condition_variable changed_;
    std::size_t encoding_ = 0;  ///< the slot that a helper takes next
    Ending ending_ = Ending::no;
    std::exception_ptr failure_;  ///< the first
    std::vector<std::thread> helpers_;
};

}  // namespace ositrace
