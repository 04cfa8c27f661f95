// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "lib/system/interrupt.hpp"

namespace ositrace::app {

/// During its lifetime the first Ctrl-C (or SIGTERM, SIGHUP) requests a stop instead of ending the program. The second
/// ends it at once, after `clean_up` (on a separate thread) has removed temporary files. Create it before other
/// threads: they must not receive the signals. One at a time.
class Interrupt {
public:
    explicit Interrupt(std::function<void()> clean_up = {});
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

    /// The signal that requested a stop, else 0. Outlives the object.
    [[nodiscard]] static int received() noexcept;

private:
    void requested(int request);

    std::function<void()> clean_up_;
    std::stop_source stop_;
    std::chrono::steady_clock::time_point first_;
    InterruptWatch watch_;  // last: its thread uses the above
};

}  // namespace ositrace::app
