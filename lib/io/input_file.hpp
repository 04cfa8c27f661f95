// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "lib/system/file.hpp"

namespace ositrace {

/// The name is `-`.
[[nodiscard]] bool is_standard_input(const std::filesystem::path& file);
/// The name of a file in errors: its path, or `standard input`.
[[nodiscard]] std::filesystem::path input_name(const std::filesystem::path& file);

/// Opens for reading, without blocking on a pipe that has no writer yet. `-` is (a duplicate of) standard input.
/// Throws Error: missing (`run.osi: No such file or directory`), io (`/tmp: is a folder`).
[[nodiscard]] FileHandle open_for_reading(const std::filesystem::path& file);

/// Throws Error (truncated): `run.osi: byte 9123: the file has shrunk from 20000 to 9000 bytes while it was read`.
[[noreturn]] void throw_shrunk(const std::filesystem::path& name, std::uint64_t offset, std::uint64_t from,
                               std::uint64_t to);

}  // namespace ositrace
