// SPDX-License-Identifier: MPL-2.0
// Memory for bytes that are read; a large block begins with a large page.
#pragma once

#include <cstddef>

namespace ositrace {

/// Not zeroed; untouched pages cost nothing. Null without memory.
[[nodiscard]] std::byte* allocate_block(std::size_t bytes) noexcept;
/// Keeps the contents; the block may move, and is unchanged where the result is null.
[[nodiscard]] std::byte* resize_block(std::byte* block, std::size_t bytes) noexcept;
void free_block(std::byte* block) noexcept;

/// Advises the system to use large pages for a large block, as page faults cost more than its bytes.
void prefer_large_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace ositrace
