// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>

#include <ositrace/trace_map.hpp>

#include "lib/open_drive/first_truth.hpp"

namespace ositrace {

/// Reads a document and places it where this ground truth is. Throws Error (malformed, limit) naming the document.
[[nodiscard]] std::shared_ptr<const TraceMap> placed_map(MapDocument document, const FirstTruth& truth,
                                                         std::size_t max_bytes);

}  // namespace ositrace
