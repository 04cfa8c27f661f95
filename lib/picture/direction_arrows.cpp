// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/direction_arrows.hpp"

#include <array>
#include <cmath>

namespace ositrace::picture {

namespace {

constexpr int most_arrows = 200;  // of a line
constexpr std::size_t most_lines = LayerBuilder::max_marks / 4, most_points = LayerBuilder::max_points / 4;
constexpr float lift = 0.02F;  // m, above the line

bool has_room(LayerBuilder& to)
{
    return to.has_room(2) && to.layer().lines.size() < most_lines && to.layer().points.size() < most_points;
}

}  // namespace

void add_direction_arrows(LayerBuilder& to, std::span<const Point> line, const ArrowStyle& style)
{
    float due = style.every / 2;  // from the start of the line to the next arrow
    float passed = 0;
    int arrows = 0;
    for (std::size_t i = 0; i + 1 < line.size() && arrows < most_arrows; ++i) {
        const auto &from = line[i], &end = line[i + 1];
        const float x = end[0] - from[0], y = end[1] - from[1], length = std::hypot(x, y);
        for (; length > 0 && due <= passed + length && arrows < most_arrows && has_room(to);
             due += style.every, ++arrows) {
            const float share = (due - passed) / length;
            const Point at{from[0] + share * x, from[1] + share * y, from[2] + share * (end[2] - from[2]) + lift};
            const float reach = (style.backwards ? -style.length : style.length) / length;
            const std::array<Point, 2> ends{at, Point{at[0] + reach * x, at[1] + reach * y, at[2]}};
            to.line(style.look, ends, {.arrow = true, .width = style.width, .strength = style.strength});
        }
        passed += length;
    }
}

}  // namespace ositrace::picture
