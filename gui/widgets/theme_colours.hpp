// SPDX-License-Identifier: MPL-2.0
// Colours with a meaning, for text and marks on the bases of both themes; see texts_can_be_read_in_both_themes().
#pragma once

#include <cstdint>

#include <QColor>
#include <QGuiApplication>
#include <QPalette>

namespace ositrace::gui {

enum class Tone : std::uint8_t { information, warning, error, time };

[[nodiscard]] inline QColor colour_of(Tone tone, const QPalette& palette = QGuiApplication::palette())
{
    struct Row {
        QRgb dark, light;
    };
    constexpr Row rows[] = {{0xff6cb2ff, 0xff1a5fb4},   // information
                            {0xffffbe50, 0xff8a4a00},   // warning
                            {0xffff786e, 0xffaa1814},   // error
                            {0xffff6b4a, 0xffc03a18}};  // the time that is shown
    const auto& row = rows[static_cast<std::size_t>(tone)];
    const bool is_dark = palette.color(QPalette::Base).lightnessF() < 0.5F;
    return QColor::fromRgb(is_dark ? row.dark : row.light);
}

}  // namespace ositrace::gui
