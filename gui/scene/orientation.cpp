// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/orientation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

/// 1, 2 or 5 times a power of ten, at most `most`.
double round_length(double most)
{
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double times : {5.0, 2.0}) {
        if (times * power <= most) return times * power;
    }
    return power;
}

}  // namespace

QRectF paint_scale_bar(QPainter& painter, QSize size, const ViewTransform& view, const SceneState& state)
{
    const double metres_per_pixel = view.metres_per_pixel_at(state.camera.target - state.picture->origin);
    if (!(metres_per_pixel > 0) || !std::isfinite(metres_per_pixel)) return {};
    const double metres = round_length(140 * metres_per_pixel), pixels = metres / metres_per_pixel;
    const auto theme = state.options.theme;
    const QRectF panel(10, size.height() - 10 - 20, pixels + 74, 20);
    paint_panel(painter, panel, theme);
    const double y = panel.center().y() + 3, x = panel.left() + 8;
    painter.setPen(QPen(text_colour(theme), 1.5));
    painter.drawPolyline(
        QPolygonF{QPointF(x, y - 6), QPointF(x, y), QPointF(x + pixels, y), QPointF(x + pixels, y - 6)});
    painter.setFont(overlay_font(11));
    const auto text = metres >= 1000 ? QStringLiteral("%1 km").arg(metres / 1000) : QStringLiteral("%1 m").arg(metres);
    painter.drawText(QRectF(x + pixels + 6, panel.top(), 60, panel.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    return panel;
}

QRectF paint_orientation(QPainter& painter, QSize size, const ViewTransform& view, Theme theme)
{
    constexpr double reach = 22;
    const QPointF middle(size.width() - 47, 47);
    struct Axis {
        const char* name;
        Vector direction;
        QColor colour;
    };
    std::array<Axis, 3> axes{Axis{"x", {1, 0, 0}, QColor(235, 64, 52)}, Axis{"y", {0, 1, 0}, QColor(60, 185, 75)},
                             Axis{"z", {0, 0, 1}, QColor(66, 133, 244)}};
    // What points away is painted first.
    std::sort(axes.begin(), axes.end(), [&](const Axis& a, const Axis& b) {
        return dot(a.direction, view.forward()) > dot(b.direction, view.forward());
    });
    const QRectF panel(middle.x() - 37, middle.y() - 37, 74, 74);
    paint_panel(painter, panel, theme);
    painter.setFont(overlay_font(11, true));
    for (const auto& axis : axes) {
        const QPointF along(dot(axis.direction, view.right()) * reach, -dot(axis.direction, view.up()) * reach);
        if (std::hypot(along.x(), along.y()) < 3) continue;  // towards the eye
        painter.setPen(QPen(axis.colour, 2));
        painter.drawLine(middle, middle + along);
        const auto text = middle + 1.35 * along;
        painter.drawText(QRectF(text.x() - 8, text.y() - 8, 16, 16), Qt::AlignCenter, QString::fromLatin1(axis.name));
    }
    return panel;
}

}  // namespace ositrace::gui
