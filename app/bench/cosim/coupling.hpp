// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include <ositrace/model_observer.hpp>
#include <ositrace/performance_log.hpp>
#include <ositrace/transcoder.hpp>

#include "app/bench/core/round.hpp"
#include "app/bench/cosim/cosim_variants.hpp"

namespace ositrace::bench {

/// The stages of a step: the five intervals of the published studies, whose begin and end the models report; and the
/// two models.
class StageClock {
public:
    enum Interval : std::size_t {
        generate,
        source_serialize,
        deserialize,
        calculate,
        sensor_serialize,
        source,
        sensor,
        count
    };
    static constexpr std::array names{"generate",         "serialize", "deserialize", "calculate",
                                      "serialize result", "source",    "sensor"};

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
    void begin_model() { model_ = Clock::now(); }
    void end_source() { end_model(source); }
    void end_sensor() { end_model(sensor); }

    void start() { times_ = {}; }
    /// The stages [from, to), as means over this number of steps.
    [[nodiscard]] std::vector<Stage> means(std::size_t from, std::size_t to, int steps) const
    {
        std::vector<Stage> stages;
        for (auto i = from; i < to; ++i) stages.push_back({names[i], times_[i] / steps});
        return stages;
    }

private:
    using Clock = std::chrono::steady_clock;

    static double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }
    void end(Interval interval) { times_[interval] += nanoseconds(Clock::now() - last_); }
    void end_model(Interval model)
    {
        const auto now = Clock::now();
        times_[model] += nanoseconds(now - model_);
        model_ = now;
    }

    Clock::time_point last_{}, model_{};
    std::array<double, count> times_{};
};

inline constexpr Nanoseconds period = std::chrono::milliseconds(100);

/// Both models, coupled, and the time of the simulation.
class Coupling {
public:
    Coupling(const CosimRow& row, const CosimCase& simulated);
    ~Coupling();
    Coupling(const Coupling&) = delete;
    Coupling& operator=(const Coupling&) = delete;

    /// Returns the bytes of the SensorViews.
    std::size_t run(int steps);
    void answer(Answer& answer, int steps);
    /// The stages [from, to) of the last run.
    [[nodiscard]] std::vector<Stage> stages(StageClock::Interval from, StageClock::Interval to) const
    {
        return clock_.means(from, to, steps_);
    }
    /// Applies to the following runs.
    void log_to(const std::filesystem::path& source, const std::filesystem::path& sensor);
    void close_logs();

private:
    struct Step {
        Bytes view, data;
    };
    Step step(int i);
    void add(Answer& answer, Bytes sensor_data);
    ModelObserver observe(ModelObserver clock, std::optional<PerformanceLog>& log);

    SensorDataForm form_;
    StageClock clock_;
    int steps_ = 1;  ///< of the last run
    Nanoseconds now_{};
    std::optional<PerformanceLog> source_log_, sensor_log_;
    std::unique_ptr<SensorModel> source_, sensor_;
    Transcoder to_protobuf_;
    ByteBuffer protobuf_;
};

}  // namespace ositrace::bench
