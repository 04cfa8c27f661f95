// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/world.hpp"

#include <cmath>

namespace ositrace::scene {

namespace {

constexpr double field_of_view_horizontal = 120 * pi / 180;
constexpr double field_of_view_vertical = 30 * pi / 180;

/// A grid with the requested number of rays, whose cells are as close to squares as possible, rather wide than high.
RayGrid grid_of(std::uint32_t rays) noexcept
{
    constexpr double aspect = field_of_view_horizontal / field_of_view_vertical;
    auto rows = static_cast<std::uint32_t>(std::sqrt(rays / aspect));
    while (rows > 1 && rays % rows != 0) --rows;
    if (rows == 0) rows = 1;
    return {rays / rows, rows, field_of_view_horizontal, field_of_view_vertical};
}

std::vector<Body> bodies_of(const Roadside& roadside)
{
    std::vector<Body> all;
    for (const auto& object : roadside.objects) all.push_back(object.body);
    for (const auto& light : roadside.lights) all.push_back(light.body);
    for (const auto& sign : roadside.signs) {
        all.push_back(sign.body);
        for (std::size_t i = 0; i < sign.supplementary.size(); ++i) all.push_back(supplementary_body(sign, i));
    }
    return all;
}

}  // namespace

World::World(const SceneOptions& scene_options)
    : options(scene_options),
      ids(options.moving_objects),
      road(Traffic::radius_for(options.moving_objects), ids),
      roadside(road, ids, options.seed),
      traffic(road, options.moving_objects, options.seed),
      lidar_grid(grid_of(options.reflections)),
      still_bodies(bodies_of(roadside))
{
}

WorldState::WorldState(const World& world, std::uint64_t frame_number)
    : frame(frame_number),
      time(world.options.period * static_cast<std::int64_t>(frame_number)),
      seconds(static_cast<double>(time.count()) * 1e-9),
      with_static_data(world.options.static_data == StaticData::every_frame ||
                       (world.options.static_data == StaticData::first_frame && frame_number == 0))
{
    users.reserve(world.traffic.users().size());
    for (const auto& user : world.traffic.users()) users.push_back(Traffic::state(user, seconds));
    vehicle = host().body.frame().mounted(to_rear_axle(host_row()), {});
}

std::vector<Body> bodies(const World& world, const WorldState& moment)
{
    auto all = world.still_bodies;
    all.reserve(all.size() + moment.users.size());
    for (std::size_t i = 1; i < moment.users.size(); ++i) all.push_back(moment.users[i].body);
    return all;
}

Vector to_rear_axle(const RoadUserRow& row) noexcept
{
    return {row.rear_axle, 0, row.wheel_radius - row.dimension.z / 2};
}
Vector to_front_axle(const RoadUserRow& row) noexcept
{
    return {row.front_axle, 0, row.wheel_radius - row.dimension.z / 2};
}

}  // namespace ositrace::scene
