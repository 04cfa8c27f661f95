// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/rulers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <QFontMetricsF>

#include "gui/scene/overlay_style.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double apart = 90;  // pixels between numbers, at least
constexpr double from_edge = 3;

QFont number_font() { return overlay_font(TextSize::small); }

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0})
        if (times * power >= least) return times * power;
    return 10 * power;
}

/// An edge of the view: where along it a coordinate has which value.
struct Edge {
    bool is_bottom = true;
    std::size_t axis = 0;  ///< x or y
    double at_start = 0;   ///< at the left, or at the top
    double per_pixel = 0;  ///< to the right, or downwards
    double pixels = 0;     ///< its length
};

void add_numbers(const Edge& edge, QSizeF view, const std::vector<QRectF>& occupied, std::vector<AxisNumber>& numbers)
{
    const QFontMetricsF metrics(number_font());
    const double step = round_step(std::abs(edge.per_pixel) * apart);
    const double end = edge.at_start + edge.per_pixel * edge.pixels;
    constexpr double farthest = 1e12;  // steps: beyond, numbers are not exact
    const double least = std::min(edge.at_start, end) / step, most = std::max(edge.at_start, end) / step;
    if (!(least >= -farthest && most <= farthest)) return;
    const auto first = static_cast<std::int64_t>(std::ceil(least)), last = static_cast<std::int64_t>(std::floor(most));
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (auto i = first; i <= last; ++i) {
        const double value = static_cast<double>(i) * step;
        const double along = (value - edge.at_start) / edge.per_pixel;
        const auto text = QStringLiteral("%1 %2").arg(edge.axis == 0 ? QLatin1String("x") : QLatin1String("y"),
                                                      fixed_text(value, digits));
        const QSizeF size(std::ceil(metrics.horizontalAdvance(text)) + 6, std::ceil(metrics.height()));
        const QPointF corner = edge.is_bottom
                                   ? QPointF(along - size.width() / 2, view.height() - from_edge - size.height())
                                   : QPointF(from_edge, along - size.height() / 2);
        const QRectF area(corner, size);
        const bool is_free =
            QRectF(QPointF(), view).contains(area) &&
            std::ranges::none_of(occupied, [&](const QRectF& other) { return other.intersects(area); });
        if (is_free) numbers.push_back({text, area});
    }
}

}  // namespace

std::vector<AxisNumber> axis_numbers(const ViewTransform& view, const SceneState& state,
                                     const std::vector<QRectF>& occupied)
{
    std::vector<AxisNumber> numbers;
    const QSizeF size(view.size().width, view.size().height);
    const double scale = view.metres_per_pixel();
    if (!view.parallel() || !(scale > 0) || !std::isfinite(scale)) return numbers;
    const auto corner_at = [&](double x, double y) {
        return view.on_level(x, y, 0).value_or(Vector{}) + state.picture->origin;
    };
    const auto bottom_left = corner_at(0, size.height()), top_left = corner_at(0, 0);
    // The axis that the edge runs along, more or less.
    const std::size_t across = std::abs(view.right()[0]) >= std::abs(view.right()[1]) ? 0 : 1, upwards = 1 - across;
    add_numbers({true, across, bottom_left[across], view.right()[across] * scale, size.width()}, size, occupied,
                numbers);
    auto taken = occupied;
    for (const auto& each : numbers) taken.push_back(each.area);
    add_numbers({false, upwards, top_left[upwards], -view.up()[upwards] * scale, size.height()}, size, taken, numbers);
    return numbers;
}

void paint_axis_numbers(QPainter& painter, const std::vector<AxisNumber>& numbers, Theme theme)
{
    painter.setFont(number_font());
    for (const auto& number : numbers) {
        paint_panel(painter, number.area, theme);
        painter.setPen(text_colour(theme));
        painter.drawText(number.area, Qt::AlignCenter, number.text);
    }
}

QString coordinates_text(const GlobalPoint& place)
{
    return QStringLiteral("x %1  y %2 m").arg(fixed_text(place[0], 2), fixed_text(place[1], 2));
}

}  // namespace ositrace::gui
