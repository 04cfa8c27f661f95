// SPDX-License-Identifier: MPL-2.0
// Which libraries this machine can load.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ositrace {

/// Names of this machine in FMI 3.0 (x86_64-linux) and FMI 2.0 (linux64); some FMUs use the name of the other version.
[[nodiscard]] std::span<const std::string_view> model_platforms() noexcept;
/// `.so`
[[nodiscard]] std::string_view library_extension() noexcept;
/// Why this machine cannot load the library, where the loader would report it as missing: `is built for 64-bit AArch64,
/// this machine is 64-bit x86-64`. Empty if it may.
[[nodiscard]] std::string why_not_loadable(const std::filesystem::path& library);

}  // namespace ositrace
