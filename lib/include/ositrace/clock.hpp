// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// The clock of a player: that of the machine, or one that a test sets. now() and wake() are called by any thread,
/// wait_until() by one.
class OSITRACE_API Clock {
public:
    virtual ~Clock() = default;
    /// Monotonic, since an unspecified time.
    [[nodiscard]] virtual Nanoseconds now() const noexcept = 0;
    /// Waits until `deadline`, without one until it is woken. False: wake() was called since the last wait, or a stop
    /// was requested.
    virtual bool wait_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop) = 0;
    /// Ends the wait, or the next one. Never blocks.
    virtual void wake() noexcept = 0;
};

/// CLOCK_MONOTONIC. Sleeps with the finest timer slack until shortly before the deadline, then spins: a sleeping thread
/// wakes 50 us late or more, a spinning one less than 1 us. The time it spins (50 to 500 us) follows how late it wakes.
[[nodiscard]] OSITRACE_API std::unique_ptr<Clock> monotonic_clock();

}  // namespace ositrace
