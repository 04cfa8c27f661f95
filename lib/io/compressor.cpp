// SPDX-License-Identifier: MPL-2.0
#include "lib/io/compressor.hpp"

#include <array>

#include "lib/io/lz4_blocks.hpp"
#include "lib/io/zstd_seekable.hpp"

namespace ositrace {

namespace {

constexpr std::array rows{
    CompressorRow{"zstd", 1, 22, compress_zstd_seekable},
    CompressorRow{"lz4", 1, 12, compress_lz4_blocks},
};

}  // namespace

std::span<const CompressorRow> compressors() noexcept { return rows; }

}  // namespace ositrace
