// SPDX-License-Identifier: MPL-2.0
#include "lib/system/large_memory.hpp"

#include <cstdint>
#include <cstdlib>

#include <sys/mman.h>

namespace ositrace {

namespace {

constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} << 20;
/// Blocks of this size begin with a large page; elsewhere up to one more of it would be small pages.
constexpr std::size_t aligned_bytes = 2 * large_page;

}  // namespace

std::byte* allocate_block(std::size_t bytes) noexcept
{
    if (bytes < aligned_bytes) return static_cast<std::byte*>(std::malloc(bytes));
    void* memory = nullptr;
    return ::posix_memalign(&memory, large_page, bytes) == 0 ? static_cast<std::byte*>(memory) : nullptr;
}

std::byte* resize_block(std::byte* block, std::size_t bytes) noexcept
{
    return static_cast<std::byte*>(std::realloc(block, bytes));
}

void free_block(std::byte* block) noexcept { std::free(block); }

void prefer_large_pages(void* memory, std::size_t bytes) noexcept
{
    if (bytes < aligned_bytes) return;
    // All of the mapping: realloc() copies one that has two kinds of pages.
    const auto before = reinterpret_cast<std::uintptr_t>(memory) % small_page;
    ::madvise(static_cast<std::byte*>(memory) - before, (before + bytes + small_page - 1) / small_page * small_page,
              MADV_HUGEPAGE);
}

}  // namespace ositrace
