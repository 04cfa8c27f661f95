// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include <ositrace/frame.hpp>

namespace ositrace::gui {

/// A clock that may go slower than the machine's, without a jump when that changes: what a Timeline, which plays at a
/// tenth of real time at least, needs to play slower.
class LineClock {
public:
    /// `clock`: monotonic; null: that of the machine.
    explicit LineClock(std::function<Nanoseconds()> clock) : clock_(std::move(clock))
    {
        if (!clock_)
            clock_ = [] {
                return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
            };
        since_ = clock_();
    }
    [[nodiscard]] Nanoseconds machine_now() const { return clock_(); }
    [[nodiscard]] Nanoseconds now() const
    {
        return at_ + Nanoseconds(std::llround(static_cast<double>((clock_() - since_).count()) * speed_));
    }
    void set_speed(double speed)
    {
        at_ = now();
        since_ = clock_();
        speed_ = speed;
    }

private:
    std::function<Nanoseconds()> clock_;
    Nanoseconds since_{};
    Nanoseconds at_{};
    double speed_ = 1;
};

}  // namespace ositrace::gui
