// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/visibility.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include <QCoreApplication>
#include <QRectF>

namespace ositrace::gui {

namespace {

/// Not empty, so that it can intersect another one.
QRectF around(const ScreenPoint& a, const ScreenPoint& b)
{
    return QRectF(QPointF(a.x, a.y), QPointF(b.x, b.y)).normalized().adjusted(-1, -1, 1, 1);
}

class Screen {
public:
    Screen(const SceneState& state, QSize size)
        : view_(state.camera, state.picture->origin, {size.width(), size.height()}), area_(QPointF(), QSizeF(size))
    {
    }
    [[nodiscard]] bool has(const Vector& place) const
    {
        const auto at = view_.project(place);
        return at && area_.contains(at->x, at->y);
    }
    [[nodiscard]] bool may_have(const BoxMark& box) const
    {
        const auto centre = to_vector(box.centre);
        const auto reach = length(to_vector(box.size)) / 2;
        const auto at = view_.project(centre);
        if (!at) return length(centre - view_.eye()) <= reach;
        const auto pixels = reach / view_.metres_per_pixel_at(centre);
        return area_.adjusted(-pixels, -pixels, pixels, pixels).contains(at->x, at->y);
    }
    /// A part that connects some of consecutive points.
    [[nodiscard]] bool may_have(std::span<const Point> points) const
    {
        std::optional<ScreenPoint> before;
        for (std::size_t i = 0; i != points.size(); ++i) {
            const auto at = view_.project(to_vector(points[i]));
            if (at && area_.contains(at->x, at->y)) return true;
            if (i != 0 && at.has_value() != before.has_value()) return true;
            if (at && before && area_.intersects(around(*before, *at))) return true;
            before = at;
        }
        return false;
    }

private:
    ViewTransform view_;
    QRectF area_;
};

bool may_show(const Layer& layer, const RenderOptions& options, const Screen& screen, bool& has_shown_kinds)
{
    const auto shows = [&](std::uint32_t thing) {
        const bool shown = options.shows(layer.things[thing]);
        has_shown_kinds = has_shown_kinds || shown;
        return shown;
    };
    const auto points_of = [&](const auto& mark) { return std::span(layer.points).subspan(mark.first, mark.count); };
    const auto may_have = [&](const auto& mark) { return shows(mark.thing) && screen.may_have(points_of(mark)); };
    return std::ranges::any_of(layer.boxes,
                               [&](const auto& box) { return shows(box.thing) && screen.may_have(box); }) ||
           std::ranges::any_of(layer.lines, may_have) || std::ranges::any_of(layer.strips, may_have);
}

QString text(const char* what) { return QCoreApplication::translate("SceneView", what); }

}  // namespace

QString why_nothing_is_seen(const SceneState& state, QSize size)
{
    if (!state.picture || size.isEmpty()) return {};
    const auto& picture = *state.picture;
    const Screen screen(state, size);
    bool has_shown_kinds = false;
    for (const auto& layer : picture.layers)
        if (may_show(*layer, state.options, screen, has_shown_kinds)) return {};
    for (const auto& cloud : picture.clouds) {
        if (!state.options.shows(cloud->key) || cloud->points.empty()) continue;
        has_shown_kinds = true;
        if (std::ranges::any_of(cloud->points, [&](const Point& point) { return screen.has(to_vector(point)); }))
            return {};
    }
    const bool has_things =
        std::ranges::any_of(picture.layers, [](const auto& layer) { return !layer->things.empty(); }) ||
        std::ranges::any_of(picture.clouds, [](const auto& cloud) { return !cloud->points.empty(); });
    if (!has_things) return {};
    return has_shown_kinds
               ? text("Nothing is in view. R (Reset camera) returns to the road users.")
               : text("All that is here is hidden. A click in the legend, or the box in Channels, shows it.");
}

}  // namespace ositrace::gui
