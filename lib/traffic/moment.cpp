// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/moment.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace ositrace::traffic {

namespace {

constexpr double moves = 0.1;  // m/s: the direction of a slower velocity is noise

Vec2 direction_of_motion(Vec2 velocity, const Mover& mover) noexcept
{
    const double speed = norm(velocity);
    return speed > moves ? (1 / speed) * velocity : direction(mover.pose.yaw);
}

/// Least squares of a + b t + c t^2, for x and y at once.
class ParabolaFit {
public:
    void add(double t, Vec2 at) noexcept
    {
        double power = 1;
        for (std::size_t i = 0; i != sums_.size(); ++i, power *= t) {
            sums_[i] += power;
            if (i < moments_.size()) moments_[i] = moments_[i] + power * at;
        }
        ++count_;
    }
    /// b and c; empty where the places do not determine them. Cramer's rule.
    [[nodiscard]] std::optional<std::array<Vec2, 2>> solve() const noexcept
    {
        const auto& [s0, s1, s2, s3, s4] = sums_;
        const double d = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s2 * s3) + s2 * (s1 * s3 - s2 * s2);
        if (count_ < least || !(d > 0)) return std::nullopt;
        const auto& [m0, m1, m2] = moments_;
        const auto b = (s2 * s3 - s1 * s4) * m0 + (s0 * s4 - s2 * s2) * m1 + (s1 * s2 - s0 * s3) * m2;
        const auto c = (s1 * s3 - s2 * s2) * m0 + (s1 * s2 - s0 * s3) * m1 + (s0 * s2 - s1 * s1) * m2;
        return std::array{(1 / d) * b, (1 / d) * c};
    }

private:
    static constexpr std::size_t least = 4;  // three places always lie on a parabola
    std::array<double, 5> sums_{};
    std::array<Vec2, 3> moments_{};
    std::size_t count_ = 0;
};

}  // namespace

Motion MotionTracker::motion_of(const Mover& mover, const Track& track, Nanoseconds time)
{
    if (!mover.velocity) return motion_of_positions(mover, track, time);
    Motion motion;
    motion.velocity = mover.velocity;
    motion.speed = norm(*motion.velocity);
    motion.acceleration_since = motion.acceleration_until = time;
    const auto along = direction_of_motion(*motion.velocity, mover);
    if (mover.acceleration) {
        motion.acceleration = dot(*mover.acceleration, along);
        return motion;
    }
    motion.acceleration_source = MotionEvidence::velocity;
    if (track.past.empty() || !track.past.back().stated_velocity) return motion;
    const auto& past = track.past.back();
    const double step = seconds(time - past.time);
    if (!(step > 0) || step > longest_step) return motion;
    motion.acceleration = dot(*motion.velocity - *past.stated_velocity, along) / step;
    motion.acceleration_since = past.time;
    return motion;
}

Motion MotionTracker::motion_of_positions(const Mover& mover, const Track& track, Nanoseconds time)
{
    Motion motion;
    motion.velocity_source = motion.acceleration_source = MotionEvidence::position;
    // Times from the middle of the window, places from the last one: small numbers.
    const double middle = -position_window / 2;
    ParabolaFit fit;
    const Past* first = nullptr;
    for (const auto& past : track.past) {
        const double t = seconds(past.time - time);
        if (t < -position_window - 1e-6) continue;
        if (first == nullptr) first = &past;
        fit.add(t - middle, past.pose.centre - mover.pose.centre);
    }
    if (first == nullptr) return motion;
    fit.add(-middle, Vec2());
    const double span = seconds(time - first->time);
    const auto found = span > position_window / 2 ? fit.solve() : std::nullopt;
    if (!found) {
        motion.velocity = (1 / span) * (mover.pose.centre - first->pose.centre);
        motion.speed = norm(*motion.velocity);
        return motion;
    }
    const auto& [b, c] = *found;
    motion.velocity = b - 2 * middle * c;
    motion.speed = norm(*motion.velocity);
    motion.acceleration = mover.acceleration ? dot(*mover.acceleration, direction_of_motion(*motion.velocity, mover))
                                             : 2 * dot(c, direction_of_motion(b, mover));
    if (mover.acceleration) motion.acceleration_source = MotionEvidence::stated;
    motion.acceleration_since = motion.acceleration_until =
        mover.acceleration ? time : traffic::between(first->time, time, 0.5);
    return motion;
}

void MotionTracker::follow(const std::vector<Mover>& movers, TrafficMoment& moment)
{
    ++step_;
    moment.before = std::exchange(last_, moment.time);
    moment.actors.clear();
    for (const auto& mover : movers) {
        const auto slot = slots_.try_emplace(mover.id, tracks_.size()).first->second;
        if (slot == tracks_.size()) tracks_.emplace_back();
        auto& track = tracks_[slot];
        if (track.last_step == step_) continue;
        const bool continues = step_ > 1 && track.last_step + 1 == step_;
        if (!continues) track.past.clear();
        track.last_step = step_;
        const auto motion = motion_of(mover, track, moment.time);
        moment.actors.push_back({.mover = mover,
                                 .motion = motion,
                                 .slot = slot,
                                 .continues = continues,
                                 .before = continues ? std::optional(track.past.back().pose) : std::nullopt});
        const auto is_old = [&](const Past& past) { return seconds(moment.time - past.time) > position_window + 1e-6; };
        const auto first_kept = std::ranges::find_if_not(track.past, is_old);
        // Erased in bulk, so that a moment costs constant time.
        if (first_kept - track.past.begin() > std::ssize(track.past) / 2)
            track.past.erase(track.past.begin(), first_kept);
        track.past.push_back({moment.time, mover.pose, mover.velocity});
    }
}

}  // namespace ositrace::traffic
