// SPDX-License-Identifier: MPL-2.0
#include "tests/gui/render/hand_made.hpp"

#include <cmath>

namespace ositrace::test {

Layer car_at(Point centre, std::uint64_t id)
{
    Layer layer;
    Thing thing{.key = {.category = Category::moving_object, .id = id},
                .look = Look::car,
                .centre = centre,
                .size = {4, 2, 1.5F}};
    thing.path = "moving_object[" + std::to_string(id) + "]";
    thing.label = std::to_string(id) + " car";
    layer.boxes.push_back({.thing = 0, .look = Look::car, .centre = centre, .size = thing.size});
    layer.things.push_back(thing);
    return layer;
}

Layer boundary_from(Point from, Point to, std::uint64_t id)
{
    Layer layer;
    layer.is_static = true;
    layer.things.push_back({.key = {.category = Category::lane_boundary, .id = id}, .path = "lane_boundary[0]"});
    layer.points = {from, to};
    layer.lines.push_back({.look = Look::boundary_white, .width = 0.2F, .count = 2});
    return layer;
}

std::shared_ptr<const Picture> picture_of(std::vector<Layer> layers, GlobalPoint origin)
{
    auto picture = std::make_shared<Picture>();
    picture->origin = origin;
    for (auto& layer : layers) picture->layers.push_back(std::make_shared<const Layer>(std::move(layer)));
    return picture;
}

std::shared_ptr<const Cloud> square_cloud(std::size_t count)
{
    auto cloud = std::make_shared<Cloud>();
    cloud->key = {.category = Category::lidar_reflection, .id = 2};
    cloud->path = "lidar_sensor_view[0].reflection";
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    CloudField field{.name = "strength", .unit = "dB", .largest = 1};
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = [&](std::size_t k) { return 40 * (static_cast<float>(k) / static_cast<float>(side) - 0.5F); };
        cloud->points.push_back({at(i % side), at(i / side), 0});
        field.values.push_back(static_cast<float>(i) / static_cast<float>(count));
    }
    cloud->fields.push_back(std::move(field));
    return cloud;
}

}  // namespace ositrace::test
