// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ositrace::app {

/// Bytes of the UTF-8 character that `text`, not empty, begins with; 0: it begins with none (RFC 3629: no overlong forms, no surrogates).
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// Text out of a file as one line that a terminal only shows: control characters (C0, DEL, C1 in UTF-8) become `\n`, `\t`, `\x1b` ...
[[nodiscard]] std::string printable(std::string_view text);

/// The name of a file in a line of a report; `standard` for `-`.
[[nodiscard]] inline std::string shown_file(const std::filesystem::path& file, std::string_view standard)
{
    return file == "-" ? std::string(standard) : printable(file.string());
}

}  // namespace ositrace::app
