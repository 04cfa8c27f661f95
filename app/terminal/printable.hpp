// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ositrace::app {

/// Text from a file as one line that is safe for a terminal: control characters (C0, DEL, C1 in UTF-8) and bytes that
/// are not UTF-8 become `\n`, `\t`, `\x1b` ...
[[nodiscard]] std::string printable(std::string_view text);

/// The name of a file in a line of a report; `standard` for `-`.
[[nodiscard]] inline std::string shown_file(const std::filesystem::path& file, std::string_view standard)
{
    return file == "-" ? std::string(standard) : printable(file.string());
}

}  // namespace ositrace::app
