// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include <ositrace/footprint.hpp>

namespace ositrace::traffic {

/// Could the gap between two footprints be at most `range`? A bound, which costs less than the gap.
[[nodiscard]] inline bool may_be_near(const Footprint& one, const Footprint& other, double range) noexcept
{
    const auto square = [](double x, double y) { return x * x + y * y; };
    const double reach =
        range + (std::sqrt(square(one.length, one.width)) + std::sqrt(square(other.length, other.width))) / 2;
    return square(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]) <= reach * reach;
}

/// Visits each pair of footprints once, the earlier one first, that may be at most `range` apart: by a grid, so that
/// time grows with the objects and the pairs near each other. Keeps its memory.
class NearPairs {
public:
    template <class Visit>
    void visit(std::span<const Footprint> footprints, double range, const Visit& visit)
    {
        double largest = 0;
        for (const auto& each : footprints) largest = std::max(largest, std::hypot(each.length, each.width) / 2);
        const double cell = std::max(range + 2 * largest, 1.0);
        cells_.clear();
        for (std::size_t i = 0; i != footprints.size(); ++i) {
            const auto& [x, y] = footprints[i].centre;
            cells_.push_back({std::floor(x / cell), std::floor(y / cell), i});
        }
        std::ranges::sort(cells_);
        for (std::size_t i = 0; i != footprints.size(); ++i) visit_near(footprints, i, cell, range, visit);
    }

private:
    using Cell = std::tuple<double, double, std::size_t>;

    template <class Visit>
    void visit_near(std::span<const Footprint> footprints, std::size_t i, double cell, double range,
                    const Visit& visit) const
    {
        const auto& one = footprints[i];
        const double x = std::floor(one.centre[0] / cell), y = std::floor(one.centre[1] / cell);
        for (const double column : {x - 1, x, x + 1})
            for (auto at = std::ranges::lower_bound(cells_, Cell{column, y - 1, 0}); at != cells_.end(); ++at) {
                const auto& [its_x, its_y, j] = *at;
                if (its_x != column || its_y > y + 1) break;
                if (j <= i) continue;
                if (may_be_near(one, footprints[j], range)) visit(i, j);
            }
    }

    std::vector<Cell> cells_;
};

}  // namespace ositrace::traffic
