// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

using Block = std::vector<std::byte>;

/// A compressor at one level, from one block in memory to another. Reuses its tables; one thread at a time.
class BlockCodec {
public:
    virtual ~BlockCodec() = default;
    /// Replaces the contents of `out`; throws Error.
    virtual void compress(Bytes in, Block& out) = 0;
    /// `out` has the size of the decompressed block.
    virtual void decompress(Bytes in, std::span<std::byte> out) = 0;
};

enum class Compression : std::uint8_t { none, lz4, zstd };

struct CodecRow {
    const char* name;  ///< `zstd 3`
    const char* what;
    Compression compression;
    int level;
};
/// In the order of the tables; a new compressor is a row here.
[[nodiscard]] std::span<const CodecRow> codecs() noexcept;
[[nodiscard]] std::unique_ptr<BlockCodec> make_codec(const CodecRow& row);

}  // namespace ositrace::bench
