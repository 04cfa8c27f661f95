// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/lane_surface.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/picture/direction_arrows.hpp"

namespace ositrace::picture {

namespace {

struct Flat {
    float x = 0, y = 0;
    [[nodiscard]] float length() const noexcept { return std::hypot(x, y); }
};

Flat between(const Point& from, const Point& to) noexcept { return {to[0] - from[0], to[1] - from[1]}; }

/// To the left of the line at one of its points; nothing where its neighbours are the same place.
std::optional<Flat> left_of(Line line, std::size_t i) noexcept
{
    const auto along = between(line[i == 0 ? 0 : i - 1], line[std::min(i + 1, line.size() - 1)]);
    const auto length = along.length();
    if (!(length > 0)) return std::nullopt;
    return Flat{-along.y / length, along.x / length};
}

/// The nearest of some of the points of a line.
void look_for_nearest(Line line, const Point& to, std::optional<Point>& nearest)
{
    constexpr std::size_t most_looked_at = 512;
    const auto step = 1 + line.size() / most_looked_at;
    for (std::size_t i = 0; i < line.size(); i += step)
        if (!nearest || between(to, line[i]).length() < between(to, *nearest).length()) nearest = line[i];
}

/// A place inside of the lane as seen from an edge, and how far inside its strip may go.
struct Inside {
    Point at{};
    float reach = 0;
};

std::optional<Inside> inside_of(const std::vector<Line>& opposite, Line centre, const Point& edge)
{
    constexpr std::size_t most_lines = 16;
    std::optional<Point> nearest;
    for (std::size_t i = 0; i < std::min(opposite.size(), most_lines); ++i)
        look_for_nearest(opposite[i], edge, nearest);
    if (nearest) return Inside{*nearest, between(edge, *nearest).length() / 2};
    look_for_nearest(centre, edge, nearest);
    if (nearest) return Inside{*nearest, between(edge, *nearest).length()};
    return std::nullopt;
}

void add_edge(LayerBuilder& to, Line edge, const std::vector<Line>& opposite, Line centre, bool is_left,
              const EdgeStyle& style)
{
    if (edge.size() < 2 || !to.has_room(2 * edge.size())) return;
    const auto middle = edge.size() / 2;
    const auto left = left_of(edge, middle);
    const auto inside = inside_of(opposite, centre, edge[middle]);
    float inward = is_left ? -style.width : style.width;
    if (inside && left) {
        const auto way = between(edge[middle], inside->at);
        const float width = std::min(style.width, inside->reach);
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
    to.strip(style.look, strip, true);
}

}  // namespace

bool add_lane_edges(LayerBuilder& to, const LaneSides& sides, const EdgeStyle& style)
{
    for (const auto& edge : sides.left) add_edge(to, edge, sides.right, sides.centre, true, style);
    for (const auto& edge : sides.right) add_edge(to, edge, sides.left, sides.centre, false, style);
    return !sides.left.empty() || !sides.right.empty();
}

void add_centreline(LayerBuilder& to, std::span<const Point> line, bool is_driving_direction)
{
    constexpr float width = 0.02F;
    if (line.size() < 2 || !to.has_room(line.size())) return;
    to.line(Look::centerline, line, {.width = width});
    add_direction_arrows(to, line, {.backwards = !is_driving_direction});
}

}  // namespace ositrace::picture
