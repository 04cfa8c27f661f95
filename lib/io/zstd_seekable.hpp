// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "lib/io/compressor.hpp"

namespace ositrace {

/// The zstd seekable format (zstd/contrib/seekable_format): independent zstd frames, then a skippable frame with their
/// sizes. Every zstd decompressor reads it.
[[nodiscard]] std::unique_ptr<Compressor> compress_zstd_seekable(ByteSink& next, const CompressionOptions& options);

}  // namespace ositrace
