// SPDX-License-Identifier: MPL-2.0
// A child process that shares a memory with this one and ends with it, and what the child does for that.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/system/shared_memory.hpp"

namespace ositrace {

/// A file that may be run.
[[nodiscard]] bool is_program(const std::filesystem::path& file) noexcept;

/// How a process ended.
struct ProcessEnd {
    bool is_success = false;
    std::string text;  ///< `crashed (SIGSEGV)`, `ended its own process (exit code 3)`
};

/// Ctrl-C at the terminal does not reach it. What it prints is passed on line by line, on a thread of its own. One
/// thread at a time.
class ChildProcess {
public:
    /// The process inherits the memory alone. Throws Error (io): `pipe: Too many open files`,
    /// `/usr/libexec/host: Permission denied`.
    ChildProcess(const std::filesystem::path& program, const SharedMemory& memory,
                 std::function<void(std::string_view line)> on_line);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Kills it.
    ~ChildProcess();

    /// Empty while it runs. Waits at most so long for the end.
    [[nodiscard]] std::optional<ProcessEnd> ended(std::chrono::milliseconds wait = {});
    /// Ends it with all processes that it started.
    void kill();
    /// Of the process itself, without those that it started.
    [[nodiscard]] std::chrono::nanoseconds processor_time() const noexcept;
    /// The largest memory so far, shared pages included; 0 if the process has ended or the system does not report it.
    [[nodiscard]] std::uint64_t peak_bytes() const noexcept;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// In the child, first in main(): the memory that it shares with its parent. Closes all other files that it inherited,
/// except the standard streams. Throws Error (io).
[[nodiscard]] SharedMemory memory_of_parent();
/// In the child, on a thread of its own, which receives no signal: returns when the parent has ended, however that
/// comes about.
void wait_for_end_of_parent() noexcept;
/// Ends this process at once, without what is done at exit.
[[noreturn]] void end_at_once(int exit_code) noexcept;

}  // namespace ositrace
