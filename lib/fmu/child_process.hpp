// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "lib/fmu/line_reader.hpp"
#include "lib/io/file_handle.hpp"

namespace ositrace::fmu {

/// The process of a model, in a process group of its own, so that Ctrl-C at the terminal is not for it. Its output
/// comes line by line.
class ChildProcess {
public:
    /// `memory`: a descriptor to give to it. Throws Error (io).
    ChildProcess(const std::filesystem::path& program, int memory,
                 std::function<void(std::string_view line)> take_line);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Kills it when it still runs.
    ~ChildProcess();

    /// How it ended, `crashed (SIGSEGV)`; empty while it runs. Waits for the end so long.
    [[nodiscard]] std::optional<std::string> ended(std::chrono::milliseconds wait = {});
    /// Ends it with all that it started.
    void kill();
    /// Its own until now, without that of processes that it started.
    [[nodiscard]] std::chrono::nanoseconds processor_time() const noexcept;
    /// The most memory it has held until now, shared pages included; 0 when it has ended or the system does not say.
    [[nodiscard]] std::uint64_t peak_bytes() const noexcept;

private:
    void reap(int status);

    pid_t id_ = -1;
    FileHandle lifeline_;  ///< closed by the end of this process, whatever ends it
    FileHandle handle_;    ///< pidfd
    std::optional<std::string> ended_;
    std::unique_ptr<LineReader> lines_;
};

}  // namespace ositrace::fmu
