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

    void encode(const GatheredBytes& gathered, ByteBuffer& out) override
    {
        const auto block = gathered.joined(scratch_);
        const auto bound = ZSTD_compressBound(block.size());
        out.clear(bound);
        const auto size = ZSTD_compress2(context_.get(), out.reserve_back(bound), bound, block.data(), block.size());
        if (ZSTD_isError(size)) throw Error(Cause::io, std::string("zstd: ") + ZSTD_getErrorName(size));
        out.commit_back(size);
    }

private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    };
    std::unique_ptr<ZSTD_CCtx, Free> context_;
    ByteBuffer scratch_;
};

}  // namespace

std::unique_ptr<BlockEncoder> zstd_encoder(int level, bool checksum) { return std::make_unique<ZstdEncoder>(level, checksum); }

}  // namespace ositrace
