// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

#include <ositrace/field_docs.hpp>

namespace ositrace::gui {

/// What OSI says of a field, as simple HTML: comment, unit, rules, the values of an enum; says so where this build has
/// no comments. `holder`: of the field that holds its message. Empty for no field.
[[nodiscard]] QString documentation_html(FieldPlace place, FieldPlace holder);

/// Of a message: `MovingObject`, and what OSI says of it.
[[nodiscard]] QString documentation_html(const MessageTable& message);

}  // namespace ositrace::gui
