// SPDX-License-Identifier: MPL-2.0
#include "lib/io/large_pages.hpp"

#include <memory>

#include <sys/mman.h>

namespace ositrace {

void prefer_large_pages(void* memory, std::size_t capacity) noexcept
{
    constexpr std::size_t page = std::size_t{2} << 20;
    void* first = memory;
    auto room = capacity;
    if (capacity < 2 * page || std::align(page, page, first, room) == nullptr) return;
    ::madvise(first, room / page * page, MADV_HUGEPAGE);
}

}  // namespace ositrace
