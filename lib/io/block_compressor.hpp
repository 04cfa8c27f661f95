// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <ositrace/byte_buffer.hpp>

#include "lib/io/compressor.hpp"

namespace ositrace {

/// Compresses single blocks; one per thread.
class BlockEncoder {
public:
    virtual ~BlockEncoder() = default;
    /// Replaces the contents of `out` by the block's compressed form.
    virtual void encode(Bytes block, ByteBuffer& out) = 0;
};

/// A file format of blocks that are compressed independently of each other. All but encoder() runs on the writing thread, in order.
class BlockFormat {
public:
    virtual ~BlockFormat() = default;
    [[nodiscard]] virtual std::unique_ptr<BlockEncoder> encoder() const = 0;
    virtual void begin(ByteSink& out) = 0;
    virtual void put(Bytes block, Bytes encoded, ByteSink& out) = 0;
    virtual void end(ByteSink& out) = 0;
};

/// Cuts what is written to it into blocks, encodes them on `threads` threads and passes them on in order. The output does not depend
/// on the number of threads. Memory: two blocks in and out per thread.
class BlockCompressor final : public Compressor {
public:
    static constexpr std::size_t block_bytes = std::size_t{1} << 20;

    /// `next` must outlive this. `threads`: 0 = one per core; 1 = none but the writing one.
    BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads);
    BlockCompressor(const BlockCompressor&) = delete;
    BlockCompressor& operator=(const BlockCompressor&) = delete;
    ~BlockCompressor() override;

    using ByteSink::write;
    void write(Bytes head, Bytes body) override;
    /// Ends the block, so that everything can be decompressed; often used, it costs compression.
    void flush() override;
    void finish() override;

private:
    struct Slot {
        enum class State : std::uint8_t { free, waiting, encoding, encoded } state = State::free;
        ByteBuffer block;
        ByteBuffer encoded;
        std::exception_ptr error;
    };

    void begin();
    void append(Bytes bytes);
    void hand_over();
    void encode_here();
    void take_back(Slot& slot);
    void pass_on(Slot& slot);
    void drain();
    void start_helper();
    void help(BlockEncoder& encoder);

    ByteSink& next_;
    std::unique_ptr<BlockFormat> format_;
    std::unique_ptr<BlockEncoder> encoder_;  ///< of the writing thread
    unsigned threads_;
    bool begun_ = false;

    std::vector<Slot> slots_;    ///< a ring: each is filled, encoded and passed on in turn
    std::size_t filling_ = 0;    ///< the slot that write() fills; the oldest of the others stands behind it
    std::mutex mutex_;           ///< guards the states, encoding_, stopping_
    std::condition_variable changed_;
    std::size_t encoding_ = 0;   ///< the slot that a helper takes next
    bool stopping_ = false;
    std::vector<std::thread> helpers_;
};

}  // namespace ositrace
