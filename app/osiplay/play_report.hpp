// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/player.hpp>

#include "app/osiplay/play_request.hpp"

namespace ositrace::app {

/// What --report prints. Without a rate nothing can be late, without a network nothing lost in it: nothing is said
/// about that then.
[[nodiscard]] std::string text_of(const PlayReport& report, const Losses& losses, bool at_a_rate);
[[nodiscard]] std::string json_of(const PlayReport& report, const Losses& losses);
/// Which of the limits was passed, for people; empty: none. Lost is what was dropped, not delivered, or not received.
[[nodiscard]] std::string passed_limit(const PlayReport& report, const Losses& losses, const PlayLimits& limits);
/// `frame 30 is due in 499 s, at its time of 500 s`
[[nodiscard]] std::string long_wait_text(const Frame& frame, Nanoseconds wait);
/// `0.42 us`, `12.3 ms`, `1.50 s`
[[nodiscard]] std::string short_time_text(Nanoseconds time);

}  // namespace ositrace::app
