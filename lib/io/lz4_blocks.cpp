// SPDX-License-Identifier: MPL-2.0
#include "lib/io/lz4_blocks.hpp"

#include <array>

#include "lib/io/block_compressor.hpp"
#include "lib/io/lz4_block.hpp"
#include "lib/io/xxh32.hpp"

namespace ositrace {

namespace {

static_assert(BlockCompressor::block_bytes == std::size_t{1} << 20);  // Lz4BlockSize::mib1

class Lz4Encoder final : public BlockEncoder {
public:
    explicit Lz4Encoder(int level) : encoder_(level) {}

    void encode(const GatheredBytes& block, ByteBuffer& out) override
    {
        out.clear(Lz4BlockEncoder::prefix_bytes + block.size());
        encoder_.append(block.joined(scratch_), out);
    }

private:
    Lz4BlockEncoder encoder_;
    ByteBuffer scratch_;
};

class Lz4Blocks final : public BlockFormat {
public:
    explicit Lz4Blocks(int level) : level_(level) {}

    [[nodiscard]] std::unique_ptr<BlockEncoder> encoder() const override
    {
        return std::make_unique<Lz4Encoder>(level_);
    }

    void begin(ByteSink& out) override
    {
        ByteBuffer header;
        header.clear();
        append_lz4_header(header, Lz4BlockSize::mib1, std::nullopt, true);
        out.write(header.bytes());
    }

    void put(const GatheredBytes& block, Bytes encoded, ByteSink& out) override
    {
        for (const auto part : block.parts()) contents_.add(part);
        out.write(encoded);
    }

    void end(ByteSink& out) override
    {
        ByteBuffer trailer;
        trailer.clear();
        append_lz4_end(trailer);
        std::array<std::byte, sizeof(std::uint32_t)> checksum;
        store_le32(checksum.data(), contents_.value());
        out.write(trailer.bytes(), checksum);
    }

private:
    int level_;
    Xxh32 contents_;
};

}  // namespace

std::unique_ptr<Compressor> compress_lz4_blocks(ByteSink& next, const CompressionOptions& options)
{
    return std::make_unique<BlockCompressor>(next, std::make_unique<Lz4Blocks>(options.level.value_or(1)),
                                             options.threads);
}

}  // namespace ositrace
