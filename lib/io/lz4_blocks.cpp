// SPDX-License-Identifier: MPL-2.0
#include "lib/io/lz4_blocks.hpp"

#include <lz4.h>
#include <lz4hc.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "lib/io/block_compressor.hpp"
#include "lib/io/xxh32.hpp"

namespace ositrace {

namespace {

constexpr std::uint32_t magic = 0x184D2204;
constexpr auto flags = std::byte{0x64};       // version 1, independent blocks, checksum of the contents
constexpr auto block_size = std::byte{0x60};  // at most 1 MiB
constexpr int first_high_level = 3;           // as the lz4 program has it
constexpr std::uint32_t stored = 0x8000'0000;  // the block is not compressed
static_assert(BlockCompressor::block_bytes == std::size_t{1} << 20);

class Lz4Encoder final : public BlockEncoder {
public:
    explicit Lz4Encoder(int level)
        : level_(level), state_(static_cast<std::size_t>(is_high() ? LZ4_sizeofStateHC() : LZ4_sizeofState()) / sizeof(std::max_align_t) + 1)
    {
    }

    void encode(Bytes block, ByteBuffer& out) override
    {
        constexpr std::size_t prefix = sizeof(std::uint32_t);
        out.clear(prefix + block.size());
        auto* const to = out.reserve_back(prefix + block.size());
        auto size = compress(block, to + prefix);
        if (size == 0) {  // it would grow
            std::memcpy(to + prefix, block.data(), block.size());
            size = static_cast<std::uint32_t>(block.size());
            store_le32(to, size | stored);
        } else {
            store_le32(to, size);
        }
        out.commit_back(prefix + size);
    }

private:
    [[nodiscard]] bool is_high() const { return level_ >= first_high_level; }

    // The size, 0 when it is not smaller than the block.
    std::uint32_t compress(Bytes block, std::byte* to)
    {
        const auto* const in = text_of(block).data();
        auto* const out = reinterpret_cast<char*>(to);
        const auto size = static_cast<int>(block.size());
        return static_cast<std::uint32_t>(is_high() ? LZ4_compress_HC_extStateHC(state_.data(), in, out, size, size - 1, level_)
                                                    : LZ4_compress_fast_extState(state_.data(), in, out, size, size - 1, 1));
    }

    int level_;
    std::vector<std::max_align_t> state_;
};

class Lz4Blocks final : public BlockFormat {
public:
    explicit Lz4Blocks(int level) : level_(level) {}

    [[nodiscard]] std::unique_ptr<BlockEncoder> encoder() const override { return std::make_unique<Lz4Encoder>(level_); }

    void begin(ByteSink& out) override
    {
        std::array<std::byte, 7> header{};
        store_le32(header.data(), magic);
        header[4] = flags;
        header[5] = block_size;
        Xxh32 checksum;
        checksum.add(Bytes(header).subspan(4, 2));
        header[6] = static_cast<std::byte>(checksum.value() >> 8);
        out.write(header);
    }

    void put(Bytes block, Bytes encoded, ByteSink& out) override
    {
        contents_.add(block);
        out.write(encoded);
    }

    void end(ByteSink& out) override
    {
        std::array<std::byte, 8> trailer{};  // a block of size 0, then the checksum
        store_le32(trailer.data() + 4, contents_.value());
        out.write(trailer);
    }

private:
    int level_;
    Xxh32 contents_;
};

}  // namespace

std::unique_ptr<Compressor> compress_lz4_blocks(ByteSink& next, const CompressionOptions& options)
{
    return std::make_unique<BlockCompressor>(next, std::make_unique<Lz4Blocks>(options.level.value_or(1)), options.threads);
}

}  // namespace ositrace
