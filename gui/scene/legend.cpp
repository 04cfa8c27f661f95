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
constexpr double most_of_height = 0.4;

QString text_of(Category category)
{
    const auto name = name_of(category);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

struct Place {
    std::vector<LegendRow> rows;  ///< of a legend that is not folded
    QRectF head;                  ///< empty: it cannot be folded
    bool folded = false;
    std::size_t kinds = 0;
};

Place place_of(const SceneState& state, QSize size);

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

namespace {

Place place_of(const SceneState& state, QSize size)
{
    Place place;
    auto& rows = place.rows;
    if (!state.picture || !state.legend) return place;
    const QFontMetricsF metrics(overlay_font());
    double widest = 0, widest_name = 0;
    for (const auto& [category, count] : counts_in(*state.picture, state.options)) {
        widest = std::max(widest,
                          metrics.horizontalAdvance(text_of(category)) + metrics.horizontalAdvance(count_text(count)));
        widest_name = std::max(widest_name, metrics.horizontalAdvance(text_of(category)));
        rows.push_back({category, count, {}});
    }
    place.kinds = rows.size();
    // In a narrow view without counts, in a very narrow one without names: a part of them says nothing.
    const double most = most_of_width * size.width();
    const double width =
        widest_name + sample + 3 * gap > most ? swatch_width : std::min(sample + widest + 4 * gap, most);
    const bool is_long = rows.size() > most_wide_rows;
    const double height = is_long ? narrow_row_height : row_height;
    double y = top + 5;
    if (is_long) {
        const double whole = height * static_cast<double>(rows.size() + 1);
        place.folded = state.legend_folded.value_or(whole > most_of_height * size.height());
        place.head = {left, y, width, height};
        y += height;
    }
    if (place.folded) rows.clear();
    for (auto& row : rows) {
        row.area = {left, y, width, height};
        y += height;
    }
    std::erase_if(rows, [&](const LegendRow& row) { return row.area.bottom() > size.height() - top; });
    return place;
}

}  // namespace

std::vector<LegendRow> legend_rows(const SceneState& state, QSize size) { return place_of(state, size).rows; }

QRectF legend_head(const SceneState& state, QSize size) { return place_of(state, size).head; }

bool is_legend_folded(const SceneState& state, QSize size) { return place_of(state, size).folded; }

std::optional<Category> legend_row_at(const SceneState& state, QSize size, QPointF at)
{
    for (const auto& row : legend_rows(state, size)) {
        if (row.area.contains(at)) return row.category;
    }
    return std::nullopt;
}

double legend_right(const SceneState& state, QSize size)
{
    const auto place = place_of(state, size);
    return place.rows.empty() ? place.head.right() : place.rows.front().area.right();
}

QRectF paint_legend(QPainter& painter, QSize size, const SceneState& state)
{
    const auto place = place_of(state, size);
    const auto& rows = place.rows;
    if (rows.empty() && place.head.isEmpty()) return {};
    const QFontMetricsF metrics(overlay_font());
    auto whole = place.head;
    for (const auto& row : rows) whole = whole.united(row.area);
    const double width = whole.width();
    const bool narrow = width >= most_of_width * size.width();
    const auto theme = state.options.theme;
    const auto panel = whole.adjusted(0, -5, 0, 5);
    paint_panel(painter, panel, theme, 0.8);
    painter.setFont(overlay_font());
    if (!place.head.isEmpty()) {
        painter.setPen(faint_text(theme));
        const auto sign = place.folded ? QStringLiteral("\u25b8") : QStringLiteral("\u25be");
        const auto text = width <= swatch_width ? sign : sign + QStringLiteral(" %1 kinds").arg(place.kinds);
        painter.drawText(place.head.adjusted(gap, 0, -gap, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
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
