// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <QFontMetricsF>
#include <QImage>

#include "gui/render/box_line.hpp"
#include "gui/render/tessellate.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_tried = 1000;  // the nearest: of a hundred thousand things most are behind others
constexpr std::size_t most_small_ones = 60;
constexpr double fewest_pixels = 4;   // of a road user
constexpr double farthest_sign = 40;  // metres from the eye
constexpr double sign_scale = 0.05;   // metres per pixel: above this the bird's eye view shows a map, not signs

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
    bool is_sign = false;
};

/// A sign or a light that is near, or a road user of some pixels.
bool is_large_enough(const Thing& thing, const ScreenPoint& at, const ViewTransform& view)
{
    if (is_small(thing.key.category))
        return view.parallel() ? view.metres_per_pixel() <= sign_scale : at.depth <= farthest_sign;
    return length(to_vector(thing.size)) >= fewest_pixels * view.metres_per_pixel_at(to_vector(thing.centre));
}

/// The selected one first, then road users, the nearest first.
std::vector<Label> labels_in_sight(const ViewTransform& view, const SceneState& state)
{
    std::vector<Label> labels;
    for (const auto& layer : state.picture->layers) {
        for (const auto& thing : layer->things) {
            const bool selected = state.options.selected == thing.key;
            if (thing.label.empty() || !state.options.shows(thing) ||
                !(selected || (is_labelled(thing.key.category) && !thing.is_off)))
                continue;
            const auto at = view.project(top_of(thing));
            if (!at || at->x < 0 || at->y < 0 || at->x > view.size().width || at->y > view.size().height) continue;
            if (selected || is_large_enough(thing, *at, view))
                labels.push_back({&thing, *at, selected, is_small(thing.key.category)});
        }
    }
    const auto end = labels.begin() + static_cast<std::ptrdiff_t>(std::min(labels.size(), most_tried));
    std::partial_sort(labels.begin(), end, labels.end(), [](const Label& a, const Label& b) {
        return std::tuple(!a.selected, a.is_sign, a.at.depth) < std::tuple(!b.selected, b.is_sign, b.at.depth);
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
    std::optional<ScreenPoint> at;
};

std::vector<Body> bodies_in_sight(const ViewTransform& view, const SceneState& state)
{
    // Smaller bodies hide no label.
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
            if (is_opaque && state.options.shows(thing) && pixels > fewest_pixels)
                bodies.push_back({&thing, &box, centre, reach, pixels, view.project(centre)});
        }
    }
    const auto end = bodies.begin() + static_cast<std::ptrdiff_t>(std::min(bodies.size(), most_bodies));
    std::ranges::nth_element(bodies, end, std::greater{}, &Body::pixels);
    bodies.erase(end, bodies.end());
    return bodies;
}

/// Far from it on the screen, a body hides nothing. A ball at the edge of the view looks like an ellipse.
bool may_hide(const Body& body, const ScreenPoint& at) noexcept
{
    constexpr double stretch = 2;
    if (!body.at) return true;
    const double reach = stretch * body.pixels + 1;
    return std::abs(body.at->x - at.x) <= reach && std::abs(body.at->y - at.y) <= reach &&
           body.at->depth - body.reach <= at.depth;
}

/// A label is hidden if the top of its thing is.
bool is_hidden(const Label& label, const ViewTransform& view, const std::vector<Body>& bodies)
{
    const auto top = top_of(*label.thing), way = top - view.eye();
    const double square = dot(way, way);
    return std::ranges::any_of(bodies, [&](const Body& body) {
        if (body.thing == label.thing || !may_hide(body, label.at)) return false;
        const double share = std::clamp(dot(body.centre - view.eye(), way) / square, 0.0, 1.0);
        const bool is_near = length(view.eye() + share * way - body.centre) <= body.reach;
        return is_near && metres_inside(*body.box, view.eye(), top) > 0;
    });
}

/// Which areas of the screen are taken, by rows: an area is compared with those near it.
class TakenAreas {
public:
    explicit TakenAreas(double height) : rows_(static_cast<std::size_t>(std::max(height, 0.0) / row_height) + 1) {}
    void add(const QRectF& area)
    {
        const auto [first, last] = rows_of(area);
        for (auto row = first; row <= last; ++row) rows_[row].push_back(area);
    }
    [[nodiscard]] bool are_free(const QRectF& area) const
    {
        const auto [first, last] = rows_of(area);
        for (auto row = first; row <= last; ++row)
            for (const auto& other : rows_[row])
                if (other.left() < area.right() && area.left() < other.right() && other.top() < area.bottom() &&
                    area.top() < other.bottom())
                    return false;
        return true;
    }

private:
    static constexpr double row_height = 40;
    [[nodiscard]] std::pair<std::size_t, std::size_t> rows_of(const QRectF& area) const
    {
        const auto row = [&](double y) {
            return static_cast<std::size_t>(std::clamp(y / row_height, 0.0, static_cast<double>(rows_.size() - 1)));
        };
        return {row(area.top()), row(area.bottom())};
    }
    std::vector<std::vector<QRectF>> rows_;
};

/// Above the thing, else beside or below it; for the selected thing wherever there is room near it, else above it.
std::optional<QRectF> free_area(const Label& label, const QSizeF& size, const TakenAreas& taken, const QRectF& screen)
{
    constexpr double apart = 10;
    const QPointF at(label.at.x, label.at.y);
    const double above = -size.height() - apart, middle = -size.width() / 2;
    const std::array places{QPointF(middle, above), QPointF(apart, -size.height() / 2),
                            QPointF(-size.width() - apart, -size.height() / 2), QPointF(middle, apart),
                            QPointF(middle, above - size.height() - 1)};
    const auto area_at = [&](const QPointF& offset) {
        const auto corner = at + offset;
        return QRectF(QPointF(std::round(corner.x()), std::round(corner.y())), size);
    };
    const std::size_t tried = label.is_sign ? 1 : places.size();
    for (const auto& place : std::span(places).first(tried)) {
        const auto area = area_at(place);
        if (screen.contains(area) && taken.are_free(area)) return area;
    }
    if (!label.selected) return std::nullopt;
    auto area = area_at(places.front());
    area.moveLeft(std::clamp(area.left(), screen.left(), std::max(screen.right() - size.width(), screen.left())));
    area.moveTop(std::clamp(area.top(), screen.top(), std::max(screen.bottom() - size.height(), screen.top())));
    return area;
}

/// Labels as images: the same ones come again in the next frame, and text costs ten times as much as an image.
class LabelImages {
public:
    struct Key {
        std::string text;
        bool selected = false;
        bool detected = false;  ///< has an edge of the colour of detections
        Theme theme{};
        double ratio = 1;  ///< device pixels per pixel
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    const QImage& image(Key key);
    /// In pixels.
    QSizeF size(const std::string& text);

private:
    static constexpr std::size_t most = 4000;
    std::map<Key, QImage> images_;
    std::unordered_map<std::string, QSizeF> sizes_;
};

QFont label_font() { return overlay_font(TextSize::small); }

QSizeF LabelImages::size(const std::string& text)
{
    if (const auto found = sizes_.find(text); found != sizes_.end()) return found->second;
    if (sizes_.size() >= most) sizes_.clear();
    const QFontMetricsF metrics(label_font());
    const QSizeF size(std::ceil(metrics.horizontalAdvance(QString::fromStdString(text))) + 8,
                      std::ceil(metrics.height()) + 1);
    return sizes_.emplace(text, size).first->second;
}

const QImage& LabelImages::image(Key key)
{
    if (const auto found = images_.find(key); found != images_.end()) return found->second;
    if (images_.size() >= most) images_.clear();
    const auto size_in_pixels = size(key.text);
    QImage image((size_in_pixels * key.ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(key.ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area(QPointF(), size_in_pixels);
    painter.setPen(Qt::NoPen);
    painter.setBrush(key.selected ? to_qcolor(highlight_of(key.theme)) : panel_colour(key.theme));
    painter.drawRoundedRect(area, 3, 3);
    if (key.detected && !key.selected) {
        painter.setPen(to_qcolor(colour_of(Category::detected_moving_object, key.theme)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
    painter.setFont(label_font());
    painter.setPen(key.selected ? QColor(20, 20, 20) : text_colour(key.theme));
    painter.drawText(area, Qt::AlignCenter, QString::fromStdString(key.text));
    painter.end();
    return images_.emplace(std::move(key), std::move(image)).first->second;
}

/// Each thread that paints has its own.
LabelImages& label_images()
{
    thread_local LabelImages images;
    return images;
}

}  // namespace

std::vector<PlacedLabel> placed_labels(const ViewTransform& view, const SceneState& state,
                                       const std::vector<QRectF>& occupied)
{
    const QRectF screen(0, 0, view.size().width, view.size().height);
    auto& images = label_images();
    const auto bodies = bodies_in_sight(view, state);
    TakenAreas taken(screen.height());
    for (const auto& each : occupied) taken.add(each);
    std::vector<PlacedLabel> placed;
    std::size_t signs = 0;
    for (const auto& label : labels_in_sight(view, state)) {
        if (label.is_sign && signs >= most_small_ones) break;
        if (!label.selected && is_hidden(label, view, bodies)) continue;
        const auto area = free_area(label, images.size(label.thing->label), taken, screen);
        if (!area) continue;
        taken.add(*area);
        placed.push_back({label.thing, *area, label.selected});
        signs += label.is_sign ? 1 : 0;
    }
    return placed;
}

void paint_labels(QPainter& painter, const std::vector<PlacedLabel>& labels, Theme theme)
{
    const double ratio = painter.device()->devicePixelRatioF();
    auto& images = label_images();
    for (const auto& label : labels) {
        const bool detected = label.thing->key.category == Category::detected_moving_object;
        painter.drawImage(label.area.topLeft(),
                          images.image({label.thing->label, label.selected, detected, theme, ratio}));
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
            if (!is_lit || !state.options.shows(thing)) continue;
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
    if (!thing.name.empty() && thing.has_id) lines << QStringLiteral("id %1").arg(thing.key.id);
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
