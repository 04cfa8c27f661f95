// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ositrace/byte_buffer.hpp>

namespace ositrace {

/// What LZ4 frames are made of (lz4_Frame_format.md 1.6), as far as we write them: blocks that are independent of each
/// other and have no checksums of their own.
enum class Lz4BlockSize : std::uint8_t { kib256 = 5, mib1 = 6 };

/// Appends the front of a frame. `content_bytes`: of all blocks together, where known. `content_checksum`: four bytes
/// of xxHash will stand behind the end mark.
void append_lz4_header(ByteBuffer& out, Lz4BlockSize block_size, std::optional<std::uint64_t> content_bytes,
                       bool content_checksum);
/// Appends the mark behind the last block.
void append_lz4_end(ByteBuffer& out);

/// Compresses single blocks. Level 1 is the fast mode, from level 3 on LZ4 HC.
class Lz4BlockEncoder {
public:
    static constexpr std::size_t prefix_bytes = sizeof(std::uint32_t);

    explicit Lz4BlockEncoder(int level);
    /// Appends the block behind its length: compressed, or as it is where that is not longer.
    void append(Bytes block, ByteBuffer& out);

private:
    [[nodiscard]] bool is_high() const noexcept;
    std::uint32_t compress(Bytes block, std::byte* to);

    int level_;
    std::vector<std::max_align_t> state_;
};

}  // namespace ositrace
