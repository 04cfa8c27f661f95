// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

#include <ositrace/error.hpp>

namespace ositrace {

/// Throws Error (io; missing for a missing file without `doing`) with the text of the system:
/// `run.osi: Permission denied`. `doing` is put before it: `link: `.
[[noreturn]] void throw_system_error(std::error_code error, const std::filesystem::path& name,
                                     std::string_view doing = {});

/// What every output that exists is refused with: `run.osi exists. Use --overwrite to replace it.`
[[nodiscard]] Error already_exists(const std::filesystem::path& file);

}  // namespace ositrace
