// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>

#include <ositrace/palette.hpp>

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
    return theme == Theme::dark ? QColor(160, 165, 172) : QColor(90, 95, 103);
}
[[nodiscard]] inline QColor panel_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(20, 22, 26, 235) : QColor(250, 250, 251, 235);
}
[[nodiscard]] inline QColor warning_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(255, 190, 80) : QColor(138, 74, 0);
}
[[nodiscard]] inline QColor error_colour(Theme theme)
{
    return theme == Theme::dark ? QColor(255, 120, 110) : QColor(170, 24, 20);
}

/// Around a mark of this colour, so that it stands out from every ground.
[[nodiscard]] inline QColor halo_of(const QColor& mark)
{
    constexpr float bright = 0.45F;
    return mark.lightnessF() > bright ? QColor(20, 22, 26) : QColor(250, 250, 251);
}

/// Distances are multiples of it, in pixels.
inline constexpr double grid_step = 4;

/// The sizes of text, in pixels.
enum class TextSize : int { small = 11, normal = 12, title = 14 };

/// A fixed pixel size, independent of the screen's resolution: a picture is the same on every machine. All figures of
/// the font are equally wide.
[[nodiscard]] inline QFont overlay_font(TextSize size = TextSize::normal, bool bold = false)
{
    const int pixels = static_cast<int>(size);
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

inline void paint_panel(QPainter& painter, const QRectF& area, Theme theme)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(panel_colour(theme));
    painter.drawRoundedRect(area, grid_step, grid_step);
}

}  // namespace ositrace::gui
