// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_selection.hpp>

#include <algorithm>
#include <charconv>
#include <regex>

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

constexpr std::string_view a_time = "a range of times A:B (seconds; +S from the start, -S from the end, or 2021-08-18T15:05:42Z; "
                                    "A or B may be left out)";
constexpr std::string_view a_frame_range = "a range of frames A:B (whole numbers from 0, B not in it; A or B may be left out)";

/// Exact: a double has no nanoseconds left at today's calendar times.
std::optional<Nanoseconds> parse_decimal_seconds(std::string_view text)
{
    const auto point = std::min(text.find('.'), text.size());
    const auto fraction = text.substr(std::min(point + 1, text.size()));
    std::int64_t seconds = 0;
    if (point != 0) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + point, seconds);
        if (error != std::errc{} || end != text.data() + point || seconds < 0 || seconds > 9'000'000'000) return std::nullopt;
    }
    if (text.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
    std::int64_t nanoseconds = 0;
    std::int64_t unit = 1'000'000'000;
    for (const char digit : fraction) {
        if (digit < '0' || digit > '9') return std::nullopt;
        nanoseconds += (digit - '0') * (unit /= 10);
    }
    return Nanoseconds(seconds * 1'000'000'000 + nanoseconds);
}

bool is_calendar(std::string_view text) { return text.size() > 10 && text[4] == '-' && (text[10] == 'T' || text[10] == 't'); }

/// Where the colon between A and B stands: the first that leaves a calendar time in front of it whole.
std::size_t separator(std::string_view text)
{
    if (!is_calendar(text)) return text.find(':');
    for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
        if (parse_calendar_time(text.substr(0, colon))) return colon;
    }
    return std::string_view::npos;
}

Nanoseconds sum(Nanoseconds a, Nanoseconds b)
{
    std::int64_t result = 0;
    if (__builtin_add_overflow(a.count(), b.count(), &result)) throw Error(Cause::usage, "the time range leaves 64-bit nanoseconds");
    return Nanoseconds(result);
}

Nanoseconds known(const std::optional<Nanoseconds>& time, std::string_view what)
{
    if (!time) throw Error(Cause::usage, what);
    return *time;
}

}  // namespace

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
    const auto seconds = parse_decimal_seconds(text);
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
    const auto seconds = parse_decimal_seconds(text.substr(origin == Origin::zero ? 0 : 1));
    if (!seconds) throw not_meant(text, "a time in seconds (3.5, +3 from the start, -5 from the end)");
    return Point{origin, origin == Origin::end ? -*seconds : *seconds};
}

TimeRange TimeRange::parse(std::string_view text)
{
    const auto colon = separator(text);
    if (colon == std::string_view::npos) throw not_meant(text, a_time);
    TimeRange range;
    range.from_ = parse_point(text.substr(0, colon));
    range.to_ = parse_point(text.substr(colon + 1));
    if (range.from_ && range.to_ && range.from_->origin == range.to_->origin && range.from_->offset >= range.to_->offset)
        throw Error(Cause::usage, "the time range '" + std::string(text) + "' is empty: B must be later than A");
    return range;
}

TimeSpan TimeRange::resolve(const TimeExtent& extent, std::optional<Nanoseconds> zero_time) const
{
    const auto resolved = [&](const std::optional<Point>& point) -> std::optional<Nanoseconds> {
        if (!point) return std::nullopt;
        switch (point->origin) {
        case Origin::zero: return point->offset;
        case Origin::start: return sum(known(extent.start, "a time from the start (+S): no frame has a time"), point->offset);
        case Origin::end: return sum(known(extent.end, "a time from the end (-S): the time of the last frame is not known"), point->offset);
        case Origin::calendar:
            return sum(point->offset, -known(zero_time, "a calendar time: the trace does not say when its time 0 was (metadata zero_time)"));
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
    if (range.from >= range.to) throw Error(Cause::usage, "the range of frames '" + std::string(text) + "' is empty: B must be greater than A");
    return range;
}

struct TopicPattern::Compiled {
    std::regex regex;
};

TopicPattern::TopicPattern(std::string text) : text_(std::move(text))
{
    try {
        compiled_ = std::make_shared<const Compiled>(Compiled{std::regex(text_, std::regex::ECMAScript | std::regex::optimize)});
    } catch (const std::regex_error& e) {
        throw Error(Cause::usage, "'" + text_ + "' is not a regular expression: " + e.what());
    }
}

bool TopicPattern::matches(std::string_view topic) const
{
    constexpr std::size_t longest = 4096;  // std::regex goes one call deeper with every character
    if (topic.size() > longest) throw Error(Cause::limit, "a topic of " + std::to_string(topic.size()) + " bytes, searched are at most 4096");
    try {
        return std::regex_search(topic.begin(), topic.end(), compiled_->regex);
    } catch (const std::regex_error& e) {
        throw Error(Cause::limit, "the regular expression '" + text_ + "' is too complex: " + e.what());
    }
}

}  // namespace ositrace
