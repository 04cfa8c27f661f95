// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <QFontMetricsF>

#include "gui/render/tessellate.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_labels = 60,
                      most_tried = 1000;  // the nearest: of a hundred thousand things most are behind others
constexpr double farthest_label = 160;    // metres from the eye
constexpr double smallest_scale = 0.7;    // metres per pixel: above this the bird's eye view shows a map, not cars

bool is_labelled(Category category) noexcept
{
    switch (category) {
    case Category::host:
    case Category::moving_object:
    case Category::detected_moving_object:
    case Category::traffic_sign:
    case Category::traffic_light: return true;
    default: return false;
    }
}

bool is_small(Category category) noexcept
{
    return category == Category::traffic_sign || category == Category::traffic_light;
}

Vector top_of(const Thing& thing) noexcept
{
    auto top = to_vector(thing.centre);
    top[2] += static_cast<double>(thing.size[2]) / 2;
    return top;
}

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
            if (thing.label.empty() || !state.options.shows(thing.key) ||
                !(selected || (is_labelled(thing.key.category) && !thing.is_off)))
                continue;
            const auto at = view.project(top_of(thing));
            if (!at || at->x < 0 || at->y < 0 || at->x > view.size().width || at->y > view.size().height) continue;
            const double reach = is_small(thing.key.category) ? 0.25 : 1;
            const bool far = view.parallel() ? view.metres_per_pixel() > reach * reach * smallest_scale
                                             : at->depth > reach * farthest_label;
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

/// A body that may hide a label, approximated by a ball.
struct Body {
    const Thing* thing = nullptr;
    const BoxMark* box = nullptr;
    Vector centre{};
    double reach = 0;
    double pixels = 0;  ///< its radius on the screen
};

std::vector<Body> bodies_in_sight(const ViewTransform& view, const SceneState& state)
{
    constexpr double fewest_pixels = 4;  // smaller bodies hide no label
    constexpr std::size_t most_bodies = 500;
    constexpr float opaque = 0.8F;  // less opaque bodies hide no label
    std::vector<Body> bodies;
    if (view.parallel()) return bodies;  // from above no label is hidden
    for (const auto& layer : state.picture->layers) {
        for (const auto& box : layer->boxes) {
            if (box.wire_only || box.thing >= layer->things.size()) continue;
            const auto& thing = layer->things[box.thing];
            const auto centre = to_vector(box.centre);
            const double reach = length(to_vector(box.size)) / 2;
            const double pixels = reach / std::abs(view.metres_per_pixel_at(centre));
            const bool is_opaque = colour_of(box.look, state.options.theme)[3] * box.strength > opaque;
            if (is_opaque && state.options.shows(thing.key) && pixels > fewest_pixels)
                bodies.push_back({&thing, &box, centre, reach, pixels});
        }
    }
    const auto end = bodies.begin() + static_cast<std::ptrdiff_t>(std::min(bodies.size(), most_bodies));
    std::ranges::nth_element(bodies, end, std::greater{}, &Body::pixels);
    bodies.erase(end, bodies.end());
    return bodies;
}

/// Does the line from `from` to `to` intersect the box?
bool intersects(const BoxMark& box, const Vector& from, const Vector& to)
{
    const auto axes = rotation_axes(box.rotation);
    const auto begin = from - to_vector(box.centre), way = to - from;
    double enters = 0, leaves = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        const double half = static_cast<double>(box.size[i]) / 2, at = dot(begin, axes[i]), along = dot(way, axes[i]);
        if (along == 0 && std::abs(at) > half) return false;
        if (along == 0) continue;
        const double one = (-half - at) / along, other = (half - at) / along;
        enters = std::max(enters, std::min(one, other));
        leaves = std::min(leaves, std::max(one, other));
    }
    return enters < leaves;
}

/// A label is hidden if the top of its thing is.
bool is_hidden(const Label& label, const ViewTransform& view, const std::vector<Body>& bodies)
{
    const auto top = top_of(*label.thing), way = top - view.eye();
    const double square = dot(way, way);
    return std::ranges::any_of(bodies, [&](const Body& body) {
        if (body.thing == label.thing) return false;
        const double share = std::clamp(dot(body.centre - view.eye(), way) / square, 0.0, 1.0);
        const bool is_near = length(view.eye() + share * way - body.centre) <= body.reach;
        return is_near && intersects(*body.box, view.eye(), top);
    });
}

/// Above the thing; for the selected thing also beside or below it, wherever there is room.
std::optional<QRectF> free_area(const Label& label, const QSizeF& size, const std::vector<QRectF>& occupied)
{
    constexpr double apart = 10;
    const QPointF at(label.at.x, label.at.y);
    const std::array places{
        at + QPointF(-size.width() / 2, -size.height() - apart), at + QPointF(apart, -size.height() / 2),
        at + QPointF(-size.width() - apart, -size.height() / 2), at + QPointF(-size.width() / 2, apart)};
    for (const auto& place : std::span(places).first(label.selected ? places.size() : 1)) {
        const QRectF area(place, size);
        if (std::ranges::none_of(occupied, [&](const QRectF& other) { return other.intersects(area); })) return area;
    }
    return std::nullopt;
}

QFont label_font() { return overlay_font(11); }

}  // namespace

std::vector<PlacedLabel> placed_labels(const ViewTransform& view, const SceneState& state, std::vector<QRectF> occupied)
{
    const QFontMetricsF metrics(label_font());
    const auto bodies = bodies_in_sight(view, state);
    std::vector<PlacedLabel> placed;
    for (const auto& label : labels_in_sight(view, state)) {
        if (placed.size() >= most_labels) break;
        const QSizeF size(metrics.horizontalAdvance(QString::fromStdString(label.thing->label)) + 8,
                          metrics.height() + 1);
        const auto area = free_area(label, size, occupied);
        if (!area || (!label.selected && is_hidden(label, view, bodies))) continue;
        occupied.push_back(*area);
        placed.push_back({label.thing, *area, label.selected});
    }
    return placed;
}

void paint_labels(QPainter& painter, const std::vector<PlacedLabel>& labels, Theme theme)
{
    painter.setFont(label_font());
    for (const auto& label : labels) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(label.selected ? to_qcolor(highlight_of(theme)) : panel_colour(theme));
        painter.drawRoundedRect(label.area, 3, 3);
        painter.setPen(label.selected ? QColor(20, 20, 20) : text_colour(theme));
        painter.drawText(label.area, Qt::AlignCenter, QString::fromStdString(label.thing->label));
    }
}

void paint_lit_lights(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    constexpr double largest_scale = 1.5;                // metres per pixel: above this the view shows a map
    constexpr double least_radius = 4, around_post = 1;  // pixels, metres
    constexpr std::size_t most = 500;
    const double scale = view.metres_per_pixel();
    if (!view.parallel() || scale > largest_scale) return;
    std::vector<QPointF> posts;  // of those that are painted
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
    for (const auto& layer : state.picture->layers) {
        for (const auto& thing : layer->things) {
            const bool is_lit = thing.key.category == Category::traffic_light && !thing.is_off && shines(thing.look);
            if (!is_lit || !state.options.shows(thing.key)) continue;
            const auto at = view.project(to_vector(thing.centre));
            if (!at || at->x < 0 || at->y < 0 || at->x > view.size().width || at->y > view.size().height) continue;
            const QPointF post(at->x, at->y);
            const auto beside = std::ranges::count_if(posts, [&](const QPointF& other) {
                return std::hypot(other.x() - post.x(), other.y() - post.y()) * scale < around_post;
            });
            const double radius = std::max(least_radius, static_cast<double>(thing.size[1]) / 2 / scale);
            painter.setBrush(to_qcolor(colour_of(thing.look, state.options.theme)));
            painter.drawEllipse(post + QPointF(static_cast<double>(beside) * (2 * radius + 1), 0), radius, radius);
            posts.push_back(post);
            if (posts.size() == most) return;
        }
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
        lines
            << QStringLiteral("%1 x %2 x %3 m").arg(size[0], 0, 'f', 2).arg(size[1], 0, 'f', 2).arg(size[2], 0, 'f', 2);
    }
    return lines;
}

QStringList describe_point(const Cloud& cloud, std::size_t point)
{
    QStringList lines{QStringLiteral("%1, %2").arg(QString::fromStdString(cloud.name)).arg(point)};
    for (const auto& field : cloud.fields) {
        if (point >= field.values.size() || !std::isfinite(field.values[point])) continue;
        lines << QStringLiteral("%1: %2 %3")
                     .arg(QString::fromStdString(field.name))
                     .arg(static_cast<double>(field.values[point]), 0, 'g', 5)
                     .arg(QString::fromStdString(field.unit))
                     .trimmed();
    }
    return lines;
}

}  // namespace ositrace::gui
