// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lib/picture/polygon.hpp"

namespace ositrace::picture {

namespace {

/// A base_polygon in the local frame of its thing.
using Outline = std::vector<Corner>;

Outline outline_in(LayerBuilder& to, const MessageView& from)
{
    constexpr std::size_t most = 10'000;
    Outline outline;
    const auto* const row = repeated_messages(from.table(), "base_polygon");
    if (row == nullptr) return outline;
    from.for_each_element(*row, [&](const Value& value) {
        const auto corner = vector_of(std::get<MessageView>(value));
        if (is_place(corner))
            outline.push_back({corner.x, corner.y});
        else
            to.notes().leave_out("polygon corner", "without a position");
        to.look();
        return outline.size() < most && to.has_room(outline.size());
    });
    return outline;
}

/// Does the polygon add nothing to the box?
bool is_box(const Outline& outline, Vector size)
{
    constexpr std::size_t corners_of_box = 4;
    const double slack = 0.01 + 0.01 * std::max(size.x, size.y);
    const auto is_corner = [&](const Corner& c) {
        return std::abs(std::abs(c.x) - size.x / 2) <= slack && std::abs(std::abs(c.y) - size.y / 2) <= slack;
    };
    return outline.size() == corners_of_box && std::ranges::all_of(outline, is_corner);
}

/// Its points at a height above the middle of the box; empty if one of them is too far away.
std::vector<Point> placed(const LayerBuilder& to, const Outline& outline, const Base& base, double height)
{
    const Rotation rotation(base.orientation);
    std::vector<Point> points;
    points.reserve(outline.size() + 1);
    for (const auto& corner : outline) {
        const auto point = to.placement().point(base.position + rotation.to_parent({corner.x, corner.y, height}));
        if (!point) return {};
        points.push_back(*point);
    }
    return points;
}

void add_roof(LayerBuilder& to, const Outline& outline, const Base& base, const BodyStyle& style)
{
    if (outline.size() > most_cut_corners) return;
    to.look(outline.size() * outline.size() / 16);  // what it costs, in elements
    const auto points = placed(to, outline, base, base.size.z / 2);
    for (const auto& triangle : triangles_of(outline)) {
        if (points.empty() || !to.has_room(triangle.size())) return;
        to.strip(style.look, std::array{points[triangle[0]], points[triangle[1]], points[triangle[2]]}, false,
                 style.strength);
    }
}

/// Returns true if it replaces the box.
bool add_outline(LayerBuilder& to, const MessageView& from, const Base& base, const BodyStyle& style)
{
    const auto outline = outline_in(to, from);
    if (outline.size() < (style.is_detected ? 2U : 3U) || (base.has_size && is_box(outline, base.size)) ||
        !to.has_room(outline.size() + 1))
        return false;
    auto points = placed(to, outline, base, -base.size.z / 2);
    if (points.empty()) return false;
    if (style.is_detected) {
        constexpr float width = 0.1F;
        to.line(style.look, points, {.width = width, .strength = style.strength});
        return true;
    }
    points.push_back(points.front());
    to.line(style.look, points, {.height = static_cast<float>(base.size.z), .strength = style.strength});
    add_roof(to, outline, base, style);
    return true;
}

/// The parts of a thing, each a box in the coordinate frame of the thing. Returns true if there are any.
bool add_sections(LayerBuilder& to, const MessageView& from, const BodyStyle& style)
{
    bool any = false;
    constexpr std::string_view what = "bounding box section";
    for_each_element(to, from, "bounding_box_section", what, [&](const MessageView& section, std::size_t) {
        const auto base = base_of(std::optional(section), what, to.notes());
        Thing part;
        if (!base || !place_thing(part, *base, to.placement(), what, to.notes())) return;
        to.box(style.look, part.centre, part.size, part.rotation, style.strength, style.is_detected || !base->has_size);
        any = true;
    });
    return any;
}

/// The chevron that a whole box has on its roof.
void add_heading(LayerBuilder& to)
{
    constexpr float lift = 0.03F;
    const auto& thing = to.thing();
    std::array<Point, 3> chevron{place_on(thing, {0.3, 0.6, 1}), place_on(thing, {0.75, 0, 1}),
                                 place_on(thing, {0.3, -0.6, 1})};
    for (auto& point : chevron) point[2] += lift;
    const float width = std::clamp(0.1F * thing.size[1], 0.02F, 0.5F);
    if (to.has_room(chevron.size())) to.line(Look::marking, chevron, {.width = width});
}

}  // namespace

void add_body(LayerBuilder& to, const std::optional<MessageView>& from, const Base& base, const BodyStyle& style)
{
    const bool shaped = from && (add_sections(to, *from, style) || add_outline(to, *from, base, style));
    const auto& thing = to.thing();
    const bool edges_only = shaped || style.is_detected || !base.has_size;
    to.box(style.look, thing.centre, thing.size, thing.rotation, style.strength, edges_only);
    if (!edges_only) to.shape_box(style.shape, style.steering);
    if (shaped && style.drives) add_heading(to);
}

}  // namespace ositrace::picture
