// SPDX-License-Identifier: MPL-2.0
// The comments in OSI's .proto files on every message, field, enum and enumerator.
#pragma once

#include <cstddef>
#include <string_view>

#include <ositrace/field_path.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Plain text, UTF-8; lives as long as the program.
struct FieldDoc {
    std::string_view comment;  ///< paragraphs, separated by empty lines; without unit and rules
    std::string_view unit;     ///< `m`, `rad/s`, `m, m/s, or m/s^2`; empty: none
    std::string_view rules;    ///< one per line: `is_greater_than_or_equal_to: 0`; empty: none
};

/// Number of documented names; 0 if the comments could not be fetched for this build.
[[nodiscard]] std::size_t documented_names();

/// Found by name, so they apply to schemas of other releases, too; nullptr: not documented. The first call decompresses
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

/// The unit of a field inside the field `holder`: `m` for `x` in `base.position`. The comment on `x` is `m, m/s, or
/// m/s^2`; the name of the holder decides, as the comment on Vector3d says. Empty: no unit.
[[nodiscard]] std::string_view unit_of(FieldPlace field, FieldPlace holder = {});
/// The unit of the last field of a path that was compiled for `root`.
[[nodiscard]] std::string_view unit_of(const MessageTable& root, const FieldPath& path);

}  // namespace ositrace
