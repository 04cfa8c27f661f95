// SPDX-License-Identifier: MPL-2.0
#include "tests/bench/contest.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace bench {

namespace {

constexpr double shortest_sample = 1e6;  ///< nanoseconds: thousands of times the clock's overhead

/// Nanoseconds that this thread has run: on a machine shared with others the wall clock mostly tells what those are doing.
double now()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double time_of(const Variant& variant, int times, std::size_t& bytes)
{
    const auto start = now();
    for (int i = 0; i < times; ++i) bytes = variant.run();
    return (now() - start) / times;
}

/// The first runs fill caches and let buffers grow; then one tells how many make a sample.
int times_per_sample(const Variant& variant, std::size_t& bytes)
{
    for (int i = 0; i < 2; ++i) time_of(variant, 1, bytes);
    return std::max(1, static_cast<int>(std::ceil(shortest_sample / time_of(variant, 1, bytes))));
}

}  // namespace

double Timing::quantile(double share) const
{
    auto sorted = samples;
    std::ranges::sort(sorted);
    const auto place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<Timing> contest(const std::vector<Variant>& variants, int repetitions)
{
    std::vector<Timing> timings;
    std::vector<int> times;
    for (const auto& variant : variants) {
        timings.push_back({variant.name, 0, {}});
        times.push_back(times_per_sample(variant, timings.back().bytes));
    }
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (std::size_t turn = 0; turn < variants.size(); ++turn) {
            const auto i = (turn + static_cast<std::size_t>(repetition)) % variants.size();
            timings[i].samples.push_back(time_of(variants[i], times[i], timings[i].bytes));
        }
    return timings;
}

double clock_overhead()
{
    Timing timing;
    for (int i = 0; i < 1001; ++i) {
        const auto start = now();
        timing.samples.push_back(now() - start);
    }
    return timing.quantile(0.5);
}

}  // namespace bench
