// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/core/round.hpp"
#include "app/bench/core/sample.hpp"
#include "app/bench/size/block_codec.hpp"

namespace ositrace::bench {

/// Frames as chunks of an MCAP file hold them: joined until a block has 4 MiB; a larger frame is a block of its own.
[[nodiscard]] std::vector<Block> blocks_of(const std::vector<FrameBytes>& frames);

/// The blocks are borrowed.
[[nodiscard]] Variant compress_variant(const CodecRow& row, const std::vector<Block>& blocks);
[[nodiscard]] Variant decompress_variant(const CodecRow& row, const std::vector<Block>& blocks);

}  // namespace ositrace::bench
