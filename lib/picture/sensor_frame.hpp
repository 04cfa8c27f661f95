// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "lib/picture/placement.hpp"

namespace ositrace::picture {

/// A sensor and its place.
struct SensorFrame {
    std::uint32_t source = 0;
    std::string kind;  ///< `lidar`
    std::uint64_t id = 0;
    Placement placement;

    [[nodiscard]] std::string name() const { return kind + ' ' + std::to_string(id); }
};

/// A placement in floats, for many points near the sensor: within some hundred metres they are exact to 0.1 mm.
class FastPlacement {
public:
    explicit FastPlacement(const Placement& placement) noexcept : shift_(to_point(placement.to_picture({})))
    {
        for (int i = 0; i < 3; ++i)
            axes_[static_cast<std::size_t>(i)] =
                to_point(placement.turn(Vector{i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0}));
    }
    [[nodiscard]] Point operator()(float x, float y, float z) const noexcept
    {
        return {shift_[0] + x * axes_[0][0] + y * axes_[1][0] + z * axes_[2][0],
                shift_[1] + x * axes_[0][1] + y * axes_[1][1] + z * axes_[2][1],
                shift_[2] + x * axes_[0][2] + y * axes_[1][2] + z * axes_[2][2]};
    }

private:
    Point shift_;
    std::array<Point, 3> axes_{};
};

/// The range and angles of a sensor, as far as this frame shows them.
struct Reach {
    double distance = 0;         ///< m; 0: unknown
    double left = 0, right = 0;  ///< azimuth, rad
};

}  // namespace ositrace::picture
