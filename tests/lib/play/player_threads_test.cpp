// SPDX-License-Identifier: MPL-2.0
// A player that others pull at, by the machine's clock.
#include <ositrace/player.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "tests/lib/play/played.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// What must hold whatever is asked for when.
struct Checked final : FrameSink {
    void begin(const TraceInfo&, const PlayStart& start) override
    {
        ++begun;
        now = start.now;
    }
    void take(std::span<const Frame> frames, Nanoseconds time, const TraceInfo&) override
    {
        backward += time < now ? 1 : 0;
        empty += frames.empty() ? 1 : 0;
        now = time;
        ++steps;
    }
    void finish() override { ++finished; }
    void give_up() override { ++given_up; }

    Nanoseconds now{};
    std::atomic<int> steps = 0;
    int begun = 0, backward = 0, empty = 0, finished = 0, given_up = 0;
};

void pull_at(Player& player, unsigned seed, const std::stop_token& stop)
{
    std::minstd_rand random(seed);
    while (!stop.stop_requested()) {
        switch (random() % 8) {
        case 0: player.pause(); break;
        case 1:
        case 2: player.resume(); break;
        case 3: player.seek(std::chrono::milliseconds(random() % 12'000)); break;
        case 4: player.step_forward(); break;
        case 5: player.step_back(); break;
        case 6: player.set_rate(1 + static_cast<double>(random() % 99)); break;
        default: std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
        }
    }
    player.resume();
}

}  // namespace

TEST_CASE("seeks, steps, pauses and rates from several threads leave the sinks in order")
{
    const auto step_size = GENERATE(std::optional<Nanoseconds>(), std::optional<Nanoseconds>(300ms));
    const auto drop_late = GENERATE(false, true);
    Played played;
    const auto clock = monotonic_clock();
    Checked checked;
    FrameSink* const sinks[] = {&checked};
    Player player(played.trace, sinks, *clock,
                  {.rate = 100, .drop_late = drop_late, .rounds = 0, .step_size = step_size});
    std::stop_source stop;
    std::jthread ends([&] {
        {
            const std::jthread one([&](const std::stop_token& ended) { pull_at(player, 1, ended); });
            const std::jthread other([&](const std::stop_token& ended) { pull_at(player, 2, ended); });
            std::this_thread::sleep_for(500ms);
        }
        stop.request_stop();
    });
    const auto report = player.run(stop.get_token());
    CHECK(report.stopped);
    CHECK(checked.steps > 0);
    CHECK(checked.begun == 1);
    CHECK(checked.finished == 1);
    CHECK(checked.given_up == 0);
    CHECK(checked.backward == 0);
    CHECK(checked.empty == 0);
}

TEST_CASE("a stop ends a replay that waits: for a deadline, in a pause, for the first frame of a stream")
{
    struct Silent final : FrameSource {
        TraceInfo nothing;
        const TraceInfo& info() const noexcept override { return nothing; }
        bool read(Frame&, std::stop_token stop) override
        {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
            return false;
        }
        std::uint64_t bytes_consumed() const noexcept override { return 0; }
        std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    } silent;
    Played played;
    const auto clock = monotonic_clock();
    Checked checked;
    FrameSink* const sinks[] = {&checked};
    std::stop_source stop;
    const auto stop_behind = [&](int frames) {
        return std::jthread([&, frames] {
            while (checked.steps < frames) std::this_thread::sleep_for(1ms);
            std::this_thread::sleep_for(30ms);
            stop.request_stop();
        });
    };
    SECTION("a deadline")
    {
        const auto stops = stop_behind(1);
        CHECK(Player(played.trace, sinks, *clock, {.rate = 0.1}).run(stop.get_token()).frames == 1);
    }
    SECTION("a pause")
    {
        const auto stops = stop_behind(0);
        Player player(played.trace, sinks, *clock, {});
        player.pause();
        CHECK(player.run(stop.get_token()).frames == 0);
    }
    SECTION("a stream")
    {
        const auto stops = stop_behind(0);
        CHECK(Player(silent, sinks, *clock, {}).run(stop.get_token()).stopped);
    }
    CHECK(checked.finished == 1);
}
