// SPDX-License-Identifier: MPL-2.0
// What a player delivers when, by a clock that a test moves.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <ositrace/player.hpp>

#include "tests/catch.hpp"
#include "tests/lib/play/manual_clock.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

namespace ositrace {

struct Taken {
    Nanoseconds at{};    ///< by the clock, since the first frame
    Nanoseconds time{};  ///< of the frame
    friend bool operator==(const Taken&, const Taken&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Taken& taken)
{
    return out << static_cast<double>(taken.time.count()) * 1e-9 << " s at "
               << static_cast<double>(taken.at.count()) * 1e-9 << " s";
}

/// Writes down what comes when.
class Recorder final : public FrameSink {
public:
    explicit Recorder(ManualClock& clock) : clock_(clock) {}
    void begin(const TraceInfo& info, const PlayStart& start) override
    {
        ++begun;
        started_at = start.now;
        expected_step = start.step;
        first_frames = start.first.size();
        channels = info.channels.size();
    }
    void due(const PlayStatus& status) override { step_times.push_back(status.time); }
    void take(std::span<const Frame> step, Nanoseconds now, const TraceInfo&) override
    {
        if (taken.empty()) first_ = clock_.now();
        for (const auto& frame : step) taken.push_back({clock_.now() - first_, frame.time.value_or(no_time)});
        steps.push_back(text_of(step));
        told.push_back(now);
        if (keep_frames) kept.insert(kept.end(), step.begin(), step.end());
        if (on_take) on_take(taken.size());
    }
    void waiting(const PlayWait& wait) override
    {
        std::ostringstream text;
        text << static_cast<double>(wait.time.count()) * 1e-9 << "s to "
             << static_cast<double>(wait.until.count()) * 1e-9 << "s at " << wait.rate;
        waits.push_back(text.str());
        if (on_wait) on_wait(wait);
    }
    void finish() override { ++finished; }

    static constexpr Nanoseconds no_time{-1};
    std::vector<Taken> taken;
    std::vector<std::string> steps;       ///< `0:1s 1:1s`: channel and time of each frame
    std::vector<Nanoseconds> told;        ///< the time of each step, as the player says it
    std::vector<Nanoseconds> step_times;  ///< in the trace
    std::vector<std::string> waits;       ///< `0s to 1s at 2`: time, next step, rate
    std::function<void(const PlayWait&)> on_wait;
    bool keep_frames = false;
    std::vector<Frame> kept;
    Nanoseconds started_at{}, expected_step{};
    std::size_t first_frames = 0, channels = 0;
    std::function<void(std::size_t)> on_take;  ///< with the number of frames so far
    int begun = 0, finished = 0;

private:
    static std::string text_of(std::span<const Frame> step)
    {
        std::ostringstream text;
        for (const auto& frame : step) {
            text << (text.tellp() == 0 ? "" : " ") << frame.channel << ':';
            if (frame.time)
                text << static_cast<double>(frame.time->count()) * 1e-9 << 's';
            else
                text << '-';
        }
        return text.str();
    }

    ManualClock& clock_;
    Nanoseconds first_{};
};

/// Ten frames, 0 s to 9 s, or what the caller gives, played by a clock that waits for nobody.
struct Played {
    Played() = default;
    explicit Played(const std::string& contents) : file(contents) {}
    explicit Played(std::shared_ptr<const Trace> other) : trace(std::move(other)) {}

    File file{sample::frames(10)};
    std::shared_ptr<const Trace> trace = open_trace(file.path, sample::as_sensor_view());
    ManualClock clock;
    Recorder recorder{clock};
    FrameSink* sinks[1] = {&recorder};
    PlayReport report;

    void play(PlayOptions options, const std::function<void(Player&, std::size_t)>& on_take = {})
    {
        Player player(trace, sinks, clock, std::move(options));
        if (on_take) recorder.on_take = [&](std::size_t count) { on_take(player, count); };
        report = player.run();
    }
    [[nodiscard]] std::vector<Nanoseconds> times() const
    {
        std::vector<Nanoseconds> result;
        for (const auto& taken : recorder.taken) result.push_back(taken.time);
        return result;
    }
};

inline std::vector<Nanoseconds> seconds(std::initializer_list<int> values)
{
    std::vector<Nanoseconds> result;
    for (const int value : values) result.push_back(std::chrono::seconds(value));
    return result;
}

}  // namespace ositrace
