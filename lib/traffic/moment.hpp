// SPDX-License-Identifier: MPL-2.0
// What events are found in: the moving objects at a time, with the motion that is derived where it is not stated.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/frame.hpp>

#include "lib/traffic/lane_network.hpp"
#include "lib/traffic/plane.hpp"

namespace ositrace::traffic {

/// Axle of a vehicle, from the centre of the bounding box.
struct Axle {
    double ahead = 0;       ///< m
    double half_track = 0;  ///< m, to the outer edge of the tyre
    bool has_wheels = false;
};

/// A moving object as a message states it.
struct Mover {
    std::uint64_t id = 0;
    bool is_vehicle = false;
    Pose pose;
    double bottom = 0, top = 0;        ///< m
    std::optional<Vec2> velocity;      ///< m/s
    std::optional<Vec2> acceleration;  ///< m/s^2
    std::optional<std::uint64_t> lane;
    std::optional<Axle> front, rear;  ///< nearest to the front and to the rear
    std::optional<std::uint64_t> trailer;
};

/// What derived numbers come from: the weakest evidence that was used.
enum class MotionEvidence : std::uint8_t { stated, velocity, position };

struct Motion {
    std::optional<Vec2> velocity;
    double speed = 0;  ///< 0 without velocity
    MotionEvidence velocity_source = MotionEvidence::stated;
    std::optional<double> acceleration;  ///< along the velocity, or along the heading in standstill
    MotionEvidence acceleration_source = MotionEvidence::stated;
    Nanoseconds acceleration_since{}, acceleration_until{};  ///< when it has this value
};

/// An object at a moment.
struct Actor {
    Mover mover;
    Motion motion;
    std::size_t slot = 0;        ///< its number: the same in all moments of a trace, ascending by first appearance
    bool continues = false;      ///< it was in the moment before, too
    std::optional<Pose> before;  ///< in the moment before, if it continues
    [[nodiscard]] Vec2 heading() const noexcept { return direction(mover.pose.yaw); }
    /// Of its middle, m ahead.
    [[nodiscard]] double half_length() const noexcept { return mover.pose.length / 2; }
};

/// A place where traffic has to stop when a light is red.
struct StopPlace {
    Vec2 middle, along;  ///< of the line; `along` is a unit vector in its direction
    double half_length = 0;
    std::uint64_t lane = 0;
    std::uint64_t light = 0;    ///< a traffic light of the lane
    bool is_stop_line = false;  ///< else the end of the lane
    bool is_red = false;        ///< now
};

struct TrafficMoment {
    Nanoseconds time{};
    std::uint64_t frame = 0;
    std::optional<Nanoseconds> before;   ///< the moment before
    std::vector<Actor> actors;           ///< each id once
    const LaneNetwork* lanes = nullptr;  ///< never null
    std::vector<StopPlace> stops;
    std::optional<std::uint64_t> host;
    bool has_no_subject = false;  ///< the host vehicle is not known yet

    /// Is it one that cut-ins and overtaking are about?
    [[nodiscard]] bool is_subject(const Actor& actor) const noexcept
    {
        return host ? *host == actor.mover.id : !has_no_subject;
    }
};

[[nodiscard]] inline double seconds(Nanoseconds time) noexcept { return std::chrono::duration<double>(time).count(); }
/// The time `part` of the way from a to b; a for a part that is no number.
[[nodiscard]] inline Nanoseconds between(Nanoseconds a, Nanoseconds b, double part) noexcept
{
    const double sane = part > 0 ? std::min(part, 1.0) : 0;
    return a + Nanoseconds(static_cast<Nanoseconds::rep>(sane * static_cast<double>((b - a).count())));
}

/// Follows the objects of a trace from moment to moment. Memory: a second of the motion of each.
class MotionTracker {
public:
    /// Where only positions are stated, motion is that of the parabola fitted to them over this time: differences of
    /// neighbouring frames amplify their noise a thousand times.
    static constexpr double position_window = 1;  // s
    /// An object that was not seen for longer has no derived motion at first.
    static constexpr double longest_step = 1;  // s

    /// Of objects with the same id the first one counts. Times ascend.
    void follow(const std::vector<Mover>& movers, TrafficMoment& moment);

private:
    struct Past {
        Nanoseconds time{};
        Pose pose;
        std::optional<Vec2> stated_velocity;
    };
    struct Track {
        std::uint64_t last_step = 0;
        std::vector<Past> past;  ///< ascending by time
    };
    static Motion motion_of(const Mover& mover, const Track& track, Nanoseconds time);
    static Motion motion_of_positions(const Mover& mover, const Track& track, Nanoseconds time);

    std::unordered_map<std::uint64_t, std::size_t> slots_;
    std::vector<Track> tracks_;
    std::uint64_t step_ = 0;
    std::optional<Nanoseconds> last_;
};

}  // namespace ositrace::traffic
