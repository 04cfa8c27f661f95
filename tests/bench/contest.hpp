// SPDX-License-Identifier: MPL-2.0
// Variants of one task, timed side by side in one process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way to do the task. `run` does all of it once and returns the bytes it produced.
struct Variant {
    std::string name;
    std::function<std::size_t()> run;
};

/// The times of one variant, of one run of its task, in nanoseconds of processor time.
struct Timing {
    std::string variant;
    std::size_t bytes = 0;            ///< produced by one run
    std::vector<double> samples;      ///< in the order measured
    [[nodiscard]] double quantile(double share) const;  ///< 0.5 is the median
};

/// Runs every variant `repetitions` times, in turn and each time from another one on, so that a busy moment of the machine meets
/// all of them. Tasks shorter than a millisecond are repeated within a sample.
std::vector<Timing> contest(const std::vector<Variant>& variants, int repetitions);

/// What two readings of the clock cost, in nanoseconds; median.
double clock_overhead();

}  // namespace bench
