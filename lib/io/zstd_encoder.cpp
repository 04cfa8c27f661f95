// SPDX-License-Identifier: MPL-2.0
#include "lib/io/zstd_encoder.hpp"

#include <zstd.h>

#include <new>
#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

class ZstdEncoder final : public BlockEncoder {
public:
    ZstdEncoder(int level, bool checksum) : context_(ZSTD_createCCtx())
    {
        if (!context_) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, checksum ? 1 : 0);
    }

    void encode(const GatheredBytes& block, ByteBuffer& out) override
    {
        const auto bound = ZSTD_compressBound(block.size());
        out.clear(bound);
        ZSTD_outBuffer to{out.reserve_back(bound), bound, 0};
        auto parts = block.parts();
        if (parts.empty()) parts.emplace_back();
        check(ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only));  // one before may have failed
        check(ZSTD_CCtx_setPledgedSrcSize(context_.get(), block.size()));
        for (const auto& part : parts) add(part, to, &part == &parts.back() ? ZSTD_e_end : ZSTD_e_continue);
        out.commit_back(to.pos);
    }

private:
    void add(Bytes part, ZSTD_outBuffer& to, ZSTD_EndDirective then)
    {
        ZSTD_inBuffer from{part.data(), part.size(), 0};
        for (std::size_t left = 1; left != 0;) {
            left = ZSTD_compressStream2(context_.get(), &to, &from, then);
            check(left);
            if (then == ZSTD_e_continue) left = from.size - from.pos;
            if (left != 0 && to.pos == to.size)
                throw Error(Cause::io, "zstd: a block grew beyond the bound for its size");
        }
    }
    static void check(std::size_t result)
    {
        if (ZSTD_isError(result)) throw Error(Cause::io, std::string("zstd: ") + ZSTD_getErrorName(result));
    }

    struct Free {
        void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    };
    std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<BlockEncoder> zstd_encoder(int level, bool checksum)
{
    return std::make_unique<ZstdEncoder>(level, checksum);
}

}  // namespace ositrace
