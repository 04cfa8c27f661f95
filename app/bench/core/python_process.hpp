// SPDX-License-Identifier: MPL-2.0
// A variant that is a Python script: its process answers commands over pipes.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ositrace::bench {

/// Receives arrays of numbers, one after the other.
using TakeColumn = std::function<void(std::span<const double>)>;

/// A script that prints `ready`, and then reads commands from standard input, a line each: `run` does the task once and
/// prints its size in bytes; `give` does it once and prints each array of the result (its length in 8 bytes, then its
/// doubles) and 8 bytes 0xff at the end. It exits at the end of its input.
class PythonProcess {
public:
    /// Empty if this Python cannot be started or lacks a package. `arguments`: those of the script.
    [[nodiscard]] static std::shared_ptr<PythonProcess> start(const std::string& python, const char* script,
                                                              const std::vector<std::string>& arguments);
    ~PythonProcess();
    PythonProcess(const PythonProcess&) = delete;
    PythonProcess& operator=(const PythonProcess&) = delete;

    /// Both throw Error (io) if Python has ended.
    std::size_t run();
    void give(const TakeColumn& take);

private:
    using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    PythonProcess(pid_t child, Stream to, Stream from) : child_(child), to_(std::move(to)), from_(std::move(from)) {}
    void ask(const char* line);
    [[nodiscard]] std::string line();
    void read(void* to, std::size_t bytes);

    pid_t child_;
    Stream to_, from_;
};

}  // namespace ositrace::bench
