// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/field_of_view.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>
#include <vector>

#include "lib/picture/measured_points.hpp"

namespace ositrace::picture {

namespace {

constexpr double usual_range = 50;     // m: for a sensor with an unknown range
constexpr double farthest_view = 1e5;  // m
constexpr double full_turn = 2 * std::numbers::pi;

double angle_in(const MessageView& configuration, std::string_view field)
{
    const double angle = real_in(configuration, field).value_or(0);
    return angle > 0 && angle <= full_turn + 0.01 ? angle : 0;
}

/// On a sphere about the sensor, as Spherical3d has it.
Vector towards(double distance, double azimuth, double elevation) noexcept
{
    const auto [x, y, z] = spherical_point(distance, azimuth, elevation);
    return {x, y, z};
}

class ViewOutline {
public:
    explicit ViewOutline(const Placement& placement) noexcept : placement_(placement) {}
    void add(Vector local)
    {
        const auto point = placement_.point(local);
        complete_ = complete_ && point;
        points_.push_back(point.value_or(Point{}));
    }
    void draw(LayerBuilder& to) const
    {
        if (complete_ && points_.size() >= 2 && to.has_room(points_.size())) to.line(Look::field_of_view, points_);
    }

private:
    const Placement& placement_;
    std::vector<Point> points_;
    bool complete_ = true;
};

}  // namespace

std::optional<FieldOfView> field_of_view_in(const MessageView& configuration, const Reach& seen)
{
    const double horizontal = angle_in(configuration, "field_of_view_horizontal"),
                 vertical = angle_in(configuration, "field_of_view_vertical");
    if (horizontal <= 0) return std::nullopt;
    double range = real_in(configuration, "range").value_or(0);
    const bool is_unknown = !(range > 0) || range > farthest_view;
    if (is_unknown) range = seen.distance > 0 ? seen.distance : usual_range;
    return FieldOfView{horizontal / 2, -horizontal / 2, vertical / 2, -vertical / 2, range, !is_unknown};
}

std::optional<FieldOfView> field_of_view_of(const Reach& seen)
{
    if (seen.distance <= 0 || seen.left <= seen.right) return std::nullopt;
    return FieldOfView{std::min(seen.left, full_turn / 2), std::max(seen.right, -full_turn / 2), 0, 0, seen.distance};
}

void add_field_of_view(LayerBuilder& to, const SensorFrame& sensor, const FieldOfView& view, std::string path)
{
    constexpr int chords = 48;
    const auto at = sensor.placement.point({});
    if (!at) return;
    auto& thing = to.add(Category::field_of_view, {sensor.id}, Look::field_of_view, std::move(path), sensor.kind);
    thing.centre = *at;
    // The range only if the sensor states it: `radar 1, 120 deg, 80 m`.
    constexpr double degrees = 180 / std::numbers::pi;
    thing.label = sensor.name() + ", " + std::to_string(std::lround((view.left - view.right) * degrees)) + "\u00b0" +
                  (view.is_configured ? ", " + std::to_string(std::lround(view.range)) + " m" : std::string());
    thing.rotation = to_angles(sensor.placement.turn(Orientation{}));
    const bool round = view.left - view.right >= full_turn - 1e-6;
    ViewOutline level(sensor.placement);
    if (!round) level.add({});
    for (int i = 0; i <= chords; ++i)
        level.add(towards(view.range, view.right + (view.left - view.right) * i / chords, 0));
    if (!round) level.add({});
    level.draw(to);
    if (view.top <= 0 || view.top >= full_turn / 4) return;
    for (const double azimuth : {view.left, 0.0, view.right}) {
        ViewOutline edge(sensor.placement);
        edge.add(towards(view.range, azimuth, view.top));
        edge.add({});
        edge.add(towards(view.range, azimuth, view.bottom));
        edge.draw(to);
    }
}

void add_virtual_detection_area(LayerBuilder& to, const MessageView& area, const SensorFrame& sensor,
                                const std::string& path)
{
    constexpr std::size_t most = 100'000;
    for_each_element(to, area, "polygon", "detection area", [&](const MessageView& polygon, std::size_t place) {
        const auto* const row = repeated_messages(polygon.table(), "vertex");
        if (row == nullptr) return;
        ViewOutline outline(sensor.placement);
        std::optional<Vector> first;
        std::size_t count = 0;
        polygon.for_each_element(*row, [&](const Value& value) {
            const auto vertex = vector_of(std::get<MessageView>(value));
            if (!first) first = vertex;
            outline.add(vertex);
            to.look();
            return ++count < most && to.has_room();
        });
        if (!first || count < 3) return to.notes().leave_out("detection area", "without three corners");
        outline.add(*first);
        auto& thing = to.add(Category::field_of_view, {sensor.id}, Look::field_of_view,
                             path + ".polygon[" + std::to_string(place) + ']', "detection area");
        thing.centre = sensor.placement.point({}).value_or(Point{});
        thing.label = sensor.name() + ": detection area";
        outline.draw(to);
    });
}

}  // namespace ositrace::picture
