// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "lib/trace/time_distance.hpp"

namespace ositrace {

/// The time from a frame to the next, which is later.
struct TimeStep {
    std::uint64_t frame = 0;  ///< the later one
    std::optional<std::uint64_t> byte;
    Nanoseconds from{};
    Nanoseconds to{};
    [[nodiscard]] Nanoseconds length() const noexcept { return distance(from, to); }
};

/// Tells gaps from steps that are usual: a gap is longer than 1.5 times the median of the 17 steps around it, itself
/// among them. So a rate may vary from frame to frame, and up to 8 long steps in a row are gaps; when there are more,
/// the rate has changed.
class GapFinder {
public:
    static constexpr std::size_t steps_on_a_side = 8;
    static constexpr std::size_t steps_around = 2 * steps_on_a_side + 1;

    using OnGap = std::function<void(const TimeStep& gap, Nanoseconds usual)>;

    /// In the order of the frames. A gap is found some steps later, when those behind it are known.
    void add(const TimeStep& step, const OnGap& on_gap);
    /// To be called once, at the end.
    void finish(const OnGap& on_gap);

private:
    void judge(std::size_t from, std::size_t to, const OnGap& on_gap) const;
    [[nodiscard]] bool is_gap(Nanoseconds length) const;
    [[nodiscard]] Nanoseconds usual_step() const;

    std::deque<TimeStep> window_;  ///< the last steps
    bool full_ = false;            ///< and the older half of them is judged
};

}  // namespace ositrace
