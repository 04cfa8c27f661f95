// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "lib/io/byte_sink.hpp"

namespace ositrace {

/// Compresses its input into another sink. Without finish() the output is incomplete.
class Compressor : public ByteSink {
public:
    /// Writes the rest and the end of the format.
    virtual void finish() = 0;
};

struct CompressionOptions {
    std::optional<int> level;  ///< empty: the format's default
    unsigned threads = 1;      ///< compressing threads; 0 = one per core; 1 = the writing thread
};

/// A compression that can be written.
struct CompressorRow {
    std::string_view compression;  ///< `zstd`
    int min_level, max_level;
    /// `next` must outlive the compressor.
    std::unique_ptr<Compressor> (*create)(ByteSink& next, const CompressionOptions& options);
};

[[nodiscard]] std::span<const CompressorRow> compressors() noexcept;

}  // namespace ositrace
