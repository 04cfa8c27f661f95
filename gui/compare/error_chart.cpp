// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/error_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <QMouseEvent>
#include <QPainter>

#include "gui/compare/result_rows.hpp"
#include "gui/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double left_margin = 52, right_margin = 10, top_margin = 22, bottom_margin = 30;
constexpr double marks_height = 8;  // of a row of ticks, below the plot
const std::array<QColor, 2> curve_colours{QColor(0x3d, 0x8e, 0xe9), QColor(0xe0, 0x6c, 0x3b)};
const QColor missed_colour(0xd8, 0x8a, 0x00), ghost_colour(0xb0, 0x5c, 0xd0);

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0})
        if (times * power >= least) return times * power;
    return 10 * power;
}

float shown_value(ObjectError kind, float error)
{
    return static_cast<float>(shown_error(kind, static_cast<double>(error)));
}

/// Values in one column of pixels.
struct Column {
    double low = 0, high = 0, first = 0, last = 0;
};

}  // namespace

std::vector<ErrorCurve> error_curves(const TraceComparison& comparison, ObjectError kind, const ObjectHistory* object)
{
    const auto i = static_cast<std::size_t>(kind);
    if (object == nullptr) {
        std::vector<ErrorCurve> curves(2);
        curves[0].name = QObject::tr("mean of all");
        curves[1].name = QObject::tr("largest of all");
        for (const auto& moment : comparison.moments) {
            for (auto& each : curves) each.times.push_back(moment.time);
            curves[0].values.push_back(shown_value(kind, moment.mean[i]));
            curves[1].values.push_back(shown_value(kind, moment.largest[i]));
        }
        return curves;
    }
    ErrorCurve curve;
    curve.name = QObject::tr("object %1").arg(object->id);
    std::optional<std::uint32_t> before;
    for (const auto& sample : object->samples) {
        if (before && sample.moment > *before + 1) {  // it had no partner meanwhile
            curve.times.push_back(comparison.moments[*before + 1].time);
            curve.values.push_back(std::numeric_limits<float>::quiet_NaN());
        }
        before = sample.moment;
        curve.times.push_back(comparison.moments[sample.moment].time);
        curve.values.push_back(shown_value(kind, sample.errors[i]));
    }
    return {std::move(curve)};
}

ErrorMarks error_marks(const TraceComparison& comparison, const ObjectHistory* object)
{
    ErrorMarks marks;
    if (object != nullptr) {
        for (const auto moment : object->missed_moments) marks.missed.push_back(comparison.moments[moment].time);
        return marks;
    }
    for (const auto& moment : comparison.moments) {
        if (moment.missed != 0) marks.missed.push_back(moment.time);
        if (moment.ghosts != 0) marks.ghosts.push_back(moment.time);
    }
    return marks;
}

ErrorChart::ErrorChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("error_chart"));
    setMinimumSize(160, 90);
    setToolTip(tr("A click goes to the time"));
}

void ErrorChart::show_curves(std::vector<ErrorCurve> curves, ErrorMarks marks, const QString& unit)
{
    curves_ = std::move(curves);
    marks_ = std::move(marks);
    unit_ = unit;
    measure();
    update();
}

void ErrorChart::set_time(Nanoseconds time)
{
    if (time == time_) return;
    time_ = time;
    update();
}

/// The times and values that the axes cover: zero is always among the values.
void ErrorChart::measure()
{
    extent_.reset();
    Range range{0, 0};
    const auto cover = [this](const std::vector<Nanoseconds>& times) {
        if (times.empty()) return;
        if (!extent_) extent_ = TimeSection{times.front(), times.back()};
        extent_->from = std::min(extent_->from, times.front());
        extent_->to = std::max(extent_->to, times.back());
    };
    for (const auto& curve : curves_) {
        cover(curve.times);
        for (const auto value : curve.values) {
            if (!std::isfinite(value)) continue;
            range.low = std::min(range.low, static_cast<double>(value));
            range.high = std::max(range.high, static_cast<double>(value));
        }
    }
    cover(marks_.missed);
    cover(marks_.ghosts);
    constexpr double least = 1e-3;  // an axis for errors of zero
    const double room = 0.06 * std::max(range.high - range.low, least);
    range_ = {range.low < 0 ? range.low - room : 0, std::max(range.high, range.low < 0 ? 0 : least) + room};
}

QRectF ErrorChart::plot_area() const
{
    return QRectF(rect()).adjusted(left_margin, top_margin, -right_margin, -bottom_margin);
}

TimeScale ErrorChart::scale() const
{
    const auto area = plot_area();
    return {extent_.value_or(TimeSection{Nanoseconds(0), Nanoseconds(1)}), area.left(), area.width()};
}

double ErrorChart::y_of(double value) const
{
    const auto area = plot_area();
    return area.bottom() - (value - range_.low) / (range_.high - range_.low) * area.height();
}

void ErrorChart::paint_axes(QPainter& painter) const
{
    const auto area = plot_area();
    auto faint = palette().color(QPalette::Mid);
    faint.setAlphaF(0.5F);
    const auto text = palette().color(QPalette::Disabled, QPalette::WindowText);
    const double step = round_step((range_.high - range_.low) * 28 / std::max(area.height(), 1.0));
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step))), 0, 9);
    for (double value = std::ceil(range_.low / step) * step; value <= range_.high; value += step) {
        const double y = y_of(value);
        painter.setPen(QPen(faint, std::abs(value) < step / 2 ? 2 : 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(text);
        painter.drawText(QRectF(0, y - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(value + 0.0, 'f', decimals));
    }
    const auto along = scale();
    for (const auto tick : along.ticks(80)) {
        const double x = along.x_of(tick);
        painter.setPen(faint);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(text);
        painter.drawText(QRectF(x - 40, area.bottom() + marks_height * 2 - 4, 80, 16),
                         Qt::AlignHCenter | Qt::AlignVCenter, seconds_text(tick, along.tick_step(80)));
    }
}

/// Where many samples share a column of pixels, a line from their smallest to their largest value. Linear.
void ErrorChart::paint_curve(QPainter& painter, const ErrorCurve& curve, const QColor& colour) const
{
    const auto along = scale();
    painter.setPen(QPen(colour, 1.5));
    QPolygonF line;
    std::optional<std::pair<int, Column>> column;
    const auto end_column = [&] {
        if (!column) return;
        const double x = column->first + 0.5;
        const auto& values = column->second;
        line.append({x, y_of(values.first)});
        if (values.low != values.high) {
            line.append({x, y_of(values.low)});
            line.append({x, y_of(values.high)});
            line.append({x, y_of(values.last)});
        }
        column.reset();
    };
    const auto end_line = [&] {
        end_column();
        if (line.size() > 1)
            painter.drawPolyline(line);
        else if (line.size() == 1)
            painter.drawEllipse(line[0], 1.5, 1.5);  // a single sample between gaps
        line.clear();
    };
    for (std::size_t i = 0; i != curve.values.size(); ++i) {
        const auto value = static_cast<double>(curve.values[i]);
        if (!std::isfinite(value)) {
            end_line();
            continue;
        }
        const auto x = static_cast<int>(std::floor(along.x_of(curve.times[i])));
        if (column && column->first == x) {
            auto& values = column->second;
            values.low = std::min(values.low, value);
            values.high = std::max(values.high, value);
            values.last = value;
        } else {
            end_column();
            column = {x, Column{value, value, value, value}};
        }
    }
    end_line();
}

void ErrorChart::paint_marks(QPainter& painter) const
{
    const auto along = scale();
    const auto paint = [&](const std::vector<Nanoseconds>& times, double top, const QColor& colour) {
        int last = -1;
        for (const auto time : times) {
            const auto x = static_cast<int>(std::floor(along.x_of(time)));
            if (std::exchange(last, x) != x) painter.fillRect(QRectF(x, top, 1.5, marks_height - 2), colour);
        }
    };
    paint(marks_.missed, plot_area().bottom() + 2, missed_colour);
    paint(marks_.ghosts, plot_area().bottom() + 2 + marks_height - 2, ghost_colour);
}

/// The curves with their values at the time on the screen, and what the ticks mean.
void ErrorChart::paint_legend(QPainter& painter) const
{
    double x = left_margin;
    const auto add = [&](const QString& text, const QColor& colour) {
        painter.fillRect(QRectF(x, 8, 10, 4), colour);
        painter.setPen(palette().color(QPalette::WindowText));
        const double width = painter.fontMetrics().horizontalAdvance(text);
        painter.drawText(QRectF(x + 14, 1, width + 2, 18), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 32;
    };
    for (std::size_t i = 0; i != curves_.size(); ++i) {
        const auto& curve = curves_[i];
        const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time_) - curve.times.begin();
        const auto value =
            after == 0 ? std::numeric_limits<float>::quiet_NaN() : curve.values[static_cast<std::size_t>(after - 1)];
        const auto text =
            std::isfinite(value)
                ? QStringLiteral("%1: %2 %3").arg(curve.name).arg(static_cast<double>(value), 0, 'f', 3).arg(unit_)
                : curve.name;
        add(text, curve_colours.at(i % curve_colours.size()));
    }
    if (!marks_.missed.empty()) add(tr("missed"), missed_colour);
    if (!marks_.ghosts.empty()) add(tr("ghosts"), ghost_colour);
}

void ErrorChart::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const auto area = plot_area();
    if (area.width() < 1 || area.height() < 1) return;
    auto font = painter.font();
    font.setPointSizeF(font.pointSizeF() * 0.85);
    painter.setFont(font);
    if (!extent_) {
        painter.setPen(palette().color(QPalette::Disabled, QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignCenter, tr("no errors to show"));
        return;
    }
    paint_axes(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i != curves_.size(); ++i)
        paint_curve(painter, curves_[i], curve_colours.at(i % curve_colours.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    paint_marks(painter);
    paint_legend(painter);
    const double now = scale().x_of(time_);
    if (now < area.left() - 1 || now > area.right() + 1) return;
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawLine(QPointF(now, area.top()), QPointF(now, area.bottom() + 2 * marks_height - 2));
}

void ErrorChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && extent_) emit seek_requested(scale().time_at(event->position().x()));
}

void ErrorChart::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && extent_)
        emit seek_requested(scale().time_at(event->position().x()));
}

}  // namespace ositrace::gui
