// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/performance_log.hpp>
#include <ositrace/transcoder.hpp>

#include "app/bench/cosim/cosim_variants.hpp"
#include "app/bench/cosim/stage_clock.hpp"

namespace ositrace::bench {

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
    /// Of the last run, those of [from, to).
    [[nodiscard]] std::vector<Stage> stages(StageClock::Interval from, StageClock::Interval to) const
    {
        return clock_.means(from, to, steps_);
    }
    /// From now on.
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
