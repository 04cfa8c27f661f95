// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/polygon.hpp"

#include <algorithm>
#include <numeric>

namespace ositrace::picture {

namespace {

/// Twice the area of a triangle; positive counter-clockwise.
double turn(const Corner& a, const Corner& b, const Corner& c) noexcept
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double doubled_area(std::span<const Corner> corners) noexcept
{
    double area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto& from = corners[i];
        const auto& to = corners[(i + 1) % corners.size()];
        area += from.x * to.y - from.y * to.x;
    }
    return area;
}

/// The rest of a polygon while its ears are cut off.
class Rest {
public:
    explicit Rest(std::span<const Corner> corners) : corners_(corners), left_(corners.size())
    {
        std::iota(left_.begin(), left_.end(), std::size_t{0});
        if (doubled_area(corners) < 0) std::ranges::reverse(left_);
    }
    [[nodiscard]] std::size_t size() const noexcept { return left_.size(); }
    [[nodiscard]] std::array<std::size_t, 3> ear(std::size_t tip) const noexcept
    {
        const auto n = left_.size();
        return {left_[(tip + n - 1) % n], left_[tip], left_[(tip + 1) % n]};
    }
    [[nodiscard]] bool can_cut(std::size_t tip) const noexcept
    {
        const auto ear = this->ear(tip);
        const auto &a = corners_[ear[0]], &b = corners_[ear[1]], &c = corners_[ear[2]];
        if (!(turn(a, b, c) > 0)) return false;
        return std::ranges::none_of(left_, [&](std::size_t other) {
            const auto& p = corners_[other];
            const bool is_corner = std::ranges::any_of(
                ear, [&](std::size_t corner) { return corners_[corner].x == p.x && corners_[corner].y == p.y; });
            return !is_corner && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
        });
    }
    /// Is the corner on a straight line between its neighbours, or at the place of one? Then it can be removed.
    [[nodiscard]] bool is_flat(std::size_t tip) const noexcept
    {
        const auto ear = this->ear(tip);
        return !(turn(corners_[ear[0]], corners_[ear[1]], corners_[ear[2]]) > 0) &&
               !(turn(corners_[ear[0]], corners_[ear[1]], corners_[ear[2]]) < 0);
    }
    void cut(std::size_t tip) { left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(tip)); }

private:
    std::span<const Corner> corners_;
    std::vector<std::size_t> left_;
};

}  // namespace

std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const Corner> corners)
{
    std::vector<std::array<std::size_t, 3>> triangles;
    if (corners.size() < 3 || corners.size() > most_cut_corners) return triangles;
    Rest rest(corners);
    while (rest.size() >= 3) {
        std::size_t tip = 0;
        while (tip < rest.size() && !rest.is_flat(tip) && !rest.can_cut(tip)) ++tip;
        if (tip == rest.size()) return {};
        if (!rest.is_flat(tip)) triangles.push_back(rest.ear(tip));
        rest.cut(tip);
    }
    return triangles;
}

}  // namespace ositrace::picture
