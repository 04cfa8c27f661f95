// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/detections.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ositrace::picture {

namespace {

constexpr double farthest = 1e5;      // m
constexpr double largest_angle = 100; // rad

bool within(double value, double limit) noexcept { return std::abs(value) <= limit; }  // false for what is not a number

/// Whether a Vector3d or Spherical3d is there: its first number is.
std::string leaf(std::string_view place, std::string_view name) { return std::string(place) + '.' + std::string(name); }

}  // namespace

ElementColumns* DetectionPainter::columns_of(const MessageView& data, std::string_view field)
{
    constexpr std::array<std::string_view, 9> needed{"position.distance", "position.azimuth", "position.elevation", "point.distance", "point.azimuth",
                                                     "point.elevation",   "position.x",       "position.y",         "position.z"};
    const auto* const row = repeated_messages(data.table(), field);
    if (row == nullptr || !data.has(*row)) return nullptr;
    auto& columns = columns_.try_emplace(row, *row, needed).first->second;
    columns.read(data);
    return columns.rows() == 0 ? nullptr : &columns;
}

std::shared_ptr<const Cloud> DetectionPainter::spherical(const MessageView& data, const Kind& kind, const SensorFrame& sensor, std::string path,
                                                         Notes& notes, Reach& reach)
{
    const auto* const columns = columns_of(data, kind.field);
    if (columns == nullptr) return nullptr;
    const auto distance_leaf = leaf(kind.place, "distance");
    const auto distances = columns->reals(distance_leaf);
    const auto azimuths = columns->reals(leaf(kind.place, "azimuth")), elevations = columns->reals(leaf(kind.place, "elevation"));
    if (distances.empty() || azimuths.empty() || elevations.empty()) return nullptr;
    CloudBuilder cloud(kind.category, sensor, std::move(path), kind.what, *columns);
    const FastPlacement place(sensor.placement);
    const bool all = columns->all_have(distance_leaf);
    for (std::size_t row = 0; row < distances.size(); ++row) {
        const double distance = distances[row], azimuth = azimuths[row], elevation = elevations[row];
        if (!within(distance, farthest) || !within(azimuth, largest_angle) || !within(elevation, largest_angle)) continue;
        if (!all && !columns->has(distance_leaf, row)) continue;
        const auto a = static_cast<float>(azimuth), e = static_cast<float>(elevation), d = static_cast<float>(distance);
        const float level = d * std::cos(e);
        cloud.add(row, place(level * std::cos(a), level * std::sin(a), d * std::sin(e)));
        reach.distance = std::max(reach.distance, distance);
        reach.left = std::max(reach.left, azimuth);
        reach.right = std::min(reach.right, azimuth);
    }
    if (cloud.points() < columns->rows())
        notes.leave_out("detection", "without a place in front of its sensor", columns->rows() - cloud.points());
    return cloud.finish(kind.first, notes);
}

std::shared_ptr<const Cloud> DetectionPainter::cartesian(const MessageView& data, const Kind& kind, const SensorFrame& sensor, std::string path,
                                                         Notes& notes)
{
    const auto* const columns = columns_of(data, kind.field);
    if (columns == nullptr) return nullptr;
    const auto x = columns->reals(leaf(kind.place, "x")), y = columns->reals(leaf(kind.place, "y")), z = columns->reals(leaf(kind.place, "z"));
    if (x.empty() || y.empty() || z.empty()) return nullptr;
    CloudBuilder cloud(kind.category, sensor, std::move(path), kind.what, *columns);
    const FastPlacement place(sensor.placement);
    for (std::size_t row = 0; row < x.size(); ++row) {
        if (!within(x[row], farthest) || !within(y[row], farthest) || !within(z[row], farthest)) continue;
        cloud.add(row, place(static_cast<float>(x[row]), static_cast<float>(y[row]), static_cast<float>(z[row])));
    }
    if (cloud.points() < columns->rows()) notes.leave_out("logical detection", "without a place", columns->rows() - cloud.points());
    return cloud.finish(kind.first, notes);
}

void add_ultrasonic_detections(LayerBuilder& to, const MessageView& data, const SensorFrame& sensor, const std::string& prefix)
{
    constexpr std::string_view what = "ultrasonic detection", field = "detection";
    constexpr int chords = 24;
    for_each_element(to, data, field, what, [&](const MessageView& detection, std::size_t place) {
        const auto distance = real_in(detection, "distance");
        if (!distance || !(*distance > 0) || !within(*distance, farthest)) return to.notes().leave_out(what, "without a distance");
        std::array<Point, chords + 1> arc{};
        for (int i = 0; i <= chords; ++i) {
            const double angle = std::numbers::pi * (static_cast<double>(i) / chords - 0.5);
            const auto point = sensor.placement.point({*distance * std::cos(angle), *distance * std::sin(angle), 0});
            if (!point) return to.notes().leave_out(what, "too far away");
            arc[static_cast<std::size_t>(i)] = *point;
        }
        auto& thing = to.add(Category::ultrasonic_detection, place, Look::ultrasonic, prefix + to.path(field, place), std::string(what));
        thing.centre = arc[chords / 2];
        to.line(Look::ultrasonic, arc, {.width = 0.03F});
    });
}

}  // namespace ositrace::picture
