// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/bytes.hpp>

#include "lib/io/byte_source.hpp"

namespace ositrace {

/// Undoes one compression, in pieces, through as many frames or members as follow each other. One thread at a time.
class Decompressor {
public:
    struct Step {
        std::size_t taken = 0;  ///< of `in`
        std::size_t made = 0;   ///< in `out`
    };
    virtual ~Decompressor() = default;
    /// Does what can be done with this input and this room; nothing taken and nothing made: more input is needed.
    /// Throws Error (malformed, limit) without a place.
    virtual Step decompress(Bytes in, std::span<std::byte> out) = 0;
    /// May the input end here?
    [[nodiscard]] virtual bool complete() const noexcept = 0;
};

/// A compression that can be read. A new one is a new row.
struct DecompressorRow {
    std::string_view compression;  ///< as TraceInfo::compression
    /// Do these first bytes of a file (`probed_compression_bytes`, or all there are) say so?
    bool (*recognizes)(Bytes front);
    std::unique_ptr<Decompressor> (*create)();
    /// One that hands out what stands in front of an error before it throws.
    std::unique_ptr<Decompressor> (*create_for_damage)();
};

inline constexpr std::size_t probed_compression_bytes = 32;

[[nodiscard]] std::span<const DecompressorRow> decompressors() noexcept;
/// nullptr: not compressed.
[[nodiscard]] const DecompressorRow* decompressor_of(Bytes front) noexcept;

/// What is compressed in `source`, from its first byte to its end. Throws Error at the byte of the compressed file:
/// malformed, truncated. Nothing is unpacked ahead of what is read, so a small file that unpacks to a huge one does no
/// harm.
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(const DecompressorRow& row, std::unique_ptr<ByteSource> source);

}  // namespace ositrace
