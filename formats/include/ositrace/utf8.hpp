// SPDX-License-Identifier: MPL-2.0
// Text from files, file names and command lines need not be UTF-8. JSON, MCAP and terminals require it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// The length of the character that `text` begins with (1 to 4 bytes); 0 when it begins with none. `text` is not empty.
[[nodiscard]] OSITRACE_API std::size_t utf8_length(std::string_view text) noexcept;

/// The length of the UTF-8 that `text` begins with: its size when all of it is.
[[nodiscard]] OSITRACE_API std::size_t utf8_prefix(std::string_view text) noexcept;

[[nodiscard]] inline bool is_utf8(std::string_view text) noexcept { return utf8_prefix(text) == text.size(); }

/// The text with U+FFFD in place of each byte that belongs to no character.
[[nodiscard]] OSITRACE_API std::string as_utf8(std::string_view text);

}  // namespace ositrace
