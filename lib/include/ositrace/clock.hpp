// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// What a player waits by: the machine's clock, or one that a test moves. now() and wake() from any thread,
/// wait_until() from one.
class OSITRACE_API Clock {
public:
    virtual ~Clock() = default;
    /// Monotonic; where it counts from means nothing.
    [[nodiscard]] virtual Nanoseconds now() const noexcept = 0;
    /// Waits until `deadline` has come (at once when it has), for ever without one. False: wake() was called since the
    /// last wait, or a stop was requested.
    virtual bool wait_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop) = 0;
    /// Ends the wait, or the next one. Never blocks.
    virtual void wake() noexcept = 0;
};

/// CLOCK_MONOTONIC. Sleeps with the finest timer slack to shortly before the deadline and spins over the rest: a thread
/// that is woken comes 50 us late and more, one that spins a fraction of 1 us. How long it spins (50 to 500 us) it
/// learns from how late it is woken.
[[nodiscard]] OSITRACE_API std::unique_ptr<Clock> monotonic_clock();

}  // namespace ositrace
