// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "gui/render/tessellate.hpp"
#include "gui/render/tessellate_box.hpp"

namespace ositrace::gui {

namespace {

constexpr int lines_each_way = 40;

/// Fades out with the distance from the middle: the grid has no edge.
void add_line(std::vector<Segment>& grid, const Vector& middle, const Vector& along, double reach, Colour colour,
              double fade)
{
    constexpr int pieces = 8;
    const float alpha = colour[3];
    for (int i = -pieces; i < pieces; ++i) {
        const auto from = middle + (reach * i / pieces) * along, to = middle + (reach * (i + 1) / pieces) * along;
        const double far = std::hypot(fade, (i + 0.5) / pieces);
        if (far >= 1) continue;
        colour[3] = alpha * static_cast<float>(1 - far);
        const auto a = to_point(from), b = to_point(to);
        grid.push_back({a, a, b, b, 0, 1, bytes_of(colour), no_thing});
    }
}

}  // namespace

std::vector<Segment> ground_grid(const Picture& picture, const Camera& camera, Theme theme)
{
    const double step = std::max(1.0, std::pow(10, std::round(std::log10(std::clamp(camera.distance, 1.0, 1e7) / 8))));
    const double reach = step * lines_each_way;
    // On round global coordinates, so that the grid stands still while the camera moves.
    const double x = std::round(camera.target[0] / step) * step, y = std::round(camera.target[1] / step) * step;
    const Vector middle{x - picture.origin[0], y - picture.origin[1], static_cast<double>(ground_level(picture))};
    std::vector<Segment> grid;
    if (!std::isfinite(x) || !std::isfinite(y)) return grid;
    for (int i = -lines_each_way; i <= lines_each_way; ++i) {
        const double aside = step * i, fade = std::abs(i) / static_cast<double>(lines_each_way);
        auto colour = grid_of(theme);
        const bool tenth_x = std::fmod(std::abs(std::round((x + aside) / step)), 10) == 0;
        const bool tenth_y = std::fmod(std::abs(std::round((y + aside) / step)), 10) == 0;
        const float normal = colour[3];
        colour[3] = tenth_x ? 2 * normal : normal;
        add_line(grid, middle + Vector{aside, 0, 0}, {0, 1, 0}, reach, colour, fade);
        colour[3] = tenth_y ? 2 * normal : normal;
        add_line(grid, middle + Vector{0, aside, 0}, {1, 0, 0}, reach, colour, fade);
    }
    return grid;
}

}  // namespace ositrace::gui
