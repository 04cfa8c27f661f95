// SPDX-License-Identifier: MPL-2.0
// What the dummy sensor calculates, without any encoding: every form of it uses this, so that all agree to the last
// bit. Source: OSMPDummySensor of OSI Sensor Model Packaging and the performance study's branch of it. Theirs turns
// relative positions by the orientation of the object that is seen and leaves the mounting position out; here the frame
// is the virtual sensor's.
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/ray_grid.hpp>

#include "lib/messages/geometry.hpp"

namespace ositrace::dummy {

using scene::Orientation;
using scene::Vector;

struct Pose {
    Vector position;
    Orientation orientation;
};

inline constexpr std::int32_t type_pedestrian = 3;  ///< MovingObject.Type, of osi_object.proto

/// The virtual sensor in the world.
class SensorFrame {
public:
    /// `host`: the centre of its bounding box; `to_rear`: from there to the middle of the rear axle, in the host's
    /// frame; `mounting`: of the virtual sensor, from the rear axle.
    SensorFrame(double nominal_range, const Pose& host, Vector to_rear, const Pose& mounting) noexcept;

    struct Seen {
        Pose pose;  ///< in the sensor's frame
        double existence_probability;
        /// Of head and upper body, relative to the host: OSI requires both of a pedestrian, who is assumed to look
        /// straight ahead.
        std::optional<Orientation> body_pose;
    };
    /// `type`: a MovingObject.Type. Nothing when the object is too far away or outside of the field of view.
    [[nodiscard]] std::optional<Seen> see(const Pose& object, std::int32_t type) const noexcept;

private:
    double range_;
    Vector origin_;
    scene::Rotation host_;
    scene::Rotation rotation_;
};

/// One detection out of so many reflections.
inline constexpr std::uint64_t reflections_per_detection = 18;

struct Direction {
    double azimuth;
    double elevation;
};
/// Of the ray of reflection `i`. Without a grid (no columns or rows) that of the study: 8640 rays a layer, 0.2 degrees
/// apart, layers 0.3 degrees apart from -5 degrees on.
[[nodiscard]] Direction direction_of(const RayGrid& grid, std::uint64_t i) noexcept;

[[nodiscard]] inline double distance_of(double time_of_flight) noexcept
{
    constexpr double speed_of_light = 299792458.0;
    return time_of_flight * speed_of_light / 2;
}

/// Of detection `i` in the frame of the lidar.
struct Spherical {
    double distance, azimuth, elevation;
};
[[nodiscard]] inline Spherical detection_of(const RayGrid& grid, std::uint64_t reflection,
                                            double time_of_flight) noexcept
{
    const auto direction = direction_of(grid, reflection);
    return {distance_of(time_of_flight), direction.azimuth, direction.elevation};
}

}  // namespace ositrace::dummy
