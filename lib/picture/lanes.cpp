// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/lanes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "lib/picture/candidates.hpp"
#include "lib/picture/lane_area.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/line_points.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

struct SurfaceStyle {
    Look look = Look::lane_other;
    float strength = 1;
    float lift = 0;             ///< metres above the boundaries
    float nominal_width = 3.5;  ///< m, if there are none
};

/// The surface of the last added thing, between its boundaries. Without an opposite boundary it is unknown how far the
/// lane extends: then strips along the edges that are opaque at the edge and transparent inside.
void add_surface(LayerBuilder& to, const LaneSides& sides, const SurfaceStyle& style);

/// The centre line with an arrow every few metres in the driving direction.
void add_centreline(LayerBuilder& to, std::span<const Point> line, bool is_driving_direction);

struct Flat {
    float x = 0, y = 0;
    [[nodiscard]] float length() const noexcept { return std::hypot(x, y); }
};

Flat between(const Point& from, const Point& to) noexcept { return {to[0] - from[0], to[1] - from[1]}; }

/// The direction to the left of the line at one of its points; empty if its neighbours are at the same place.
std::optional<Flat> left_of(Line line, std::size_t i) noexcept
{
    const auto along = between(line[i == 0 ? 0 : i - 1], line[std::min(i + 1, line.size() - 1)]);
    const auto length = along.length();
    if (!(length > 0)) return std::nullopt;
    return Flat{-along.y / length, along.x / length};
}

/// Of the first part of the line that has a direction.
Flat first_normal(Line line) noexcept
{
    for (std::size_t i = 0; i < line.size(); ++i)
        if (const auto left = left_of(line, i)) return *left;
    return {};
}

/// m, by the type of a lane.
float nominal_width_of(Look lane) noexcept
{
    switch (lane) {
    case Look::lane_biking:
    case Look::lane_sidewalk: return 2;
    case Look::lane_shoulder: return 2.5F;
    case Look::lane_parking: return 2.2F;
    default: return SurfaceStyle{}.nominal_width;
    }
}

/// The nearest of some of the points of a line.
void look_for_nearest(Line line, const Point& to, std::optional<Point>& nearest)
{
    constexpr std::size_t most_looked_at = 512;
    const auto step = 1 + line.size() / most_looked_at;
    for (std::size_t i = 0; i < line.size(); i += step)
        if (!nearest || between(to, line[i]).length() < between(to, *nearest).length()) nearest = line[i];
}

/// A place inside the lane as seen from an edge, and the largest width of its strip.
struct Inside {
    Point at{};
    float reach = 0;
};

std::optional<Inside> inside_of(const std::vector<LaneEdge>& opposite, Line centre, const Point& edge)
{
    constexpr std::size_t most_lines = 16;
    std::optional<Point> nearest;
    for (std::size_t i = 0; i < std::min(opposite.size(), most_lines); ++i)
        look_for_nearest(opposite[i].line, edge, nearest);
    if (nearest) return Inside{*nearest, between(edge, *nearest).length() / 2};
    look_for_nearest(centre, edge, nearest);
    if (nearest) return Inside{*nearest, between(edge, *nearest).length()};
    return std::nullopt;
}

constexpr float fading_width = 0.75F;  // m, as in the OSI converter of Lichtblick

void add_edge(LayerBuilder& to, Line edge, const std::vector<LaneEdge>& opposite, Line centre, bool is_left,
              const SurfaceStyle& style)
{
    if (edge.size() < 2 || !to.has_room(2 * edge.size())) return;
    const auto middle = edge.size() / 2;
    const auto left = left_of(edge, middle);
    const auto inside = inside_of(opposite, centre, edge[middle]);
    float inward = is_left ? -fading_width : fading_width;
    if (inside && left) {
        const auto way = between(edge[middle], inside->at);
        const float width = std::min(fading_width, inside->reach);
        inward = way.x * left->x + way.y * left->y > 0 ? width : -width;
    }
    std::vector<Point> strip;
    strip.reserve(2 * edge.size());
    Flat normal = left.value_or(Flat{});
    for (std::size_t i = 0; i < edge.size(); ++i) {
        normal = left_of(edge, i).value_or(normal);
        const float z = edge[i][2] + style.lift;
        strip.push_back({edge[i][0], edge[i][1], z});
        strip.push_back({edge[i][0] + inward * normal.x, edge[i][1] + inward * normal.y, z});
    }
    to.strip(style.look, strip, true, style.strength);
}

/// The inside follows from the opposite edge, else from the centre line, because boundaries may run against the lane.
void add_edges(LayerBuilder& to, const LaneSides& sides, const SurfaceStyle& style)
{
    for (const auto& edge : sides.left) add_edge(to, edge.line, sides.right, sides.centre, true, style);
    for (const auto& edge : sides.right) add_edge(to, edge.line, sides.left, sides.centre, false, style);
    for (const auto& edge : sides.free) add_edge(to, edge.line, {}, sides.centre, true, style);
}

LaneArea area_of(LayerBuilder& to, const LaneSides& sides)
{
    constexpr std::size_t most_cost = 20'000'000, cost_of_element = 8;
    auto area = area_inside(sides.free);
    if (area.strips.empty()) area = area_between_sides(sides, most_cost);
    if (area.cost > most_cost) to.notes().leave_out("lane surface", "with too many boundaries");
    to.look(area.cost / cost_of_element);
    return area;
}

/// A lane of which only the centre line is known: as wide as lanes of its type usually are.
void add_ribbon(LayerBuilder& to, Line centre, const SurfaceStyle& style)
{
    if (centre.size() < 2 || !to.has_room(2 * centre.size())) return;
    const float half = style.nominal_width / 2;
    std::vector<Point> strip;
    strip.reserve(2 * centre.size());
    Flat normal = first_normal(centre);
    for (std::size_t i = 0; i < centre.size(); ++i) {
        normal = left_of(centre, i).value_or(normal);
        const auto& [x, y, z] = centre[i];
        strip.push_back({x + half * normal.x, y + half * normal.y, z + style.lift});
        strip.push_back({x - half * normal.x, y - half * normal.y, z + style.lift});
    }
    to.strip(style.look, strip, false, style.strength);
    to.notes().mention("lane", "with a centre line only", "shown as wide as such lanes usually are");
}

void add_surface(LayerBuilder& to, const LaneSides& sides, const SurfaceStyle& style)
{
    if (sides.left.empty() && sides.right.empty() && sides.free.empty()) return add_ribbon(to, sides.centre, style);
    auto area = area_of(to, sides);
    if (area.strips.empty()) return add_edges(to, sides, style);
    for (auto& strip : area.strips) {
        if (!to.has_room(strip.size())) return;
        for (auto& point : strip) point[2] += style.lift;
        to.strip(style.look, strip, false, style.strength);
    }
}

void add_centreline(LayerBuilder& to, std::span<const Point> line, bool is_driving_direction)
{
    constexpr float width = 0.02F;
    if (line.size() < 2 || !to.has_room(line.size())) return;
    to.line(Look::centerline, line, {.width = width});
    add_direction_arrows(to, line, {.backwards = !is_driving_direction});
}

}  // namespace

namespace {

constexpr SurfaceStyle logical_style{.look = Look::logical_lane, .lift = 0.02F};
/// The true lanes stay visible below.
constexpr SurfaceStyle detected_style{.look = Look::detected, .strength = 0.16F},
    detected_host_style{.look = Look::detected, .strength = 0.32F};

/// The lines whose ids a field contains. An id without a boundary is counted.
std::vector<LaneEdge> lines_in(LayerBuilder& to, const MessageView& lane, std::string_view field,
                               const BoundaryLines& lines)
{
    constexpr std::size_t most = 1000;
    std::vector<LaneEdge> found;
    const auto* const row = repeated_messages(lane.table(), field);
    if (row == nullptr) return found;
    lane.for_each_element(*row, [&](const Value& value) {
        const auto edge =
            lines.find(static_cast<std::uint64_t>(integer_in(std::get<MessageView>(value), "value").value_or(0)));
        if (edge.line.empty())
            to.notes().leave_out("lane edge", "whose boundary is not in the frame");
        else
            found.push_back(edge);
        to.look();
        return found.size() < most && to.has_room();
    });
    return found;
}

Point centre_of(const LaneSides& sides) noexcept
{
    if (!sides.centre.empty()) return sides.centre[sides.centre.size() / 2];
    const auto middle = [](const std::vector<LaneEdge>& edges) {
        return edges.front().line[edges.front().line.size() / 2];
    };
    if (!sides.free.empty()) return middle(sides.free);
    if (sides.left.empty() || sides.right.empty()) return middle(sides.left.empty() ? sides.right : sides.left);
    const auto left = middle(sides.left), right = middle(sides.right);
    return {(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, (left[2] + right[2]) / 2};
}

bool is_empty(const LaneSides& sides) noexcept
{
    return sides.left.empty() && sides.right.empty() && sides.free.empty() && sides.centre.size() < 2;
}

/// `driving`, or the more exact subtype: `sidewalk`.
std::string lane_type(const MessageView& classification)
{
    auto subtype = words_in(classification, "subtype");
    if (!subtype.empty() && subtype != "unknown" && subtype != "other" && subtype != "normal") return subtype + " lane";
    auto type = words_in(classification, "type");
    if (type == "intersection") return type;
    return type.empty() ? "lane" : type + " lane";
}

LaneSides sides_of(LayerBuilder& to, const MessageView& classification, LinePointReader& reader,
                   const BoundaryLines& lines)
{
    LaneSides sides;
    sides.left = lines_in(to, classification, "left_lane_boundary_id", lines);
    sides.right = lines_in(to, classification, "right_lane_boundary_id", lines);
    for (const auto& point : reader.read(classification, "centerline", to.placement(), to.notes()))
        sides.centre.push_back(point.at);
    sides.free = lines_in(to, classification, "free_lane_boundary_id", lines);
    return sides;
}

void add_lane(LayerBuilder& to, const MessageView& classification, LinePointReader& reader, const BoundaryLines& lines,
              Category category, ThingId id, std::string path, bool is_host_lane)
{
    const auto sides = sides_of(to, classification, reader, lines);
    if (is_empty(sides))
        return to.notes().leave_out(category == Category::lane ? "lane" : "detected lane",
                                    "without a boundary or a centre line");
    const auto type_look = look_of_lane(integer_in(classification, "type"), integer_in(classification, "subtype"));
    const auto look = is_host_lane ? Look::lane_host : type_look;
    to.add(category, id, look, std::move(path), lane_type(classification)).centre = centre_of(sides);
    auto style = category == Category::lane ? SurfaceStyle{.look = look}
                 : is_host_lane             ? detected_host_style
                                            : detected_style;
    style.nominal_width = nominal_width_of(type_look);
    add_surface(to, sides, style);
    add_centreline(to, sides.centre, integer_in(classification, "centerline_is_driving_direction").value_or(0) != 0);
}

}  // namespace

void add_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, LinePointReader& reader,
               const BoundaryLines& lines, const HostLanes& host)
{
    constexpr std::string_view what = "lane";
    for_each_element(to, parent, field, what, [&](const MessageView& lane, std::size_t place) {
        const auto classification = message_in(lane, "classification");
        if (!classification) return to.notes().leave_out(what, "without a boundary or a centre line");
        const auto id = thing_id_in(lane, place);
        const bool is_host_lane = host.as_lanes_say
                                      ? integer_in(*classification, "is_host_vehicle_lane").value_or(0) != 0
                                      : std::ranges::find(host.ids, id.number) != host.ids.end();
        add_lane(to, *classification, reader, lines, Category::lane, id, to.path(field, place), is_host_lane);
    });
}

void add_detected_lanes(LayerBuilder& to, const MessageView& sensor_data, LinePointReader& reader,
                        const BoundaryLines& lines)
{
    constexpr std::string_view what = "detected lane", field = "lane";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& lane, std::size_t place) {
        const auto classification = message_in(most_probable_candidate(lane), "classification");
        if (!classification) return to.notes().leave_out(what, "without a boundary or a centre line");
        const bool is_host_lane = integer_in(*classification, "is_host_vehicle_lane").value_or(0) != 0;
        add_lane(to, *classification, reader, lines, Category::detected_lane, tracking_id_of(lane, place),
                 to.path(field, place), is_host_lane);
    });
}

void add_logical_lanes(LayerBuilder& to, const MessageView& parent, std::string_view field, const BoundaryLines& lines)
{
    constexpr std::string_view what = "logical lane";
    for_each_element(to, parent, field, what, [&](const MessageView& lane, std::size_t place) {
        LaneSides sides;
        sides.left = lines_in(to, lane, "left_boundary_id", lines);
        sides.right = lines_in(to, lane, "right_boundary_id", lines);
        if (is_empty(sides)) return to.notes().leave_out(what, "without a boundary");
        auto type = words_in(lane, "type");
        to.add(Category::logical_lane, thing_id_in(lane, place), Look::logical_lane, to.path(field, place),
               type.empty() ? std::string(what) : "logical " + type + " lane")
            .centre = centre_of(sides);
        add_surface(to, sides, logical_style);
    });
}

}  // namespace ositrace::picture
