// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>

namespace ositrace {

/// Fresh memory costs more by its pages than by its bytes: of a large block, large pages are asked for. Advice: nothing
/// depends on it.
void prefer_large_pages(void* memory, std::size_t capacity) noexcept;

}  // namespace ositrace
