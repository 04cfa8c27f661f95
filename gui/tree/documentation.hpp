// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

#include <ositrace/field_docs.hpp>

namespace ositrace::gui {

/// The OSI documentation of a field as simple HTML: comment, unit, rules, values of an enum; or a note if this build
/// has no comments. `holder`: the field that contains its message. Empty for no field.
[[nodiscard]] QString documentation_html(FieldPlace place, FieldPlace holder);

/// The OSI documentation of a message.
[[nodiscard]] QString documentation_html(const MessageTable& message);

}  // namespace ositrace::gui
