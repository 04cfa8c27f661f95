// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <ositrace/trace_summary.hpp>

#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

/// The time from a frame to the next, which is later.
struct TimeStep {
    std::uint64_t frame = 0;  ///< the later one
    std::optional<std::uint64_t> byte;
    Nanoseconds from{};
    Nanoseconds to{};
    [[nodiscard]] Nanoseconds length() const noexcept { return distance(from, to); }
};

/// Finds gaps: steps that are longer than 1.5 times the median of the 17 steps around them, themselves included. So a
/// rate may vary from frame to frame, and up to 8 long steps in a row are gaps; more of them are a new rate.
class GapFinder {
public:
    static constexpr std::size_t steps_on_a_side = 8;
    static constexpr std::size_t steps_around = 2 * steps_on_a_side + 1;

    using OnGap = std::function<void(const TimeStep& gap, Nanoseconds usual)>;

    /// In the order of the frames. A gap is reported when the 8 steps after it are known.
    void add(const TimeStep& step, const OnGap& on_gap);
    /// To be called once, at the end.
    void finish(const OnGap& on_gap);

private:
    void check(std::size_t from, std::size_t to, const OnGap& on_gap) const;
    [[nodiscard]] bool is_gap(Nanoseconds length) const;
    [[nodiscard]] Nanoseconds usual_step() const;

    std::vector<TimeStep> window_;  ///< the last steps
    bool full_ = false;             ///< the older half of them has been checked
};

/// Widens the bounds so that they contain `time`.
inline void include_time(std::optional<TimeBounds>& bounds, Nanoseconds time)
{
    bounds = bounds ? TimeBounds{std::min(bounds->first, time), std::max(bounds->last, time)} : TimeBounds{time, time};
}

/// Frames per second of `frames` that are spread evenly over the bounds; nullopt where all have one time.
[[nodiscard]] inline std::optional<double> rate_of(std::uint64_t frames, const std::optional<TimeBounds>& bounds)
{
    if (frames < 2 || !bounds || bounds->first == bounds->last) return std::nullopt;
    return static_cast<double>(frames - 1) /
           std::chrono::duration<double>(distance(bounds->first, bounds->last)).count();
}

/// Statistics of the times of a channel, in the order of its frames. Memory does not depend on the length of the trace.
class TimeStepCounter {
public:
    /// The step of the channel is the median of this many first ones.
    static constexpr std::size_t deciding_steps = 65536;

    void add(std::uint64_t frame, std::optional<Nanoseconds> time);
    /// To be called once, at the end.
    void finish();

    [[nodiscard]] const TimeSteps& steps() const noexcept { return steps_; }
    [[nodiscard]] std::optional<Nanoseconds> step() const noexcept { return step_; }
    [[nodiscard]] const std::optional<TimeBounds>& bounds() const noexcept { return bounds_; }
    [[nodiscard]] std::uint64_t timed() const noexcept { return timed_; }

private:
    void add_gap(const TimeStep& gap);
    void decide();

    TimeSteps steps_;
    std::optional<TimeBounds> bounds_;
    std::uint64_t timed_ = 0;  ///< frames with a time
    std::optional<Nanoseconds> last_;
    GapFinder gaps_;
    std::vector<Nanoseconds> first_steps_;  ///< until the median is taken
    std::optional<Nanoseconds> step_;
    bool first_ = true;
};

}  // namespace ositrace
