// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <ositrace/clock.hpp>

namespace ositrace {

/// A clock whose waits end at once, at their deadline. One thread.
class ManualClock final : public Clock {
public:
    Nanoseconds now() const noexcept override { return now_; }
    bool wait_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop) override
    {
        if (stop.stop_requested() || woken_ || !deadline) {
            woken_ = false;
            return false;
        }
        now_ = std::max(now_, *deadline);
        return true;
    }
    void wake() noexcept override { woken_ = true; }
    /// Something takes this long.
    void pass(Nanoseconds time) { now_ += time; }

private:
    Nanoseconds now_{1'000'000'000'000};
    bool woken_ = false;
};

}  // namespace ositrace
