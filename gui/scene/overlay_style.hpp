// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>

#include "gui/render/colours.hpp"

namespace ositrace::gui {

[[nodiscard]] inline QColor to_qcolor(const Colour& colour)
{
    return QColor::fromRgbF(colour[0], colour[1], colour[2], colour[3]);
}
[[nodiscard]] inline QColor text_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(230, 233, 237) : QColor(28, 31, 36);
}
[[nodiscard]] inline QColor faint_text(Theme theme)
{
    return theme == Theme::dark ? QColor(150, 155, 162) : QColor(105, 110, 118);
}
[[nodiscard]] inline QColor panel_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(20, 22, 26, 205) : QColor(250, 250, 251, 220);
}
[[nodiscard]] inline QColor warning_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(255, 190, 80) : QColor(170, 95, 0);
}
[[nodiscard]] inline QColor error_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(255, 120, 110) : QColor(185, 30, 25);
}

/// A fixed pixel size, independent of the screen's resolution: a picture is the same on every machine.
[[nodiscard]] inline QFont overlay_font(int pixels = 12, bool bold = false)
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

/// `strength`: below 1 the panel is more transparent.
inline void paint_panel(QPainter& painter, const QRectF& area, Theme theme, double strength = 1)
{
    auto colour = panel_colour(theme);
    colour.setAlphaF(colour.alphaF() * static_cast<float>(strength));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(area, 5, 5);
}

}  // namespace ositrace::gui
