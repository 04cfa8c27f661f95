// SPDX-License-Identifier: MPL-2.0
#include "gui/render/pick_area.hpp"

#include <algorithm>
#include <cmath>

#include "gui/render/tessellate_box.hpp"

namespace ositrace::gui {

namespace {

double value_at(const std::array<double, 4>& plane, const Vector& place) noexcept
{
    return plane[0] * place[0] + plane[1] * place[1] + plane[2] * place[2] + plane[3];
}

Vector middle_of(const Point& a, const Point& b) noexcept { return 0.5 * (to_vector(a) + to_vector(b)); }

/// How far the shader of segments goes beside a line that stands out: its width twice at a sharp corner, and its smooth
/// sides.
double pixels_beside(float width) noexcept { return 2 * static_cast<double>(width) + 3; }

/// It is as wide in pixels where it ends as where it begins, wherever that is.
bool stands(const Segment& segment) noexcept
{
    const float across = std::hypot(segment.to[0] - segment.from[0], segment.to[1] - segment.from[1]);
    return segment.metres > 0 && segment.from != segment.to && across < 1e-4F;
}

}  // namespace

PickArea::PickArea(const ViewTransform& view, double x, double y, int side) noexcept
    : metres_per_pixel_(view.metres_per_pixel())
{
    const auto& m = view.matrix();
    const auto size = view.size();
    const double middle[] = {2 * x / size.width - 1, 1 - 2 * y / size.height};
    const double half[] = {static_cast<double>(side) / size.width, static_cast<double>(side) / size.height};
    for (int k = 0; k < 4; ++k) depth_[static_cast<std::size_t>(k)] = m(3, k);
    for (int i = 0; i < 4; ++i) {
        auto& plane = sides_[static_cast<std::size_t>(i)];
        const int axis = i / 2;
        const double sign = i % 2 ? 1 : -1;
        for (int k = 0; k < 4; ++k)
            plane[static_cast<std::size_t>(k)] = half[axis] * m(3, k) + sign * (m(axis, k) - middle[axis] * m(3, k));
        const double unit = length({plane[0], plane[1], plane[2]});
        for (auto& number : plane) number /= unit;
    }
}

bool PickArea::may_show_ball(const Vector& centre, double radius, double pixels) const noexcept
{
    constexpr double rounding = 1e-6, nearest = 0.02;  // of a card's float; of the shaders
    const double depth = std::max(value_at(depth_, centre) + radius, nearest);
    const double reach = radius + rounding * length(centre) + (pixels + 1) * metres_per_pixel_ * depth;
    return std::none_of(sides_.begin(), sides_.end(),
                        [&](const Plane& side) { return value_at(side, centre) < -reach; });
}

bool PickArea::may_show(const BoxMark& box, float pixel_ratio) const noexcept
{
    return may_show_ball(to_vector(box.centre), reach_of(box), pixels_beside(edge_pixels(box, pixel_ratio)));
}

bool PickArea::may_show(const Segment& segment, float around) const noexcept
{
    if (stands(segment)) return true;
    const double half = length(to_vector(segment.to) - to_vector(segment.from)) / 2;
    return may_show_ball(middle_of(segment.from, segment.to),
                         half + static_cast<double>(segment.metres) + static_cast<double>(around),
                         pixels_beside(segment.pixels));
}

bool PickArea::may_show_triangle(const Point& a, const Point& b, const Point& c) const noexcept
{
    const auto middle = middle_of(a, b);
    return may_show_ball(middle, std::max(length(to_vector(a) - middle), length(to_vector(c) - middle)), 0);
}

}  // namespace ositrace::gui
