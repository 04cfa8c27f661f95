// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "lib/check/findings.hpp"

namespace ositrace {

/// Follows the times of one channel. What the usual step is, the trace says: the first steps that agree, until others agree for good.
class TimeCheck {
public:
    explicit TimeCheck(Findings& findings) : findings_(findings) {}
    /// In the order in which the frames are played; only frames with a time.
    void add(const FindingPlace& place);
    /// To be called once, at the end: steps that were waiting to be judged are.
    void finish();

private:
    struct Step {
        Nanoseconds length;
        FindingPlace place;
    };
    void add_step(Nanoseconds length, const FindingPlace& place);
    void judge_gaps();
    [[nodiscard]] bool agree(Nanoseconds a, Nanoseconds b) const noexcept;

    /// So many steps in a row that agree are a rate.
    static constexpr std::size_t agreeing_steps = 4;

    Findings& findings_;
    std::optional<Nanoseconds> last_;
    std::optional<Nanoseconds> usual_;
    std::vector<Step> waiting_;  ///< the last steps, which do not agree with the usual one
};

}  // namespace ositrace
