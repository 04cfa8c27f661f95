// SPDX-License-Identifier: MPL-2.0
// The fields of comma-separated text.
#pragma once

#include <cstddef>
#include <string_view>

#include <QByteArray>
#include <QString>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

/// Quoted if RFC 4180 requires it. A spreadsheet would read a text that begins with `=`, `+` or `@` as a formula: an
/// apostrophe precedes it.
[[nodiscard]] inline QByteArray csv_field(const QString& text)
{
    auto bytes = text.toUtf8();
    if (!bytes.isEmpty() && QByteArrayView("=+@").contains(bytes.front())) bytes.prepend('\'');
    const std::string_view all(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (all.find_first_of(",\"\n\r") == std::string_view::npos) return bytes;
    return '"' + bytes.replace('"', "\"\"") + '"';
}

/// `12.500`: as seconds_text(), without the unit.
[[nodiscard]] inline QByteArray csv_time(Nanoseconds time) { return seconds_text(time).chopped(2).toLatin1(); }
[[nodiscard]] inline QByteArray csv_time(Nanoseconds time, Nanoseconds step)
{
    return seconds_text(time, step).chopped(2).toLatin1();
}

}  // namespace ositrace::gui
