// SPDX-License-Identifier: MPL-2.0
// Encoders of zstd frames and of LZ4 blocks, for compressed files and for the chunks of MCAP files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/byte_buffer.hpp>

#include "lib/io/block_pipeline.hpp"

namespace ositrace {

/// Compresses every block to a zstd frame that states its size. `checksum`: the frame ends with a checksum.
[[nodiscard]] std::unique_ptr<BlockEncoder> zstd_encoder(int level, bool checksum);

/// The parts of LZ4 frames (lz4_Frame_format.md 1.6) as they are written here: independent blocks without checksums.
enum class Lz4BlockSize : std::uint8_t { kib256 = 5, mib1 = 6 };

/// Appends the header of a frame. `content_bytes`: of all blocks, where known. `content_checksum`: four bytes of xxHash
/// follow the end mark.
void append_lz4_header(ByteBuffer& out, Lz4BlockSize block_size, std::optional<std::uint64_t> content_bytes,
                       bool content_checksum);
/// Appends the end mark, which follows the last block.
void append_lz4_end(ByteBuffer& out);

/// Compresses single blocks. Level 1 is the fast mode, levels from 3 on are LZ4 HC.
class Lz4BlockEncoder {
public:
    static constexpr std::size_t prefix_bytes = sizeof(std::uint32_t);

    explicit Lz4BlockEncoder(int level);
    /// Appends the length of the block and the block: compressed, or unchanged where that is not longer.
    void append(Bytes block, ByteBuffer& out);

private:
    [[nodiscard]] bool is_high() const noexcept;
    std::uint32_t compress(Bytes block, std::byte* to);

    int level_;
    std::vector<std::max_align_t> state_;
};

/// xxHash, 32 bits, seed 0: the checksum of LZ4 frames. (liblz4 does not export its own.)
class Xxh32 {
public:
    void add(Bytes bytes) noexcept;
    [[nodiscard]] std::uint32_t value() const noexcept;

private:
    static constexpr std::size_t stripe_bytes = 16;
    static constexpr std::uint32_t prime1 = 2654435761u, prime2 = 2246822519u, prime3 = 3266489917u,
                                   prime4 = 668265263u, prime5 = 374761393u;

    void take_stripe(const std::byte* stripe) noexcept;

    std::array<std::uint32_t, 4> lanes_{prime1 + prime2, prime2, 0, 0u - prime1};
    std::array<std::byte, stripe_bytes> tail_{};
    std::size_t tail_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
};

}  // namespace ositrace
