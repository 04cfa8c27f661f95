// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ositrace/ray_grid.hpp>

#include "lib/messages/geometry.hpp"

namespace ositrace::scene {

// A simple ray model: straight rays, first hit, Lambertian surfaces. Bodies are their bounding boxes, the ground is the
// plane z = 0.

inline constexpr double speed_of_light = 299'792'458.0;
inline constexpr double ray_range = 200.0;

/// Where a ray ended; `distance` is negative if it hit nothing.
struct Hit {
    double distance = -1;
    double incidence = 1;      ///< cosine of the angle between the ray and the surface's normal
    double closing_speed = 0;  ///< speed of the surface towards the sensor along the ray
    double reflectivity = 0;
    Vector normal;                ///< outward, in the sensor frame
    std::uint64_t object_id = 0;  ///< SceneIds::none for the ground and for nothing
    [[nodiscard]] bool returned() const noexcept { return distance >= 0; }
};

/// The ratio of received to sent power of a hit, in dB, for an aperture of 5 cm2.
[[nodiscard]] double signal_strength(const Hit& hit) noexcept;

/// A body in the frame of a sensor, prepared for its rays.
struct Target {
    Target(const MovingFrame& sensor, const Body& hit_body) noexcept;
    Body body;
    Vector half;                 ///< of the dimension
    Vector origin;               ///< of the rays, in the body's frame
    std::array<Vector, 3> axes;  ///< of the body, in the sensor frame
};

/// The nearest surface on a ray so far.
struct Nearest {
    double distance = ray_range;
    const Target* target = nullptr;  ///< null: the ground, or nothing at ray_range
    int axis = 2;                    ///< axis of the target that is normal to the face
};

/// Directions are unit vectors in the sensor frame.
[[nodiscard]] Nearest ground_on(const MovingFrame& sensor, Vector direction) noexcept;
[[nodiscard]] Hit hit_of(const MovingFrame& sensor, const Nearest& nearest, Vector direction) noexcept;
[[nodiscard]] Hit first_hit(const MovingFrame& sensor, Vector direction, std::span<const Target> targets) noexcept;

/// Makes the target the nearest one if the ray enters it earlier. Slab method; a ray that starts inside does not enter.
inline void look_for(const Target& target, Vector direction, Nearest& nearest) noexcept
{
    const std::array<double, 3> from{target.origin.x, target.origin.y, target.origin.z};
    const std::array<double, 3> half{target.half.x, target.half.y, target.half.z};
    double in = 0, out = nearest.distance;
    int axis = -1;
    for (std::size_t i = 0; i < 3; ++i) {
        const double along = dot(target.axes[i], direction);
        const double step = along == 0 ? 1e-300 : along;
        const double one = (-half[i] - from[i]) / step;
        const double other = (half[i] - from[i]) / step;
        out = std::min(out, std::max(one, other));
        const double enter = std::min(one, other);
        if (enter > in) {
            in = enter;
            axis = static_cast<int>(i);
        }
    }
    if (axis >= 0 && in < out) nearest = {in, &target, axis};
}

inline constexpr double lidar_emitter_frequency = 3.31e14;  // Hz, a wavelength of 905 nm

/// The direction of a ray of a grid, in the sensor frame.
[[nodiscard]] Vector direction_of(SineCosine azimuth, SineCosine elevation) noexcept;

/// What a lidar sees at a time, row by row. A body is tested only against the rays that may hit it, so the cost per ray
/// does not grow with the number of bodies: about 50 ns.
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
