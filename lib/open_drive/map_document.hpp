// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ositrace {

/// The `.xodr` file that the map_reference of a trace names: as a path from the folder of the trace, with the
/// separators of both Linux and Windows, or else its last name in this folder; empty where there is none. The extension
/// may be missing. Only a regular file with this extension is returned, as a trace of a stranger names it.
[[nodiscard]] std::filesystem::path map_with_reference(const std::filesystem::path& trace, std::string reference);

}  // namespace ositrace
