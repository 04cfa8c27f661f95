// SPDX-License-Identifier: MPL-2.0
#include "lib/io/block_encoders.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

class ZstdBlockEncoder final : public BlockEncoder {
public:
    ZstdBlockEncoder(int level, bool checksum) : context_(ZSTD_createCCtx())
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
        check(ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only));  // the one before may have failed
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

constexpr std::uint32_t lz4_magic = 0x184D2204;
constexpr unsigned version_1 = 0x40, independent_blocks = 0x20, has_content_size = 0x08, has_content_checksum = 0x04;
constexpr int first_high_level = 3;            // that of the lz4 program
constexpr std::uint32_t stored = 0x8000'0000;  // the block is not compressed

}  // namespace

std::unique_ptr<BlockEncoder> zstd_encoder(int level, bool checksum)
{
    return std::make_unique<ZstdBlockEncoder>(level, checksum);
}

void append_lz4_header(ByteBuffer& out, Lz4BlockSize block_size, std::optional<std::uint64_t> content_bytes,
                       bool content_checksum)
{
    const auto flags = version_1 | independent_blocks | (content_bytes ? has_content_size : 0) |
                       (content_checksum ? has_content_checksum : 0);
    std::array<std::byte, 15> header{};
    store_le32(header.data(), lz4_magic);
    header[4] = static_cast<std::byte>(flags);
    header[5] = static_cast<std::byte>(static_cast<unsigned>(block_size) << 4);
    std::size_t size = 6;
    if (content_bytes) {
        store_le64(header.data() + size, *content_bytes);
        size += sizeof *content_bytes;
    }
    Xxh32 checksum;
    checksum.add(Bytes(header).subspan(4, size - 4));
    header[size++] = static_cast<std::byte>(checksum.value() >> 8);
    out.append(Bytes(header).first(size));
}

void append_lz4_end(ByteBuffer& out) { out.append(std::array<std::byte, sizeof(std::uint32_t)>{}); }

Lz4BlockEncoder::Lz4BlockEncoder(int level)
    : level_(level),
      state_(static_cast<std::size_t>(is_high() ? LZ4_sizeofStateHC() : LZ4_sizeofState()) / sizeof(std::max_align_t) +
             1)
{
}

bool Lz4BlockEncoder::is_high() const noexcept { return level_ >= first_high_level; }

void Lz4BlockEncoder::append(Bytes block, ByteBuffer& out)
{
    auto* const to = out.reserve_back(prefix_bytes + block.size());
    auto size = compress(block, to + prefix_bytes);
    if (size == 0) {  // it would grow
        std::memcpy(to + prefix_bytes, block.data(), block.size());
        size = static_cast<std::uint32_t>(block.size());
        store_le32(to, size | stored);
    } else {
        store_le32(to, size);
    }
    out.commit_back(prefix_bytes + size);
}

// The size, 0 when it is not smaller than the block.
std::uint32_t Lz4BlockEncoder::compress(Bytes block, std::byte* to)
{
    const auto* const in = text_of(block).data();
    auto* const out = reinterpret_cast<char*>(to);
    const auto size = static_cast<int>(block.size());
    return static_cast<std::uint32_t>(is_high()
                                          ? LZ4_compress_HC_extStateHC(state_.data(), in, out, size, size - 1, level_)
                                          : LZ4_compress_fast_extState(state_.data(), in, out, size, size - 1, 1));
}

void Xxh32::take_stripe(const std::byte* stripe) noexcept
{
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i] = std::rotl(lanes_[i] + load_le32(stripe + 4 * i) * prime2, 13) * prime1;
}

void Xxh32::add(Bytes bytes) noexcept
{
    total_bytes_ += bytes.size();
    if (tail_bytes_ != 0) {
        const auto count = std::min(bytes.size(), stripe_bytes - tail_bytes_);
        std::copy_n(bytes.data(), count, tail_.data() + tail_bytes_);
        tail_bytes_ += count;
        bytes = bytes.subspan(count);
        if (tail_bytes_ < stripe_bytes) return;
        take_stripe(tail_.data());
    }
    for (; bytes.size() >= stripe_bytes; bytes = bytes.subspan(stripe_bytes)) take_stripe(bytes.data());
    std::copy_n(bytes.data(), bytes.size(), tail_.data());
    tail_bytes_ = bytes.size();
}

std::uint32_t Xxh32::value() const noexcept
{
    std::uint32_t hash = prime5;
    if (total_bytes_ >= stripe_bytes)
        hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    hash += static_cast<std::uint32_t>(total_bytes_);
    std::size_t at = 0;
    for (; at + 4 <= tail_bytes_; at += 4) hash = std::rotl(hash + load_le32(tail_.data() + at) * prime3, 17) * prime4;
    for (; at < tail_bytes_; ++at)
        hash = std::rotl(hash + std::to_integer<std::uint32_t>(tail_[at]) * prime5, 11) * prime1;
    hash = (hash ^ (hash >> 15)) * prime2;
    hash = (hash ^ (hash >> 13)) * prime3;
    return hash ^ (hash >> 16);
}

}  // namespace ositrace
