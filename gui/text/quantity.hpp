// SPDX-License-Identifier: MPL-2.0
// Quantities as the viewer shows them: times, sizes, counts, rates.
#pragma once

#include <cstdint>
#include <string_view>

#include <QString>

#include <ositrace/frame.hpp>
#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// `12.500 s`: exact, with at least three decimals; of a time within a nanosecond of a whole microsecond, as a writer
/// with floating point has it, the latter.
[[nodiscard]] QString seconds_text(Nanoseconds time);
/// Rounded to the decimals of `step`, at least one.
[[nodiscard]] QString seconds_text(Nanoseconds time, Nanoseconds step);
/// `1.000 s to 7.500 s`
[[nodiscard]] QString section_text(const TimeSection& section);
/// `12.345 s`: the distance of any two times.
[[nodiscard]] QString duration_text(Nanoseconds from, Nanoseconds to);
/// `33.3333 ms`: six significant digits.
[[nodiscard]] QString milliseconds_text(Nanoseconds time);
[[nodiscard]] QString milliseconds_text(Nanoseconds time, int decimals);

/// `12.50`; `0.00` for a value that rounds to it from below.
[[nodiscard]] QString fixed_text(double value, int decimals);
/// `12.5`, `1.2e-05`: at most so many digits.
[[nodiscard]] QString rounded_text(double value, int significant_digits = 6);

/// `912 B`, `50.4 kB`, `1.09 MB`: powers of 1000 and three digits, as `osiconvert info` prints them.
[[nodiscard]] QString size_text(std::uint64_t bytes);

/// `12 345`
[[nodiscard]] QString count_text(std::uint64_t count);
/// `1 message`, `12 345 messages`
[[nodiscard]] QString count_text(std::uint64_t count, std::string_view singular);

/// `30.303`: a rate in Hz, without its unit.
[[nodiscard]] QString hertz_text(double rate, int significant_digits = 5);

}  // namespace ositrace::gui
