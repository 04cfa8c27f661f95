// SPDX-License-Identifier: MPL-2.0
#include "gui/render/tessellate_box.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::gui {

namespace {

constexpr float smallest_side = 0.02F;  // metres: a box without a size is visible

Point corner(const BoxInstance& box, int which) noexcept
{
    Point place = box.centre;
    for (int axis = 0; axis < 3; ++axis) {
        const float side = (which >> axis) & 1 ? 0.5F : -0.5F;
        for (std::size_t k = 0; k < 3; ++k) place[k] += side * box.axes[static_cast<std::size_t>(axis)][k];
    }
    return place;
}

}  // namespace

std::array<std::uint8_t, 4> bytes_of(const Colour& colour) noexcept
{
    std::array<std::uint8_t, 4> bytes{};
    for (std::size_t i = 0; i < 4; ++i)
        bytes[i] = static_cast<std::uint8_t>(std::lround(std::clamp(colour[i], 0.F, 1.F) * 255));
    return bytes;
}

bool is_lamp(Look look) noexcept
{
    return (look >= Look::light_red && look <= Look::light_off) ||
           (look >= Look::brake_off && look <= Look::indicator_on);
}

bool shines(Look look) noexcept
{
    return (look >= Look::light_red && look <= Look::light_white) || look == Look::brake_on ||
           look == Look::brake_strong || look == Look::indicator_on;
}

BoxInstance box_instance(const BoxMark& box, const Colour& colour, bool arrow_on_top) noexcept
{
    BoxInstance instance{.centre = box.centre, .colour = bytes_of(colour), .thing = box.thing};
    const auto axes = rotation_axes(box.rotation);
    for (std::size_t k = 0; k < 3; ++k)
        instance.axes[k] = to_point(static_cast<double>(std::max(box.size[k], smallest_side)) * axes[k]);
    if (arrow_on_top) instance.style |= BoxInstance::arrow_on_top;
    if (shines(box.look)) instance.style |= BoxInstance::shines;
    return instance;
}

double reach_of(const BoxMark& box) noexcept
{
    Vector sides{};
    for (std::size_t k = 0; k < 3; ++k) sides[k] = static_cast<double>(std::max(box.size[k], smallest_side));
    return length(sides) / 2;
}

float edge_pixels(const BoxMark& box, float pixel_ratio) noexcept
{
    return pixel_ratio * (box.wire_only ? 2.F : 1.25F);
}

Colour edge_colour(const Colour& body, bool wire_only, Theme theme) noexcept
{
    if (wire_only) return {body[0], body[1], body[2], 1};
    const float towards = theme == Theme::dark ? 1.F : 0.F;
    const float share = theme == Theme::dark ? 0.35F : 0.45F;
    Colour edge{0, 0, 0, std::min(1.F, body[3] + 0.1F)};
    for (std::size_t i = 0; i < 3; ++i) edge[i] = body[i] + share * (towards - body[i]);
    return edge;
}

void add_box_edges(const BoxInstance& box, const Colour& colour, float pixels, std::vector<Segment>& edges)
{
    for (int from = 0; from < 8; ++from) {
        for (int axis = 0; axis < 3; ++axis) {
            if ((from >> axis) & 1) continue;
            const auto a = corner(box, from), b = corner(box, from | (1 << axis));
            edges.push_back({a, a, b, b, 0, pixels, bytes_of(colour), box.thing});
        }
    }
}

}  // namespace ositrace::gui
