// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

namespace ositrace {

/// The rays of an OSI ray tracer (LidarSensorView, RadarSensorView): number_of_rays_horizontal x
/// number_of_rays_vertical over the field of view, one reflection each, left to right, then top to bottom. OSI does not
/// define where a ray is within its share of the field of view; here it is in the middle. Angles as in Spherical3d:
/// azimuth to the left, elevation up, radians.
struct RayGrid {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    double field_of_view_horizontal = 0;
    double field_of_view_vertical = 0;

    [[nodiscard]] std::uint64_t rays() const noexcept { return std::uint64_t{columns} * rows; }
    [[nodiscard]] double azimuth(std::uint64_t column) const noexcept
    {
        return field_of_view_horizontal * (0.5 - (static_cast<double>(column) + 0.5) / columns);
    }
    [[nodiscard]] double elevation(std::uint64_t row) const noexcept
    {
        return field_of_view_vertical * (0.5 - (static_cast<double>(row) + 0.5) / rows);
    }
};

}  // namespace ositrace
