// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ositrace/trace_summary.hpp>

#include "lib/trace/time_distance.hpp"

namespace ositrace {

/// Follows the times of a channel, frame by frame. Memory does not grow with the trace: what a step is, the first steps decide.
class TimeStepCounter {
public:
    /// The median of this many first steps is the step that gaps are measured by.
    static constexpr std::size_t deciding_steps = 65536;

    void add(std::uint64_t frame, std::optional<Nanoseconds> time);
    /// To be called once, at the end.
    void finish();

    [[nodiscard]] const TimeSteps& steps() const noexcept { return steps_; }
    [[nodiscard]] std::optional<Nanoseconds> step() const noexcept { return step_; }

private:
    void count_gap(const TimeGap& step);
    void decide();

    TimeSteps steps_;
    std::optional<Nanoseconds> last_;
    std::vector<TimeGap> undecided_;  ///< steps from which the median is to be taken
    std::optional<Nanoseconds> step_;
    bool first_ = true;
};

}  // namespace ositrace
