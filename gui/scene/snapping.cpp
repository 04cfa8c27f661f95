// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/snapping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "gui/render/box_line.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

namespace {

constexpr double reach_of_corner = 10, reach_of_edge = 8;  // pixels

bool has_corners(Category category) noexcept
{
    return is_road_user(category) || category == Category::stationary_object ||
           category == Category::detected_stationary_object;
}

bool is_boundary(Category category) noexcept
{
    return category == Category::lane_boundary || category == Category::logical_lane_boundary ||
           category == Category::detected_lane_boundary;
}

QString label_of(const Thing& thing) { return QString::fromStdString(thing.label.empty() ? thing.path : thing.label); }

/// A place on the outline of a box on the ground.
struct OutlinePlace {
    const char* name;
    double x, y;  ///< halves of the box: forwards, to the left
};
constexpr std::array corners{OutlinePlace{"front left corner", 1, 1}, OutlinePlace{"rear left corner", -1, 1},
                             OutlinePlace{"rear right corner", -1, -1}, OutlinePlace{"front right corner", 1, -1}};
/// The middles of a car's ends and sides.
constexpr std::array bumpers{OutlinePlace{"front bumper", 1, 0}, OutlinePlace{"rear bumper", -1, 0}};
/// From corner i to corner i + 1.
constexpr std::array<const char*, 4> sides{"left side", "rear", "right side", "front"};

/// Collects what is near the pixel and remembers the nearest of each rank.
class Search {
public:
    Search(const ViewTransform& view, const SceneState& state, QPointF at) : view_(view), state_(state), at_(at) {}

    void look_at_box(const Thing& thing)
    {
        const auto reach = length(to_vector(thing.size)) / 2;
        const auto middle = view_.project(to_vector(thing.centre));
        if (!middle || reach == 0) return;
        const double pixels = 2 * reach / view_.metres_per_pixel_at(to_vector(thing.centre)) + reach_of_corner;
        if (std::hypot(middle->x - at_.x(), middle->y - at_.y()) > pixels) return;
        const bool has_bumpers = is_road_user(thing.key.category);
        for (const auto& place : corners) look_at_place(thing, place);
        if (has_bumpers)
            for (const auto& place : bumpers) look_at_place(thing, place);
        for (std::size_t i = 0; i != corners.size(); ++i)
            look_at_edge(place_on(thing, corners[i]), place_on(thing, corners[(i + 1) % corners.size()]), thing,
                         sides[i]);
    }

    void look_at_line(const Layer& layer, const LineMark& line)
    {
        const auto& thing = layer.things[line.thing];
        for (std::size_t i = line.first; i + 1 < line.first + line.count; ++i)
            look_at_edge(to_vector(layer.points[i]), to_vector(layer.points[i + 1]), thing, nullptr);
    }

    [[nodiscard]] std::optional<MeasuredEnd> found() const
    {
        for (const auto* best : {&corner_, &edge_}) {
            if (best->thing == nullptr) continue;
            const auto label = label_of(*best->thing);
            return MeasuredEnd{
                best->place + state_.picture->origin,
                best->name == nullptr ? label : QStringLiteral("%1 of %2").arg(QLatin1String(best->name), label)};
        }
        return std::nullopt;
    }

private:
    struct Best {
        const Thing* thing = nullptr;
        const char* name = nullptr;
        Vector place{};
        double pixels = 0;
    };

    static Vector place_on(const Thing& thing, const OutlinePlace& at)
    {
        const auto axes = rotation_axes(thing.rotation);
        const auto size = to_vector(thing.size);
        return to_vector(thing.centre) + (at.x * size[0] / 2) * axes[0] + (at.y * size[1] / 2) * axes[1] -
               (size[2] / 2) * axes[2];
    }

    void offer(Best& best, const Best& found, double reach)
    {
        if (found.pixels > reach || (best.thing != nullptr && best.pixels <= found.pixels)) return;
        if (!is_behind_a_body(found.place)) best = found;
    }

    void look_at_place(const Thing& thing, const OutlinePlace& which)
    {
        const auto place = place_on(thing, which);
        const auto seen = view_.project(place);
        if (!seen) return;
        offer(corner_, {&thing, which.name, place, std::hypot(seen->x - at_.x(), seen->y - at_.y())}, reach_of_corner);
    }

    void look_at_edge(const Vector& from, const Vector& to, const Thing& thing, const char* name)
    {
        const auto a = view_.project(from), b = view_.project(to);
        if (!a || !b) return;
        const double x = b->x - a->x, y = b->y - a->y, square = x * x + y * y;
        const double share =
            square > 0 ? std::clamp(((at_.x() - a->x) * x + (at_.y() - a->y) * y) / square, 0.0, 1.0) : 0;
        const double pixels = std::hypot(a->x + share * x - at_.x(), a->y + share * y - at_.y());
        if (pixels > reach_of_edge) return;
        // In perspective the middle on the screen is nearer than the middle of the line.
        const double along = view_.parallel() ? share : share * a->depth / ((1 - share) * b->depth + share * a->depth);
        offer(edge_, {&thing, name, from + along * (to - from), pixels}, reach_of_edge);
    }

    /// From above nothing hides what is on the ground.
    [[nodiscard]] bool is_behind_a_body(const Vector& place) const
    {
        constexpr double grazing = 0.02;  // m
        if (view_.parallel()) return false;
        const auto& options = state_.options;
        return std::ranges::any_of(state_.picture->layers, [&](const auto& layer) {
            return std::ranges::any_of(layer->boxes, [&](const BoxMark& box) {
                if (box.wire_only || box.thing >= layer->things.size() || !options.shows(layer->things[box.thing]))
                    return false;
                return metres_inside(box, view_.eye(), place) > grazing;
            });
        });
    }

    const ViewTransform& view_;
    const SceneState& state_;
    QPointF at_;
    Best corner_, edge_;
};

}  // namespace

std::optional<MeasuredEnd> snapped_place(const ViewTransform& view, const SceneState& state, QPointF at)
{
    if (!state.picture) return std::nullopt;
    Search search(view, state, at);
    for (const auto& layer : state.picture->layers) {
        for (const auto& thing : layer->things)
            if (has_corners(thing.key.category) && state.options.shows(thing)) search.look_at_box(thing);
        for (const auto& line : layer->lines) {
            const auto& key = layer->things[line.thing].key;
            if (is_boundary(key.category) && !line.arrow && state.options.shows(key)) search.look_at_line(*layer, line);
        }
    }
    return search.found();
}

}  // namespace ositrace::gui
