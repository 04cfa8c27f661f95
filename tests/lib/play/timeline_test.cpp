// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <cmath>

#include <ositrace/error.hpp>
#include <ositrace/timeline.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

constexpr TimeSection ten_seconds{5s, 15s};

Timeline playing(double rate = 1, std::uint64_t rounds = 1)
{
    Timeline timeline(ten_seconds, rounds);
    timeline.set_rate(0s, rate);
    timeline.resume(0s);
    return timeline;
}

}  // namespace

TEST_CASE("a timeline stands at the beginning until it is resumed")
{
    const Timeline timeline(ten_seconds);
    CHECK(timeline.at(1h) == Moment{0, 5s});
    CHECK(!timeline.due({0, 6s}));
    CHECK(!timeline.finished(1h));
}

TEST_CASE("trace time runs at the rate, and deadlines are its inverse")
{
    const auto timeline = playing(2);
    CHECK(timeline.at(1s) == Moment{0, 7s});
    CHECK(timeline.due({0, 7s}) == Nanoseconds(1s));
    CHECK(timeline.due({0, 4s}) == Nanoseconds(-500ms));
    CHECK(timeline.at(1min) == Moment{0, 15s});
    CHECK(timeline.finished(5s));
    CHECK(!timeline.finished(5s - 1ns));
}

TEST_CASE("deadlines do not drift: after a million steps of a third of a millisecond they are exact")
{
    const auto timeline = playing(1, 0);
    const Nanoseconds step(333'333);
    CHECK(timeline.due({0, 5s + 1'000'000 * step}) == 1'000'000 * step);
    CHECK(playing(0.1, 0).due({0, 5s + 1'000'000 * step}) == 10'000'000 * step);
}

TEST_CASE("a deadline is never before its moment, at any rate")
{
    for (const double rate : {0.1, 0.3, 0.7, 1.0, 3.0, 7.7, 100.0}) {
        const auto timeline = playing(rate);
        for (const Nanoseconds time : {5s + 1ns, 5s + 7ns, 5s + 333'333'333ns, 15s - 1ns}) {
            const auto due = timeline.due({0, time}).value();
            CHECK(timeline.at(due).time >= time);
            CHECK(timeline.at(due - 2ns).time <= time);
        }
    }
}

TEST_CASE("a loop counts its rounds, and ends behind the last")
{
    const auto timeline = playing(1, 3);
    CHECK(timeline.at(12s) == Moment{1, 7s});
    CHECK(timeline.due({2, 6s}) == Nanoseconds(21s));
    CHECK(timeline.at(30s) == Moment{2, 15s});
    CHECK(timeline.finished(30s));
    CHECK(playing(1, 0).at(10h + 1s) == Moment{3600, 6s});
}

TEST_CASE("a pause stops the trace time, and what comes behind it is later by as much")
{
    auto timeline = playing();
    timeline.pause(2s);
    CHECK(timeline.at(1min) == Moment{0, 7s});
    timeline.resume(1min);
    CHECK(timeline.due({0, 8s}) == Nanoseconds(1min + 1s));
}

TEST_CASE("a change of rate keeps the position")
{
    auto timeline = playing();
    timeline.set_rate(2s, 10);
    CHECK(timeline.at(2s) == Moment{0, 7s});
    CHECK(timeline.at(2s + 100ms) == Moment{0, 8s});
}

TEST_CASE("a seek stays in its round and in the section")
{
    auto timeline = playing(1, 3);
    timeline.seek(12s, 14s);
    CHECK(timeline.at(12s) == Moment{1, 14s});
    timeline.seek(12s, 1s);
    CHECK(timeline.at(12s) == Moment{1, 5s});
    timeline.seek(12s, 1h);
    CHECK(timeline.at(12s) == Moment{2, 5s});
}

TEST_CASE("another section keeps the position where it lies inside")
{
    auto timeline = playing(1, 0);
    timeline.set_section(2s, {6s, 8s});
    CHECK(timeline.at(2s) == Moment{0, 7s});
    timeline.set_section(2s, {7500ms, 8s});
    CHECK(timeline.at(2s) == Moment{0, 7500ms});
}

TEST_CASE("an empty section and an invalid rate are refused")
{
    CHECK(error_of([] { return Timeline({5s, 5s}).rate(); }) == "a section to be played must not be empty");
    for (const double rate : {0.0, -1.0, 0.09, 101.0, std::nan("")}) {
        Timeline timeline(ten_seconds);
        CHECK(error_of([&] {
                  timeline.set_rate(0s, rate);
                  return 0;
              }) == "a rate is a number from 0.1 to 100");
    }
}

TEST_CASE("the whole range of times can be played")
{
    Timeline timeline({Nanoseconds::min(), Nanoseconds::max()}, 0);
    timeline.resume(0s);
    CHECK(timeline.at(1s).time == Nanoseconds::min() + 1s);
    CHECK(!timeline.due({1, Nanoseconds::max()}));
}
