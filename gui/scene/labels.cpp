// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/labels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QFontMetricsF>

#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_labels = 60, most_tried = 1000;  // the nearest: of a hundred thousand things most stand behind others
constexpr double farthest_label = 160;       // metres from the eye
constexpr double smallest_scale = 0.7;       // metres per pixel: beyond, the bird's eye sees a map, not cars

bool is_labelled(Category category) noexcept
{
    switch (category) {
    case Category::host:
    case Category::moving_object:
    case Category::detected_moving_object:
    case Category::traffic_sign:
    case Category::traffic_light:
        return true;
    default:
        return false;
    }
}

bool is_small(Category category) noexcept { return category == Category::traffic_sign || category == Category::traffic_light; }

struct Label {
    const Thing* thing = nullptr;
    ScreenPoint at;
    bool selected = false;
};

std::vector<Label> labels_in_sight(const ViewTransform& view, const SceneState& state)
{
    std::vector<Label> labels;
    for (const auto& layer : state.picture->layers) {
        for (const auto& thing : layer->things) {
            const bool selected = state.options.selected == thing.key;
            if (thing.label.empty() || !state.options.shows(thing.key.category) || !(selected || is_labelled(thing.key.category))) continue;
            auto top = to_vector(thing.centre);
            top[2] += static_cast<double>(thing.size[2]) / 2;
            const auto at = view.project(top);
            if (!at || at->x < 0 || at->y < 0 || at->x > view.size().width || at->y > view.size().height) continue;
            const double reach = is_small(thing.key.category) ? 0.25 : 1;
            const bool far = view.parallel() ? view.metres_per_pixel() > reach * reach * smallest_scale : at->depth > reach * farthest_label;
            if (!far || selected) labels.push_back({&thing, *at, selected});
        }
    }
    const auto end = labels.begin() + static_cast<std::ptrdiff_t>(std::min(labels.size(), most_tried));
    std::partial_sort(labels.begin(), end, labels.end(), [](const Label& a, const Label& b) {
        return a.selected != b.selected ? a.selected : a.at.depth < b.at.depth;
    });
    labels.erase(end, labels.end());
    return labels;
}

}  // namespace

void paint_labels(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    const auto font = overlay_font(11);
    const QFontMetricsF metrics(font);
    const auto theme = state.options.theme;
    painter.setFont(font);
    std::vector<QRectF> taken;
    for (const auto& label : labels_in_sight(view, state)) {
        if (taken.size() >= most_labels) break;
        const auto text = QString::fromStdString(label.thing->label);
        const double width = metrics.horizontalAdvance(text) + 8;
        const QRectF area(label.at.x - width / 2, label.at.y - metrics.height() - 10, width, metrics.height() + 1);
        const bool covered = std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(area); });
        if (covered && !label.selected) continue;
        taken.push_back(area);
        painter.setPen(Qt::NoPen);
        painter.setBrush(label.selected ? to_qcolor(highlight_of(theme)) : panel_colour(theme));
        painter.drawRoundedRect(area, 3, 3);
        painter.setPen(label.selected ? QColor(20, 20, 20) : text_colour(theme));
        painter.drawText(area, Qt::AlignCenter, text);
    }
}

void paint_outline(QPainter& painter, const ViewTransform& view, const SceneState& state, const ThingKey& key)
{
    const auto* thing = state.picture->find(key);
    if (!thing || thing->size == std::array<float, 3>{}) return;
    const auto axes = rotation_axes(thing->rotation);
    std::array<std::optional<ScreenPoint>, 8> corners;
    for (std::size_t corner = 0; corner < 8; ++corner) {
        auto place = to_vector(thing->centre);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            place = place + ((corner >> axis & 1 ? 0.5 : -0.5) * static_cast<double>(thing->size[axis])) * axes[axis];
        }
        corners[corner] = view.project(place);
    }
    painter.setPen(QPen(to_qcolor(highlight_of(state.options.theme)), 1.5));
    for (std::size_t from = 0; from < 8; ++from) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto to = from | std::size_t{1} << axis;
            if (to == from || !corners[from] || !corners[to]) continue;
            painter.drawLine(QPointF(corners[from]->x, corners[from]->y), QPointF(corners[to]->x, corners[to]->y));
        }
    }
}

QStringList describe(const Thing& thing)
{
    QStringList lines{QString::fromStdString(thing.label.empty() ? thing.path : thing.label)};
    const double speed = thing.velocity ? length(*thing.velocity) : 0;
    if (speed != 0) lines << QStringLiteral("%1 m/s (%2 km/h)").arg(speed, 0, 'f', 2).arg(speed * 3.6, 0, 'f', 1);
    if (thing.size != std::array<float, 3>{}) {
        const auto size = to_vector(thing.size);
        lines << QStringLiteral("%1 x %2 x %3 m").arg(size[0], 0, 'f', 2).arg(size[1], 0, 'f', 2).arg(size[2], 0, 'f', 2);
    }
    return lines;
}

QStringList describe_point(const Cloud& cloud, std::size_t point)
{
    QStringList lines{QStringLiteral("%1, %2").arg(QString::fromStdString(cloud.name)).arg(point)};
    for (const auto& field : cloud.fields) {
        if (point >= field.values.size() || !std::isfinite(field.values[point])) continue;
        lines << QStringLiteral("%1: %2 %3").arg(QString::fromStdString(field.name)).arg(static_cast<double>(field.values[point]), 0, 'g', 5)
                     .arg(QString::fromStdString(field.unit)).trimmed();
    }
    return lines;
}

}  // namespace ositrace::gui
