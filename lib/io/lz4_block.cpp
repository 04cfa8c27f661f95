// SPDX-License-Identifier: MPL-2.0
#include "lib/io/lz4_block.hpp"

#include <lz4.h>
#include <lz4hc.h>

#include <array>
#include <cstring>

#include "lib/io/xxh32.hpp"

namespace ositrace {

namespace {

constexpr std::uint32_t magic = 0x184D2204;
constexpr unsigned version_1 = 0x40, independent_blocks = 0x20, has_content_size = 0x08, has_content_checksum = 0x04;
constexpr int first_high_level = 3;            // as the lz4 program has it
constexpr std::uint32_t stored = 0x8000'0000;  // the block is not compressed

}  // namespace

void append_lz4_header(ByteBuffer& out, Lz4BlockSize block_size, std::optional<std::uint64_t> content_bytes,
                       bool content_checksum)
{
    const auto flags = version_1 | independent_blocks | (content_bytes ? has_content_size : 0) |
                       (content_checksum ? has_content_checksum : 0);
    std::array<std::byte, 15> header{};
    store_le32(header.data(), magic);
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

}  // namespace ositrace
