// SPDX-License-Identifier: MPL-2.0
// The reference line of a road in the xy plane: ASAM OpenDRIVE, chapter "Geometry".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ositrace::open_drive {

/// A place on a reference line: metres, and radians from the x axis.
struct Pose {
    double x = 0, y = 0, heading = 0;
};

enum class Curve : std::uint8_t {
    line,
    arc,
    spiral,      ///< a clothoid: the curvature is linear in s
    poly3,       ///< v(u), u along the heading at the start
    param_poly3  ///< u(p), v(p)
};

/// One element of a plan view.
struct Geometry {
    double s = 0;
    double x = 0, y = 0, heading = 0;  ///< where it starts
    double length = 0;
    Curve curve = Curve::line;
    double curvature_start = 0, curvature_end = 0;  ///< 1/m; of an arc both are equal
    std::array<double, 4> u{}, v{};                 ///< coefficients of the polynomials
    double last_parameter = 0;                      ///< of param_poly3: 1 or the length

    /// Of a polynomial: the arc length at equidistant parameters. Filled by prepare().
    std::vector<double> arc_lengths = {};

    /// To be called once all else is set.
    void prepare();
    /// `ds` from its start; beyond its ends the curve goes on straight. Error below 1e-9 m for lines, arcs and spirals
    /// of up to 100 km. Polynomials are followed by arc length, scaled so that they end at `length`.
    [[nodiscard]] Pose at(double ds) const noexcept;
    /// The largest change of the heading, in radians, as far as the curvatures tell it; 0 for polynomials.
    [[nodiscard]] double largest_turn() const noexcept;

private:
    [[nodiscard]] Pose local(double ds) const noexcept;
    [[nodiscard]] Pose spiral(double ds) const noexcept;
    [[nodiscard]] Pose polynomial(double ds) const noexcept;
    [[nodiscard]] double speed(double parameter) const noexcept;
    [[nodiscard]] double parameter_at(double ds) const noexcept;
    [[nodiscard]] double parameter_end() const noexcept;
};

}  // namespace ositrace::open_drive
