// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// `2021-08-18T15:05:42.5+02:00` as nanoseconds since 1970-01-01T00:00:00Z: RFC 3339. The time zone is required.
/// nullopt for anything else and for years that int64 nanoseconds do not reach.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> parse_calendar_time(std::string_view text) noexcept;

/// An XML Schema dateTimeStamp of the years 0000 to 9999: RFC 3339 in capital letters, without leap seconds, and in a
/// time zone of at most 14 hours.
[[nodiscard]] OSITRACE_API bool is_date_time_stamp(std::string_view text) noexcept;

/// The calendar time of t = 0, the entry `zero_time` of the metadata record of the OSI standard; nullopt where it is
/// missing or invalid.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> zero_time_of(const TraceInfo& info);

}  // namespace ositrace
