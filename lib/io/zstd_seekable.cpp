// SPDX-License-Identifier: MPL-2.0
#include "lib/io/zstd_seekable.hpp"

#include <zstd.h>

#include <array>

#include <ositrace/error.hpp>

#include "lib/io/block_compressor.hpp"
#include "lib/io/zstd_encoder.hpp"

namespace ositrace {

namespace {

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

class ZstdSeekable final : public BlockFormat {
public:
    explicit ZstdSeekable(int level) : level_(level) { table_.clear(); }

    [[nodiscard]] std::unique_ptr<BlockEncoder> encoder() const override { return zstd_encoder(level_, true); }

    void begin(ByteSink&) override {}

    void put(const GatheredBytes& block, Bytes encoded, ByteSink& out) override
    {
        if (++frames_ > max_frames) throw Error(Cause::limit, "the zstd seekable format ends at 128 TiB");
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
        table_.append(std::array{std::byte{0}});  // no checksums here: every frame ends with its own
        append_le32(table_, seekable_magic);
        out.write(header.bytes(), table_.bytes());
    }

private:
    int level_;
    std::uint32_t frames_ = 0;
    ByteBuffer table_;
};

}  // namespace

std::unique_ptr<Compressor> compress_zstd_seekable(ByteSink& next, const CompressionOptions& options)
{
    return std::make_unique<BlockCompressor>(
        next, std::make_unique<ZstdSeekable>(options.level.value_or(ZSTD_CLEVEL_DEFAULT)), options.threads);
}

}  // namespace ositrace
