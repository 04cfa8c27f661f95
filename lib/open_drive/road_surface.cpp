// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/road_surface.hpp"

#include <cmath>

namespace ositrace::open_drive {

RoadFrame RoadSurface::frame(Station at) const noexcept
{
    const auto* const found = record_at(road_.plan_view, at.inside);
    const auto& geometry = found == nullptr ? road_.plan_view.front() : *found;
    const auto pose = geometry.at(at.s - geometry.s);
    const double pitch = std::atan(road_.elevation.slope(at)), roll = road_.superelevation.value(at);
    const double sh = std::sin(pose.heading), ch = std::cos(pose.heading);
    const double sp = std::sin(pitch), cp = std::cos(pitch);
    const double sr = std::sin(roll), cr = std::cos(roll);
    const Vector level_left{-sh, ch, 0}, level_up{-sp * ch, -sp * sh, cp};
    return {at,
            {pose.x, pose.y, road_.elevation.value(at)},
            cr * level_left + sr * level_up,
            cr * level_up - sr * level_left,
            pose.heading,
            -pitch,
            roll};
}

Vector RoadSurface::point(const RoadFrame& frame, double t, double h) const noexcept
{
    return frame.origin + t * frame.left + (h + height_over_plane(frame.at, t)) * frame.up;
}

double RoadSurface::height_over_plane(Station at, double t) const noexcept
{
    double height = 0;
    const auto& crossfall = t > 0 ? road_.crossfall.left : road_.crossfall.right;
    if (!crossfall.pieces.empty()) height -= std::abs(t) * std::tan(crossfall.value(at));
    if (const auto* const before = record_at(road_.shapes, at.inside)) {
        // Between two stations of a lateral profile the heights are linear in s.
        const auto* const after = before == &road_.shapes.back() ? before : before + 1;
        const double part = after == before ? 0 : (at.s - before->s) / (after->s - before->s);
        height += (1 - part) * before->heights.value({t, t}) + part * after->heights.value({t, t});
    }
    return height;
}

}  // namespace ositrace::open_drive
