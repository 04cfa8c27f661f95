// SPDX-License-Identifier: MPL-2.0
// Times as people type and read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// What a typed time is counted from.
struct TimeContext {
    TimeSection extent{};
    std::optional<Nanoseconds> zero_time;  ///< since 1970, of t = 0
};

/// `12.5`, `12.5 s`, `1m`, `1:02:03.5`; `+3` from the start, `-3` from the end; `12500000000 ns`; `#42` the message;
/// `2021-08-18T15:05:42Z`.
/// nullopt for anything else, and for calendar time without a zero time.
[[nodiscard]] std::optional<std::variant<Nanoseconds, std::uint64_t>> parse_time(std::string_view text,
                                                                                 const TimeContext& context);

/// Is it a calendar time, which only a trace with a zero time has?
[[nodiscard]] bool is_calendar_time(std::string_view text);

/// `12.500 s`: as many decimals as the time has, three at least; exact.
[[nodiscard]] std::string seconds_text(Nanoseconds time);
/// The same with decimals for steps of `step`, rounded.
[[nodiscard]] std::string seconds_text(Nanoseconds time, Nanoseconds step);
/// `2021-08-18 15:05:42.500 UTC`, rounded
[[nodiscard]] std::string utc_text(Nanoseconds since_1970);

}  // namespace ositrace::gui
