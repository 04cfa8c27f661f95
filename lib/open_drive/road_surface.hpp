// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "lib/open_drive/document.hpp"
#include "lib/open_drive/vector.hpp"

namespace ositrace::open_drive {

/// The (t, h) plane of a road at a station, in the map's coordinates. `left` and `up` have length 1; superelevation
/// turns both about the reference line, which is pitched by the elevation.
struct RoadFrame {
    Station at;
    Vector origin;
    Vector left, up;
    double heading = 0, pitch = 0, roll = 0;
};

/// The surface of a road over (s, t): plan view, elevation, superelevation, crossfall (1.4) and shape. The road must
/// outlive it.
class RoadSurface {
public:
    explicit RoadSurface(const Road& road) noexcept : road_(road) {}

    [[nodiscard]] RoadFrame frame(Station at) const noexcept;
    /// A place where nothing jumps, or the later side of a jump.
    [[nodiscard]] RoadFrame frame(double s) const noexcept { return frame(Station{s, s}); }
    /// The place at t, `h` above the surface.
    [[nodiscard]] Vector point(const RoadFrame& frame, double t, double h = 0) const noexcept;

    [[nodiscard]] const Road& road() const noexcept { return road_; }

private:
    [[nodiscard]] double height_over_plane(Station at, double t) const noexcept;

    const Road& road_;
};

}  // namespace ositrace::open_drive
