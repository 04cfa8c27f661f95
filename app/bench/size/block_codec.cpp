// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstring>
#include <memory>

#include <lz4.h>
#include <zstd.h>

#include <ositrace/error.hpp>

#include "app/bench/size/block_codec.hpp"

namespace ositrace::bench {
namespace {

constexpr std::array rows{
    CodecRow{"none", "copied", Compression::none, 0},
    CodecRow{"lz4", "LZ4 in its fast mode", Compression::lz4, 1},
    CodecRow{"zstd 1", "Zstandard, level 1", Compression::zstd, 1},
    CodecRow{"zstd 3", "Zstandard, level 3, its default", Compression::zstd, 3},
    CodecRow{"zstd 9", "Zstandard, level 9", Compression::zstd, 9},
};

class Copy final : public BlockCodec {
public:
    void compress(Bytes in, Block& out) override
    {
        out.resize(in.size());
        std::memcpy(out.data(), in.data(), in.size());
    }
    void decompress(Bytes in, std::span<std::byte> out) override { std::memcpy(out.data(), in.data(), in.size()); }
};

class Lz4 final : public BlockCodec {
public:
    void compress(Bytes in, Block& out) override
    {
        const int bound = LZ4_compressBound(static_cast<int>(in.size()));
        out.resize(static_cast<std::size_t>(bound));
        const int size = LZ4_compress_default(chars(in.data()), reinterpret_cast<char*>(out.data()),
                                              static_cast<int>(in.size()), bound);
        if (size <= 0) throw Error(Cause::limit, "lz4 cannot compress a block");
        out.resize(static_cast<std::size_t>(size));
    }
    void decompress(Bytes in, std::span<std::byte> out) override
    {
        const int size = LZ4_decompress_safe(chars(in.data()), reinterpret_cast<char*>(out.data()),
                                             static_cast<int>(in.size()), static_cast<int>(out.size()));
        if (size < 0) throw Error(Cause::malformed, "lz4 cannot decompress its own block");
    }

private:
    static const char* chars(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }
};

class Zstd final : public BlockCodec {
public:
    explicit Zstd(int level)
        : level_(level), compress_(ZSTD_createCCtx(), ZSTD_freeCCtx), decompress_(ZSTD_createDCtx(), ZSTD_freeDCtx)
    {
    }
    void compress(Bytes in, Block& out) override
    {
        out.resize(ZSTD_compressBound(in.size()));
        const auto size = ZSTD_compressCCtx(compress_.get(), out.data(), out.size(), in.data(), in.size(), level_);
        if (ZSTD_isError(size) != 0) throw Error(Cause::limit, std::string("zstd: ") + ZSTD_getErrorName(size));
        out.resize(size);
    }
    void decompress(Bytes in, std::span<std::byte> out) override
    {
        const auto size = ZSTD_decompressDCtx(decompress_.get(), out.data(), out.size(), in.data(), in.size());
        if (ZSTD_isError(size) != 0) throw Error(Cause::malformed, std::string("zstd: ") + ZSTD_getErrorName(size));
    }

private:
    int level_;
    std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> compress_;
    std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> decompress_;
};

}  // namespace

std::span<const CodecRow> codecs() noexcept { return rows; }

std::unique_ptr<BlockCodec> make_codec(const CodecRow& row)
{
    switch (row.compression) {
    case Compression::lz4: return std::make_unique<Lz4>();
    case Compression::zstd: return std::make_unique<Zstd>(row.level);
    case Compression::none: break;
    }
    return std::make_unique<Copy>();
}

}  // namespace ositrace::bench
