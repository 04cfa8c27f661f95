// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ositrace/scene.hpp>

#include "lib/scene/road.hpp"
#include "lib/scene/roadside.hpp"
#include "lib/scene/scene_ids.hpp"
#include "lib/scene/traffic.hpp"

namespace ositrace::scene {

/// A sensor on the host, in the vehicle frame (origin: middle of the rear axle).
struct Mounting {
    Vector position;
    Orientation orientation;
};
inline constexpr Mounting virtual_mounting{{1.5, 0, 1.3}, {0, 0, 0}};
inline constexpr Mounting lidar_mounting{{1.2, 0, 1.6}, {0, 0.09, 0}};  // on the roof, 5 degrees down
inline constexpr Mounting radar_mounting{{3.7, 0, 0.25}, {0, 0, 0}};    // behind the front bumper

/// What does not change.
struct World {
    explicit World(const SceneOptions& scene_options);
    SceneOptions options;
    SceneIds ids;
    RingRoad road;
    Roadside roadside;
    Traffic traffic;
    RayGrid lidar_grid;
    std::vector<Body> still_bodies;  ///< what a ray can hit
};

/// The world at the time of one frame.
struct Moment {
    Moment(const World& world, std::uint64_t frame);
    std::uint64_t frame;
    Nanoseconds time;
    double seconds;
    std::vector<RoadUserState> users;  ///< as Traffic::users(); the host first
    MovingFrame vehicle;               ///< the host's vehicle frame
    bool with_static_data;

    [[nodiscard]] const RoadUserState& host() const noexcept { return users.front(); }
    [[nodiscard]] MovingFrame sensor(const Mounting& mounting) const noexcept
    {
        return vehicle.mounted(mounting.position, mounting.orientation);
    }
};

/// Everything a ray can hit at a moment: all but the host.
[[nodiscard]] std::vector<Body> bodies(const World& world, const Moment& moment);

/// From the centre of the bounding box to the middle of the rear or the front axle.
[[nodiscard]] Vector to_rear_axle(const RoadUserRow& row) noexcept;
[[nodiscard]] Vector to_front_axle(const RoadUserRow& row) noexcept;

}  // namespace ositrace::scene
