// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "gui/plot/envelope.hpp"

namespace ositrace::gui {

/// Maps values to positions: `range` over `length` pixels from `begin`, upward or to the right. A value.
class ValueScale {
public:
    ValueScale() = default;
    /// An empty range shows -1 to 1, and one of a single value some space around it.
    ValueScale(ValueRange range, double begin, double length) noexcept;

    [[nodiscard]] double at(double value) const noexcept
    {
        // Half the distances, which do not overflow.
        return begin_ + (value / 2 - range_.least / 2) / (range_.most / 2 - range_.least / 2) * length_;
    }
    [[nodiscard]] double value_at(double place) const noexcept
    {
        const auto part = (place - begin_) / length_;
        return range_.least * (1 - part) + range_.most * part;
    }
    [[nodiscard]] const ValueRange& range() const noexcept { return range_; }
    /// Multiples of 1, 2 or 5 times a power of ten, at least `least_distance` pixels apart.
    [[nodiscard]] std::vector<double> ticks(double least_distance) const;
    /// The distance of ticks().
    [[nodiscard]] double tick_step(double least_distance) const noexcept;
    /// The range zoomed around a position.
    [[nodiscard]] ValueRange zoomed(double factor, double around) const noexcept;
    /// The range moved by a distance.
    [[nodiscard]] ValueRange panned(double by) const noexcept;

private:
    ValueRange range_{-1, 1};
    double begin_ = 0;
    double length_ = 1;
};

}  // namespace ositrace::gui
