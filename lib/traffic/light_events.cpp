// SPDX-License-Identifier: MPL-2.0
// Red lights that are passed: the front of a vehicle crosses the place where it has to stop.
#include <cmath>
#include <optional>
#include <vector>

#include "lib/traffic/events.hpp"

namespace ositrace::traffic {

namespace {

Vec2 front_of(const Pose& pose) noexcept { return pose.at(pose.length / 2, 0); }

/// The part of the way from `from` to `to` at which it crosses the line; empty: it does not.
std::optional<double> crossing_of(const StopPlace& stop, Vec2 from, Vec2 to) noexcept
{
    auto across = left_of(stop.along);
    if (dot(to - from, across) < 0) across = -1 * across;
    const double before = dot(from - stop.middle, across), after = dot(to - stop.middle, across);
    // On the line counts as before it: who stops at the line has not passed.
    if (before > 0 || after <= 0) return std::nullopt;
    const double part = before / (before - after);
    const auto at = from + part * (to - from);
    return std::abs(dot(at - stop.middle, stop.along)) <= stop.half_length ? std::optional(part) : std::nullopt;
}

class LightEvents final : public EventDetector {
public:
    explicit LightEvents(const EventOptions& options) : options_(options) {}

    void step(const TrafficMoment& moment, std::vector<Event>& events) override
    {
        if (!moment.before) return;
        for (const auto& actor : moment.actors) {
            if (!actor.mover.is_vehicle || !actor.before || actor.motion.speed <= options_.standstill_speed) continue;
            const auto from = front_of(*actor.before), to = front_of(actor.mover.pose);
            if (dot(to - from, actor.heading()) <= 0) continue;
            for (const auto& stop : moment.stops) {
                if (!stop.is_red || !drives_on(actor, stop, moment)) continue;
                const auto part = crossing_of(stop, from, to);
                if (!part) continue;
                auto& event = events.emplace_back();
                event.kind = EventKind::red_light_passed;
                event.begin = event.end = between(*moment.before, moment.time, *part);
                event.frame = moment.frame;
                event.object = actor.mover.id;
                event.other = stop.light;
                event.value = actor.motion.speed;
                event.value_time = moment.time;
                event.source = stop.is_stop_line ? "stop line" : "end of lane";
                break;
            }
        }
    }
    void finish(std::vector<Event>& /*events*/) override {}

private:
    /// Without a stated lane the place decides alone.
    static bool drives_on(const Actor& actor, const StopPlace& stop, const TrafficMoment& moment)
    {
        return !actor.mover.lane || moment.lanes->is_chained(stop.lane, *actor.mover.lane);
    }

    EventOptions options_;
};

}  // namespace

std::unique_ptr<EventDetector> light_events(const EventOptions& options)
{
    return std::make_unique<LightEvents>(options);
}

}  // namespace ositrace::traffic
