// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/legend.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <QFontMetricsF>
#include <QLinearGradient>

#include "gui/scene/overlay_style.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr double left = 10, top = 10, row_height = 18, sample = 11, gap = 8;
constexpr double swatch_width = sample + 2 * gap;  // of a row without its name
constexpr std::size_t most_wide_rows = 8;          // a longer legend has smaller rows
constexpr double narrow_row_height = 15;
constexpr double most_of_width = 0.4;  // of the width of the view: more would hide the scene
constexpr double most_of_height = 0.3;

QString text_of(const LegendRow& row)
{
    const auto name = row.type ? name_of(*row.type) : name_of(row.category);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// The types of the lanes in sight, in the order of Look; empty if all are of one type.
std::vector<LegendRow> lane_types_in(const Picture& picture, const RenderOptions& options)
{
    std::map<Look, std::size_t> counts;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (thing.key.category == Category::lane && options.shows_source(thing.key.source)) ++counts[thing.look];
    std::vector<LegendRow> rows;
    if (counts.size() < 2) return rows;
    for (const auto& [look, count] : counts) rows.push_back({Category::lane, look, count, {}, {}});
    return rows;
}

/// What the things of a kind are drawn in: the colour of the kind, and those that the user gave to channels.
std::vector<Colour> colours_in(const Picture& picture, const RenderOptions& options, Category category)
{
    std::vector<Colour> colours;
    std::optional<std::uint32_t> last;
    const auto add = [&](const ThingKey& key) {
        if (key.category != category || last == key.source || !options.shows_source(key.source)) return;
        last = key.source;
        auto colour = options.plain_colour({.source = key.source, .category = category});
        colour[3] = 1;
        if (std::ranges::find(colours, colour) == colours.end()) colours.push_back(colour);
    };
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things) add(thing.key);
    for (const auto& cloud : picture.clouds) add(cloud->key);
    return colours;
}

constexpr double indent = 10;  // of the types below their kind

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
    const auto counts = counts_in(*state.picture, state.options);
    const auto types = lane_types_in(*state.picture, state.options);
    // The types must not be why the legend is folded.
    const double with_types = narrow_row_height * static_cast<double>(counts.size() + types.size() + 1);
    const bool has_types = with_types <= most_of_height * size.height() || state.legend_folded == false;
    for (const auto& [category, count] : counts) {
        rows.push_back({category, {}, count, {}, {}});
        if (!state.options.styles.empty()) rows.back().colours = colours_in(*state.picture, state.options, category);
        if (category == Category::lane && has_types) rows.insert(rows.end(), types.begin(), types.end());
    }
    for (const auto& row : rows) {
        const double name = metrics.horizontalAdvance(text_of(row)) + (row.type ? indent : 0);
        widest = std::max(widest, name + metrics.horizontalAdvance(count_text(row.count)));
        widest_name = std::max(widest_name, name);
    }
    place.kinds = static_cast<std::size_t>(std::ranges::count_if(rows, [](const LegendRow& row) { return !row.type; }));
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

std::optional<LegendRow> legend_row_at(const SceneState& state, QSize size, QPointF at)
{
    for (const auto& row : legend_rows(state, size)) {
        if (row.area.contains(at)) return row;
    }
    return std::nullopt;
}

bool is_shown(const LegendRow& row, const RenderOptions& options)
{
    return options.shows(row.category) && (!row.type || options.shows_lane_type(*row.type));
}

double legend_right(const SceneState& state, QSize size)
{
    const auto place = place_of(state, size);
    return place.rows.empty() ? place.head.right() : place.rows.front().area.right();
}

namespace {

/// The colour of the kind, or a stripe of each colour that its channels have.
QBrush swatch_brush(const LegendRow& row, const QColor& colour, const QRectF& swatch)
{
    if (row.colours.empty()) return colour;
    QLinearGradient stripes(swatch.topLeft(), swatch.topRight());
    const auto count = static_cast<double>(row.colours.size());
    for (std::size_t i = 0; i != row.colours.size(); ++i) {
        const auto stripe = to_qcolor(row.colours[i]);
        constexpr double nearly = 1e-4;
        stripes.setColorAt(static_cast<double>(i) / count, stripe);
        stripes.setColorAt((static_cast<double>(i) + 1) / count - nearly, stripe);
    }
    return stripes;
}

}  // namespace

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
    paint_panel(painter, panel, theme);
    painter.setFont(overlay_font());
    if (!place.head.isEmpty()) {
        painter.setPen(faint_text(theme));
        const auto sign = place.folded ? QStringLiteral("\u25b8") : QStringLiteral("\u25be");
        const auto text = width <= swatch_width ? sign : sign + QStringLiteral(" %1 kinds").arg(place.kinds);
        painter.drawText(place.head.adjusted(gap, 0, -gap, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    for (const auto& row : rows) {
        const bool shown = is_shown(row, state.options);
        auto colour = to_qcolor(row.type ? colour_of(*row.type, theme) : colour_of(row.category, theme));
        colour.setAlpha(255);
        const double inset = row.type && width > swatch_width ? indent : 0;
        const QRectF swatch(row.area.left() + gap + inset, row.area.center().y() - sample / 2, sample, sample);
        constexpr int dark = 80;     // asphalt on a dark panel
        constexpr int bright = 220;  // paint on a bright panel
        const auto edge = theme == Theme::light && colour.lightness() > bright ? faint_text(theme)
                          : colour.lightness() < dark                          ? colour.lighter(220)
                                                                               : colour.darker(130);
        painter.setPen(QPen(shown ? edge : faint_text(theme), 1));
        painter.setBrush(shown ? swatch_brush(row, colour, swatch) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(swatch, 2, 2);
        if (width <= swatch_width) continue;
        painter.setPen(shown ? text_colour(theme) : faint_text(theme));
        const auto text = row.area.adjusted(sample + 2 * gap + inset, 0, -gap, 0);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text_of(row), Qt::ElideRight, text.width()));
        if (narrow) continue;
        painter.setPen(faint_text(theme));
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, count_text(row.count));
    }
    return panel;
}

}  // namespace ositrace::gui
