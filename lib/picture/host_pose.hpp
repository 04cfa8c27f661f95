// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/picture/placement.hpp"

namespace ositrace::picture {

/// Where the host vehicle is and how it moves, in global coordinates.
struct HostPose {
    Pose centre;                         ///< of its bounding box
    std::optional<Vector> to_rear_axle;  ///< from the centre, in the frame of the vehicle; empty if unknown
    std::vector<std::uint64_t> lanes;    ///< that the host is assigned to
    std::optional<Vector> velocity;      ///< as in the message: its numbers may be NaN or infinite
    double yaw_rate = 0;                 ///< as in the message; rad/s

    /// Of a point that is fixed to the vehicle; empty if that of the vehicle is unknown.
    [[nodiscard]] std::optional<Vector> velocity_at(Vector point) const noexcept;
};

/// Of the moving object with the id `host` in a GroundTruth.
[[nodiscard]] std::optional<HostPose> host_in_ground_truth(const MessageView& ground_truth, std::uint64_t host);
/// Of a BaseMoving: host_vehicle_location of a SensorData, location of HostVehicleData.
[[nodiscard]] std::optional<HostPose> host_at(const MessageView& location);

/// The vehicle frame: its origin is the middle of the rear axle, or the centre of the box if the axle is unknown.
[[nodiscard]] Placement vehicle_frame(const Placement& global, const HostPose& host) noexcept;

}  // namespace ositrace::picture
