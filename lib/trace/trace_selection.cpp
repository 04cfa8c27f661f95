// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_selection.hpp>

#include <algorithm>
#include <charconv>
#include <regex>
#include <utility>

#include <ositrace/calendar_time.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_summary.hpp>

namespace ositrace {

namespace {

Error not_meant(std::string_view text, std::string_view expected)
{
    return {Cause::usage, "'" + std::string(text) + "' is not " + std::string(expected)};
}

constexpr std::string_view a_time =
    "a range of times A:B or A..B (3.5, 90s, 1m, with .. also 1:02:03.5; +T from the start, -T from the end, or "
    "2021-08-18T15:05:42Z; A or B may be missing)";
constexpr std::string_view a_frame_range =
    "a range of frames A:B (whole numbers from 0, B excluded; A or B may be missing)";

struct Unit {
    std::string_view name;
    std::int64_t nanoseconds;
};

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t max_nanoseconds = 9'000'000'000 * second;
// A suffix of another row follows that row.
constexpr Unit units[] = {{"ns", 1},          {"us", 1000},         {"ms", 1'000'000}, {"s", second},
                          {"m", 60 * second}, {"h", 3600 * second}, {"", second}};

std::optional<std::int64_t> whole_number(std::string_view digits, std::int64_t most) noexcept
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || digits.front() == '-' || value > most)
        return std::nullopt;
    return value;
}

/// A number of units, `3.5`. Exact: a double cannot represent nanoseconds of calendar times.
std::optional<std::int64_t> parse_decimal(std::string_view text, std::int64_t unit) noexcept
{
    const auto point = std::min(text.find('.'), text.size());
    const auto fraction = text.substr(std::min(point + 1, text.size()));
    if (point == 0 && fraction.empty()) return std::nullopt;
    const auto whole = point == 0 ? 0 : whole_number(text.substr(0, point), max_nanoseconds / unit);
    if (!whole) return std::nullopt;
    std::int64_t part = 0;
    auto place = unit;
    for (const char digit : fraction) {
        if (digit < '0' || digit > '9') return std::nullopt;
        part += (digit - '0') * (place /= 10);
    }
    return *whole * unit + part;
}

/// `MM:SS.S` or `HH:MM:SS.S`: the first number may have any number of digits, the others have two.
std::optional<std::int64_t> parse_clock(std::string_view text) noexcept
{
    constexpr std::int64_t most_minutes = max_nanoseconds / (60 * second);
    const auto first = text.find(':'), last = text.rfind(':');
    const auto seconds = text.substr(last + 1);
    const auto decimals = parse_decimal(seconds, second);
    if (std::min(seconds.find('.'), seconds.size()) != 2 || !decimals || *decimals >= 60 * second) return std::nullopt;
    const bool has_hours = first != last;
    const auto minutes_text = has_hours ? text.substr(first + 1, last - first - 1) : text.substr(0, last);
    if (minutes_text.empty() || (has_hours && (minutes_text.size() != 2 || first == 0))) return std::nullopt;
    const auto minutes = whole_number(minutes_text, has_hours ? 59 : most_minutes);
    const auto hours = has_hours ? whole_number(text.substr(0, first), most_minutes / 60) : 0;
    if (!minutes || !hours) return std::nullopt;
    return (*hours * 60 + *minutes) * 60 * second + *decimals;
}

bool is_calendar(std::string_view text)
{
    return text.size() > 10 && text[4] == '-' && (text[10] == 'T' || text[10] == 't');
}

/// The text before and after the separator of A and B: two dots, else the only colon that is not within a calendar
/// time.
std::pair<std::string_view, std::string_view> split_range(std::string_view text)
{
    const auto at = [&](std::size_t place, std::size_t size) {
        return std::pair{text.substr(0, place), text.substr(place + size)};
    };
    if (const auto dots = text.find(".."); dots != std::string_view::npos) return at(dots, 2);
    auto colon = text.find(':');
    while (is_calendar(text) && colon != std::string_view::npos && !parse_calendar_time(text.substr(0, colon)))
        colon = text.find(':', colon + 1);
    if (colon == std::string_view::npos) throw not_meant(text, a_time);
    const auto parts = at(colon, 1);
    if (!is_calendar(parts.second) && parts.second.find(':') != std::string_view::npos)
        throw Error(Cause::usage,
                    "'" + std::string(text) +
                        "' can be read in several ways: write A..B where a time has a colon, as in 1:00..1:30");
    return parts;
}

Nanoseconds sum(Nanoseconds a, Nanoseconds b)
{
    std::int64_t result = 0;
    if (__builtin_add_overflow(a.count(), b.count(), &result))
        throw Error(Cause::usage, "the time range exceeds 64-bit nanoseconds");
    return Nanoseconds(result);
}

Nanoseconds known(const std::optional<Nanoseconds>& time, std::string_view what)
{
    if (!time) throw Error(Cause::mismatch, what);
    return *time;
}

}  // namespace

std::optional<Nanoseconds> parse_duration(std::string_view text) noexcept
{
    if (text.find(':') != std::string_view::npos) {
        const auto time = parse_clock(text);
        return time ? std::optional(Nanoseconds(*time)) : std::nullopt;
    }
    for (const auto& unit : units) {
        if (!text.ends_with(unit.name)) continue;
        const auto time = parse_decimal(text.substr(0, text.size() - unit.name.size()), unit.nanoseconds);
        return time ? std::optional(Nanoseconds(*time)) : std::nullopt;
    }
    return std::nullopt;
}

TimeExtent time_extent(const Trace& trace)
{
    TimeExtent extent;
    const auto channels = trace.info().channels.size();
    for (std::uint32_t channel = 0; channel < channels; ++channel) {
        const auto frames = trace.frame_count(channel);
        if (frames == 0) continue;
        const auto first = trace.frame(channel, 0).time;
        const auto last = trace.frame(channel, frames - 1).time;
        if (first && (!extent.start || *first < *extent.start)) extent.start = first;
        if (last && (!extent.end || *last > *extent.end)) extent.end = last;
    }
    return extent;
}

std::optional<Nanoseconds> median_step(const Trace& trace)
{
    std::optional<Nanoseconds> shortest;
    for (const auto& channel : summarize(trace, {.times = true}).channels)
        if (channel.step && (!shortest || *channel.step < *shortest)) shortest = channel.step;
    return shortest;
}

TimeTolerance TimeTolerance::parse(std::string_view text)
{
    if (text == "half-step") return {};
    const auto seconds = parse_duration(text);
    if (!seconds) throw not_meant(text, "a tolerance (0.001 seconds, or half-step: half the median step of the trace)");
    return {seconds};
}

std::optional<TimeRange::Point> TimeRange::parse_point(std::string_view text)
{
    if (text.empty()) return std::nullopt;
    if (is_calendar(text)) {
        if (const auto time = parse_calendar_time(text)) return Point{Origin::calendar, *time};
        throw not_meant(text, "a calendar time with a time zone (2021-08-18T15:05:42Z)");
    }
    const auto origin = text.front() == '+' ? Origin::start : text.front() == '-' ? Origin::end : Origin::zero;
    const auto time = parse_duration(text.substr(origin == Origin::zero ? 0 : 1));
    if (!time) throw not_meant(text, "a time (3.5 seconds, 90s, 1m, 1:02:03.5; +3 from the start, -5 from the end)");
    return Point{origin, origin == Origin::end ? -*time : *time};
}

TimeRange TimeRange::parse(std::string_view text)
{
    const auto [from, to] = split_range(text);
    TimeRange range;
    range.from_ = parse_point(from);
    range.to_ = parse_point(to);
    if (range.from_ && range.to_ && range.from_->origin == range.to_->origin &&
        range.from_->offset >= range.to_->offset)
        throw Error(Cause::usage, "the time range '" + std::string(text) + "' is empty: B must be later than A" +
                                      (parse_duration(text) ? " (of times with a colon: 1:00..1:30)" : ""));
    return range;
}

TimeRange TimeRange::of(const TimeSpan& span) noexcept
{
    TimeRange range;
    if (span.from) range.from_ = Point{Origin::zero, *span.from};
    if (span.to) range.to_ = Point{Origin::zero, *span.to};
    return range;
}

TimeSpan TimeRange::resolve(const TimeExtent& extent, std::optional<Nanoseconds> zero_time) const
{
    const auto resolved = [&](const std::optional<Point>& point) -> std::optional<Nanoseconds> {
        if (!point) return std::nullopt;
        switch (point->origin) {
        case Origin::zero: return point->offset;
        case Origin::start:
            return sum(known(extent.start, "a time from the start (+S): no frame has a time"), point->offset);
        case Origin::end:
            return sum(known(extent.end, "a time from the end (-S): the time of the last frame is not known"),
                       point->offset);
        case Origin::calendar:
            return sum(point->offset,
                       -known(zero_time, "a calendar time: the trace has no zero time (metadata zero_time)"));
        }
        return std::nullopt;
    };
    TimeSpan span{resolved(from_), resolved(to_)};
    if (!tolerance_) return span;
    constexpr auto no_step = "half a step of tolerance: no two frames have different times";
    const auto tolerance = tolerance_->fixed ? *tolerance_->fixed : known(extent.step, no_step) / 2;
    for (auto* const bound : {&span.from, &span.to})
        if (*bound) *bound = sum(**bound, -tolerance);
    return span;
}

FrameRange FrameRange::parse(std::string_view text)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) throw not_meant(text, a_frame_range);
    const auto number = [&](std::string_view part, std::uint64_t open) {
        std::uint64_t value = open;
        if (part.empty()) return value;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc{} || end != part.data() + part.size()) throw not_meant(text, a_frame_range);
        return value;
    };
    const FrameRange range{number(text.substr(0, colon), 0), number(text.substr(colon + 1), UINT64_MAX)};
    if (range.from >= range.to)
        throw Error(Cause::usage, "the range of frames '" + std::string(text) + "' is empty: B must be greater than A");
    return range;
}

struct TopicPattern::Compiled {
    std::regex regex;
};

TopicPattern::TopicPattern(std::string text) : text_(std::move(text))
{
    try {
        compiled_ = std::make_shared<const Compiled>(
            Compiled{std::regex(text_, std::regex::ECMAScript | std::regex::optimize)});
    } catch (const std::regex_error& e) {
        throw Error(Cause::usage, "'" + text_ + "' is not a regular expression: " + e.what());
    }
}

bool TopicPattern::matches(std::string_view topic) const
{
    constexpr std::size_t longest = 4096;  // the recursion of std::regex is as deep as the text is long
    if (topic.size() > longest)
        throw Error(Cause::limit,
                    "a topic of " + std::to_string(topic.size()) + " bytes exceeds the limit of 4096 bytes");
    try {
        return std::regex_search(topic.begin(), topic.end(), compiled_->regex);
    } catch (const std::regex_error& e) {
        throw Error(Cause::limit, "the regular expression '" + text_ + "' is too complex: " + e.what());
    }
}

}  // namespace ositrace
