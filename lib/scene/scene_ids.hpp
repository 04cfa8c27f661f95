// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

namespace ositrace::scene {

/// OSI requires ids that are unique over all kinds of things. The host has id 1, and the other moving objects follow;
/// stationary things have blocks of a thousand ids after the next power of ten, from 10 000 on.
class SceneIds {
public:
    static constexpr std::uint64_t host = 1;
    /// LidarSensorView and detections: no object.
    static constexpr std::uint64_t none = UINT64_MAX;
    // The ids of sensors are separate: OSI distinguishes them from objects by the field.
    static constexpr std::uint64_t virtual_sensor = 1;
    static constexpr std::uint64_t lidar = 2;
    static constexpr std::uint64_t radar = 3;

    explicit SceneIds(std::uint64_t moving_objects) noexcept
    {
        while (base_ <= moving_objects + 1) base_ *= 10;
    }

    enum Block : std::uint64_t {
        stationary,
        sign,
        light,
        marking,
        boundary,
        lane,
        occupant,
        reference_line,
        logical_boundary,
        logical_lane
    };
    [[nodiscard]] std::uint64_t still(Block block, std::uint64_t i) const noexcept
    {
        return base_ + 1000 * block + i + 1;
    }

private:
    std::uint64_t base_ = 10'000;
};

}  // namespace ositrace::scene
