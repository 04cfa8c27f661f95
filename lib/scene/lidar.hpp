// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ositrace/ray_grid.hpp>

#include "lib/scene/ray.hpp"

namespace ositrace::scene {

inline constexpr double lidar_emitter_frequency = 3.31e14;  // Hz, a wavelength of 905 nm

/// The direction of a ray of a grid, in the sensor frame.
[[nodiscard]] Vector direction_of(SineCosine azimuth, SineCosine elevation) noexcept;

/// What a lidar sees at one moment, row by row. Each body is looked for only where it can be, so the cost per ray does
/// not grow with the number of bodies: about 50 ns.
class Scan {
public:
    /// Bodies beyond the range or outside the field of view are left out.
    Scan(const MovingFrame& sensor, const RayGrid& grid, std::span<const Body> bodies);

    /// The hits of one row of rays, left to right; valid until the next call.
    [[nodiscard]] std::span<const Hit> row(std::uint32_t row);

private:
    struct Visible {
        Target target;
        std::uint32_t first_column, end_column, first_row, end_row;
    };
    void add(const Body& body);

    MovingFrame sensor_;
    RayGrid grid_;
    std::vector<Visible> visible_;
    std::vector<SineCosine> azimuths_;  // by column
    std::vector<Vector> directions_;    // of the current row
    std::vector<Nearest> nearest_;
    std::vector<Hit> hits_;
};

}  // namespace ositrace::scene
