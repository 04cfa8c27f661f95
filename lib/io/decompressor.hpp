// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/bytes.hpp>

#include "lib/io/byte_source.hpp"

namespace ositrace {

/// Decompresses one format, in pieces, through all its frames or members. One thread at a time.
class Decompressor {
public:
    struct Step {
        std::size_t taken = 0;  ///< of `in`
        std::size_t made = 0;   ///< in `out`
    };
    virtual ~Decompressor() = default;
    /// Consumes input and produces output as far as both reach; neither: more input is needed. Throws Error (malformed,
    /// limit) without a location.
    virtual Step decompress(Bytes in, std::span<std::byte> out) = 0;
    /// May the input end here?
    [[nodiscard]] virtual bool complete() const noexcept = 0;
    /// Begins anew, also after an error, as a new one does, but costs less. Throws std::bad_alloc.
    virtual void restart() = 0;
};

/// A compression that can be read.
struct DecompressorRow {
    std::string_view compression;  ///< as TraceInfo::compression
    /// Do these first bytes of a file (`probed_compression_bytes`, fewer at its end) have this format?
    bool (*recognizes)(Bytes front);
    std::unique_ptr<Decompressor> (*create)();
    /// A decompressor that outputs all bytes before an error before it throws.
    std::unique_ptr<Decompressor> (*create_for_damage)();
    /// Of bytes that it recognizes: can anything be decompressed from here on? Rejects most bytes that only look alike.
    bool (*may_begin)(Bytes front);
};

inline constexpr std::size_t probed_compression_bytes = 32;

[[nodiscard]] std::span<const DecompressorRow> decompressors() noexcept;
/// nullptr: not compressed.
[[nodiscard]] const DecompressorRow* decompressor_of(Bytes front) noexcept;

/// The decompressed contents of `source`. Throws Error (malformed, truncated) with the offset in the compressed file.
/// Decompresses only what is read, so a small file with huge contents does no harm.
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(const DecompressorRow& row, std::unique_ptr<ByteSource> source);

}  // namespace ositrace
