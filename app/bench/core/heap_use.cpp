// SPDX-License-Identifier: MPL-2.0
// Replaces glibc's malloc for the whole program. While nothing is counted, it costs a branch.
#include "app/bench/core/round.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#ifdef OSITRACE_WATCH_MALLOC  // not with a sanitizer, which replaces it, too
#include <malloc.h>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::size_t> allocations = 0;
std::atomic<std::ptrdiff_t> bytes = 0, peak = 0;

void* took(void* block) noexcept
{
    if (counting && block != nullptr) {
        ++allocations;
        const auto now = bytes += static_cast<std::ptrdiff_t>(malloc_usable_size(block));
        if (now > peak) peak = now;  // only one thread at a time does counted work
    }
    return block;
}
void gives(void* block) noexcept
{
    if (counting && block != nullptr) bytes -= static_cast<std::ptrdiff_t>(malloc_usable_size(block));
}

}  // namespace

// glibc's own functions, which it exports for this purpose.
extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void*, std::size_t);         // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void*);                          // NOLINT(bugprone-reserved-identifier)

__attribute__((visibility("default"))) void* malloc(std::size_t size) noexcept { return took(__libc_malloc(size)); }
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) noexcept
{
    return took(__libc_calloc(count, size));
}
__attribute__((visibility("default"))) void* realloc(void* block, std::size_t size) noexcept
{
    gives(block);
    return took(__libc_realloc(block, size));
}
// Aligned operator new calls this, and so does every ByteBuffer.
__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return took(__libc_memalign(alignment, size));
}
__attribute__((visibility("default"))) void* memalign(std::size_t alignment, std::size_t size) noexcept
{
    return took(__libc_memalign(alignment, size));
}
__attribute__((visibility("default"))) int posix_memalign(void** block, std::size_t alignment,
                                                          std::size_t size) noexcept
{
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void* const found = took(__libc_memalign(alignment, size));
    if (found == nullptr) return ENOMEM;
    *block = found;
    return 0;
}
__attribute__((visibility("default"))) void free(void* block) noexcept
{
    gives(block);
    __libc_free(block);
}
}
#endif

namespace ositrace::bench {

std::optional<HeapUse> heap_use_of(const std::function<void()>& work)
{
#ifdef OSITRACE_WATCH_MALLOC
    allocations = 0;
    bytes = peak = 0;
    counting = true;
    try {
        work();
    } catch (...) {
        counting = false;
        throw;
    }
    counting = false;
    return HeapUse{allocations, static_cast<std::size_t>(peak.load())};
#else
    work();
    return std::nullopt;
#endif
}

}  // namespace ositrace::bench
