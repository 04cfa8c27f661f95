// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/time_text.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include <ositrace/calendar_time.hpp>
#include <ositrace/trace_selection.hpp>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

bool remove_suffix(std::string_view& text, std::string_view suffix)
{
    if (!text.ends_with(suffix)) return false;
    text = trimmed(text.substr(0, text.size() - suffix.size()));
    return true;
}

template <class Number>
std::optional<Number> whole_number(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

std::optional<std::variant<Nanoseconds, std::uint64_t>> parse_time(std::string_view text, const TimeContext& context)
{
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    if (text.front() == '#') {
        const auto number = whole_number<std::uint64_t>(trimmed(text.substr(1)));
        if (!number) return std::nullopt;
        return *number;
    }
    if (const auto calendar = parse_calendar_time(text)) {
        if (!context.zero_time) return std::nullopt;
        return shifted(*calendar, -*context.zero_time);
    }
    if (remove_suffix(text, "ns")) {
        const auto count = whole_number<std::int64_t>(text);
        if (!count) return std::nullopt;
        return Nanoseconds(*count);
    }
    remove_suffix(text, " s");
    const char sign = text.empty() ? ' ' : text.front();
    const auto distance = parse_duration(trimmed(text.substr(sign == '+' || sign == '-' ? 1 : 0)));
    if (!distance) return std::nullopt;
    if (sign == '+') return shifted(context.extent.from, *distance);
    if (sign == '-') return shifted(context.extent.to, -*distance);
    return *distance;
}

std::optional<TypedSection> split_section(std::string_view text)
{
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    TypedSection section{std::string(trimmed(text.substr(0, dots))), std::string(trimmed(text.substr(dots + 2)))};
    for (const auto& bound : {section.from, section.to})
        if (!bound.empty() && !parse_time(bound, {{}, Nanoseconds(0)})) return std::nullopt;
    return section;
}

bool is_calendar_time(std::string_view text) { return parse_calendar_time(trimmed(text)).has_value(); }

std::string utc_text(Nanoseconds since_1970)
{
    const auto rounded = std::chrono::round<std::chrono::milliseconds>(since_1970);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(rounded);
    const std::chrono::sys_seconds when(seconds);
    const auto day = std::chrono::floor<std::chrono::days>(when);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(when - day);
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d.%03d UTC", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()), static_cast<int>((rounded - seconds).count()));
    return text.data();
}

}  // namespace ositrace::gui
