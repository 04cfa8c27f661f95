// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/legend.hpp"

#include <algorithm>
#include <array>

#include <QFontMetricsF>

#include "gui/scene/overlay_style.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double left = 10, top = 10, row_height = 18, sample = 11, gap = 8;
constexpr double swatch_width = sample + 2 * gap;  // of a row without its name
constexpr std::size_t most_wide_rows = 8;          // a longer legend has smaller rows
constexpr double narrow_row_height = 15;
constexpr double most_of_width = 0.4;  // of the width of the view: more would hide the scene

QString text_of(Category category)
{
    const auto name = name_of(category);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

}  // namespace

std::vector<std::pair<Category, std::size_t>> counts_in(const Picture& picture, const RenderOptions& options)
{
    std::array<std::size_t, category_count> counts{};
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things)
            if (options.shows_source(thing.key.source)) ++counts[static_cast<std::size_t>(thing.key.category)];
    }
    for (const auto& cloud : picture.clouds)
        if (options.shows_source(cloud->key.source))
            counts[static_cast<std::size_t>(cloud->key.category)] += cloud->points.size();
    std::vector<std::pair<Category, std::size_t>> found;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) found.emplace_back(static_cast<Category>(i), counts[i]);
    }
    return found;
}

std::vector<LegendRow> legend_rows(const SceneState& state, QSize size)
{
    std::vector<LegendRow> rows;
    if (!state.picture || !state.legend) return rows;
    const QFontMetricsF metrics(overlay_font());
    double widest = 0, widest_name = 0;
    for (const auto& [category, count] : counts_in(*state.picture, state.options)) {
        widest = std::max(widest,
                          metrics.horizontalAdvance(text_of(category)) + metrics.horizontalAdvance(count_text(count)));
        widest_name = std::max(widest_name, metrics.horizontalAdvance(text_of(category)));
        rows.push_back({category, count, {}});
    }
    // In a narrow view without counts, in a very narrow one without names: a part of them says nothing.
    const double most = most_of_width * size.width();
    const double width =
        widest_name + sample + 3 * gap > most ? swatch_width : std::min(sample + widest + 4 * gap, most);
    const double height = rows.size() > most_wide_rows ? narrow_row_height : row_height;
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].area = {left, top + 5 + static_cast<double>(i) * height, width, height};
    std::erase_if(rows, [&](const LegendRow& row) { return row.area.bottom() > size.height() - top; });
    return rows;
}

std::optional<Category> legend_row_at(const SceneState& state, QSize size, QPointF at)
{
    for (const auto& row : legend_rows(state, size)) {
        if (row.area.contains(at)) return row.category;
    }
    return std::nullopt;
}

double legend_right(const SceneState& state, QSize size)
{
    const auto rows = legend_rows(state, size);
    return rows.empty() ? 0 : rows.front().area.right();
}

QRectF paint_legend(QPainter& painter, QSize size, const SceneState& state)
{
    const auto rows = legend_rows(state, size);
    if (rows.empty()) return {};
    const QFontMetricsF metrics(overlay_font());
    const double width = rows.front().area.width();
    const bool narrow = width >= most_of_width * size.width();
    const auto theme = state.options.theme;
    const auto panel = rows.front().area.united(rows.back().area).adjusted(0, -5, 0, 5);
    paint_panel(painter, panel, theme, 0.8);
    painter.setFont(overlay_font());
    for (const auto& row : rows) {
        const bool shown = state.options.shows(row.category);
        auto colour = to_qcolor(colour_of(row.category, theme));
        colour.setAlpha(255);
        const QRectF swatch(row.area.left() + gap, row.area.center().y() - sample / 2, sample, sample);
        constexpr int dark = 80;  // asphalt on a dark panel
        const auto edge = colour.lightness() < dark ? colour.lighter(220) : colour.darker(130);
        painter.setPen(QPen(shown ? edge : faint_text(theme), 1));
        painter.setBrush(shown ? QBrush(colour) : Qt::NoBrush);
        painter.drawRoundedRect(swatch, 2, 2);
        if (width <= swatch_width) continue;
        painter.setPen(shown ? text_colour(theme) : faint_text(theme));
        const auto text = row.area.adjusted(sample + 2 * gap, 0, -gap, 0);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text_of(row.category), Qt::ElideRight, text.width()));
        if (narrow) continue;
        painter.setPen(faint_text(theme));
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, count_text(row.count));
    }
    return panel;
}

}  // namespace ositrace::gui
