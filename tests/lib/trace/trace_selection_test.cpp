// SPDX-License-Identifier: MPL-2.0
#include <ositrace/calendar_time.hpp>
#include <ositrace/trace_selection.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

TEST_CASE("a calendar time is read to the nanosecond, whatever its zone")
{
    CHECK(parse_calendar_time("1970-01-01T00:00:00Z") == 0ns);
    CHECK(parse_calendar_time("2021-08-18T15:05:42Z") == 1629299142s);
    CHECK(parse_calendar_time("2021-08-18T17:05:42.000000001+02:00") == 1629299142s + 1ns);
    CHECK(parse_calendar_time("2021-08-18T14:35:42.25-00:30") == 1629299142s + 250ms);
    CHECK(parse_calendar_time("1969-12-31T23:59:59.5Z") == -500ms);
    for (const auto* text : {"", "2021", "2021-08-18", "2021-08-18T15:05:42", "2021-02-29T00:00:00Z",
                             "2021-08-18T24:00:00Z", "2021-08-18T15:05:42Zx", "2021-08-18T15:05:42+0200",
                             "9999-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2021-08-18T15:05:42.Z"}) {
        INFO(text);
        CHECK_FALSE(parse_calendar_time(text));
        CHECK(is_date_time_stamp(text) ==
              (text == std::string_view("9999-01-01T00:00:00Z") || text == std::string_view("0001-01-01T00:00:00Z")));
    }
}

TEST_CASE("what is written as a calendar time can be read, and has XML Schema's form")
{
    for (const auto* text :
         {"2021-08-18T15:05:42Z", "2021-08-18T15:05:42.123456789012+14:00", "2024-02-29T23:59:59-14:00"}) {
        INFO(text);
        CHECK(is_date_time_stamp(text));
        CHECK(parse_calendar_time(text));
    }
    for (const auto* text : {"2021-08-18T15:05:42+99:99", "2021-08-18T15:05:42+14:01", "2021-08-18T15:05:60Z",
                             "2021-08-18t15:05:42Z", "2021-08-18T15:05:42z"}) {
        INFO(text);
        CHECK_FALSE(is_date_time_stamp(text));
    }
}

TEST_CASE("a tolerance makes both bounds so much earlier, without one they are exact")
{
    auto range = TimeRange::parse("5:6");
    const auto resolved = [&] { return range.resolve({.start = 0s, .end = 9s, .step = 100ms}); };
    CHECK_FALSE(resolved().contains(5s - 1ns));
    CHECK(resolved().contains(6s - 1ns));
    range.set_tolerance(TimeTolerance::parse("0.001"));
    CHECK_FALSE(range.needs_all());
    CHECK(resolved().contains(5s - 1ms));
    CHECK_FALSE(resolved().contains(5s - 1ms - 1ns));
    CHECK_FALSE(resolved().contains(6s - 1ns));
    range.set_tolerance(TimeTolerance::parse("half-step"));
    CHECK(range.needs_all());
    CHECK(resolved().from == 5s - 50ms);
    CHECK(resolved().to == 6s - 50ms);
    CHECK(error_of([&] { static_cast<void>(range.resolve({})); }) ==
          "half a step of tolerance: no two frames have different times");
    CHECK(TimeTolerance::parse("5ms").fixed == 5ms);
    for (const auto* text : {"", "-1", "1x", "step", "nan"}) CHECK_THROWS_AS(TimeTolerance::parse(text), Error);
}

TEST_CASE("a time range is resolved against start, end and zero time")
{
    const TimeExtent extent{10s, 20s};
    const auto resolved = [&](const char* text) { return TimeRange::parse(text).resolve(extent, 1629299142s); };
    CHECK(resolved("3.5:10").from == 3500ms);
    CHECK(resolved("3.5:10").to == 10s);
    CHECK(resolved("+3:").from == 13s);
    CHECK_FALSE(resolved("+3:").to);
    CHECK(resolved("-5:").from == 15s);
    CHECK(resolved(":-0.000000001").to == 20s - 1ns);
    CHECK(resolved("2021-08-18T15:05:43Z:2021-08-18T17:05:44+02:00").from == 1s);
    CHECK(resolved("2021-08-18T15:05:43Z:2021-08-18T17:05:44+02:00").to == 2s);
    CHECK(resolved("1629299142.000000001:").from == 1629299142s + 1ns);
    CHECK(resolved(":").contains(-5s));
    CHECK(resolved("12:13").contains(12s));
    CHECK_FALSE(resolved("12:13").contains(13s));
}

TEST_CASE("times have units, or colons")
{
    const auto time = [](const char* text) { return parse_duration(text); };
    CHECK(time("3.5") == 3500ms);
    CHECK(time(".25") == 250ms);
    CHECK(time("90s") == 90s);
    CHECK(time("1.5m") == 90s);
    CHECK(time("2h") == 2h);
    CHECK(time("5ms") == 5ms);
    CHECK(time("0.5us") == 500ns);
    CHECK(time("7ns") == 7ns);
    CHECK(time("1:00") == 1min);
    CHECK(time("90:00") == 90min);
    CHECK(time("1:02:03.5") == 1h + 2min + 3500ms);
    CHECK(time("9000000000") == 9'000'000'000s);
    CHECK(time("2500000h") == 2'500'000h);
    for (const auto* text : {"",       ".",       "s",       "1 s",          "1x",       "-1",
                             "+1",     "1e3",     "1.2.3",   "9000000001",   "2500001h", "99999999999999999999",
                             ":",      "1:",      ":30",     "1:0",          "1:60",     "1:000",
                             "1:2:03", "1:02:60", "1:60:00", "1:02:03:04",   "1:+2",     "1:-2",
                             "-1:00",  "1::00",   "1:00s",   "2500001:00:00"})
        CHECK(!time(text));
}

TEST_CASE("two dots separate times, whatever their form")
{
    const TimeExtent extent{10s, 100s};
    const auto span = [&](const char* text) { return TimeRange::parse(text).resolve(extent, 1629299142s); };
    const auto is = [&](const char* text, std::optional<Nanoseconds> from, std::optional<Nanoseconds> to) {
        const auto found = span(text);
        return found.from == from && found.to == to;
    };
    CHECK(is("1:00..1:30", 60s, 90s));
    CHECK(is("+0:30..-0:10", 40s, 90s));
    CHECK(is("1..2", 1s, 2s));
    CHECK(is(".5...7", 500ms, 700ms));
    CHECK(is("..1:00", {}, 60s));
    CHECK(is("1m..", 60s, {}));
    CHECK(is("1m:90s", 60s, 90s));
    CHECK(is("1:30", 1s, 30s));  // as ever
    CHECK(is("2021-08-18T15:05:43Z..1:00", 1s, 60s));
    CHECK(is("2021-08-18T15:05:43Z:1m", 1s, 60s));
    CHECK(is("+1:2021-08-18T15:06:42Z", 11s, 60s));
}

TEST_CASE("an invalid time range says what is expected")
{
    const auto error = [](const char* text) { return error_of([&] { return TimeRange::parse(text); }); };
    CHECK(error("5") ==
          "'5' is not a range of times A:B or A..B (3.5, 90s, 1m, with .. also 1:02:03.5; +T from the start, -T from "
          "the end, or 2021-08-18T15:05:42Z; A or B may "
          "be missing)");
    CHECK(error("a:b") == "'a' is not a time (3.5 seconds, 90s, 1m, 1:02:03.5; +3 from the start, -5 from the end)");
    CHECK(error("+:1") == "'+' is not a time (3.5 seconds, 90s, 1m, 1:02:03.5; +3 from the start, -5 from the end)");
    CHECK(error("5:5") == "the time range '5:5' is empty: B must be later than A");
    CHECK(error("1:00") ==
          "the time range '1:00' is empty: B must be later than A (of times with a colon: 1:00..1:30)");
    for (const auto* text : {"1:00:2:00", ":1:00", "1:00:", "1:02:03:"})
        CHECK(error(text) ==
              "'" + std::string(text) +
                  "' can be read in several ways: write A..B where a time has a colon, as in 1:00..1:30");
    CHECK(error_of([] { return TimeRange::parse("-5:").resolve({1s, {}}).from; }) ==
          "a time from the end (-S): the time of the last frame is not known");
    CHECK(error_of([] { return TimeRange::parse("2021-08-18T15:05:42Z:").resolve({1s, 2s}).from; }) ==
          "a calendar time: the trace has no zero time (metadata zero_time)");
}

TEST_CASE("a range of frames is half-open and may be open")
{
    CHECK(FrameRange::parse("2:5") == FrameRange{2, 5});
    CHECK(FrameRange::parse(":5") == FrameRange{0, 5});
    CHECK(FrameRange::parse("2:") == FrameRange{2, UINT64_MAX});
    CHECK(FrameRange::parse("2:5").contains(4));
    CHECK_FALSE(FrameRange::parse("2:5").contains(5));
    CHECK(error_of([] { return FrameRange::parse("7"); }) ==
          "'7' is not a range of frames A:B (whole numbers from 0, B excluded; A or B may be missing)");
    CHECK(error_of([] { return FrameRange::parse("5:2"); }) ==
          "the range of frames '5:2' is empty: B must be greater than A");
}

TEST_CASE("a topic is searched for a regular expression")
{
    CHECK(TopicPattern("lidar").matches("front/lidar/1"));
    CHECK_FALSE(TopicPattern("^lidar").matches("front/lidar/1"));
    CHECK(error_of([] { return TopicPattern("(").text(); }).starts_with("'(' is not a regular expression: "));
    CHECK(error_of([] { return TopicPattern("x").matches(std::string(5000, 'y')); }) ==
          "a topic of 5000 bytes exceeds the limit of 4096 bytes");
}
