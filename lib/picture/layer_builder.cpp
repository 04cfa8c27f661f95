// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/layer_builder.hpp"

#include <array>
#include <cmath>

namespace ositrace::picture {

bool LayerBuilder::has_room(std::size_t points) const noexcept
{
    const auto& layer = *layer_;
    return elements_left_ != 0 && layer.things.size() < max_things && layer.points.size() < max_points &&
           points <= max_points - layer.points.size() && layer.boxes.size() < max_marks &&
           layer.lines.size() < max_marks && layer.strips.size() < max_marks;
}

std::string LayerBuilder::limit() const
{
    const auto& layer = *layer_;
    if (elements_left_ == 0) return in_thousands(max_elements) + " elements";
    if (layer.things.size() >= max_things) return in_thousands(max_things);
    if (layer.points.size() >= max_points) return in_thousands(max_points) + " points";
    return in_thousands(max_marks) + " lines and boxes";
}

std::string LayerBuilder::path(std::string_view field, std::size_t place) const
{
    return prefix_ + std::string(field) + '[' + std::to_string(place) + ']';
}

Thing& LayerBuilder::add(Category category, ThingId id, Look look, std::string path, std::string type)
{
    auto& thing = layer_->things.emplace_back();
    thing.key = {source_, category, id.number, with_id_.at(static_cast<std::size_t>(category))[id.number]++};
    thing.has_id = id.is_given;
    thing.look = look;
    thing.path = std::move(path);
    thing.label = id.is_given ? std::to_string(id.number) : "(no id)";
    if (!id.is_given) notes_->mention("thing", "without an id", "identified by place in the list");
    if (!type.empty()) thing.label += ' ' + type;
    thing.type = std::move(type);
    return thing;
}

void LayerBuilder::box(Look look, Point centre, std::array<float, 3> size, std::array<float, 3> rotation,
                       float strength, bool wire_only)
{
    layer_->boxes.push_back({last_thing(), look, wire_only, strength, centre, size, rotation});
}

void LayerBuilder::shape_box(BodyShape shape, float steering) noexcept
{
    layer_->boxes.back().shape = shape;
    layer_->boxes.back().steering = steering;
}

std::uint32_t LayerBuilder::points(std::span<const Point> points)
{
    const auto first = static_cast<std::uint32_t>(layer_->points.size());
    layer_->points.insert(layer_->points.end(), points.begin(), points.end());
    return first;
}

void LayerBuilder::line(Look look, std::uint32_t first, std::size_t count, const LineMark& like)
{
    auto mark = like;
    mark.thing = last_thing();
    mark.look = look;
    mark.first = first;
    mark.count = static_cast<std::uint32_t>(count);
    layer_->lines.push_back(mark);
}

void LayerBuilder::line(Look look, std::span<const Point> all, const LineMark& like)
{
    line(look, points(all), all.size(), like);
}

void LayerBuilder::strip(Look look, std::span<const Point> all, bool fading, float strength)
{
    const auto first = points(all);
    layer_->strips.push_back({last_thing(), look, fading, strength, first, static_cast<std::uint32_t>(all.size())});
}

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
