// SPDX-License-Identifier: MPL-2.0
// The standard streams of a program, and the terminal that they may be.
#pragma once

#include <cstdint>
#include <filesystem>

#include "lib/system/file.hpp"

namespace ositrace {

enum class StandardStream : std::uint8_t { input, output, error };

/// First in main(): no file that is opened later takes the place of a standard stream that is closed, a failed write is
/// an error and does not end the program, and a terminal gets UTF-8.
void prepare_standard_streams() noexcept;

[[nodiscard]] bool is_terminal(StandardStream stream) noexcept;
/// `-`, or another name of the file of standard output (`/dev/stdout`).
[[nodiscard]] bool is_standard_output(const std::filesystem::path& file) noexcept;
/// Standard output is a pipe whose reader has gone (`| head`).
[[nodiscard]] bool output_reader_is_gone() noexcept;
/// Drops what `stdout` has buffered: else the next flush fails again.
void drop_buffered_output() noexcept;

/// The output that the process that started this one names by a number in an environment variable; empty if it does
/// not, or the number is none. Processes that this one starts get neither.
[[nodiscard]] FileHandle inherited_output(const char* variable);

/// During its lifetime what libraries of this process write to standard output goes to standard error.
class OutputAside {
public:
    OutputAside() noexcept;
    OutputAside(const OutputAside&) = delete;
    OutputAside& operator=(const OutputAside&) = delete;
    ~OutputAside();

private:
    FileHandle kept_;
};

/// Makes the terminal send each key at once, as escape sequences, and not show it; false if standard input is no
/// terminal, or this process is in its background. StoppableWait::read() reads them.
[[nodiscard]] bool read_single_keys() noexcept;
/// Undoes it. Any thread.
void restore_terminal() noexcept;

}  // namespace ositrace
