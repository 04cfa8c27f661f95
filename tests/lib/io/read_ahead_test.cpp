// SPDX-License-Identifier: MPL-2.0
#include "lib/io/read_ahead.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

std::size_t weight_one(const int&) { return 1; }

/// 0, 1, 2 ... up to `count`, and then what `at_end` does.
auto counting(int count, std::function<void()> at_end = [] {})
{
    return [count, at_end, next = 0](const std::stop_token&) mutable -> std::optional<int> {
        if (next == count) {
            at_end();
            return std::nullopt;
        }
        return next++;
    };
}

}  // namespace

TEST_CASE("what is produced ahead is taken in order")
{
    ReadAhead<int> ahead(counting(1000), weight_one, 3);
    for (int i = 0; i < 1000; ++i) REQUIRE(ahead.take({}) == i);
    CHECK_FALSE(ahead.take({}));
    CHECK_FALSE(ahead.take({}));
}

TEST_CASE("production pauses at the limit")
{
    std::atomic<int> produced = 0;
    ReadAhead<int> ahead([&](const std::stop_token&) { return std::optional(produced++); }, weight_one, 5);
    ahead.wait_until_full(1min, {});
    std::this_thread::sleep_for(50ms);
    CHECK(produced == 5);
    CHECK(ahead.take({}) == 0);
}

TEST_CASE("production that paused goes on when less is left than the low mark, and fills up")
{
    std::atomic<int> produced = 0;
    ReadAhead<int> ahead([&](const std::stop_token&) { return std::optional(produced++); }, weight_one, 10, 5);
    ahead.wait_until_full(1min, {});
    for (int i = 0; i < 5; ++i) CHECK(ahead.take({}) == i);
    std::this_thread::sleep_for(50ms);
    CHECK(produced == 10);
    CHECK(ahead.take({}) == 5);
    ahead.wait_until_full(1min, {});
    CHECK(produced == 16);
}

TEST_CASE("production goes on when nothing is left, however low the mark")
{
    ReadAhead<int> ahead(counting(1000), [](const int&) -> std::size_t { return 100; }, 1, 0);
    for (int i = 0; i < 1000; ++i) REQUIRE(ahead.take({}) == i);
    CHECK_FALSE(ahead.take({}));
}

TEST_CASE("who waits until it is full finds as much as the limit, or all there is")
{
    const int there_are = GENERATE(3, 100);
    std::atomic<int> produced = 0;
    ReadAhead<int> ahead(
        [&](const std::stop_token&) {
            std::this_thread::sleep_for(1ms);
            return produced < there_are ? std::optional(produced++) : std::nullopt;
        },
        weight_one, 20);
    ahead.wait_until_full(1min, {});
    CHECK(produced == std::min(there_are, 20));
}

TEST_CASE("waiting until it is full has an end where nothing comes")
{
    const auto nothing = [](const std::stop_token& stop) -> std::optional<int> {
        while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return std::nullopt;
    };
    ReadAhead<int> ahead(nothing, weight_one, 1);
    ahead.wait_until_full(10ms, {});
    std::stop_source stop;
    stop.request_stop();
    ahead.wait_until_full(1min, stop.get_token());
    CHECK_FALSE(ahead.try_take());
}

TEST_CASE("what was produced before a failure is taken first, and the failure stays")
{
    ReadAhead<int> ahead(counting(2, [] { throw std::runtime_error("broken"); }), weight_one, 10);
    CHECK(ahead.take({}) == 0);
    CHECK(ahead.take({}) == 1);
    CHECK_THROWS_WITH(ahead.take({}), "broken");
    CHECK_THROWS_WITH(ahead.take({}), "broken");
}

TEST_CASE("taking ends with a stop, producing with the destruction")
{
    const auto blocked = [](const std::stop_token& stop) -> std::optional<int> {
        while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return std::nullopt;
    };
    ReadAhead<int> ahead(blocked, weight_one, 1);
    std::stop_source stop;
    std::thread stopper([&] {
        std::this_thread::sleep_for(20ms);
        stop.request_stop();
    });
    CHECK_FALSE(ahead.take(stop.get_token()));
    stopper.join();
}

TEST_CASE("who takes makes what the thread has not begun, in the same order")
{
    const std::size_t limit = GENERATE(0, 1, 3);  // with 0 the thread never begins
    ReadAhead<int> ahead(counting(1000), weight_one, limit);
    for (int i = 0; i < 1000; ++i) REQUIRE(ahead.take_or_produce({}) == i);
    CHECK_FALSE(ahead.take_or_produce({}));
    CHECK_FALSE(ahead.take_or_produce({}));
}

TEST_CASE("when the thread comes while the taker produces, the next is made by the thread")
{
    int produced = 0, by_taker = 0;
    const auto produce = [&, taker = std::this_thread::get_id()](const std::stop_token&) -> std::optional<int> {
        if (std::this_thread::get_id() == taker) {
            ++by_taker;
            std::this_thread::sleep_for(5ms);
        }
        return produced++;
    };
    ReadAhead<int> ahead(produce, weight_one, 100);
    for (int i = 0; i < 100; ++i) REQUIRE(ahead.take_or_produce({}) == i);
    CHECK(by_taker < 50);
}

TEST_CASE("a failure stays, whoever met it")
{
    const std::size_t limit = GENERATE(0, 1, 10);
    ReadAhead<int> ahead(counting(2, [] { throw std::runtime_error("broken"); }), weight_one, limit);
    CHECK(ahead.take_or_produce({}) == 0);
    CHECK(ahead.take_or_produce({}) == 1);
    CHECK_THROWS_WITH(ahead.take_or_produce({}), "broken");
    CHECK_THROWS_WITH(ahead.take_or_produce({}), "broken");
}

TEST_CASE("a stop ends what is made for the one who takes, and nothing else")
{
    int produced = 0;
    const auto slow = [&](const std::stop_token& stop) -> std::optional<int> {
        while (produced == 0 && stop.stop_possible() && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
        return stop.stop_requested() ? std::nullopt : std::optional(produced++);
    };
    ReadAhead<int> ahead(slow, weight_one, 0);
    std::stop_source stop;
    std::thread stopper([&] {
        std::this_thread::sleep_for(20ms);
        stop.request_stop();
    });
    CHECK_FALSE(ahead.take_or_produce(stop.get_token()));
    stopper.join();
    CHECK(ahead.take_or_produce({}) == 0);
    CHECK(ahead.take_or_produce({}) == 1);
}
