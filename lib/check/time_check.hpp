// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include "lib/check/findings.hpp"
#include "lib/trace/gap_finder.hpp"

namespace ositrace {

/// Follows the times of one channel.
class TimeCheck {
public:
    explicit TimeCheck(Findings& findings) : findings_(findings) {}
    /// In the order in which the frames are played; only frames with a time.
    void add(const FindingPlace& place);
    /// To be called once, at the end: steps that were waiting to be judged are.
    void finish();

private:
    /// The rate is that of the last steps that agreed for good.
    void follow_rate(Nanoseconds length, const FindingPlace& place);
    void add_gap(const TimeStep& gap, Nanoseconds usual);

    /// So many steps in a row that agree are a rate; fewer can be gaps.
    static constexpr std::size_t agreeing_steps = GapFinder::steps_on_a_side + 1;

    Findings& findings_;
    std::optional<Nanoseconds> last_;
    std::string_view channel_;
    GapFinder gaps_;
    std::optional<Nanoseconds> rate_step_;
    Nanoseconds run_step_{};  ///< of the first of the last steps that agree
    FindingPlace run_place_;  ///< and where it is
    std::size_t run_ = 0;     ///< how many they are
};

}  // namespace ositrace
