// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/pair_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include "gui/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double side_margin = 6;
constexpr double longest_collision = 20;  // s: longer times to a collision do not matter, and would flatten the others

/// The index of the least number; empty: there is none.
std::optional<std::size_t> least_of(const std::vector<double>& values)
{
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i != values.size(); ++i)
        if (std::isfinite(values[i]) && (!least || values[i] < values[*least])) least = i;
    return least;
}

/// Of each column of pixels the highest and the lowest point, so that a long curve costs no more than a short one.
template <class X, class Y>
QPainterPath curve_path(const std::vector<double>& values, X x_of, Y y_of)
{
    QPainterPath path;
    bool is_begun = false;
    double column = 0, top = 0, bottom = 0;
    const auto draw_to = [&](double x, double y) { is_begun ? path.lineTo(x, y) : path.moveTo(x, y); };
    const auto end_column = [&] {
        if (is_begun && top != bottom) {
            path.lineTo(column, top);
            path.lineTo(column, bottom);
        }
    };
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            end_column();
            is_begun = false;
            continue;
        }
        const double x = x_of(i), y = y_of(values[i]);
        if (is_begun && std::floor(x) == std::floor(column)) {
            top = std::min(top, y);
            bottom = std::max(bottom, y);
            continue;
        }
        end_column();
        draw_to(x, y);
        is_begun = true;
        column = x;
        top = bottom = y;
    }
    end_column();
    return path;
}

}  // namespace

PairChart::PairChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("pair_chart"));
    setMinimumHeight(2 * fontMetrics().height() + 60);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setToolTip(
        tr("Gap: shortest distance of the bounding boxes, seen from above. Time to collision: until they touch if "
           "both keep velocity and heading. A click seeks."));
}

QSize PairChart::sizeHint() const { return {260, 2 * fontMetrics().height() + 90}; }

void PairChart::show_curves(std::shared_ptr<const PairCurves> curves, const QString& note)
{
    curves_ = std::move(curves);
    note_ = note;
    update();
}

void PairChart::show_time(Nanoseconds time)
{
    if (time == time_) return;
    time_ = time;
    update();
}

double PairChart::x_of(Nanoseconds time) const
{
    const double from = static_cast<double>(curves_->times.front().count());
    const double span = std::max(1.0, static_cast<double>(curves_->times.back().count()) - from);
    return side_margin + (static_cast<double>(time.count()) - from) / span * (width() - 2 * side_margin);
}

Nanoseconds PairChart::time_at(double x) const
{
    const double from = static_cast<double>(curves_->times.front().count());
    const double span = static_cast<double>(curves_->times.back().count()) - from;
    const double share = std::clamp((x - side_margin) / std::max(1.0, width() - 2 * side_margin), 0.0, 1.0);
    return Nanoseconds(std::llround(from + share * span));
}

QString PairChart::least_text(bool of_collision) const
{
    const auto& values = of_collision ? curves_->time_to_collision : curves_->gap;
    const auto title = of_collision ? tr("time to collision") : tr("gap");
    const auto least = least_of(values);
    if (!least) return tr("%1: never").arg(title);
    return tr("%1: least %2 %3 at %4")
        .arg(title)
        .arg(values[*least], 0, 'f', 2)
        .arg(of_collision ? QStringLiteral("s") : QStringLiteral("m"),
             seconds_text(curves_->times[*least], std::chrono::milliseconds(1)));
}

void PairChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.setPen(palette().color(QPalette::Text));
    if (!curves_ || curves_->times.empty()) {
        const auto text = curves_ && curves_->is_complete ? tr("No message contains both objects") : note_;
        painter.drawText(rect().adjusted(6, 0, -6, 0), Qt::AlignCenter | Qt::TextWordWrap, text);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const bool is_dark = palette().color(QPalette::Base).lightness() < 128;
    const double high = height() / 2.0, line = fontMetrics().height() + 2;
    for (const bool of_collision : {false, true}) {
        const auto& values = of_collision ? curves_->time_to_collision : curves_->gap;
        const double top = (of_collision ? high : 0) + line, bottom = (of_collision ? 2 : 1) * high - 4;
        double most = 0;
        for (const double value : values)
            if (std::isfinite(value)) most = std::max(most, value);
        if (of_collision) most = std::min(most, longest_collision);
        const auto y_of = [&](double value) {
            return bottom - std::min(value / std::max(most, 1e-9), 1.0) * (bottom - top);
        };
        const auto path = curve_path(values, [&](std::size_t i) { return x_of(curves_->times[i]); }, y_of);
        const QColor colour = of_collision ? (is_dark ? QColor(0xff, 0xa7, 0x26) : QColor(0xd8, 0x6a, 0x00))
                                           : (is_dark ? QColor(0x64, 0xb5, 0xf6) : QColor(0x15, 0x65, 0xc0));
        painter.setPen(QPen(colour, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        if (const auto least = least_of(values)) {
            painter.setBrush(colour);
            painter.drawEllipse(QPointF(x_of(curves_->times[*least]), y_of(values[*least])), 3, 3);
        }
        painter.setPen(palette().color(QPalette::Text));
        const QRectF title(side_margin, top - line, width() - 2 * side_margin, line);
        painter.drawText(
            title, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(least_text(of_collision), Qt::ElideRight, static_cast<int>(title.width())));
    }
    if (time_ < curves_->times.front() || time_ > curves_->times.back()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    const double x = x_of(time_);
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
}

void PairChart::seek_to(double x)
{
    if (curves_ && !curves_->times.empty()) emit seek_requested(time_at(x));
}

void PairChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) seek_to(event->position().x());
}

void PairChart::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton)) seek_to(event->position().x());
}

}  // namespace ositrace::gui
