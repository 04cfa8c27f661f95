// SPDX-License-Identifier: MPL-2.0
#include <new>

#include <zstd.h>
#include <zstd_errors.h>

#include <ositrace/error.hpp>

#include "lib/io/block_decompressor.hpp"
#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

/// Beyond this window (zstd --ultra --long) a decompressor needs more memory than a stranger's file should get.
constexpr int max_window_log = 27;

class ZstdDecompressor final : public BlockDecompressor {
public:
    explicit ZstdDecompressor(bool by_blocks)
        : BlockDecompressor(by_blocks, block_header_bytes), stream_(ZSTD_createDStream())
    {
        if (!stream_) throw std::bad_alloc();
        ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, max_window_log);
    }

private:
    Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) override
    {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        hint = ZSTD_decompressStream(stream_.get(), &output, &input);
        if (ZSTD_getErrorCode(hint) == ZSTD_error_checksum_wrong)
            throw WrongChecksum(Cause::malformed, corrupt_data("zstd", ZSTD_getErrorName(hint)));
        if (ZSTD_isError(hint)) throw Error(Cause::malformed, corrupt_data("zstd", ZSTD_getErrorName(hint)));
        return {input.pos, output.pos};
    }

    struct Free {
        void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
    };
    static constexpr std::size_t block_header_bytes = 3;

    std::unique_ptr<ZSTD_DStream, Free> stream_;
};

constexpr std::uint32_t zstd_magic = ZSTD_MAGICNUMBER;
constexpr std::size_t skippable_header_bytes = 8;

}  // namespace

/// pzstd puts a skippable frame in front; lz4 knows the same kind, so the frame behind it decides.
bool is_zstd(Bytes front)
{
    if (front.size() < skippable_header_bytes) return false;
    const auto magic = load_le32(front.data());
    if ((magic & ZSTD_MAGIC_SKIPPABLE_MASK) != ZSTD_MAGIC_SKIPPABLE_START) return magic == zstd_magic;
    const auto content = std::size_t{load_le32(front.data() + 4)};
    if (front.size() < skippable_header_bytes + content + sizeof magic) return false;
    return load_le32(front.data() + skippable_header_bytes + content) == zstd_magic;
}

std::unique_ptr<Decompressor> create_zstd_decompressor() { return std::make_unique<ZstdDecompressor>(false); }
std::unique_ptr<Decompressor> create_zstd_decompressor_by_blocks() { return std::make_unique<ZstdDecompressor>(true); }

}  // namespace ositrace
