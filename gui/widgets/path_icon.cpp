// SPDX-License-Identifier: MPL-2.0
#include "gui/widgets/path_icon.hpp"

#include <algorithm>

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QStringList>

namespace ositrace::gui {

namespace {

constexpr double grid = 24;

QPainterPath parsed(const char* text)
{
    const auto words = QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QPainterPath path;
    qsizetype at = 0;
    const auto number = [&] { return at < words.size() ? words[at++].toDouble() : 0; };
    const auto point = [&] {
        const double x = number();
        return QPointF(x, number());
    };
    while (at < words.size()) {
        switch (words[at++].front().toLatin1()) {
        case 'M': path.moveTo(point()); break;
        case 'L': path.lineTo(point()); break;
        case 'C': {
            const auto first = point(), second = point();
            path.cubicTo(first, second, point());
            break;
        }
        case 'O': {
            const auto centre = point();
            const double radius = number();
            path.addEllipse(centre, radius, radius);
            break;
        }
        default: path.closeSubpath();
        }
    }
    return path;
}

class PathEngine final : public QIconEngine {
public:
    explicit PathEngine(const QPainterPath& path) : path_(path) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const double scale = std::min(rect.width(), rect.height()) / grid;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center());
        painter->scale(scale, scale);
        painter->translate(-grid / 2, -grid / 2);
        painter->setPen(QPen(QGuiApplication::palette().color(group, QPalette::ButtonText), 1.7, Qt::SolidLine,
                             Qt::RoundCap, Qt::RoundJoin));
        painter->drawPath(path_);
        painter->restore();
    }
    /// Asked for with the pixels of the screen.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new PathEngine(path_); }

private:
    QPainterPath path_;
};

}  // namespace

QIcon path_icon(const char* path) { return QIcon(new PathEngine(parsed(path))); }

}  // namespace ositrace::gui
