// SPDX-License-Identifier: MPL-2.0
// A trace that is played into a Python function, by the clock.

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <ositrace/clock.hpp>
#include <ositrace/player.hpp>
#include <ositrace/trace_selection.hpp>

#include "python/src/convert.hpp"
#include "python/src/parts.hpp"
#include "python/src/trace.hpp"

namespace ositrace::python {

namespace {

/// How long Ctrl-C waits at most: Python sees it when its main thread asks.
constexpr Nanoseconds longest_wait = std::chrono::milliseconds(50);

/// The clock of the machine, whose waits Ctrl-C ends. The thread that plays does not hold the GIL.
class InterruptibleClock final : public Clock {
public:
    Nanoseconds now() const noexcept override { return clock_->now(); }
    bool wait_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop) override
    {
        for (;;) {
            const auto next = now() + longest_wait;
            const auto until = deadline ? std::min(*deadline, next) : next;
            if (!clock_->wait_until(until, stop)) return false;
            if (deadline && until == *deadline) return true;
            const nb::gil_scoped_acquire gil;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
    }
    void wake() noexcept override { clock_->wake(); }

private:
    std::unique_ptr<Clock> clock_ = monotonic_clock();
};

/// Calls `function(frame, now)` for every frame of the channels that are played; its time is that of the step.
class FunctionSink final : public FrameSink {
public:
    FunctionSink(const OpenTrace& trace, const TopicPattern& topics, nb::callable function)
        : trace_(trace), function_(std::move(function))
    {
        for (std::uint32_t i = 0; i < trace.channels.size(); ++i)
            if (topics.matches(trace.channels[i]->channel.topic)) channels_.push_back(i);
    }
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo&) override
    {
        const nb::gil_scoped_acquire gil;
        for (auto frame : frames) {
            frame.channel = channels_.at(frame.channel);
            frame.time = now;
            function_(trace_.with_channel(std::move(frame)), now.count());
        }
    }

private:
    const OpenTrace& trace_;
    std::vector<std::uint32_t> channels_;  ///< of the whole trace, by their number among those that are played
    nb::callable function_;
};

double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

nb::dict dict_of(const PlayReport& report)
{
    nb::dict lateness;
    lateness["mean"] = seconds(report.lateness.mean);
    lateness["p50"] = seconds(report.lateness.p50);
    lateness["p99"] = seconds(report.lateness.p99);
    lateness["max"] = seconds(report.lateness.max);
    nb::dict out;
    out["frames"] = report.frames;
    out["late"] = report.late;
    out["lost"] = report.lost;
    out["lateness"] = lateness;
    out["seconds"] = seconds(report.played);
    out["cpu_percent"] = report.cpu_percent;
    return out;
}

std::optional<Nanoseconds> time_of_step(const std::optional<std::int64_t>& nanoseconds)
{
    return nanoseconds ? std::optional(Nanoseconds(*nanoseconds)) : std::nullopt;
}

nb::dict play(const TraceHandle& handle, const std::string& topics, nb::callable function, std::optional<double> rate,
              std::optional<std::int64_t> from, std::optional<std::int64_t> to, std::optional<std::int64_t> step_size,
              std::uint64_t loop, bool drop_late, bool carry_static, bool skip_bad_frames)
{
    const auto open = handle.open();
    PlayOptions options;
    options.rate = rate;
    options.from = time_of_step(from);
    options.to = time_of_step(to);
    options.step_size = time_of_step(step_size);
    options.rounds = loop;
    options.drop_late = drop_late;
    options.carry_static = carry_static;
    options.skip_bad_frames = skip_bad_frames;
    options.on_skip = [&](const SkippedBytes& bytes) { open->skipped->add(bytes); };
    const TopicPattern pattern(topics);
    FunctionSink sink(*open, pattern, std::move(function));
    InterruptibleClock clock;
    const auto report = open->without_gil([&] {
        FrameSink* const sinks[] = {&sink};
        Player player(select_topics(open->trace, pattern), sinks, clock, std::move(options));
        return player.run();
    });
    return dict_of(report);
}

}  // namespace

void register_play(nb::module_& module)
{
    module.def("play", &play, nb::arg("trace"), nb::arg("topics"), nb::arg("function"), nb::arg("rate").none(),
               nb::arg("from_ns").none(), nb::arg("to_ns").none(), nb::arg("step_ns").none(), nb::arg("loop"),
               nb::arg("drop_late"), nb::arg("carry_static"), nb::arg("skip_bad_frames"));
}

}  // namespace ositrace::python
