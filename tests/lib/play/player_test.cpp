// SPDX-License-Identifier: MPL-2.0
#include <ositrace/player.hpp>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/lib/play/played.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using sample::as_sensor_view;
using sample::frames;

TEST_CASE("at `max` every frame comes once, in order, and nothing waits")
{
    Played played;
    played.play({});
    CHECK(played.times() == seconds({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    CHECK(played.recorder.taken.back().at == 0s);
    CHECK(played.report.frames == 10);
    CHECK(played.report.late == 0);
    CHECK(played.recorder.begun == 1);
    CHECK(played.recorder.finished == 1);
}

TEST_CASE("at a rate frames come when they are due")
{
    Played played;
    played.play({.rate = 2});
    for (const auto& taken : played.recorder.taken) CHECK(taken.at == taken.time / 2);
    CHECK(played.report.frames == 10);
    CHECK(played.report.lateness.max == 0ns);
}

TEST_CASE("a slow sink loses nothing: frames come late, and deadlines stay where they were")
{
    Played played;
    played.play({.rate = 1}, [&](Player&, std::size_t count) {
        if (count == 2) played.clock.pass(3500ms);
    });
    const std::vector<Taken> expected{{0s, 0s}, {1s, 1s}, {4500ms, 2s}, {4500ms, 3s}, {4500ms, 4s},
                                      {5s, 5s}, {6s, 6s}, {7s, 7s},     {8s, 8s},     {9s, 9s}};
    CHECK(played.recorder.taken == expected);
    CHECK(played.report.late == 3);
    CHECK(played.report.lost == 0);
    CHECK(played.report.lateness.max == 2500ms);
    CHECK(played.report.lateness.p50 == 0ns);
}

TEST_CASE("late frames are dropped on demand, when the next one is due already, and counted")
{
    Played played;
    played.play({.rate = 1, .drop_late = true}, [&](Player&, std::size_t count) {
        if (count == 2) played.clock.pass(3500ms);
    });
    CHECK(played.times() == seconds({0, 1, 4, 5, 6, 7, 8, 9}));
    CHECK(played.report.lost == 2);
    CHECK(played.report.frames == 8);
}

TEST_CASE("a section begins with its first frame and ends before its end")
{
    Played played;
    played.play({.rate = 1, .from = 2500ms, .to = 6s});
    CHECK(played.times() == seconds({3, 4, 5}));
    CHECK(played.recorder.taken.back().at == 2s);
}

TEST_CASE("a section has every frame whose time lies in it, in whatever order they stand")
{
    std::string contents;
    for (const int time : {0, 1, 2, 50, 3, 4, 0, 1, 2, 3, 9, 2}) contents += sample::framed(sample::sensor_view(time));
    for (const std::uint64_t rounds : {1, 2}) {
        Played played(contents);
        played.play({.from = std::chrono::seconds(2), .to = std::chrono::seconds(4), .rounds = rounds});
        CHECK(played.times() == (rounds == 1 ? seconds({2, 3, 2, 3, 2}) : seconds({2, 3, 2, 3, 2, 2, 3, 2, 3, 2})));
    }
    constexpr std::size_t large = 70'000;  // times are looked at beforehand
    std::string of_large;
    for (const int time : {5, 0, 1, 50, 2, 1, 7}) of_large += sample::framed(sample::sensor_view(time, large));
    Played played(of_large);
    played.play({.to = std::chrono::seconds(2), .rounds = 2});
    CHECK(played.times() == seconds({0, 1, 1, 0, 1, 1}));
}

TEST_CASE("a loop goes on as if its first frame followed its last")
{
    Played played;
    played.play({.rate = 1, .from = 7s, .rounds = 3});
    CHECK(played.times() == seconds({7, 8, 9, 7, 8, 9, 7, 8, 9}));
    CHECK(played.recorder.taken.back().at == 8s);
    CHECK(played.report.lateness.max == 0ns);
}

TEST_CASE("a step of its own holds the last frame at or before it")
{
    Played played;
    played.play({.rate = 1, .to = 3s, .step_size = 400ms});
    CHECK(played.times() == seconds({0, 0, 0, 1, 1, 2, 2, 2}));
    CHECK(played.recorder.taken.back().at == 2800ms);
    SECTION("a longer step passes frames over")
    {
        Played other;
        other.play({.step_size = 2500ms});
        CHECK(other.times() == seconds({0, 2, 5, 7, 9}));
    }
}

TEST_CASE("a seek goes to the first frame at or behind its time, and the time goes on from there")
{
    Played played;
    played.play({.rate = 1}, [](Player& player, std::size_t count) {
        if (count == 3) player.seek(6500ms);
    });
    CHECK(played.times() == seconds({0, 1, 2, 7, 8, 9}));
    CHECK(played.recorder.taken[3].at == 2500ms);
}

TEST_CASE("steps deliver one frame each, forward and back, while it is paused")
{
    Played played;
    played.play({.rate = 1}, [](Player& player, std::size_t count) {
        if (count == 3) player.step_forward();
        if (count == 4) player.step_back();
        if (count == 5) player.step_back();
        if (count == 6) player.resume();
    });
    CHECK(played.times() == seconds({0, 1, 2, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    CHECK(played.recorder.taken[5].at == 2s);
    CHECK(played.recorder.taken[6].at == 3s);
}

TEST_CASE("a step says whether it follows the one before without a pause or a seek")
{
    Played played;
    std::vector<bool> follows;
    const auto note = [&](const PlayStatus& status) { follows.push_back(status.follows); };
    SECTION("pause, steps")
    {
        played.play({.rate = 1, .to = 6s, .on_status = note}, [](Player& player, std::size_t count) {
            if (count == 3) player.step_forward();
            if (count == 4) player.resume();
        });
        CHECK(follows == std::vector{false, true, true, false, false, true});
    }
    SECTION("seek, rate")
    {
        played.play({.rate = 1, .on_status = note}, [](Player& player, std::size_t count) {
            if (count == 2) player.set_rate(10);
            if (count == 3) player.seek(6500ms);
        });
        CHECK(follows == std::vector{false, true, true, false, true, true});
    }
}

TEST_CASE("another rate counts from where the trace is")
{
    Played played;
    played.play({.rate = 1}, [](Player& player, std::size_t count) {
        if (count == 2) player.set_rate(10);
    });
    CHECK(played.recorder.taken.back().at == 1800ms);
}

TEST_CASE("before a step is awaited, sinks learn how the time of the trace goes on until it")
{
    Played played;
    const auto waits_of = [&](PlayOptions options, const std::function<void(Player&, std::size_t)>& on_take) {
        played.recorder.waits.clear();
        played.play(std::move(options), on_take);
        return played.recorder.waits;
    };
    SECTION("at a rate that changes")
    {
        const auto waits = waits_of({.rate = 1, .to = 4s}, [](Player& player, std::size_t count) {
            if (count == 3) player.set_rate(10);
        });
        // The change also wakes the wait.
        CHECK(waits == std::vector<std::string>{"0s to 1s at 1", "1s to 2s at 1", "2s to 3s at 10", "2s to 3s at 10"});
    }
    SECTION("to the end of a round, after which it goes back")
    {
        const auto waits = waits_of({.rate = 2, .from = 7s, .to = 9500ms, .rounds = 2}, {});
        CHECK(waits == std::vector<std::string>{"7s to 8s at 2", "8s to 9s at 2", "9s to 9.5s at 2", "7s to 8s at 2",
                                                "8s to 9s at 2"});
    }
    SECTION("in a pause, when it does not change")
    {
        const auto waits = waits_of({.rate = 1, .to = 3s}, [&](Player& player, std::size_t count) {
            if (count != 2) return;
            player.pause();
            played.recorder.on_wait = [&player](const PlayWait& wait) {
                if (wait.rate == 0) player.resume();
            };
        });
        CHECK(waits == std::vector<std::string>{"0s to 1s at 1", "1s to 2s at 0", "1s to 2s at 1"});
    }
    SECTION("at `max` nothing is awaited") { CHECK(waits_of({}, {}).empty()); }
}

TEST_CASE("a stop ends the replay in good order")
{
    Played played;
    std::stop_source stop;
    Player player(open_trace(played.file.path, as_sensor_view()), played.sinks, played.clock, {.rate = 1});
    played.recorder.on_take = [&](std::size_t count) {
        if (count == 4) stop.request_stop();
    };
    const auto report = player.run(stop.get_token());
    CHECK(report.frames == 4);
    CHECK(report.stopped);
    CHECK(played.recorder.finished == 1);
}

TEST_CASE("a stream is played as it comes, from the time of its first frame")
{
    Played played;
    const auto stream = open_stream(played.file.path, as_sensor_view());
    Player player(*stream, played.sinks, played.clock, {.rate = 1, .from = 4s});
    CHECK(player.run().frames == 6);
    CHECK(played.recorder.taken.front() == Taken{0s, 4s});
    CHECK(played.recorder.taken.back() == Taken{5s, 9s});
    CHECK(error_of([&] {
              player.seek(1s);
              return 0;
          }) == "a live source does not support seeking");
}

TEST_CASE("what a sink throws ends the replay")
{
    Played played;
    CHECK(error_of([&] {
              played.play({}, [](Player&, std::size_t count) {
                  if (count == 3) throw Error(Cause::io, "the model is gone");
              });
              return 0;
          }) == "the model is gone");
    CHECK(played.recorder.finished == 0);
}

TEST_CASE("a sink that has finished is not given up because another one cannot finish")
{
    struct Sink final : FrameSink {
        std::string name;
        std::string& said;
        Sink(std::string called, std::string& to) : name(std::move(called)), said(to) {}
        void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override {}
        void finish() override
        {
            said += name + " finishes, ";
            if (name == "second") throw Error(Cause::io, "the disk is full");
        }
        void failed(const std::string& why) override { said += name + " hears '" + why + "', "; }
        void give_up() override { said += name + " gives up, "; }
    };
    Played played;
    std::string said;
    Sink first("first", said), second("second", said), third("third", said);
    FrameSink* const sinks[] = {&first, &second, &third};
    Player player(played.trace, sinks, played.clock, {});
    CHECK(error_of([&] { return player.run().frames; }) == "the disk is full");
    CHECK(said ==
          "first finishes, second finishes, second hears 'the disk is full', second gives up, third hears 'the disk is "
          "full', third gives up, ");
}

TEST_CASE("by the machine's clock frames are not early, and a pause can be ended from another thread")
{
    const File file(frames(4));
    const auto clock = monotonic_clock();
    std::vector<Nanoseconds> at;
    struct Sink final : FrameSink {
        Clock& by;
        std::vector<Nanoseconds>& taken_at;
        Sink(Clock& clock_to_use, std::vector<Nanoseconds>& to) : by(clock_to_use), taken_at(to) {}
        void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override { taken_at.push_back(by.now()); }
    } sink(*clock, at);
    FrameSink* const sinks[] = {&sink};
    Player player(open_trace(file.path, as_sensor_view()), sinks, *clock, {.rate = 100});
    player.pause();
    const auto started = clock->now();
    std::jthread resumes([&] {
        std::this_thread::sleep_for(20ms);
        player.resume();
    });
    const auto report = player.run();
    CHECK(report.frames == 4);
    CHECK(at.front() - started >= 20ms);
    CHECK(at.back() - started >= 20ms + 30ms);
}

TEST_CASE("the first step is as long as the median of those behind it, or lasts from the start time")
{
    const auto first_step = [](const std::string& contents, PlayOptions options = {}) {
        Played played(contents);
        played.play(std::move(options));
        return played.recorder.expected_step;
    };
    const auto at = [](std::initializer_list<int> times) {
        std::string contents;
        for (const auto time : times) contents += sample::framed(sample::sensor_view(time));
        return contents;
    };
    CHECK(first_step(frames(10)) == 1s);
    CHECK(first_step(at({0, 7, 9, 11, 13})) == 2s);
    CHECK(first_step(at({0, 0, 3, 3, 6})) == 3s);
    CHECK(first_step(at({5})) == 0s);
    CHECK(first_step(at({5}), {.start_time = 4500ms}) == 500ms);
    CHECK(first_step(frames(10), {.start_time = -3s}) == 3s);
    CHECK(first_step(frames(10), {.step_size = 100ms}) == 100ms);
    CHECK(error_of([&] { return first_step(at({5}), {.start_time = 5s}); }) ==
          "the start time, 5 s, must be before the first frame, at 5 s");
}
