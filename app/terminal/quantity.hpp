// SPDX-License-Identifier: MPL-2.0
// Quantities as text.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <ositrace/count_text.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::app {

/// `912 B`, `50.4 kB`, `1.09 MB`: powers of 1000, three digits.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
/// `812 MB/s`
[[nodiscard]] std::string rate_text(double bytes_per_second);
/// `0.42 s`, `38 s`, `2 min 10 s`, `3 h 20 min`
[[nodiscard]] std::string duration_text(double seconds);
/// `35 ns`, `4.20 us`, `38.0 ms`, then as duration_text()
[[nodiscard]] std::string duration_text(Nanoseconds duration);
/// A time of a trace in whole microseconds, without trailing zeros: `14.256 s`
[[nodiscard]] std::string rounded_seconds_text(Nanoseconds time);
[[nodiscard]] inline double seconds_of(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }
/// At most so many decimals: `10`, `30.303`.
[[nodiscard]] std::string decimal_text(double value, int decimals);
using ositrace::count_text;

/// A whole number; throws Error (usage) unless low <= n <= high.
[[nodiscard]] std::uint64_t parse_count(std::string_view text, std::uint64_t low = 0, std::uint64_t high = UINT64_MAX);
/// Bytes, at least 1: `1048576`, `512K`, `64M`, `2G` (powers of 1024).
[[nodiscard]] std::uint64_t parse_bytes(std::string_view text, std::uint64_t high = UINT64_MAX);
/// A length in metres; throws Error (usage) unless low <= length <= high.
[[nodiscard]] double parse_metres(std::string_view text, double low, double high);
/// A time in seconds or in a form of parse_duration(), in whole nanoseconds; throws Error (usage).
[[nodiscard]] std::int64_t parse_seconds(std::string_view text);

}  // namespace ositrace::app
