// SPDX-License-Identifier: MPL-2.0
// What the dummy source says, without any encoding: every form of it uses this, so that all agree to the last bit.
// Source: OSMPDummySource of OSI Sensor Model Packaging and the performance study's branch of it.
#pragma once

#include <cstdint>
#include <vector>

#include <ositrace/dummy_source.hpp>
#include <ositrace/ray_grid.hpp>

#include "lib/messages/geometry.hpp"

namespace ositrace::dummy {

using scene::Vector;

inline constexpr std::uint64_t source_sensor_id = 10'000;
inline constexpr std::uint64_t source_host_id = 14;
inline constexpr Vector source_dimension{5.0, 2.0, 1.5};
inline constexpr Vector source_to_rear{1.0, 0.0, -0.3};
inline constexpr Vector source_lidar_position{1.5205, 0.0, 1.232};  ///< from the middle of the rear axle

/// Numbers of enumerators, of osi_object.proto.
inline constexpr std::int32_t type_vehicle = 2, indicator_state_off = 2, brake_light_state_off = 2;

struct SourceObject {
    std::uint64_t id;
    std::int32_t vehicle_type;
    Vector position, velocity, acceleration;  ///< orientation and its rate are 0
};
[[nodiscard]] SourceObject source_object(std::uint32_t i, Nanoseconds time) noexcept;

struct SourceReflection {
    double signal_strength, time_of_flight, doppler_shift;
};

/// The lidar of the source: the same reflections in every step.
class SourceLidar {
public:
    /// Throws Error (usage).
    explicit SourceLidar(const DummySourceOptions& options);

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] SourceReflection operator[](std::uint32_t i) const noexcept
    {
        return rays_.empty() ? equal_ : rays_[i];
    }
    /// No columns and rows where the reflections are dummies.
    [[nodiscard]] const RayGrid& grid() const noexcept { return grid_; }
    [[nodiscard]] bool with_doppler_shift() const noexcept { return with_doppler_shift_; }

private:
    std::uint32_t size_;
    bool with_doppler_shift_;
    RayGrid grid_;
    SourceReflection equal_{};
    std::vector<SourceReflection> rays_;
};

}  // namespace ositrace::dummy
