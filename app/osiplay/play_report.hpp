// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/player.hpp>

#include "app/osiplay/play_request.hpp"

namespace ositrace::app {

/// What --report prints. Without a rate nothing can be late, and nothing is said about it.
[[nodiscard]] std::string text_of(const PlayReport& report, bool at_a_rate);
[[nodiscard]] std::string json_of(const PlayReport& report);
/// Which of the limits was passed, for people; empty: none.
[[nodiscard]] std::string passed_limit(const PlayReport& report, const PlayLimits& limits);
/// `0.42 us`, `12.3 ms`, `1.50 s`
[[nodiscard]] std::string short_time_text(Nanoseconds time);

}  // namespace ositrace::app
