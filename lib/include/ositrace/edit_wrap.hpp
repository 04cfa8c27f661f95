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

/// A mounting position: metres and radians, relative to the middle of the host vehicle's rear axle.
struct Mounting {
    double x = 0, y = 0, z = 0;
    double roll = 0, pitch = 0, yaw = 0;
};

/// A host vehicle that is none of the moving objects of its ground truth.
struct UnknownHost {
    std::optional<std::uint64_t> host;     ///< empty: neither the options nor the ground truth name one
    std::vector<std::uint64_t> first_ids;  ///< of the moving objects
    std::uint64_t moving_objects = 0;      ///< with an id
};

struct WrapOptions {
    std::optional<std::uint64_t> host;       ///< host_vehicle_id; empty: that of each ground truth
    std::optional<std::uint64_t> sensor_id;  ///< empty: not set
    std::optional<Mounting> mounting;        ///< empty: not set
    /// Called of the first ground truth of a channel that has moving objects, where the host is none of them.
    std::function<void(const UnknownHost&)> on_unknown_host = {};
};

/// Every GroundTruth in a SensorView, with its version and timestamp; the bytes of the ground truth are kept. Channels
/// of other types stay. Throws Error (mismatch) when no channel holds GroundTruth, of an MCAP stream at its end.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> wrap_ground_truth(std::unique_ptr<FrameSource> from,
                                                                          const WrapOptions& options);

/// The ground truth of every SensorView, with its bytes; what else the sensor view says is left out. Channels of other
/// types stay. Throws Error (mismatch) when no channel holds SensorView, and while reading when a frame has no ground
/// truth.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> unwrap_ground_truth(std::unique_ptr<FrameSource> from);

}  // namespace ositrace
