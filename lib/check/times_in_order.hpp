// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <queue>
#include <vector>

#include "lib/check/time_check.hpp"

namespace ositrace {

/// Hands the times of frames to the checks of their channels in the order of the log times, in which MCAP is played: in
/// the file messages may stand in any order. Memory: `max_waiting` frames; one that stands behind so many later ones of
/// its channel is left out.
class TimesInOrder {
public:
    static constexpr std::size_t max_waiting = std::size_t{1} << 18;

    /// `check` must outlive the next finish(), and what the place borrows, too.
    void add(Nanoseconds log_time, const FindingPlace& place, TimeCheck& check);
    /// Hands out what waits.
    void finish();

private:
    struct Waiting {
        Nanoseconds log_time;
        std::uint64_t number;  ///< in the file
        FindingPlace place;
        TimeCheck* check;
    };
    struct Later {
        bool operator()(const Waiting& a, const Waiting& b) const noexcept;
    };
    void hand_out();

    std::priority_queue<Waiting, std::vector<Waiting>, Later> waiting_;
    std::map<TimeCheck*, Nanoseconds> last_;  ///< log times that were handed out
    std::uint64_t frames_ = 0;
};

}  // namespace ositrace
