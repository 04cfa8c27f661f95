// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include <sched.h>
#include <sys/prctl.h>

#include "lib/fmu/host/exchange.hpp"

namespace ositrace::fmu {

/// Waits for the replay's next request. Who is asked again soon, or at a steady pace, waits awake: to be woken on
/// another processor takes 50 us and more. On the processor of the replay that would keep the replay itself from being
/// on time.
class RequestWaiter {
    using steady_clock = std::chrono::steady_clock;

public:
    explicit RequestWaiter(const Exchange& state) : state_(state) { ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

    void wait_while_it_is(std::uint32_t old)
    {
        const auto began = steady_clock::now();
        const auto expected = last_ + pace_;
        if (!awake_until(began + awake, old) && expected > began) {
            while (state_.request.load() == old && steady_clock::now() < expected - early)
                wait_while(state_.request, old, expected - early - steady_clock::now());
            awake_until(expected + late, old);
        }
        while (state_.request.load() == old) wait_while(state_.request, old, std::chrono::hours(1));
        const auto now = steady_clock::now();
        pace_ = now - last_;
        last_ = now;
    }

private:
    static constexpr auto awake = std::chrono::microseconds(50);
    static constexpr auto early = std::chrono::microseconds(200);
    static constexpr auto late = std::chrono::microseconds(300);

    bool awake_until(steady_clock::time_point until, std::uint32_t old) const
    {
        while (state_.request.load() == old)
            if (state_.replay_processor.load(std::memory_order_relaxed) == ::sched_getcpu() ||
                steady_clock::now() >= until)
                return false;
        return true;
    }

    const Exchange& state_;
    steady_clock::time_point last_;
    steady_clock::duration pace_{};
};

}  // namespace ositrace::fmu
