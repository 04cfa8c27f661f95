// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "lib/io/block_pipeline.hpp"
#include "lib/io/compressor.hpp"

namespace ositrace {

/// A file format of blocks that are compressed independently of each other. All but encoder() runs on the writing
/// thread, in order.
class BlockFormat {
public:
    virtual ~BlockFormat() = default;
    [[nodiscard]] virtual std::unique_ptr<BlockEncoder> encoder() const = 0;
    virtual void begin(ByteSink& out) = 0;
    virtual void put(const GatheredBytes& block, Bytes encoded, ByteSink& out) = 0;
    virtual void end(ByteSink& out) = 0;
};

/// Cuts what is written to it into blocks, encodes them on `threads` threads and passes them on in order. The output
/// does not depend on the number of threads.
class BlockCompressor final : public Compressor {
public:
    static constexpr std::size_t block_bytes = std::size_t{1} << 20;

    /// `next` must outlive this. `threads`: 0 = one per core; 1 = none but the writing one.
    BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads);

    using ByteSink::write;
    void write(Bytes head, Bytes body) override;
    /// Ends the block, so that everything can be decompressed; often used, it costs compression.
    void flush() override;
    void hand_on() override;
    void finish() override;

private:
    void begin();
    void append(Bytes bytes);

    ByteSink& next_;
    std::unique_ptr<BlockFormat> format_;
    bool begun_ = false;
    BlockPipeline pipeline_;
};

}  // namespace ositrace
