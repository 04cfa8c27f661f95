// SPDX-License-Identifier: MPL-2.0
// What OSI's .proto files say of every message, field, enum and enumerator, for people who look at one.
#pragma once

#include <cstddef>
#include <string_view>

#include <ositrace/schema.hpp>

namespace ositrace {

/// Plain text, UTF-8; lives as long as the program.
struct FieldDoc {
    std::string_view comment;  ///< paragraphs, an empty line between them; without the unit and the rules
    std::string_view unit;     ///< as OSI writes it: `m`, `rad/s`, `m, m/s, or m/s^2`; empty where it states none
    std::string_view rules;    ///< one a line: `is_greater_than_or_equal_to: 0`; empty without rules
};

/// How many names are documented; 0 when the comments could not be fetched for this build.
[[nodiscard]] std::size_t documented_names();

/// By name, so that they serve a schema of another release too; nullptr where nothing is said. The first call unpacks
/// all (1 ms).
[[nodiscard]] const FieldDoc* doc_of(const MessageTable& message);
[[nodiscard]] const FieldDoc* doc_of(const MessageTable& message, const FieldRow& field);
[[nodiscard]] const FieldDoc* doc_of(const EnumTable& enumeration);
[[nodiscard]] const FieldDoc* doc_of(const EnumTable& enumeration, std::string_view value_name);

/// A field and the message it is declared in.
struct FieldPlace {
    const MessageTable* message = nullptr;
    const FieldRow* field = nullptr;
};

/// The one unit of a field where it stands: `m` of `base.position.x`, whose own comment says `m, m/s, or m/s^2`: then
/// the name of the field that holds the message decides, as Vector3d's comment says. Empty where there is none.
[[nodiscard]] std::string_view unit_of(FieldPlace field, FieldPlace holder = {});

}  // namespace ositrace
