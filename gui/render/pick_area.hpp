// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>

#include "gui/render/camera.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

/// The few pixels around the mouse, as the part of space that is seen there. Says without OpenGL what may be seen in
/// it: what is not need not be drawn to be picked. Never no where a shader draws something; yes for numbers that are
/// none.
class PickArea {
public:
    /// A square of `side` pixels about one.
    PickArea(const ViewTransform& view, double x, double y, int side) noexcept;
    /// Its body and its edges.
    [[nodiscard]] bool may_show(const BoxMark& box, float pixel_ratio) const noexcept;
    /// With all that lies within `around` metres of it.
    [[nodiscard]] bool may_show(const Segment& segment, float around) const noexcept;
    [[nodiscard]] bool may_show_triangle(const Point& a, const Point& b, const Point& c) const noexcept;

private:
    using Plane = std::array<double, 4>;
    /// A ball that is seen `pixels` larger than it is.
    [[nodiscard]] bool may_show_ball(const Vector& centre, double radius, double pixels) const noexcept;

    std::array<Plane, 4> sides_{};  ///< positive inside, in metres
    Plane depth_{};
    double metres_per_pixel_;
};

}  // namespace ositrace::gui
