// SPDX-License-Identifier: MPL-2.0
// Runs a sensor model beside a trace that is shown: its outputs are a trace in memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include <ositrace/export.hpp>
#include <ositrace/live_progress.hpp>
#include <ositrace/sensor_model.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace {

struct ModelRunOptions {
    /// Called for every start, on the thread of the run; the stop ends the model's waits. Throws Error.
    std::function<std::unique_ptr<SensorModel>(const std::stop_token& stop)> make;
    std::string name;                             ///< for the topics of several outputs
    std::shared_ptr<const Trace> input;           ///< all its channels
    std::optional<Nanoseconds> from;              ///< trace time of the first start; empty: the first frame
    LiveLimits limits;                            ///< of the outputs that are kept
    std::optional<std::filesystem::path> record;  ///< a file for the outputs of the whole run
    WriteOptions write;                           ///< of this file
};

/// Steps a model through the frames of a trace on a thread of its own, as fast as it can, and keeps what it returns.
/// LiveStatus::known_until is the time up to which outputs are complete: at an earlier time the last output before it
/// is what the model returned for the last frame before it.
///
/// show_time() starts a new instance if the requested outputs do not exist and will not be computed soon. The model
/// waits instead of dropping outputs that have not been shown. A run that records goes from its start to the end of the
/// trace, whatever is shown.
class OSITRACE_API ModelRun {
public:
    explicit ModelRun(ModelRunOptions options);
    /// Stops the model and its thread.
    ~ModelRun();
    void request_stop() noexcept { thread_.request_stop(); }
    [[nodiscard]] const LiveProgress& progress() const noexcept { return progress_; }

    /// States the shown time. `sought`: by a seek, not by playback. Never blocks.
    void show_time(Nanoseconds time, bool sought);

private:
    class OutputSink;
    void run(const std::stop_token& stop);
    void run_once(std::optional<Nanoseconds> from, const std::stop_token& stop);
    std::string play(std::optional<Nanoseconds> from, const std::stop_token& stop);
    void set_known_until(Nanoseconds time);
    void end_run(LiveState state, std::string text);
    [[nodiscard]] std::optional<Nanoseconds> first_input(std::optional<Nanoseconds> time) const;
    [[nodiscard]] bool is_out_of_reach(Nanoseconds time, bool sought) const;

    ModelRunOptions options_;
    LiveProgress progress_;
    LiveStatus status_;  ///< of the thread of the run

    mutable std::mutex mutex_;  // guards everything below
    std::condition_variable_any asked_;
    std::optional<Nanoseconds> restart_;         ///< begin anew there
    std::optional<Nanoseconds> shown_;           ///< by show_time()
    Nanoseconds begun_at_ = Nanoseconds::min();  ///< time of the first step; the least: at the first frame
    Nanoseconds known_until_ = Nanoseconds::min();
    bool ended_ = false;  ///< at the end of the trace, or by an error
    std::stop_source stop_run_{std::nostopstate};

    std::jthread thread_;
};

}  // namespace ositrace
