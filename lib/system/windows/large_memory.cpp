// SPDX-License-Identifier: MPL-2.0
#include "lib/system/large_memory.hpp"

#include <cstdlib>

namespace ositrace {

// Large pages are a privilege of the user on Windows, which few have.

std::byte* allocate_block(std::size_t bytes) noexcept { return static_cast<std::byte*>(std::malloc(bytes)); }

std::byte* resize_block(std::byte* block, std::size_t bytes) noexcept
{
    return static_cast<std::byte*>(std::realloc(block, bytes));
}

void free_block(std::byte* block) noexcept { std::free(block); }

void prefer_large_pages(void*, std::size_t) noexcept {}

}  // namespace ositrace
