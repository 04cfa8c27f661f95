// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <QString>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// Characters of a value that a row shows, and that a copy takes along.
inline constexpr qsizetype shown_characters = 200, copied_characters = 1 << 20;

/// A value as people read it: numbers as the shortest text that gives them back, enums by name, bytes in hexadecimal
/// behind their length, control characters as symbols; of a message what tells it apart (`id 12`, `(1.5, 2, 0)`), if
/// that is short. One line of `most` characters. Throws what MessageView throws.
[[nodiscard]] QString value_text(const FieldRow& field, const Value& value, qsizetype most = shown_characters);

/// `double`, `MovingObject[]`, `MovingObject.Type`
[[nodiscard]] QString type_text(const FieldRow& field, bool of_one_element);

/// `12 345`
[[nodiscard]] QString count_text(std::uint64_t count);

/// `2.4 kB`, of 1024 bytes each.
[[nodiscard]] QString size_text(std::uint64_t bytes);

/// UTF-8 from a file: what is none and what would not be seen is replaced; cut at `most` characters.
[[nodiscard]] QString visible_text(std::string_view text, qsizetype most);

}  // namespace ositrace::gui
