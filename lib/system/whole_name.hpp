// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

namespace ositrace {

/// From the root, without `.` and `..`; also of a file that is not there. std::filesystem::absolute() knows no network
/// folders of Windows (`\\server\share`) and no names that begin with `\\?\`.
[[nodiscard]] std::filesystem::path whole_name(const std::filesystem::path& file);
/// The whole name without links, which on Windows stay; of what has none, as a pipe, the name itself.
[[nodiscard]] std::filesystem::path real_name(const std::filesystem::path& file);

}  // namespace ositrace
