// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/picture/placement.hpp"

namespace ositrace::picture {

/// Where the host vehicle is, in global coordinates.
struct HostPose {
    Pose centre;                         ///< of its bounding box
    std::optional<Vector> to_rear_axle;  ///< from there, in the frame of the vehicle; empty where nobody says
    std::vector<std::uint64_t> lanes;    ///< that it is assigned to
};

/// Of the moving object with the id `host` in a GroundTruth.
[[nodiscard]] std::optional<HostPose> host_in_ground_truth(const MessageView& ground_truth, std::uint64_t host);
/// Of a BaseMoving: host_vehicle_location of a SensorData, location of HostVehicleData.
[[nodiscard]] std::optional<HostPose> host_at(const MessageView& location);

/// The vehicle frame: its origin is the middle of the rear axle, that of the box where nobody says where the axle is.
[[nodiscard]] Placement vehicle_frame(const Placement& global, const HostPose& host) noexcept;

}  // namespace ositrace::picture
