// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace ositrace::bench {

/// What a piece of work asked of the heap, of all threads and libraries of this process.
struct HeapUse {
    std::size_t allocations = 0;
    std::size_t peak_bytes = 0;  ///< most bytes at a time beyond those there were before
};

/// Empty where the system's malloc cannot be watched (another libc than glibc, a sanitizer). What is timed is not
/// counted and the other way round.
[[nodiscard]] std::optional<HeapUse> heap_use_of(const std::function<void()>& work);

}  // namespace ositrace::bench
