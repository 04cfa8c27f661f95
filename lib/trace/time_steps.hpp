// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ositrace/trace_summary.hpp>

#include "lib/trace/gap_finder.hpp"

namespace ositrace {

/// Follows the times of a channel, frame by frame. Memory does not grow with the trace.
class TimeStepCounter {
public:
    /// The step of the channel is the median of this many first ones.
    static constexpr std::size_t deciding_steps = 65536;

    void add(std::uint64_t frame, std::optional<Nanoseconds> time);
    /// To be called once, at the end.
    void finish();

    [[nodiscard]] const TimeSteps& steps() const noexcept { return steps_; }
    [[nodiscard]] std::optional<Nanoseconds> step() const noexcept { return step_; }

private:
    void add_gap(const TimeStep& gap);
    void decide();

    TimeSteps steps_;
    std::optional<Nanoseconds> last_;
    GapFinder gaps_;
    std::vector<Nanoseconds> first_steps_;  ///< until the median is taken
    std::optional<Nanoseconds> step_;
    bool first_ = true;
};

}  // namespace ositrace
