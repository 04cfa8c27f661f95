// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/boundary_results.hpp"

#include <cmath>
#include <limits>

#include <QPainter>

#include "gui/plot/plot_view.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int metre_decimals = 3;

ResultCell metres_cell(double metres)
{
    return std::isnan(metres) ? ResultCell{{}} : ResultCell{fixed_text(metres, metre_decimals), metres};
}

}  // namespace

QString boundary_name(std::uint64_t id, bool has_id)
{
    return has_id ? QString::number(id) : QStringLiteral("#%1").arg(id);
}

ResultTable boundary_table(const BoundaryComparison& comparison)
{
    const auto tr = [](const char* text) { return BoundaryChart::tr(text); };
    ResultTable table;
    table.columns = {{tr("B"), tr("Its id or tracking id; without one its place in the list")},
                     {tr("ahead [m]"), tr("Where it is, along the axis of the sensor"), false},
                     {tr("mean [m]"), tr("Lateral error at the cursor, over its length: B to the left is positive")},
                     {tr("mean |.| [m]"), tr("The same of its size")},
                     {tr("largest [m]"), tr("The largest lateral error")},
                     {tr("at [m]"), tr("How far ahead that is")},
                     {tr("without A [m]"), tr("Length without a boundary of A within the gate")}};
    for (const auto& each : comparison.boundaries) {
        ResultRow row;
        row.cells = {{boundary_name(each.id, each.has_id), static_cast<double>(each.id)},
                     {tr("%1 to %2").arg(fixed_text(each.from, 1), fixed_text(each.to, 1)), each.from},
                     metres_cell(each.mean),
                     metres_cell(each.mean_absolute),
                     metres_cell(each.matched > 0 ? each.largest : std::numeric_limits<double>::quiet_NaN()),
                     metres_cell(each.matched > 0 ? each.largest_ahead : std::numeric_limits<double>::quiet_NaN()),
                     metres_cell(each.unmatched)};
        row.is_odd = each.unmatched > 0;
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString boundary_text(const BoundaryComparison& comparison)
{
    auto text = BoundaryChart::tr("%1 of B against %2 of A")
                    .arg(count_text(comparison.counts[1], "lane boundary"), count_text(comparison.counts[0]));
    text.replace(QStringLiteral("boundarys"), QStringLiteral("boundaries"));
    if (!std::isnan(comparison.mean_absolute))
        text += BoundaryChart::tr(", mean |lateral| at the cursor %1 m over %2 m")
                    .arg(fixed_text(comparison.mean_absolute, metre_decimals), fixed_text(comparison.matched, 1));
    if (comparison.unmatched > 0)
        text += BoundaryChart::tr(", %1 m without a boundary of A").arg(fixed_text(comparison.unmatched, 1));
    for (const auto& note : comparison.notes) text += QStringLiteral(". ") + QString::fromStdString(note);
    return text;
}

BoundaryChart::BoundaryChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("boundary_chart"));
    setAccessibleName(tr("Lateral error over distance"));
}

void BoundaryChart::show_comparison(const BoundaryComparison* comparison)
{
    comparison_ = comparison == nullptr ? BoundaryComparison() : *comparison;
    update();
}

void BoundaryChart::paintEvent(QPaintEvent*)
{
    constexpr int gap = 6;
    constexpr double tick_distance_x = 110, tick_distance_y = 28;
    QPainter painter(this);
    const auto metrics = fontMetrics();
    ValueRange ahead, lateral;
    lateral.add(0);
    for (const auto& each : comparison_.places) {
        if (std::isnan(each.lateral)) continue;
        ahead.add(each.ahead);
        lateral.add(each.lateral);
    }
    const auto number_width = metrics.horizontalAdvance(QStringLiteral("-00.00")) + gap;
    const QRect area(number_width, metrics.height() + gap, width() - number_width - gap,
                     height() - 2 * metrics.height() - 3 * gap);
    painter.fillRect(area, palette().color(QPalette::Base));
    if (ahead.is_empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, tr("no lateral errors at this time"));
        return;
    }
    // Some room, and never less than a centimetre: else rounding fills the chart.
    constexpr double least = 0.01;
    const auto room = std::max((lateral.most - lateral.least) * 0.08, least);
    const ValueScale x(ahead, area.left(), area.width());
    const ValueScale y({lateral.least - room, lateral.most + room}, area.bottom(), -area.height());
    const auto text_of = [](double tick, double step) {
        return fixed_text(tick, std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))));
    };
    for (const auto tick : y.ticks(tick_distance_y)) {
        const auto at = std::round(y.at(tick));
        painter.setPen(QPen(palette().color(QPalette::Mid), 1, tick == 0 ? Qt::SolidLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(0, at - metrics.height() / 2.0, number_width - gap / 2.0, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, text_of(tick, y.tick_step(tick_distance_y)));
    }
    for (const auto tick : x.ticks(tick_distance_x)) {
        const auto at = std::round(x.at(tick));
        painter.setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DotLine));
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(at - 60, area.bottom() + gap, 120, metrics.height()), Qt::AlignHCenter,
                         text_of(tick, x.tick_step(tick_distance_x)) + tr(" m ahead"));
    }
    painter.drawText(QRect(gap, 0, width() - gap, metrics.height()), Qt::AlignLeft,
                     tr("lateral error of B at the cursor [m], to the left positive"));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    const bool is_dark = palette().color(QPalette::Base).lightnessF() < 0.5F;
    QPolygonF run;
    std::size_t colour = 0;
    QPointF last;
    const auto flush = [&] {
        if (run.size() > 1) painter.drawPolyline(run);
        if (run.size() == 1) painter.drawEllipse(run.front(), 2, 2);
        if (!run.isEmpty()) last = run.back();
        run.clear();
    };
    /// The name of the boundary at the end of its line.
    const auto finish = [&](std::uint32_t b) {
        flush();
        const auto named = std::ranges::find(comparison_.boundaries, b, &ComparedBoundary::place);
        if (named == comparison_.boundaries.end() || last.isNull()) return;
        const auto name = boundary_name(named->id, named->has_id);
        const auto above = std::max(last.y() - gap / 2.0, 1.0 * area.top() + metrics.ascent());
        painter.drawText(QPointF(last.x() - metrics.horizontalAdvance(name) - gap, above), name);
        last = {};
    };
    for (std::size_t i = 0; i != comparison_.places.size(); ++i) {
        const auto& place = comparison_.places[i];
        if (i != 0 && place.b != comparison_.places[i - 1].b) {
            finish(comparison_.places[i - 1].b);
            ++colour;
        }
        painter.setPen(QPen(plot_colour(colour, is_dark), 2));
        if (std::isnan(place.lateral))
            flush();
        else
            run += QPointF(x.at(place.ahead), y.at(place.lateral));
    }
    finish(comparison_.places.back().b);
}

}  // namespace ositrace::gui
