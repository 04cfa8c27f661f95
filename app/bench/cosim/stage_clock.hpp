// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include <ositrace/model_observer.hpp>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// Reads the clock where models say that a stage begins or ends: the five intervals of the published studies.
class StageClock {
public:
    [[nodiscard]] ModelObserver observe_source()
    {
        return [this](PerformanceEvent event, MessageType, std::uint64_t) {
            if (event == PerformanceEvent::start_serialize) end(generate);
            if (event == PerformanceEvent::stop_serialize) end(source_serialize);
            last_ = Clock::now();
        };
    }
    [[nodiscard]] ModelObserver observe_sensor()
    {
        return [this](PerformanceEvent event, MessageType, std::uint64_t) {
            if (event == PerformanceEvent::stop_deserialize) end(deserialize);
            if (event == PerformanceEvent::start_serialize) end(calculate);
            if (event == PerformanceEvent::stop_serialize) end(sensor_serialize);
            last_ = Clock::now();
        };
    }
    void start() { times_ = {}; }
    /// Means over so many steps.
    [[nodiscard]] std::vector<Stage> stages(int steps) const
    {
        std::vector<Stage> stages;
        for (std::size_t i = 0; i < count; ++i) stages.push_back({names[i], times_[i] / steps});
        return stages;
    }

private:
    using Clock = std::chrono::steady_clock;
    enum Interval : std::size_t { generate, source_serialize, deserialize, calculate, sensor_serialize, count };
    static constexpr std::array names{"generate", "serialize", "deserialize", "calculate", "serialize result"};

    void end(Interval interval) { times_[interval] += std::chrono::duration<double, std::nano>(Clock::now() - last_).count(); }

    Clock::time_point last_{};
    std::array<double, count> times_{};
};

}  // namespace ositrace::bench
