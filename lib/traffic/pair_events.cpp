// SPDX-License-Identifier: MPL-2.0
// Collisions and overtaking: objects that are near each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/traffic/events.hpp"
#include "lib/traffic/near_pairs.hpp"

namespace ositrace::traffic {

namespace {

constexpr double touching = 1e-6;  // m: no overlap

bool overlap(const Actor& a, const Actor& b) noexcept
{
    if (std::min(a.mover.top, b.mover.top) - std::max(a.mover.bottom, b.mover.bottom) <= touching) return false;
    return overlap_depth(Convex(a.mover.pose), Convex(b.mover.pose)) > touching;
}

bool tows(const Actor& a, const Actor& b) noexcept
{
    return a.mover.trailer == b.mover.id || b.mover.trailer == a.mover.id;
}

/// Where `actor` is, seen from `other`: its extent along the heading of the other, and the lateral distance of the
/// sides, negative if they overlap.
struct Beside {
    double front = 0, rear = 0, lateral = 0;
};

Beside beside_of(const Actor& actor, const Actor& other) noexcept
{
    const auto along = other.heading(), to = actor.mover.pose.centre - other.mover.pose.centre;
    const auto heading = actor.heading();
    const auto& pose = actor.mover.pose;
    const double c = std::abs(dot(heading, along)), s = std::abs(cross(heading, along));
    const double half = (c * pose.length + s * pose.width) / 2, half_width = (s * pose.length + c * pose.width) / 2;
    const double ahead = dot(to, along);
    return {ahead + half, ahead - half, std::abs(cross(along, to)) - half_width - other.mover.pose.width / 2};
}

constexpr double same_way = 0.866;  // cosine of 30 degrees

class PairEvents final : public EventDetector {
public:
    explicit PairEvents(const EventOptions& options) : options_(options) {}

    void step(const TrafficMoment& moment, std::vector<Event>& events) override
    {
        // What passes within a frame is found, too: objects that move towards each other at 100 m/s and 10 Hz.
        constexpr double look = 10;
        footprints_.clear();
        for (const auto& actor : moment.actors) {
            const auto& [centre, yaw, length, width] = actor.mover.pose;
            footprints_.push_back({.centre = {centre.x, centre.y}, .length = length, .width = width, .yaw = yaw});
        }
        std::size_t pairs = 0;
        near_.visit(footprints_, std::max(look, options_.overtaking_distance), [&](std::size_t i, std::size_t j) {
            if (++pairs > most_pairs)
                throw Error(Cause::limit, {},
                            "more than " + std::to_string(most_pairs) + " pairs of objects are near each other");
            const auto &a = moment.actors[i], &b = moment.actors[j];
            collide(a, b, moment);
            for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
                if (moment.is_subject(*one)) overtake(*one, *other, moment, events);
        });
        for (auto at = contacts_.begin(); at != contacts_.end();) {
            const bool goes_on = at->second.end == moment.time;
            if (!goes_on) events.push_back(at->second);
            at = goes_on ? std::next(at) : contacts_.erase(at);
        }
        std::erase_if(passes_, [&](const auto& entry) { return entry.second.seen != moment.time; });
    }

    void finish(std::vector<Event>& events) override
    {
        for (const auto& [pair, event] : contacts_) events.push_back(event);
    }

private:
    using Pair = std::pair<std::size_t, std::size_t>;  ///< slots
    /// More in one frame are refused: they would be objects in one heap.
    static constexpr std::size_t most_pairs = 2'000'000;

    void collide(const Actor& a, const Actor& b, const TrafficMoment& moment)
    {
        if (tows(a, b) || !overlap(a, b)) return;
        const bool in_order = !moment.host || *moment.host != b.mover.id ? a.mover.id <= b.mover.id : false;
        const bool a_first = moment.host && *moment.host == a.mover.id ? true : in_order;
        const auto &one = a_first ? a : b, &other = a_first ? b : a;
        auto [at, is_new] = contacts_.try_emplace(std::minmax(a.slot, b.slot));
        auto& event = at->second;
        if (is_new) {
            event.kind = EventKind::collision;
            event.begin = moment.time;
            event.frame = moment.frame;
            event.object = one.mover.id;
            event.other = other.mover.id;
            event.source = "footprints, heights";
            if (one.motion.velocity && other.motion.velocity) {
                event.value = norm(*one.motion.velocity - *other.motion.velocity);
                event.value_time = moment.time;
            }
        }
        event.end = moment.time;
    }

    /// How far one has passed another that drives the same way.
    struct Pass {
        Nanoseconds seen{};
        Beside last;
        bool was_behind = false;
        std::optional<Event> event;  ///< since its front has passed the rear of the other
    };

    void overtake(const Actor& actor, const Actor& other, const TrafficMoment& moment, std::vector<Event>& events)
    {
        const double least_speed = options_.standstill_speed;
        if (dot(actor.heading(), other.heading()) < same_way || actor.motion.speed <= least_speed ||
            other.motion.speed <= least_speed)
            return;
        const auto now = beside_of(actor, other);
        if (now.lateral > options_.overtaking_distance) return;
        const double rear = -other.half_length(), front = other.half_length();
        const auto made = passes_.try_emplace(Pair(actor.slot, other.slot));
        const bool is_new = made.second;
        auto& pass = made.first->second;
        const auto last = is_new ? now : pass.last;
        const auto crosses = [&](double before, double after, double line) {
            return is_new || before == after || !moment.before
                       ? moment.time
                       : between(*moment.before, moment.time, (line - before) / (after - before));
        };
        pass.seen = moment.time;
        pass.last = now;
        if (now.front <= rear) {
            pass.was_behind = true;
            pass.event.reset();
            return;
        }
        if (!pass.was_behind) return;
        if (!pass.event) {
            auto& event = pass.event.emplace();
            event.kind = EventKind::overtaking;
            event.begin = crosses(last.front, now.front, rear);
            event.frame = moment.frame;
            event.object = actor.mover.id;
            event.other = other.mover.id;
            event.source = "footprints";
        }
        auto& event = *pass.event;
        if (!event.value || now.lateral < *event.value) {
            event.value = now.lateral;
            event.value_time = moment.time;
        }
        if (now.rear < front) return;
        event.end = crosses(last.rear, now.rear, front);
        events.push_back(event);
        pass.event.reset();
        pass.was_behind = false;
    }

    EventOptions options_;
    NearPairs near_;
    std::vector<Footprint> footprints_;
    std::map<Pair, Event> contacts_;
    std::map<Pair, Pass> passes_;
};

}  // namespace

std::unique_ptr<EventDetector> pair_events(const EventOptions& options)
{
    return std::make_unique<PairEvents>(options);
}

}  // namespace ositrace::traffic
