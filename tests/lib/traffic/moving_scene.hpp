// SPDX-License-Identifier: MPL-2.0
// Scenes of objects that move by formulas, moment by moment.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lib/traffic/events.hpp"

namespace moving {

using namespace ositrace;
using namespace ositrace::traffic;

/// Where an object is at a time; empty: it is not there.
using Path = std::function<std::optional<Mover>(double)>;

inline Mover car(std::uint64_t id, Vec2 centre, double yaw = 0, std::optional<Vec2> velocity = {})
{
    Mover mover;
    mover.id = id;
    mover.is_vehicle = true;
    mover.pose = {centre, yaw, 5, 2};
    mover.top = 1.5;
    mover.velocity = velocity;
    return mover;
}

struct Scene {
    std::vector<Path> paths;
    LaneNetwork lanes;
    std::optional<std::uint64_t> host;
    std::function<std::vector<StopPlace>(double)> stops;
    double step = 0.04, duration = 10;

    /// Calls `visit` with every moment.
    void play(const std::function<void(const TrafficMoment&)>& visit) const
    {
        MotionTracker tracker;
        TrafficMoment moment;
        moment.lanes = &lanes;
        moment.host = host;
        const auto count = static_cast<int>(std::lround(duration / step)) + 1;
        for (int i = 0; i != count; ++i) {
            const double time = i * step;
            std::vector<Mover> movers;
            for (const auto& path : paths)
                if (const auto mover = path(time)) movers.push_back(*mover);
            moment.time = Nanoseconds(std::llround(time * 1e9));
            moment.frame = static_cast<std::uint64_t>(i);
            if (stops) moment.stops = stops(time);
            tracker.follow(movers, moment);
            visit(moment);
        }
    }

    [[nodiscard]] std::vector<Event> events(const EventOptions& options = {}) const
    {
        EventFinder finder(options);
        play([&](const TrafficMoment& moment) { finder.step(moment); });
        return finder.finish();
    }
    [[nodiscard]] std::vector<Event> events(EventKind kind, const EventOptions& options = {}) const
    {
        auto all = events(options);
        std::erase_if(all, [&](const Event& event) { return event.kind != kind; });
        return all;
    }
};

/// Three lanes along x: 1 (y = 0), 2 (y = 3.5), 3 (y = 7), each of them continued by 11, 12, 13 from x = 500 on; the
/// markings are 0.12 m wide.
inline LaneNetwork three_lanes()
{
    std::vector<NetworkLane> lanes;
    std::vector<Marking> markings;
    for (const std::uint64_t part : {0, 10}) {
        const double from = part == 0 ? -1000 : 500, to = part == 0 ? 500 : 2000;
        for (std::uint64_t i = 1; i != 4; ++i) {
            NetworkLane lane;
            lane.id = part + i;
            if (i != 3) lane.left = {lane.id + 1};
            if (i != 1) lane.right = {lane.id - 1};
            if (part == 0) lane.after = {lane.id + 10};
            lane.right_markings = {100 + part + i};
            lane.left_markings = {100 + part + i + 1};
            const double y = 3.5 * (static_cast<double>(i) - 1);
            lane.centre_line = {{from, y}, {to, y}};
            lanes.push_back(lane);
        }
        for (std::uint64_t i = 1; i != 5; ++i) {
            const double y = 3.5 * static_cast<double>(i) - 5.25;
            markings.push_back({100 + part + i, {{{from, y}, 0.06}, {{(from + to) / 2, y}, 0.06}, {{to, y}, 0.06}}});
        }
    }
    return {std::move(lanes), std::move(markings)};
}

/// The lane at a place of three_lanes().
inline std::uint64_t lane_at(Vec2 place)
{
    const double y = std::clamp(std::floor((place.y + 1.75) / 3.5), 0.0, 2.0);
    return static_cast<std::uint64_t>(y) + 1 + (place.x < 500 ? 0 : 10);
}

}  // namespace moving
