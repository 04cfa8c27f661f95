// SPDX-License-Identifier: MPL-2.0
#include "gui/render/tessellate.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gui/render/pick_area.hpp"

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

BoxInstance box_instance(const BoxMark& box, const Colour& colour, bool arrow_on_top) noexcept
{
    BoxInstance instance{.centre = box.centre, .colour = bytes_of(colour), .thing = box.thing};
    const auto axes = rotation_axes(box.rotation);
    for (std::size_t k = 0; k < 3; ++k)
        instance.axes[k] = to_point(static_cast<double>(std::max(box.size[k], smallest_side)) * axes[k]);
    if (arrow_on_top) instance.style |= BoxInstance::arrow_on_top;
    if (shines(box.look)) instance.style |= BoxInstance::shines;
    if (is_lamp(box.look)) instance.style |= BoxInstance::keeps_colour;
    instance.steering = box.steering;
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

namespace {

using Rgba = std::array<std::uint8_t, 4>;

/// Its surfaces are roofs, not ground.
bool has_body(Category category) noexcept
{
    return category == Category::host || category == Category::moving_object || category == Category::stationary_object;
}

class Tessellator {
public:
    Tessellator(const Layer& layer, const RenderOptions& options, const PickArea* only)
        : layer_(layer), options_(options), only_(only)
    {
    }

    Shapes run()
    {
        for (const auto* const strip : strips_from_below(layer_)) {
            if (is_shown(strip->thing)) add(*strip);
        }
        for (const auto& line : layer_.lines) {
            if (is_shown(line.thing) && (!line.arrow || options_.shows_arrows(category(line.thing)))) add(line);
        }
        for (const auto& box : layer_.boxes) {
            if (is_shown(box.thing)) add(box);
        }
        return std::move(shapes_);
    }

private:
    [[nodiscard]] Category category(std::uint32_t thing) const { return layer_.things[thing].key.category; }
    [[nodiscard]] bool is_shown(std::uint32_t thing) const
    {
        return thing < layer_.things.size() && options_.shows(layer_.things[thing]);
    }
    [[nodiscard]] Colour colour(std::uint32_t thing, Look look, float strength) const
    {
        return options_.colour(layer_.things[thing].key, look, strength);
    }
    [[nodiscard]] std::span<const Point> points(std::uint32_t first, std::uint32_t count) const
    {
        const std::span all(layer_.points);
        return first <= all.size() && count <= all.size() - first ? all.subspan(first, count)
                                                                  : std::span<const Point>();
    }
    [[nodiscard]] Mesh& mesh_of(std::uint32_t thing, bool upright)
    {
        if (category(thing) == Category::field_of_view) return shapes_.over;
        if (upright) return shapes_.upright;
        switch (category(thing)) {
        case Category::host:
        case Category::moving_object:
        case Category::detected_moving_object:
        case Category::trajectory: return shapes_.over;
        default: return shapes_.flat;
        }
    }

    [[nodiscard]] std::vector<TriangleVertex>& triangles_for(const StripMark& strip)
    {
        const auto kind = category(strip.thing);
        if (is_lane(kind)) return shapes_.ground;
        if (has_face(kind)) return strip.fading ? shapes_.over.triangles : shapes_.upright.triangles;
        return mesh_of(strip.thing, has_body(kind)).triangles;
    }

    void add(const StripMark& strip)
    {
        const auto places = points(strip.first, strip.count);
        const auto near = bytes_of(colour(strip.thing, strip.look, strip.strength));
        auto far = near;
        if (strip.fading) far[3] = 0;
        auto& triangles = triangles_for(strip);
        // The colour of a lamp says something, also when its light is selected.
        const auto thing = only_ == nullptr && is_lamp(strip.look) ? no_thing : strip.thing;
        for (std::size_t i = 0; i + 2 < places.size(); ++i) {
            if (places[i] == places[i + 2] || places[i + 1] == places[i + 2] || places[i] == places[i + 1])
                continue;  // between triangles of a strip that share one point only
            if (only_ && !only_->may_show_triangle(places[i], places[i + 1], places[i + 2])) continue;
            for (std::size_t k = i; k < i + 3; ++k) triangles.push_back({places[k], k % 2 ? far : near, thing});
        }
    }

    void add(const LineMark& line)
    {
        const auto places = points(line.first, line.count);
        if (places.size() < 2) return;
        const auto paint = bytes_of(colour(line.thing, line.look, line.strength));
        auto& mesh = mesh_of(line.thing, line.height > 0);
        const auto last = places.size() - 1;
        for (std::size_t i = 0; i < last; ++i) {
            const Segment segment{
                places[i > 0 ? i - 1 : 0],    places[i], places[i + 1], places[std::min(i + 2, last)], line.width,
                1.25F * options_.pixel_ratio, paint,     line.thing};
            const bool has_arrow_head = line.arrow && i + 1 == last;
            if (only_ && !only_->may_show(segment, around(line, segment, has_arrow_head))) continue;
            if (line.height > 0) {
                wall(mesh, segment, line.height);
            } else {
                mesh.segments.push_back(segment);
            }
            if (has_arrow_head) arrow_head(mesh, line, places, paint);
        }
    }
    /// How far its wall and its arrow head extend from a segment.
    static float around(const LineMark& line, const Segment& segment, bool has_arrow_head)
    {
        const auto longest_head = has_arrow_head ? length(to_vector(segment.to) - to_vector(segment.from)) : 0;
        return std::max(line.height, 0.F) + static_cast<float>(longest_head);
    }

    static void wall(Mesh& mesh, Segment segment, float height)
    {
        auto top_from = segment.from, top_to = segment.to;
        top_from[2] += height;
        top_to[2] += height;
        auto body = segment.colour;
        for (int i = 0; i < 3; ++i)
            body[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(body[static_cast<std::size_t>(i)] * 7 / 10);
        for (const auto& place : {segment.from, segment.to, top_to, segment.from, top_to, top_from}) {
            mesh.triangles.push_back({place, body, segment.thing});
        }
        for (auto* place : {&segment.before, &segment.from, &segment.to, &segment.after}) (*place)[2] += height;
        mesh.segments.push_back(segment);
    }

    /// The head is flat, with its tip at the end of the line; the line is shortened to the middle of the head.
    static void arrow_head(Mesh& mesh, const LineMark& line, std::span<const Point> places, const Rgba& colour)
    {
        const auto tip = to_vector(places.back());
        auto along = tip - to_vector(places[places.size() - 2]);
        along[2] = 0;
        const double reach = length(along);
        if (!(reach > 1e-3)) return;
        along = (1 / reach) * along;
        const Vector aside{-along[1], along[0], 0};
        const double smallest = std::max(4.5 * static_cast<double>(line.width), 0.3);
        const double head = std::min(std::clamp(0.1 * reach, smallest, std::max(smallest, 1.2)), reach),
                     half = head * 0.4;
        for (const auto& place : {tip, tip - head * along + half * aside, tip - head * along - half * aside}) {
            mesh.triangles.push_back({to_point(place), colour, line.thing});
        }
        if (!mesh.segments.empty() && mesh.segments.back().thing == line.thing) {
            mesh.segments.back().to = mesh.segments.back().after = to_point(tip - (0.7 * head) * along);
        }
    }

    void add(const BoxMark& box)
    {
        if (only_ && !only_->may_show(box, options_.pixel_ratio)) return;
        const auto paint = colour(box.thing, box.look, box.strength);
        auto body = box_instance(box, paint, arrow_is_wanted(box));
        if (only_ == nullptr) body.shape = box.shape;  // what is picked is the box
        if (!box.wire_only) (paint[3] < 1 ? shapes_.glass : shapes_.boxes).push_back(body);
        if (is_lamp(box.look) && !box.wire_only) {
            if (shines(box.look)) add_glow(body);
            return;
        }
        auto edges = edge_colour(paint, box.wire_only, options_.theme);
        if (body.shape != BodyShape::box) edges[3] = 0;  // shown while it is selected
        add_box_edges(body, edges, edge_pixels(box, options_.pixel_ratio), shapes_.edges);
    }
    void add_glow(BoxInstance lamp)
    {
        constexpr std::uint8_t alpha = 110;
        if (only_ != nullptr || lamp.colour[3] != 255) return;
        lamp.colour[3] = alpha;
        shapes_.glow.push_back(lamp);
    }
    [[nodiscard]] bool arrow_is_wanted(const BoxMark& box) const
    {
        const auto& thing = layer_.things[box.thing];
        const bool moves = thing.key.category == Category::host || thing.key.category == Category::moving_object;
        return moves && !box.wire_only && box.size == thing.size && box.shape == BodyShape::box;
    }

    const Layer& layer_;
    const RenderOptions& options_;
    const PickArea* only_;
    Shapes shapes_;
};

constexpr int lines_each_way = 40;

/// Fades out with the distance from the centre: the grid has no edge.
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

std::vector<const StripMark*> strips_from_below(const Layer& layer)
{
    std::vector<const StripMark*> strips;
    strips.reserve(layer.strips.size());
    for (const auto& strip : layer.strips) strips.push_back(&strip);
    const auto height = [&layer](const StripMark* strip) {
        const bool is_lane_strip =
            strip->thing < layer.things.size() && is_lane(layer.things[strip->thing].key.category);
        return is_lane_strip ? layer.things[strip->thing].centre[2] : 0.F;
    };
    std::ranges::stable_sort(strips, {}, height);
    return strips;
}

Shapes tessellate(const Layer& layer, const RenderOptions& options, const PickArea* only)
{
    return Tessellator(layer, options, only).run();
}

std::vector<Segment> axes_of(const Picture& picture, const RenderOptions& options)
{
    constexpr double metres = 1.5;
    constexpr Rgba colours[] = {{235, 64, 52, 255}, {72, 199, 84, 255}, {66, 133, 244, 255}};
    std::vector<Segment> segments;
    for (const auto& frame : picture.axes) {
        if (!options.shows_source(frame.source)) continue;
        const auto directions = rotation_axes(frame.rotation);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto tip = to_point(to_vector(frame.centre) + metres * directions[i]);
            segments.push_back(
                {frame.centre, frame.centre, tip, tip, 0, 2 * options.pixel_ratio, colours[i], no_thing});
        }
    }
    return segments;
}

float ground_level(const Picture& picture) noexcept
{
    const auto bottom = [](const Point& centre, const std::array<float, 3>& size) { return centre[2] - size[2] / 2; };
    if (picture.host) {
        if (const float level = bottom(picture.host->centre, picture.host->size); std::isfinite(level)) return level;
    }
    std::optional<float> lowest;
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things) {
            const float level = bottom(thing.centre, thing.size);
            if (std::isfinite(level) && (!lowest || level < *lowest)) lowest = level;
        }
    }
    return lowest.value_or(0);
}

namespace {

bool shows_map(const Picture& picture, const RenderOptions& options)
{
    return std::ranges::any_of(picture.layers, [&](const std::shared_ptr<const Layer>& layer) {
        if (!layer->is_static || layer->things.empty()) return false;  // a map has one layer for each kind
        const auto& key = layer->things.front().key;
        return (is_lane(key.category) || key.category == Category::lane_boundary) && options.shows(key);
    });
}

}  // namespace

std::vector<Segment> ground_grid(const Picture& picture, const Camera& camera, const RenderOptions& options)
{
    if (!options.grid || shows_map(picture, options)) return {};
    const double step = std::max(1.0, std::pow(10, std::round(std::log10(std::clamp(camera.distance, 1.0, 1e7) / 8))));
    const double reach = step * lines_each_way;
    // At round global coordinates, so that the grid does not move with the camera.
    const double x = std::round(camera.target[0] / step) * step, y = std::round(camera.target[1] / step) * step;
    const Vector middle{x - picture.origin[0], y - picture.origin[1], static_cast<double>(ground_level(picture))};
    std::vector<Segment> grid;
    if (!std::isfinite(x) || !std::isfinite(y)) return grid;
    for (int i = -lines_each_way; i <= lines_each_way; ++i) {
        const double aside = step * i, fade = std::abs(i) / static_cast<double>(lines_each_way);
        auto colour = grid_of(options.theme);
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
