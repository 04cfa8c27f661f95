// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "lib/io/block_pipeline.hpp"

namespace ositrace {

/// Makes every block a zstd frame, which states its size. `checksum`: it ends with one of its contents.
[[nodiscard]] std::unique_ptr<BlockEncoder> zstd_encoder(int level, bool checksum);

}  // namespace ositrace
