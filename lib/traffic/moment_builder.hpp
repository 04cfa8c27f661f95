// SPDX-License-Identifier: MPL-2.0
// From the frames of a trace to the moments in which events are found.
#pragma once

#include <memory>

#include <ositrace/traffic_frame.hpp>

#include "lib/traffic/moment.hpp"

namespace ositrace::traffic {

/// One channel; frames come in order. Prepares a map once, as long as the frames share it.
class MomentBuilder {
public:
    /// What it needs of a frame.
    static constexpr TrafficNeeds needs{.names = true, .lanes = true, .map = true, .lights = true, .wheels = true};

    /// Null for a frame that is not later than the one before, or has no time. Until the next call. Without `host` all
    /// objects are subjects, unless `has_no_subject`.
    [[nodiscard]] const TrafficMoment* next(const TrafficFrame& frame, std::optional<std::uint64_t> host,
                                            bool has_no_subject);

private:
    void prepare_map(const std::shared_ptr<const TrafficMap>& map);
    void place_stops(const TrafficFrame& frame);

    MotionTracker tracker_;
    std::shared_ptr<const TrafficMap> map_;
    LaneNetwork lanes_;
    std::unordered_map<std::uint64_t, std::vector<StopPlace>> stop_lines_;  ///< by lane
    std::vector<Mover> movers_;
    TrafficMoment moment_;
    bool begun_ = false;
};

}  // namespace ositrace::traffic
