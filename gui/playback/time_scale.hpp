// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// Maps times to positions on a ruler: `section` over `width`, starting at `left`. A value.
class TimeScale {
public:
    TimeScale() = default;
    /// An empty section shows one nanosecond.
    TimeScale(TimeSection section, double left, double width) noexcept;

    [[nodiscard]] double x_of(Nanoseconds time) const noexcept;
    [[nodiscard]] Nanoseconds time_at(double x) const noexcept;
    [[nodiscard]] const TimeSection& section() const noexcept { return section_; }
    [[nodiscard]] double left() const noexcept { return left_; }
    [[nodiscard]] double width() const noexcept { return width_; }

    /// Multiples of 1, 2 or 5 times a power of ten nanoseconds from `origin`, at least `least_distance` apart.
    [[nodiscard]] std::vector<Nanoseconds> ticks(double least_distance, Nanoseconds origin = {}) const;
    [[nodiscard]] Nanoseconds tick_step(double least_distance) const noexcept;

    /// Zoomed around a position, within `limits`.
    [[nodiscard]] TimeScale zoomed(double factor, double around_x, TimeSection limits) const noexcept;
    /// Moved by a distance, within `limits`.
    [[nodiscard]] TimeScale panned(double by_x, TimeSection limits) const noexcept;

private:
    [[nodiscard]] double length() const noexcept;

    TimeSection section_{Nanoseconds(0), Nanoseconds(1)};
    double left_ = 0;
    double width_ = 1;
};

}  // namespace ositrace::gui
