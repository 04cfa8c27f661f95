// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>
#include <ctime>

#include <ositrace/error.hpp>

#include "app/bench/core/round.hpp"

namespace ositrace::bench {
namespace {

constexpr double shortest_sample = 1e6;  ///< nanoseconds: thousands of times the clock's overhead
constexpr double long_run = 1e9;         ///< nanoseconds: the cost of the memory of a first run is negligible

double now(Clock clock)
{
    std::timespec time{};
    ::clock_gettime(clock == Clock::thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double time_of(const Variant& variant, Clock clock, int times, std::size_t& bytes)
{
    if (variant.before) variant.before();
    const auto start = now(clock);
    for (int i = 0; i < times; ++i) bytes = variant.run();
    return variant.measured ? variant.measured() : (now(clock) - start) / times;
}

/// The run for the answer was the first; the second run already has its memory. The third one determines the number of
/// runs per sample.
int times_per_sample(const Variant& variant, Clock clock, std::size_t& bytes)
{
    if (time_of(variant, clock, 1, bytes) > long_run || variant.before || variant.measured) return 1;
    return std::max(1, static_cast<int>(std::ceil(shortest_sample / time_of(variant, clock, 1, bytes))));
}

Answer answer_of(const Variant& variant, const ContestOptions& options, bool run)
{
    Answer answer;
    if (variant.name == options.spoiled) answer.spoil();
    if (run) variant.run();
    variant.answer(answer);
    return answer;
}

/// Compares every answer with that of the first variant that has an exact one. `run`: the variants have not run yet.
void compare(const Round& round, const ContestOptions& options, bool run)
{
    std::optional<Answer> reference;
    std::string_view reference_name;
    for (const auto& variant : round.variants) {
        if (!variant.answer) {
            if (variant.role != Role::yardstick)
                throw Error(Cause::usage, round.name + ": '" + variant.name + "' cannot be compared");
            continue;
        }
        const auto answer = answer_of(variant, options, run);
        if (!reference && !variant.keeps_less) reference = answer, reference_name = variant.name;
        if (reference && !(variant.keeps_less ? answer.same_coarse(*reference) : answer.same_as(*reference)))
            throw Error(Cause::mismatch, round.name + ": '" + variant.name + "' and '" + std::string(reference_name) +
                                             "' give different results, so their times mean nothing");
    }
}

void add_stages(const Variant& variant, Timing& timing)
{
    if (!variant.stages) return;
    const auto stages = variant.stages();
    const auto logged = variant.logged.size();
    timing.stages.resize(logged + stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
        auto& stage = timing.stages[logged + i];
        stage.name = stages[i].name;
        stage.samples.push_back(stages[i].nanoseconds);
    }
}

void stop_if_asked(const ContestOptions& options)
{
    if (options.stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
}

}  // namespace

RoundResult contest(const Round& round, const ContestOptions& options)
{
    compare(round, options, true);
    RoundResult result{round.name, round.things, round.thing, round.clock, {}, round.question};
    std::vector<int> times;
    for (const auto& variant : round.variants) {
        stop_if_asked(options);
        result.timings.push_back({variant.name,
                                  variant.what,
                                  variant.role,
                                  0,
                                  {},
                                  variant.bytes_in,
                                  variant.logged,
                                  variant.heap,
                                  variant.process_bytes,
                                  variant.lines});
        times.push_back(times_per_sample(variant, round.clock, result.timings.back().bytes));
    }
    const auto count = round.variants.size();
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
        for (std::size_t turn = 0; turn < count; ++turn) {
            stop_if_asked(options);
            const auto i = (turn + static_cast<std::size_t>(repetition)) % count;
            auto& timing = result.timings[i];
            timing.samples.push_back(time_of(round.variants[i], round.clock, times[i], timing.bytes));
            add_stages(round.variants[i], timing);
        }
        if (options.on_progress) options.on_progress((repetition + 1.0) / options.repetitions);
    }
    compare(round, options, false);  // also the last result, of variants that keep data from run to run
    return result;
}

double clock_overhead(Clock clock)
{
    Timing timing;
    for (int i = 0; i < 1001; ++i) {
        const auto start = now(clock);
        timing.samples.push_back(now(clock) - start);
    }
    return timing.median();
}

}  // namespace ositrace::bench
