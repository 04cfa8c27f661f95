// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/transport_icons.hpp"

#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace ositrace::gui {

namespace {

constexpr int pixels = 96;  // drawn large, scaled down
constexpr double unit = pixels / 24.0;

QPainterPath triangle(double left, double right)
{
    QPainterPath path;
    path.moveTo(left, 5);
    path.lineTo(right, 12);
    path.lineTo(left, 19);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double left, double width)
{
    QPainterPath path;
    path.addRect(left, 5, width, 14);
    return path;
}

QPainterPath shape_of(TransportSign sign)
{
    switch (sign) {
    case TransportSign::to_start: return bar(4, 2.5) + triangle(13, 7) + triangle(20, 14);
    case TransportSign::previous: return bar(5, 2.5) + triangle(18, 9);
    case TransportSign::play: return triangle(6, 20);
    case TransportSign::pause: return bar(6, 4) + bar(14, 4);
    case TransportSign::next: return triangle(6, 15) + bar(16.5, 2.5);
    case TransportSign::to_end: return triangle(4, 10) + triangle(11, 17) + bar(17.5, 2.5);
    case TransportSign::loop: break;
    }
    return {};
}

void draw_loop(QPainter& painter, const QColor& colour)
{
    painter.setPen(QPen(colour, 2.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(5, 5, 14, 14), 40 * 16, 290 * 16);
    QPainterPath head;
    head.moveTo(13, 4);
    head.lineTo(20, 8);
    head.lineTo(19, 1);
    head.closeSubpath();
    painter.fillPath(head, colour);
}

QPixmap drawn(TransportSign sign, const QColor& colour)
{
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(unit, unit);
    if (sign == TransportSign::loop)
        draw_loop(painter, colour);
    else
        painter.fillPath(shape_of(sign), colour);
    return pixmap;
}

}  // namespace

QIcon transport_icon(TransportSign sign, const QColor& colour)
{
    QIcon icon(drawn(sign, colour));
    auto faint = colour;
    faint.setAlphaF(0.3F);
    icon.addPixmap(drawn(sign, faint), QIcon::Disabled);
    return icon;
}

}  // namespace ositrace::gui
