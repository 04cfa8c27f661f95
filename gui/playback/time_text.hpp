// SPDX-License-Identifier: MPL-2.0
// Times that are typed, and calendar times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// The references of a typed time.
struct TimeContext {
    TimeSection extent{};
    std::optional<Nanoseconds> zero_time;  ///< calendar time of t = 0, since 1970
};

/// `12.5`, `12.5 s`, `1m`, `1:02:03.5`; `+3` from the start, `-3` from the end; `12500000000 ns`; `#42` the message;
/// `2021-08-18T15:05:42Z`.
/// nullopt for anything else, and for a calendar time without a zero time.
[[nodiscard]] std::optional<std::variant<Nanoseconds, std::uint64_t>> parse_time(std::string_view text,
                                                                                 const TimeContext& context);

/// The bounds of a section as typed; an empty one is the start or the end of the trace.
struct TypedSection {
    std::string from;
    std::string to;
};
/// `2..5`, `..#20`, `-3..`: times as parse_time() reads them. nullopt for anything else.
[[nodiscard]] std::optional<TypedSection> split_section(std::string_view text);

/// Is it a calendar time? Only a trace with a zero time has calendar times.
[[nodiscard]] bool is_calendar_time(std::string_view text);

/// `2021-08-18 15:05:42.500 UTC`, rounded
[[nodiscard]] std::string utc_text(Nanoseconds since_1970);

}  // namespace ositrace::gui
