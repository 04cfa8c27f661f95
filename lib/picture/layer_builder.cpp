// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/layer_builder.hpp"

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

}  // namespace ositrace::picture
