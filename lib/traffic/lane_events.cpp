// SPDX-License-Identifier: MPL-2.0
// Lane changes and departures, cut-ins and cut-outs: wheels that cross markings (UN R79, UN R157 5.2.5.2).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lib/traffic/events.hpp"

namespace ositrace::traffic {

namespace {

constexpr std::array lane_sides{LaneSide::left, LaneSide::right};
/// Slower than this towards a marking is no lateral movement.
constexpr double drift = 0.02;  // m/s

/// Where a vehicle is to a marking on one of its sides. Depths are how far something is beyond it, in metres, from
/// the edge of the paint that it reaches first (`touch`) and from the one that it leaves last (`pass`).
struct Depths {
    double touch = 0;       ///< of the wheel of the two on that side that is further
    double front_pass = 0;  ///< of the front wheel on that side
    double pass = 0;        ///< of the wheel on that side that is further
    double far_pass = 0;    ///< of the rear wheel on the other side
    double middle = 0;      ///< of the centre, from the middle of the line
    bool from_front = false;
};

std::optional<LaneNetwork::Offset> offset_of_centre(const TrafficMoment& moment, const Actor& actor, std::uint64_t lane,
                                                    LaneSide side)
{
    return moment.lanes->offset(lane, side, actor.mover.pose.centre, actor.heading());
}

/// Beyond the marking of the lane on that side, seen from within the lane. `middle`: where the centre is to it.
/// `is_left`: the marking is to the left of where the vehicle comes from.
std::optional<Depths> depths_at(const LaneNetwork& lanes, const Actor& actor, std::uint64_t lane, LaneSide side,
                                const std::optional<LaneNetwork::Offset>& middle, bool is_left)
{
    if (!middle) return std::nullopt;
    const auto& mover = actor.mover;
    const double sign = is_left ? 1 : -1, half = mover.pose.length / 2;
    const Axle front = mover.front.value_or(Axle{half, mover.pose.width / 2});
    const Axle rear = mover.rear.value_or(Axle{-half, mover.pose.width / 2});
    const auto heading = actor.heading();
    const auto offset_at = [&](double ahead, double left) {
        return lanes.offset(lane, side, mover.pose.at(ahead, left), heading);
    };
    const auto near_front = offset_at(front.ahead, sign * front.half_track);
    const auto near_rear = offset_at(rear.ahead, sign * rear.half_track);
    const auto far_rear = offset_at(rear.ahead, -sign * rear.half_track);
    if (!near_front || !near_rear || !far_rear) return std::nullopt;
    const double f = sign * near_front->left, r = sign * near_rear->left;
    return Depths{std::max(f + near_front->half_width, r + near_rear->half_width),
                  f - near_front->half_width,
                  std::max(f - near_front->half_width, r - near_rear->half_width),
                  sign * far_rear->left - far_rear->half_width,
                  sign * middle->left,
                  f >= r};
}

/// A vehicle is over a marking.
struct Crossing {
    std::uint64_t lane = 0;  ///< that it leaves
    LaneSide side = LaneSide::left;
    bool is_left = false;
    bool intrudes = false;
    Nanoseconds begin{};
    std::uint64_t frame = 0;
    double deepest = -std::numeric_limits<double>::infinity();
    Nanoseconds deepest_time{};
    double fastest = 0;  ///< to the left
    Nanoseconds fastest_time{};
    Depths depths;
};

/// How one follows the other.
struct Following {
    double clearance = 0, closing = 0;
};

/// `rear` behind `front`, of which its lane leads along `lane`; empty if it is not behind, or drives elsewhere. The
/// clearance is along the mean of the two directions, which is that of the chord in a bend; each speed is along the own
/// direction, as between two vehicles in lanes (see PathMotion).
std::optional<Following> following_of(const Actor& rear, const Actor& front, Vec2 lane) noexcept
{
    constexpr double same_direction = 0.5;  // cosine
    const auto own = rear.heading();
    if (dot(own, lane) < same_direction) return std::nullopt;
    const auto along = (1 / norm(own + lane)) * (own + lane);
    const double ahead = dot(front.mover.pose.centre - rear.mover.pose.centre, along);
    if (ahead + front.half_length() <= rear.half_length()) return std::nullopt;
    return Following{
        std::max(ahead - front.half_length() - rear.half_length(), 0.0),
        dot(rear.motion.velocity.value_or(Vec2()), own) - dot(front.motion.velocity.value_or(Vec2()), lane)};
}

class LaneEvents final : public EventDetector {
public:
    explicit LaneEvents(const EventOptions& options) : options_(options) {}

    void step(const TrafficMoment& moment, std::vector<Event>& events) override
    {
        for (const auto& actor : moment.actors) {
            if (!actor.mover.is_vehicle) continue;
            if (states_.size() <= actor.slot) states_.resize(actor.slot + 1);
            auto& state = states_[actor.slot];
            if (!actor.continues) {
                if (state.crossing) depart(state, state.time, events);
                state = {};
            }
            state.id = actor.mover.id;
            follow(state, actor, moment, events);
            state.time = moment.time;
        }
    }

    void finish(std::vector<Event>& events) override
    {
        for (auto& state : states_)
            if (state.crossing) depart(state, state.time, events);
    }

private:
    struct State {
        std::uint64_t id = 0;
        Nanoseconds time{};
        std::optional<std::uint64_t> lane;
        std::optional<std::uint64_t> left_lane;  ///< by markings; the stated lane has not followed yet
        std::optional<Crossing> crossing;
        struct Approach {
            std::optional<Depths> depths;
            Nanoseconds since{};  ///< it moves towards the marking
        };
        std::array<Approach, 2> approaches;  ///< to the right, to the left
    };

    void follow(State& state, const Actor& actor, const TrafficMoment& moment, std::vector<Event>& events) const
    {
        const auto& lanes = *moment.lanes;
        if (state.crossing) return cross_on(state, actor, moment, events);
        const auto stated = actor.mover.lane;
        if (!stated) return;
        if (state.left_lane && !lanes.is_chained(*state.left_lane, *stated))
            state.left_lane.reset();
        else if (state.lane && *state.lane != *stated && !state.left_lane && !lanes.is_chained(*state.lane, *stated))
            if (const auto side = lanes.side_of(*state.lane, *stated))
                change_as_stated(state, *side, actor, moment, events);
        state.lane = stated;
        if (!state.left_lane) watch(state, actor, moment);
        if (state.crossing) intrude(state, actor, moment, events);
    }

    /// Is a wheel over a marking of its lane?
    void watch(State& state, const Actor& actor, const TrafficMoment& moment) const
    {
        for (const auto side : lane_sides) {
            const auto middle = offset_of_centre(moment, actor, *state.lane, side);
            if (!middle) continue;
            const bool is_left = middle->left < 0;
            const auto depths = depths_at(*moment.lanes, actor, *state.lane, side, middle, is_left);
            if (!depths) continue;
            auto& approach = state.approaches[is_left ? 1 : 0];
            approach_on(approach, *depths, moment);
            const auto last = std::exchange(approach.depths, depths);
            if (depths->touch < 0) continue;
            auto begin = moment.time;
            if (last && moment.before && last->touch < 0)
                begin = between(*moment.before, moment.time, -last->touch / (depths->touch - last->touch));
            state.crossing = Crossing{.lane = *state.lane,
                                      .side = side,
                                      .is_left = is_left,
                                      // There when it was first seen: it is not known when it came.
                                      .intrudes = !last && depths->front_pass >= options_.intrusion,
                                      .begin = begin,
                                      .frame = moment.frame,
                                      .deepest_time = moment.time,
                                      .fastest_time = moment.time,
                                      .depths = *depths};
            measure(*state.crossing, *depths, last.value_or(*depths), moment);
            return;
        }
    }

    static void approach_on(State::Approach& approach, const Depths& now, const TrafficMoment& moment)
    {
        const double step = moment.before ? seconds(moment.time - *moment.before) : 0;
        if (!approach.depths || now.front_pass - approach.depths->front_pass < drift * step)
            approach.since = moment.time;
    }

    static void measure(Crossing& crossing, const Depths& now, const Depths& last, const TrafficMoment& moment)
    {
        if (now.pass > crossing.deepest) {
            crossing.deepest = now.pass;
            crossing.deepest_time = moment.time;
        }
        if (!moment.before) return;
        const double speed = (now.middle - last.middle) / seconds(moment.time - *moment.before);
        if (std::abs(speed) > std::abs(crossing.fastest)) {
            crossing.fastest = crossing.is_left ? speed : -speed;
            crossing.fastest_time = moment.time;
        }
    }

    /// While a wheel is over the marking.
    void cross_on(State& state, const Actor& actor, const TrafficMoment& moment, std::vector<Event>& events) const
    {
        auto& crossing = *state.crossing;
        const auto depths = depths_at(*moment.lanes, actor, crossing.lane, crossing.side,
                                      offset_of_centre(moment, actor, crossing.lane, crossing.side), crossing.is_left);
        if (!depths) {
            // The marking ends. What the trace states decides.
            const auto stated = actor.mover.lane;
            if (stated && moment.lanes->side_of(crossing.lane, *stated) == crossing.side &&
                !moment.lanes->is_chained(crossing.lane, *stated))
                return change(state, actor, moment.time, events);
            return depart(state, moment.time, events);
        }
        const auto last = std::exchange(crossing.depths, *depths);
        measure(crossing, *depths, last, moment);
        auto& approach = state.approaches[crossing.is_left ? 1 : 0];
        approach_on(approach, *depths, moment);
        approach.depths = depths;
        intrude(state, actor, moment, events);
        const auto time_of = [&](double before, double now) {
            return moment.before && before != now ? between(*moment.before, moment.time, before / (before - now))
                                                  : moment.time;
        };
        if (depths->far_pass >= 0) {
            const auto end = last.far_pass < 0 ? time_of(last.far_pass, depths->far_pass) : moment.time;
            if (moment.lanes->neighbours(crossing.lane, crossing.side).empty()) return depart(state, end, events);
            return change(state, actor, end, events);
        }
        if (depths->touch < 0) depart(state, time_of(last.touch, depths->touch), events);
    }

    static void change(State& state, const Actor& actor, Nanoseconds end, std::vector<Event>& events)
    {
        const auto& crossing = *state.crossing;
        auto& event = events.emplace_back();
        event.kind = EventKind::lane_change;
        event.begin = crossing.begin;
        event.end = end;
        event.frame = crossing.frame;
        event.object = state.id;
        event.value = crossing.fastest;
        event.value_time = crossing.fastest_time;
        event.source = actor.mover.front && actor.mover.front->has_wheels ? "marking, wheels" : "marking, corners";
        leave(state);
    }

    void depart(State& state, Nanoseconds end, std::vector<Event>& events) const
    {
        const auto& crossing = *state.crossing;
        if (crossing.deepest >= options_.departure) {
            auto& event = events.emplace_back();
            event.kind = EventKind::lane_departure;
            event.begin = crossing.begin;
            event.end = end;
            event.frame = crossing.frame;
            event.object = state.id;
            event.value = crossing.deepest;
            event.value_time = crossing.deepest_time;
            event.source = "marking";
        }
        if (crossing.depths.far_pass >= 0) return leave(state);
        state.crossing.reset();
        state.approaches = {};
    }

    static void leave(State& state)
    {
        state.left_lane = state.crossing->lane;
        state.crossing.reset();
        state.approaches = {};
    }

    /// The trace states another lane, and no marking tells more.
    void change_as_stated(State& state, LaneSide side, const Actor& actor, const TrafficMoment& moment,
                          std::vector<Event>& events) const
    {
        auto& event = events.emplace_back();
        event.kind = EventKind::lane_change;
        event.begin = event.end = moment.time;
        event.frame = moment.frame;
        event.object = state.id;
        event.source = "assigned lane";
        interact(*state.lane, side, std::nullopt, actor, moment, events);
        state.approaches = {};
    }

    /// The front wheel is far enough beyond the marking.
    void intrude(State& state, const Actor& actor, const TrafficMoment& moment, std::vector<Event>& events) const
    {
        auto& crossing = *state.crossing;
        if (crossing.intrudes || crossing.depths.front_pass < options_.intrusion) return;
        crossing.intrudes = true;
        const auto& approach = state.approaches[crossing.is_left ? 1 : 0];
        interact(crossing.lane, crossing.side, seconds(moment.time - approach.since), actor, moment, events);
    }

    /// Those who follow in the lanes that `actor` comes to and leaves.
    void interact(std::uint64_t lane, LaneSide side, std::optional<double> visible, const Actor& actor,
                  const TrafficMoment& moment, std::vector<Event>& events) const
    {
        const auto& lanes = *moment.lanes;
        const auto entered = lanes.neighbours(lane, side);
        const auto marking = offset_of_centre(moment, actor, lane, side);
        const auto direction = marking ? marking->along : actor.heading();
        const auto report = [&](EventKind kind, const auto& is_in) {
            const Actor* nearest = nullptr;
            Following least{std::numeric_limits<double>::infinity(), 0};
            for (const auto& other : moment.actors) {
                if (other.slot == actor.slot || !other.mover.is_vehicle || !other.mover.lane ||
                    !is_in(*other.mover.lane))
                    continue;
                if (const auto following = following_of(other, actor, direction);
                    following && following->clearance < least.clearance) {
                    least = *following;
                    nearest = &other;
                }
            }
            if (nearest != nullptr && moment.is_subject(*nearest) && least.clearance <= options_.cut_in_distance)
                add_cut(kind, *nearest, actor, least, visible, moment, events);
        };
        const auto in_entered = [&](std::uint64_t other) {
            return !lanes.is_chained(lane, other) &&
                   std::ranges::any_of(entered, [&](std::uint64_t id) { return lanes.is_chained(id, other); });
        };
        report(EventKind::cut_in, in_entered);
        report(EventKind::cut_out, [&](std::uint64_t other) { return lanes.is_chained(lane, other); });
    }

    void add_cut(EventKind kind, const Actor& subject, const Actor& other, const Following& following,
                 std::optional<double> visible, const TrafficMoment& moment, std::vector<Event>& events) const
    {
        auto& event = events.emplace_back();
        event.kind = kind;
        event.begin = event.end = moment.time;
        event.frame = moment.frame;
        event.object = subject.mover.id;
        event.other = other.mover.id;
        event.value = event.clearance = following.clearance;
        event.value_time = moment.time;
        event.source = visible ? "marking" : "assigned lane";
        if (visible) event.visible = *visible >= options_.visible_time;
        if (!(following.closing > 0)) return;
        event.ttc = following.clearance / following.closing;
        event.ttc_sufficient =
            *event.ttc > following.closing / (2 * options_.cut_in_deceleration) + options_.cut_in_reaction;
    }

    EventOptions options_;
    std::vector<State> states_;
};

}  // namespace

std::unique_ptr<EventDetector> lane_events(const EventOptions& options)
{
    return std::make_unique<LaneEvents>(options);
}

}  // namespace ositrace::traffic
