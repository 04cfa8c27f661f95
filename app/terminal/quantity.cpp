// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <ositrace/error.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace::app {
namespace {

constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

std::string fixed(double value, int decimals)
{
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.data(), end};
}

std::string three_digits(double value) { return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

Error invalid(std::string_view text, std::string_view expected)
{
    return {Cause::usage, "'" + std::string(text) + "' is not " + std::string(expected)};
}

}  // namespace

std::string bytes_text(std::uint64_t bytes)
{
    if (bytes < 1000) return std::to_string(bytes) + " B";
    constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return three_digits(value) + ' ' + units[unit];
}

std::string rate_text(double bytes_per_second)
{
    return fixed(bytes_per_second / 1e6, bytes_per_second < 1e6 ? 2 : 0) + " MB/s";
}

std::string duration_text(double seconds)
{
    if (seconds < 9.995) return fixed(seconds, 2) + " s";
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 60) return std::to_string(whole) + " s";
    if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string duration_text(Nanoseconds duration)
{
    const auto count = static_cast<double>(duration.count());
    if (duration < Nanoseconds(100)) return std::to_string(duration.count()) + " ns";
    if (count < 999.5e3) return three_digits(count / 1e3) + " us";
    if (count < 999.5e6) return three_digits(count / 1e6) + " ms";
    return duration_text(count / 1e9);
}

std::string rounded_seconds_text(Nanoseconds time)
{
    constexpr int microseconds = 6;
    return decimal_text(seconds_of(time), microseconds) + " s";
}

std::string decimal_text(double value, int decimals)
{
    std::string text = fixed(value, decimals);
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::uint64_t parse_count(std::string_view text, std::uint64_t low, std::uint64_t high)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) throw invalid(text, "a whole number");
    if (value < low || value > high) {
        const std::string expected = high == UINT64_MAX
                                         ? "at least " + std::to_string(low)
                                         : "between " + std::to_string(low) + " and " + std::to_string(high);
        throw invalid(text, expected);
    }
    return value;
}

std::uint64_t parse_bytes(std::string_view text, std::uint64_t high)
{
    constexpr std::string_view suffixes = "KMGT";
    const auto digits = text.substr(0, text.find_first_of(suffixes));
    const auto suffix = text.substr(digits.size());
    if (digits.empty() || suffix.size() > 1) throw invalid(text, "a number of bytes (1048576, 512K, 64M, 2G)");
    const unsigned shift = suffix.empty() ? 0 : 10 * (static_cast<unsigned>(suffixes.find(suffix.front())) + 1);
    const std::uint64_t value = parse_count(digits);
    if (value == 0) throw invalid(text, "a number of bytes above 0");
    if (value > high >> shift) throw invalid(text, "at most " + std::to_string(high) + " bytes");
    return value << shift;
}

double parse_metres(std::string_view text, double low, double high)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = !text.empty() && error == std::errc{} && end == text.data() + text.size();
    if (!number || !(value >= low && value <= high))
        throw invalid(text, "metres between " + decimal_text(low, 3) + " and " + decimal_text(high, 3));
    return value;
}

std::int64_t parse_seconds(std::string_view text)
{
    if (const auto time = parse_duration(text)) return time->count();
    double value = 0;  // `1e-3`, `-1`
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = !text.empty() && error == std::errc{} && end == text.data() + text.size();
    if (!number || !(std::abs(value) < 9e9)) throw invalid(text, "a time (0.1 seconds, 5ms, 1m, 1:00)");
    return std::llround(value * static_cast<double>(nanoseconds_per_second));
}

}  // namespace ositrace::app
