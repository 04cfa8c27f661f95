// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ositrace/scene.hpp>

#include "lib/messages/geometry.hpp"
#include "lib/scene/road.hpp"
#include "lib/scene/road_users.hpp"
#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

/// The enumerators in all of these structs are those of OSI.
struct StationaryObject {
    Body body;
    std::string_view type, material, density, color;
    Colour colour;
    bool outlined = false;  ///< has a base polygon
};

struct SignFace {
    std::string_view type;
    double value = 0;
    std::string_view unit;  ///< empty: no value
    std::string_view text, code, sub_code;
};

struct TrafficSign {
    Body body;  ///< of the main sign
    SignFace main;
    std::string_view variability;
    std::vector<SignFace> supplementary;  ///< below the main sign, 0.4 m high each
    double s;
};

/// One bulb. It is lit while (seconds modulo period) is in [from, to).
struct TrafficLight {
    Body body;
    std::string_view color, icon, lit_mode;
    double period, from, to;
    double s;
    bool for_pedestrians;
    [[nodiscard]] bool lit(double seconds) const noexcept;
};

struct RoadMarking {
    Body body;
    std::string_view type, sign_type, color;
    double value = 0;
    std::string_view unit, text, code;
    RoadPlace place;
};

/// Stationary things beside and on the road.
struct Roadside {
    Roadside(const RingRoad& road, SceneIds ids, std::uint64_t seed);
    std::vector<StationaryObject> objects;
    std::vector<TrafficSign> signs;
    std::vector<TrafficLight> lights;
    std::vector<RoadMarking> markings;
};

/// The supplementary signs of a sign as bodies; they share its id.
[[nodiscard]] Body supplementary_body(const TrafficSign& sign, std::size_t i) noexcept;

/// x + swing * shape(rate * t + phase): how speed and lateral offset vary about their mean.
struct Swing {
    double amplitude = 0, rate = 0, phase = 0;
};

/// Value and derivatives at one time.
struct Course {
    double value, first, second;
};

/// Something that moves on a circle about the origin at a mean angular speed, and swings along and across the circle.
struct RoadUser {
    std::uint64_t id = 0;
    const RoadUserRow* row = nullptr;
    double angle = 0, angular_speed = 0;  ///< of the polar angle, mathematically positive
    double distance = 0;                  ///< from the origin
    Swing along;                          ///< of the angle
    Swing across;                         ///< of the distance
    double roll = 0;                      ///< two-wheelers lean
    Colour colour{};
};

struct RoadUserState {
    Body body;
    Vector acceleration;
    double speed = 0;
    double along_acceleration = 0;  ///< speeding up is positive
    double left_speed = 0;          ///< across the lane, in its direction of travel
};

/// All road users; the host is the first.
class Traffic {
public:
    /// The radius of a ring road with room for this many road users.
    [[nodiscard]] static double radius_for(std::uint32_t moving_objects) noexcept;

    Traffic(const RingRoad& road, std::uint32_t moving_objects, std::uint64_t seed);

    [[nodiscard]] const std::vector<RoadUser>& users() const noexcept { return users_; }
    /// Exact derivatives: velocity of position, acceleration of velocity, yaw rate of yaw.
    [[nodiscard]] static RoadUserState state(const RoadUser& user, double seconds) noexcept;

private:
    void add(const RingRoad& road, const RoadUserRow& row, std::uint64_t seed);
    [[nodiscard]] double next_angle(Track track) noexcept;

    std::vector<RoadUser> users_;
    double slot_angle_;                    ///< between two vehicles of one lane
    std::array<unsigned, 7> next_slot_{};  ///< by Track
};

/// A sensor on the host, in the vehicle frame (origin: middle of the rear axle).
struct Mounting {
    Vector position;
    Orientation orientation;
};
inline constexpr Mounting virtual_mounting{{1.5, 0, 1.3}, {0, 0, 0}};
inline constexpr Mounting lidar_mounting{{1.2, 0, 1.6}, {0, 0.09, 0}};  // on the roof, 5 degrees down
inline constexpr Mounting radar_mounting{{3.7, 0, 0.25}, {0, 0, 0}};    // behind the front bumper

/// The part of the scene that is the same in all frames.
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

/// The world at the time of a frame.
struct WorldState {
    WorldState(const World& world, std::uint64_t frame);
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

/// All bodies that a ray can hit: all but the host.
[[nodiscard]] std::vector<Body> bodies(const World& world, const WorldState& moment);

/// From the centre of the bounding box to the middle of the rear or the front axle.
[[nodiscard]] Vector to_rear_axle(const RoadUserRow& row) noexcept;
[[nodiscard]] Vector to_front_axle(const RoadUserRow& row) noexcept;

}  // namespace ositrace::scene
