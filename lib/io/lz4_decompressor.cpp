// SPDX-License-Identifier: MPL-2.0
#include <new>

#include <lz4frame.h>

#include <ositrace/error.hpp>

#include "lib/io/block_decompressor.hpp"
#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

class Lz4Decompressor final : public BlockDecompressor {
public:
    explicit Lz4Decompressor(bool by_blocks) : BlockDecompressor(by_blocks, block_header_bytes)
    {
        LZ4F_dctx* context = nullptr;
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) throw std::bad_alloc();
        context_.reset(context);
    }

private:
    Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) override
    {
        auto taken = in.size();
        auto made = out.size();
        hint = LZ4F_decompress(context_.get(), out.data(), &made, in.data(), &taken, nullptr);
        if (!LZ4F_isError(hint)) return {taken, made};
        const std::string_view name = LZ4F_getErrorName(hint);  // its code is of the static library only
        if (name == "ERROR_contentChecksum_invalid") throw WrongChecksum(Cause::malformed, corrupt_data("lz4", name));
        throw Error(Cause::malformed, corrupt_data("lz4", name));
    }

    struct Free {
        void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
    };
    static constexpr std::size_t block_header_bytes = 4;

    std::unique_ptr<LZ4F_dctx, Free> context_;
};

}  // namespace

bool is_lz4(Bytes front)
{
    constexpr std::uint32_t magic = 0x184D2204;
    // The two version bits behind it must be 01.
    return front.size() >= 5 && load_le32(front.data()) == magic && std::to_integer<unsigned>(front[4]) >> 6 == 1;
}

std::unique_ptr<Decompressor> create_lz4_decompressor() { return std::make_unique<Lz4Decompressor>(false); }
std::unique_ptr<Decompressor> create_lz4_decompressor_by_blocks() { return std::make_unique<Lz4Decompressor>(true); }

}  // namespace ositrace
