// SPDX-License-Identifier: MPL-2.0
// What lies near a place of the plane: items by the square cells that they touch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ositrace::lanes {

struct Box {
    double x_min = 1e300, y_min = 1e300, x_max = -1e300, y_max = -1e300;

    void add(double x, double y) noexcept
    {
        x_min = std::min(x_min, x), x_max = std::max(x_max, x);
        y_min = std::min(y_min, y), y_max = std::max(y_max, y);
    }
    void widen(double by) noexcept { x_min -= by, y_min -= by, x_max += by, y_max += by; }
    [[nodiscard]] bool has(double x, double y) const noexcept
    {
        return x >= x_min && x <= x_max && y >= y_min && y <= y_max;
    }
};

/// Filled, closed, and then asked by any thread. Memory: that of the cells that the items touch.
class CellGrid {
public:
    /// The length of pieces into which lines are to be cut, and of the sides of a cell: so that lines of this length
    /// with so many points become no more pieces than a multiple of the points.
    static double piece_length(double whole_length, std::size_t points) noexcept
    {
        constexpr double shortest = 20, least_pieces = 10'000, pieces_per_point = 4;
        return std::max(shortest, whole_length / (least_pieces + pieces_per_point * static_cast<double>(points)));
    }

    explicit CellGrid(double cell) noexcept : cell_(cell) {}

    /// An item without a finite place near the origin, or larger than any piece of a line, is left out.
    void add(const Box& box, std::uint32_t item)
    {
        constexpr double farthest = 1e10;
        constexpr std::int64_t most_cells = 64;
        if (!(box.x_min > -farthest && box.y_min > -farthest && box.x_max < farthest && box.y_max < farthest)) return;
        const auto x = number(box.x_min), x_end = number(box.x_max), y = number(box.y_min), y_end = number(box.y_max);
        if ((x_end - x + 1) * (y_end - y + 1) > most_cells) return;
        for (auto i = x; i <= x_end; ++i)
            for (auto j = y; j <= y_end; ++j) entries_.push_back({key(i, j), item});
    }
    void close() { std::ranges::sort(entries_); }

    /// Visits the items whose box may have this place.
    template <class Visit>
    void visit(double x, double y, const Visit& visit) const
    {
        constexpr double farthest = 1e10;
        if (!(std::abs(x) < farthest && std::abs(y) < farthest)) return;
        const auto here = key(number(x), number(y));
        for (auto at = std::ranges::lower_bound(entries_, here, {}, &Entry::cell);
             at != entries_.end() && at->cell == here; ++at)
            visit(at->item);
    }

private:
    struct Entry {
        std::uint64_t cell = 0;
        std::uint32_t item = 0;
        friend auto operator<=>(const Entry&, const Entry&) = default;
    };
    [[nodiscard]] std::int64_t number(double at) const noexcept
    {
        return static_cast<std::int64_t>(std::floor(at / cell_));
    }
    static std::uint64_t key(std::int64_t x, std::int64_t y) noexcept
    {
        return static_cast<std::uint64_t>(x) << 32 | (static_cast<std::uint64_t>(y) & 0xffff'ffff);
    }

    double cell_;
    std::vector<Entry> entries_;
};

}  // namespace ositrace::lanes
