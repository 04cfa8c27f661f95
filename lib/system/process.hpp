// SPDX-License-Identifier: MPL-2.0
// This process and the machine that it runs on.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace ositrace {

/// The words of the command line in UTF-8, the first of which names the program. On Windows main() gets them in the
/// code page of the user, which lacks most characters.
[[nodiscard]] std::span<char*> program_arguments(int argc, char** argv);

/// A number that no other running process has.
[[nodiscard]] std::uint64_t process_id() noexcept;
/// The file of this program; empty if the system does not say.
[[nodiscard]] std::filesystem::path this_program();
/// The name of the file of a program: `osiconvert`; on Windows `osiconvert.exe`.
[[nodiscard]] std::string program_name(std::string_view name);
/// Of all threads of this process so far.
[[nodiscard]] std::chrono::nanoseconds own_processor_time() noexcept;
/// Runs another program in place of this one, with these arguments, the first of which is its name. Returns only where
/// it cannot be started. On Windows this process waits for its end and ends with its exit code.
[[nodiscard]] std::error_code run_instead(const std::filesystem::path& program, std::span<char* const> arguments);

/// As it names itself in the network; empty if it does not.
[[nodiscard]] std::string machine_name();
/// Empty if the system does not say.
[[nodiscard]] std::optional<std::uint64_t> machine_memory_bytes() noexcept;

}  // namespace ositrace
