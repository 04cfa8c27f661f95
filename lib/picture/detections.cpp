// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/sensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace ositrace::picture {

namespace {

bool within(double value, double limit) noexcept { return std::abs(value) <= limit; }  // false for NaN

/// Is a Vector3d or Spherical3d present? Its first number tells.
std::string leaf(std::string_view place, std::string_view name) { return std::string(place) + '.' + std::string(name); }

bool is_extent(std::optional<double> metres) noexcept
{
    return metres && *metres > 0 && within(*metres, farthest_measured);
}

/// Half of an ellipse in the frame of a sensor: from one side through the front to the other side.
struct Arc {
    Vector centre, aside, ahead;
};

void add_arc(LayerBuilder& to, const SensorFrame& sensor, const Arc& arc, std::string path, std::uint64_t id,
             std::string_view what)
{
    constexpr int chords = 24;
    std::array<Point, chords + 1> points{};
    for (int i = 0; i <= chords; ++i) {
        const double angle = std::numbers::pi * i / chords;
        const auto point =
            sensor.placement.point(arc.centre + std::cos(angle) * arc.aside + std::sin(angle) * arc.ahead);
        if (!point) return to.notes().leave_out(what, "too far away");
        points[static_cast<std::size_t>(i)] = *point;
    }
    auto& thing = to.add(Category::ultrasonic_detection, {id}, Look::ultrasonic, std::move(path), std::string(what));
    thing.centre = points[chords / 2];
    to.line(Look::ultrasonic, points, {.width = 0.03F});
}

}  // namespace

ElementColumns* DetectionPainter::columns_of(const MessageView& data, std::string_view field)
{
    constexpr std::array<std::string_view, 9> needed{"position.distance", "position.azimuth", "position.elevation",
                                                     "point.distance",    "point.azimuth",    "point.elevation",
                                                     "position.x",        "position.y",       "position.z"};
    const auto* const row = repeated_messages(data.table(), field);
    if (row == nullptr || !data.has(*row)) return nullptr;
    auto& columns = columns_.try_emplace(row, *row, needed).first->second;
    columns.read(data);
    return columns.rows() == 0 ? nullptr : &columns;
}

std::shared_ptr<const Cloud> DetectionPainter::spherical(const MessageView& data, const Kind& kind,
                                                         const SensorFrame& sensor, std::string path, Notes& notes,
                                                         Reach& reach)
{
    const auto* const columns = columns_of(data, kind.field);
    if (columns == nullptr) return nullptr;
    const auto distance_leaf = leaf(kind.place, "distance");
    const auto distances = columns->reals(distance_leaf);
    const auto azimuths = columns->reals(leaf(kind.place, "azimuth")),
               elevations = columns->reals(leaf(kind.place, "elevation"));
    if (distances.empty() || azimuths.empty() || elevations.empty()) return nullptr;
    CloudBuilder cloud(kind.category, sensor, std::move(path), kind.what, *columns);
    const FastPlacement place(sensor.placement);
    const bool all = columns->all_have(distance_leaf);
    for (std::size_t row = 0; row < distances.size(); ++row) {
        const double distance = distances[row], azimuth = azimuths[row], elevation = elevations[row];
        if (!is_spherical(distance, azimuth, elevation)) continue;
        if (!all && !columns->has(distance_leaf, row)) continue;
        const auto [x, y, z] =
            spherical_point(static_cast<float>(distance), static_cast<float>(azimuth), static_cast<float>(elevation));
        cloud.add(row, place(x, y, z));
        reach.distance = std::max(reach.distance, distance);
        reach.left = std::max(reach.left, azimuth);
        reach.right = std::min(reach.right, azimuth);
    }
    if (cloud.points() < columns->rows())
        notes.leave_out("detection", "without a position in front of its sensor", columns->rows() - cloud.points());
    return cloud.finish(kind.first, notes);
}

std::shared_ptr<const Cloud> DetectionPainter::cartesian(const MessageView& data, const Kind& kind,
                                                         const SensorFrame& sensor, std::string path, Notes& notes)
{
    const auto* const columns = columns_of(data, kind.field);
    if (columns == nullptr) return nullptr;
    const auto x = columns->reals(leaf(kind.place, "x")), y = columns->reals(leaf(kind.place, "y")),
               z = columns->reals(leaf(kind.place, "z"));
    if (x.empty() || y.empty() || z.empty()) return nullptr;
    CloudBuilder cloud(kind.category, sensor, std::move(path), kind.what, *columns);
    const FastPlacement place(sensor.placement);
    for (std::size_t row = 0; row < x.size(); ++row) {
        if (!within(x[row], farthest_measured) || !within(y[row], farthest_measured) ||
            !within(z[row], farthest_measured))
            continue;
        cloud.add(row, place(static_cast<float>(x[row]), static_cast<float>(y[row]), static_cast<float>(z[row])));
    }
    if (cloud.points() < columns->rows())
        notes.leave_out("logical detection", "without a position", columns->rows() - cloud.points());
    return cloud.finish(kind.first, notes);
}

void add_ultrasonic_detections(LayerBuilder& to, const MessageView& data, const SensorFrame& sensor,
                               const std::string& prefix, std::size_t sensor_place)
{
    constexpr std::uint64_t list_ids = 100'000'000;  // one range of ids for each list of each sensor
    static_assert(list_ids > LayerBuilder::max_elements);
    const std::uint64_t first_direct = 2 * sensor_place * list_ids, first_indirect = first_direct + list_ids;
    constexpr std::string_view direct = "ultrasonic detection", indirect = "indirect ultrasonic detection";
    for_each_element(to, data, "detection", direct, [&](const MessageView& detection, std::size_t place) {
        const auto distance = real_in(detection, "distance");
        if (!is_extent(distance)) return to.notes().leave_out(direct, "without a distance");
        add_arc(to, sensor, {{}, {0, *distance, 0}, {*distance, 0, 0}}, prefix + to.path("detection", place),
                first_direct + place, direct);
    });
    for_each_element(to, data, "indirect_detection", indirect, [&](const MessageView& detection, std::size_t place) {
        const auto axial = real_in(detection, "ellipsoid_axial"), radial = real_in(detection, "ellipsoid_radial");
        const auto receiver = vector_in(detection, "receiver_origin");
        if (!is_extent(axial) || !is_extent(radial) || !receiver || !is_extent(receiver->length()))
            return to.notes().leave_out(indirect, "without an ellipsoid about sender and receiver");
        const auto aside = (1 / receiver->length()) * *receiver;
        const auto ahead = Vector{1, 0, 0} - aside.x * aside;  // perpendicular to the direction of the receiver
        if (!(ahead.length() > 0.1)) return to.notes().leave_out(indirect, "whose receiver is in front of the sender");
        add_arc(to, sensor, {0.5 * *receiver, *axial * aside, (*radial / ahead.length()) * ahead},
                prefix + to.path("indirect_detection", place), first_indirect + place, indirect);
    });
}

}  // namespace ositrace::picture
