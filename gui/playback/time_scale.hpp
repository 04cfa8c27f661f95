// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QString>

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

/// The time that a ruler counts from: the start, if times are long, such as times since 1970; else 0.
[[nodiscard]] Nanoseconds ruler_zero(const std::optional<TimeSection>& extent) noexcept;
/// A tick of a ruler that counts from `zero`: `12.5 s`, `+12.5 s`.
[[nodiscard]] QString ruler_text(Nanoseconds tick, Nanoseconds step, Nanoseconds zero);

}  // namespace ositrace::gui
