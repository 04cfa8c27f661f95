// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/world.hpp"

#include <algorithm>
#include <cmath>

#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

namespace {

constexpr double vehicle_gap = 25.0;  // m from centre to centre; the longest vehicle is 12 m long
constexpr double smallest_radius = 80.0;
constexpr unsigned slots_per_dozen = 3;  // used in each lane by the twelve kinds

// The random numbers of each road user, from uniform().
enum Draw : std::uint64_t { along_phase, across_phase, along_rate, across_rate, tint };

constexpr std::size_t place_of(Track track) noexcept { return static_cast<std::size_t>(track); }

/// Offset from the reference line, mean speed (negative: clockwise) and the swings, in metres.
struct TrackRow {
    double t, speed, along, across;
};
constexpr std::array<TrackRow, 7> tracks{{
    {1.75, -10.5, 2.0, 0.15},  // oncoming_lane
    {-1.75, 11.0, 2.0, 0.15},  // left_lane
    {-5.25, 11.0, 2.0, 0.15},  // right_lane
    {-3.50, 11.0, 1.0, 1.75},  // both_lanes
    {-7.75, 4.5, 1.0, 0.15},   // bicycle_lane
    {-9.25, 1.4, 0.5, 0.10},   // sidewalk; every second one walks the other way on the far side
    {-12.50, 0.8, 0.3, 0.25},  // verge
}};

/// Along: a sine.
Course sway(const Swing& swing, double t) noexcept
{
    const auto [s, c] = sine_cosine(swing.rate * t + swing.phase);
    return {swing.amplitude * s, swing.amplitude * swing.rate * c, -swing.amplitude * swing.rate * swing.rate * s};
}

/// Across: (9 sin x + sin 3x) / 8 stays near its extremes for a while, as a car stays in its lane.
Course change_sides(const Swing& swing, double t) noexcept
{
    const double x = swing.rate * t + swing.phase;
    const auto one = sine_cosine(x);
    const auto three = sine_cosine(3 * x);
    return {swing.amplitude * (9 * one.sine + three.sine) / 8,
            swing.amplitude * swing.rate * (9 * one.cosine + 3 * three.cosine) / 8,
            -swing.amplitude * swing.rate * swing.rate * (9 * one.sine + 9 * three.sine) / 8};
}

double lean(const RoadUserRow& row, double speed, double radius) noexcept
{
    constexpr double gravity = 9.81;
    return row.wheels == 2 ? -arctangent(speed * speed, gravity * radius) : 0;
}

Colour tinted(Colour colour, double by) noexcept
{
    const double k = 0.8 + 0.2 * by;
    return {k * colour.red, k * colour.green, k * colour.blue};
}

}  // namespace

double Traffic::radius_for(std::uint32_t moving_objects) noexcept
{
    const auto dozens = std::ceil(moving_objects / static_cast<double>(road_user_rows().size()));
    return std::max(smallest_radius, (slots_per_dozen * dozens + 2) * vehicle_gap / (2 * pi));
}

Traffic::Traffic(const RingRoad& road, std::uint32_t moving_objects, std::uint64_t seed)
    : slot_angle_(2 * pi / std::floor(road.length() / vehicle_gap))
{
    users_.reserve(moving_objects + std::size_t{1});
    add(road, host_row(), seed);
    const auto rows = road_user_rows();
    for (std::uint32_t i = 0; i < moving_objects; ++i) add(road, rows[i % rows.size()], seed);
}

void Traffic::add(const RingRoad& road, const RoadUserRow& row, std::uint64_t seed)
{
    const auto number = users_.size();
    const auto drawn = [&](Draw what) { return uniform(seed, what, number); };
    auto track = tracks[place_of(row.track)];
    const bool other_way = row.track == Track::sidewalk && next_slot_[place_of(row.track)] % 2 == 1;
    if (other_way) {
        track.t -= 1.1;
        track.speed = -track.speed;
    }
    RoadUser user;
    user.id = SceneIds::host + number;
    user.row = &row;
    user.angle = next_angle(row.track) - pi / 2;
    user.angular_speed = track.speed / road.radius();
    user.distance = road.radius() - track.t;
    user.along = {track.along / user.distance, 0.3 + 0.3 * drawn(along_rate), 2 * pi * drawn(along_phase)};
    user.across = {track.across, 0.35 + 0.1 * drawn(across_rate), 2 * pi * drawn(across_phase)};
    user.roll = lean(row, track.speed, user.distance);
    user.colour = tinted(row.colour, drawn(tint));
    users_.push_back(user);
}

// Vehicles of a lane use slots ahead of the host; a vehicle that changes lanes uses a slot in both.
double Traffic::next_angle(Track track) noexcept
{
    auto& slot = next_slot_[place_of(track)];
    auto& left = next_slot_[place_of(Track::left_lane)];
    auto& right = next_slot_[place_of(Track::right_lane)];
    switch (track) {
    case Track::left_lane: break;
    case Track::right_lane:
    case Track::oncoming_lane: slot = std::max(slot, 1u); break;
    case Track::both_lanes:
        slot = std::max(left, right);
        left = right = slot + 1;
        return slot * slot_angle_;
    default: return (0.4 + 0.6 * slot++) * slot_angle_;
    }
    return slot++ * slot_angle_;
}

RoadUserState Traffic::state(const RoadUser& user, double seconds) noexcept
{
    const auto swing = sway(user.along, seconds);
    const Course angle{user.angle + user.angular_speed * seconds + swing.value, user.angular_speed + swing.first,
                       swing.second};
    const auto side = change_sides(user.across, seconds);
    const Course distance{user.distance + side.value, side.first, side.second};

    const auto [sin, cos] = sine_cosine(angle.value);
    const Vector out{cos, sin, 0};
    const Vector round{-sin, cos, 0};
    const auto& size = user.row->dimension;
    const double half_height = (size.z * cosine(user.roll) + size.y * std::abs(sine(user.roll))) / 2;

    RoadUserState state;
    auto& body = state.body;
    body.id = user.id;
    body.dimension = size;
    body.reflectivity = user.row->reflectivity;
    body.position = distance.value * out + Vector{0, 0, half_height};
    body.velocity = distance.first * out + (distance.value * angle.first) * round;
    state.acceleration = (distance.second - distance.value * angle.first * angle.first) * out +
                         (distance.value * angle.second + 2 * distance.first * angle.first) * round;
    const auto& v = body.velocity;
    const auto& a = state.acceleration;
    state.speed = v.length();
    body.orientation = {user.roll, 0, arctangent(v.y, v.x)};
    body.yaw_rate = (v.x * a.y - v.y * a.x) / dot(v, v);
    state.along_acceleration = dot(v, a) / state.speed;
    state.left_speed = angle.first > 0 ? -distance.first : distance.first;
    return state;
}

}  // namespace ositrace::scene
