// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lib/scene/geometry.hpp"
#include "lib/scene/road.hpp"
#include "lib/scene/road_users.hpp"

namespace ositrace::scene {

/// x + swing * shape(rate * t + phase): how speed and lateral offset vary about their mean.
struct Swing {
    double amplitude = 0, rate = 0, phase = 0;
};

/// Value and derivatives at one time.
struct Course {
    double value, first, second;
};

/// Something that moves: a circle about the origin at a mean angular speed, along which and across which it swings.
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

/// Everybody on the road; the host comes first.
class Traffic {
public:
    /// A ring road's radius on which that many road users have room.
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

}  // namespace ositrace::scene
