// SPDX-License-Identifier: MPL-2.0
// Memory that two processes share, and waking each other in it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "lib/system/file.hpp"

namespace ositrace {

/// A mapping of a memory that a child process inherits (ChildProcess). Errors are an Error (io) that says what failed:
/// `mmap: Cannot allocate memory`.
class SharedMemory {
public:
    /// A new one, zeroed. Its size is fixed, so that no access of the other process can go beyond its end. Only what is
    /// written needs memory.
    explicit SharedMemory(std::size_t bytes);
    /// Maps the whole of one that another process created.
    explicit SharedMemory(FileHandle memory);
    SharedMemory(SharedMemory&& other) noexcept
        : memory_(std::move(other.memory_)),
          begin_(std::exchange(other.begin_, nullptr)),
          bytes_(std::exchange(other.bytes_, 0))
    {
    }
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    [[nodiscard]] std::byte* begin() const noexcept { return begin_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
    [[nodiscard]] const FileHandle& handle() const noexcept { return memory_; }

    /// Copies memory of this process that may not be there: the system stops where we would crash. Returns the number
    /// of bytes.
    std::size_t write(std::size_t offset, const void* from, std::size_t size) const noexcept;

    /// Waits until the word, which is in this memory, is no longer `old`, at most for this time. Works between
    /// processes; may return spuriously.
    void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t old,
                    std::chrono::nanoseconds at_most) const noexcept;
    /// Wakes the process that waits for the word.
    void wake(const std::atomic<std::uint32_t>& word) const noexcept;

private:
    FileHandle memory_;
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

/// As much as can be read of memory of this process that may not be there: the system stops where we would crash.
/// Throws Error (unsupported) where the system does not allow it: `this machine forbids process_vm_readv`.
[[nodiscard]] std::size_t copy_readable(const void* from, std::size_t size, std::byte* to);

}  // namespace ositrace
