// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/measure.hpp"

#include <QFontMetricsF>

#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

QString describe_distance(const GlobalPoint& from, const GlobalPoint& to)
{
    const auto way = to - from;
    return QStringLiteral("%1 m  (dx %2, dy %3, dz %4)")
        .arg(length(way), 0, 'f', 2)
        .arg(way[0], 0, 'f', 2)
        .arg(way[1], 0, 'f', 2)
        .arg(way[2], 0, 'f', 2);
}

void paint_measured(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    const auto colour = to_qcolor(highlight_of(state.options.theme));
    std::vector<QPointF> ends;
    for (const auto& place : state.measured) {
        const auto at = view.project(place - state.picture->origin);
        if (!at) continue;
        ends.emplace_back(at->x, at->y);
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
        painter.setBrush(colour);
        painter.drawEllipse(ends.back(), 4, 4);
    }
    if (ends.size() < 2) return;
    painter.setPen(QPen(colour, 2, Qt::DashLine));
    painter.drawLine(ends[0], ends[1]);
    const auto text = describe_distance(state.measured[0], state.measured[1]);
    const auto font = overlay_font(12, true);
    const QFontMetricsF metrics(font);
    QRectF area(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
    area.moveCenter((ends[0] + ends[1]) / 2 - QPointF(0, 16));
    paint_panel(painter, area, state.options.theme);
    painter.setFont(font);
    painter.setPen(text_colour(state.options.theme));
    painter.drawText(area, Qt::AlignCenter, text);
}

}  // namespace ositrace::gui
