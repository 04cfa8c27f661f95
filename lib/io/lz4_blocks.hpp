// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "lib/io/compressor.hpp"

namespace ositrace {

/// One LZ4 frame (lz4_Frame_format.md 1.6) of independent blocks with a checksum of the contents. Level 1 is the fast
/// mode, from level 3 on LZ4 HC.
[[nodiscard]] std::unique_ptr<Compressor> compress_lz4_blocks(ByteSink& next, const CompressionOptions& options);

}  // namespace ositrace
