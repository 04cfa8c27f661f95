// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <QString>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// The most characters of a value in a row, and in a copy.
inline constexpr qsizetype shown_characters = 200, copied_characters = 1 << 20;

/// A value as text: numbers as the shortest text that parses to the same number, enums by name, bytes in hexadecimal
/// after their length, control characters as symbols; a short identification of a message (`id 12`, `(1.5, 2, 0)`). One
/// line of at most `most` characters. Throws what MessageView throws.
[[nodiscard]] QString value_text(const FieldRow& field, const Value& value, qsizetype most = shown_characters);

/// `double`, `MovingObject[]`, `MovingObject.Type`
[[nodiscard]] QString type_text(const FieldRow& field, bool of_one_element);

/// Text of a file: invalid UTF-8 and invisible characters are replaced; cut at `most` characters.
[[nodiscard]] QString visible_text(std::string_view text, qsizetype most);

}  // namespace ositrace::gui
