// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A mounting position in metres and radians, relative to the centre of the rear axle of the host vehicle.
struct Mounting {
    double x = 0, y = 0, z = 0;
    double roll = 0, pitch = 0, yaw = 0;
};

/// A host vehicle that is not a moving object of its ground truth.
struct UnknownHost {
    std::optional<std::uint64_t> host;     ///< empty: neither the options nor the ground truth contain one
    std::vector<std::uint64_t> first_ids;  ///< of the moving objects
    std::uint64_t moving_objects = 0;      ///< with an id
};

struct WrapOptions {
    std::optional<std::uint64_t> host;       ///< host_vehicle_id; empty: from each ground truth
    std::optional<std::uint64_t> sensor_id;  ///< empty: not set
    std::optional<Mounting> mounting;        ///< empty: not set
    /// Called for the first ground truth of a channel that has moving objects, if the host is not one of them.
    std::function<void(const UnknownHost&)> on_unknown_host = {};
};

/// Wraps every GroundTruth in a SensorView with its version and timestamp. Keeps the bytes of the ground truth, and
/// channels of other types. Throws Error (mismatch) if no channel contains GroundTruth, for an MCAP stream at its end.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> wrap_ground_truth(std::unique_ptr<FrameSource> from,
                                                                          const WrapOptions& options);

/// Extracts the ground truth of every SensorView, with its bytes; the other fields of the SensorView are dropped. Keeps
/// channels of other types. Throws Error (mismatch) if no channel contains SensorView, and when it reads a frame
/// without a ground truth.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> unwrap_ground_truth(std::unique_ptr<FrameSource> from);

}  // namespace ositrace
