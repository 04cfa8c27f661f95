// SPDX-License-Identifier: MPL-2.0
#include "lib/io/compressor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <zstd.h>

#include <ositrace/error.hpp>

#include "lib/io/block_encoders.hpp"
#include "lib/io/block_pipeline.hpp"

namespace ositrace {

namespace {

/// A file format of independently compressed blocks. All functions but encoder() are called by the writing thread, in
/// order.
class BlockFormat {
public:
    virtual ~BlockFormat() = default;
    [[nodiscard]] virtual std::unique_ptr<BlockEncoder> encoder() const = 0;
    virtual void begin(ByteSink& out) = 0;
    virtual void put(const GatheredBytes& block, Bytes encoded, ByteSink& out) = 0;
    virtual void end(ByteSink& out) = 0;
};

/// Splits its input into blocks and compresses them on `threads` threads. The output does not depend on the number of
/// threads.
class BlockCompressor final : public Compressor {
public:
    static constexpr std::size_t block_bytes = std::size_t{1} << 20;

    /// `next` must outlive this. `threads`: 0 = one per core; 1 = the writing thread only.
    BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads);

    using ByteSink::write;
    void write(Bytes head, Bytes body) override;
    /// Ends the block, so that all input can be decompressed. Frequent use makes the output larger.
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

BlockCompressor::BlockCompressor(ByteSink& next, std::unique_ptr<BlockFormat> format, unsigned threads)
    : next_(next),
      format_(std::move(format)),
      pipeline_([this] { return format_->encoder(); },
                [this](const GatheredBytes& block, const ByteBuffer& encoded) {
                    begin();
                    format_->put(block, encoded.bytes(), next_);
                },
                compression_threads(threads) == 1 ? 0 : compression_threads(threads), {})
{
}

void BlockCompressor::write(Bytes head, Bytes body)
{
    append(head);
    append(body);
}

void BlockCompressor::append(Bytes bytes)
{
    while (!bytes.empty()) {
        auto& block = pipeline_.block();
        if (block.empty()) block.clear(block_bytes);
        const auto count = std::min(bytes.size(), block_bytes - block.size());
        block.own().append(bytes.first(count));
        bytes = bytes.subspan(count);
        if (block.size() == block_bytes) pipeline_.hand_over();
    }
}

void BlockCompressor::flush()
{
    pipeline_.drain();
    next_.flush();
}

void BlockCompressor::hand_on()
{
    if (!pipeline_.block().empty()) pipeline_.hand_over();
    pipeline_.pass_on_encoded();
    next_.flush();
}

void BlockCompressor::finish()
{
    pipeline_.drain();
    begin();
    format_->end(next_);
}

void BlockCompressor::begin()
{
    if (!std::exchange(begun_, true)) format_->begin(next_);
}

static_assert(BlockCompressor::block_bytes == std::size_t{1} << 20);  // Lz4BlockSize::mib1

class Lz4FileEncoder final : public BlockEncoder {
public:
    explicit Lz4FileEncoder(int level) : encoder_(level) {}

    void encode(const GatheredBytes& block, ByteBuffer& out) override
    {
        out.clear(Lz4BlockEncoder::prefix_bytes + block.size());
        encoder_.append(block.joined(scratch_), out);
    }

private:
    Lz4BlockEncoder encoder_;
    ByteBuffer scratch_;
};

/// One LZ4 frame (lz4_Frame_format.md 1.6) of independent blocks with a checksum of the contents. Level 1 is the fast
/// mode, levels from 3 on are LZ4 HC.
class Lz4Blocks final : public BlockFormat {
public:
    explicit Lz4Blocks(int level) : level_(level) {}

    [[nodiscard]] std::unique_ptr<BlockEncoder> encoder() const override
    {
        return std::make_unique<Lz4FileEncoder>(level_);
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

std::unique_ptr<Compressor> compress_lz4_blocks(ByteSink& next, const CompressionOptions& options)
{
    return std::make_unique<BlockCompressor>(next, std::make_unique<Lz4Blocks>(options.level.value_or(1)),
                                             options.threads);
}

constexpr std::uint32_t skippable_magic = 0x184D2A5E;
constexpr std::uint32_t seekable_magic = 0x8F92EAB1;
constexpr std::size_t footer_bytes = 9;
constexpr std::size_t max_frames = 0x8000000;

void append_le32(ByteBuffer& out, std::uint32_t value)
{
    std::array<std::byte, 4> bytes;
    store_le32(bytes.data(), value);
    out.append(bytes);
}

/// The zstd seekable format (zstd/contrib/seekable_format): independent zstd frames, then a skippable frame with their
/// sizes. Every zstd decompressor reads it.
class ZstdSeekable final : public BlockFormat {
public:
    explicit ZstdSeekable(int level) : level_(level) { table_.clear(); }

    [[nodiscard]] std::unique_ptr<BlockEncoder> encoder() const override { return zstd_encoder(level_, true); }

    void begin(ByteSink&) override {}

    void put(const GatheredBytes& block, Bytes encoded, ByteSink& out) override
    {
        if (++frames_ > max_frames) throw Error(Cause::limit, "the limit of the zstd seekable format is 128 TiB");
        append_le32(table_, static_cast<std::uint32_t>(encoded.size()));
        append_le32(table_, static_cast<std::uint32_t>(block.size()));
        out.write(encoded);
    }

    void end(ByteSink& out) override
    {
        ByteBuffer header;
        header.clear();
        append_le32(header, skippable_magic);
        append_le32(header, static_cast<std::uint32_t>(table_.size() + footer_bytes));
        append_le32(table_, frames_);
        table_.append(std::array{std::byte{0}});  // no checksums here: every frame has its own
        append_le32(table_, seekable_magic);
        out.write(header.bytes(), table_.bytes());
    }

private:
    int level_;
    std::uint32_t frames_ = 0;
    ByteBuffer table_;
};

std::unique_ptr<Compressor> compress_zstd_seekable(ByteSink& next, const CompressionOptions& options)
{
    return std::make_unique<BlockCompressor>(
        next, std::make_unique<ZstdSeekable>(options.level.value_or(ZSTD_CLEVEL_DEFAULT)), options.threads);
}

constexpr std::array compressor_rows{
    CompressorRow{"zstd", 1, 22, compress_zstd_seekable},
    CompressorRow{"lz4", 1, 12, compress_lz4_blocks},
};

}  // namespace

std::span<const CompressorRow> compressors() noexcept { return compressor_rows; }

}  // namespace ositrace
