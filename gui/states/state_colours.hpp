// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <QColor>
#include <QString>

#include <ositrace/schema.hpp>

namespace ositrace::gui {

/// How a value of a field is shown.
struct StateLook {
    QColor colour;
    QString text;           ///< `RED`: without what the names of its enum begin with
    bool is_faint = false;  ///< off, unknown, false, a lamp that is off: drawn as a thin bar
};

/// `text`: the value as text; `order`: its place among the values of the field, for colours without a meaning.
[[nodiscard]] StateLook look_of(const FieldRow& field, std::string_view text, std::size_t order);

/// Black or white, whichever is readable on a colour.
[[nodiscard]] QColor text_colour_on(const QColor& colour);

}  // namespace ositrace::gui
