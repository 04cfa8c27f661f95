// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ositrace::traffic {

namespace {

/// After a longer time a velocity leads nowhere.
constexpr double longest_lead = 1;  // s

double seconds_of(Nanoseconds time) noexcept { return std::chrono::duration<double>(time).count(); }

/// How far `now` is from where the velocities lead from `before`; empty where no velocity is stated.
std::optional<double> jump_of(const TrafficObject& before, const TrafficObject& now, double step) noexcept
{
    if (before.velocity_source != MotionSource::stated || !(step > 0) || step > longest_lead) return std::nullopt;
    const bool has_both = now.velocity_source == MotionSource::stated;
    double square = 0;
    for (std::size_t i = 0; i != 2; ++i) {
        const double velocity = has_both ? (before.velocity[i] + now.velocity[i]) / 2 : before.velocity[i];
        const double off = now.position[i] - before.position[i] - velocity * step;
        square += off * off;
    }
    return std::sqrt(square);
}

bool same_size(const TrafficObject& a, const TrafficObject& b, double tolerance) noexcept
{
    return std::abs(a.length - b.length) <= tolerance && std::abs(a.width - b.width) <= tolerance &&
           std::abs(a.height - b.height) <= tolerance;
}

}  // namespace

void QualityCounter::add(const TrafficFrame& frame)
{
    without_position_ += frame.left_out;
    if (!frame.time) return;
    ++frame_;
    time_ = *frame.time;
    appeared_.clear();
    for (const auto& object : frame.objects)
        if (object.has_id) add(object, frame);
    find_successors();
    present_.clear();
    for (const auto& object : frame.objects)
        if (object.has_id) present_.push_back(object.id);
}

void QualityCounter::add(const TrafficObject& object, const TrafficFrame& frame)
{
    const auto [at, is_new] = states_.try_emplace(object.id);
    auto& state = at->second;
    auto& quality = state.quality;
    if (!is_new && state.frame == frame_) {
        ++quality.duplicates;
        return;
    }
    if (is_new) {
        quality.id = object.id;
        quality.first = time_;
        state.first_frame = frame_;
        appeared_.push_back(object.id);
    } else {
        follow(state, object, time_);
    }
    if (quality.name.empty()) quality.name = object.name;
    if (quality.type == 0) quality.type = object.type;
    quality.last = time_;
    ++quality.frames;
    quality.without_type += object.type == 0 ? 1 : 0;
    quality.without_size += object.has_size ? 0 : 1;
    quality.without_velocity += object.velocity_source == MotionSource::stated ? 0 : 1;
    quality.without_acceleration += object.acceleration_source == MotionSource::stated ? 0 : 1;
    quality.without_lane += frame.lanes_of(object).empty() ? 1 : 0;
    state.object = object;
    state.frame = frame_;
}

void QualityCounter::follow(State& state, const TrafficObject& object, Nanoseconds time) const
{
    auto& quality = state.quality;
    const auto& before = state.object;
    if (state.frame + 1 != frame_) ++quality.gaps;
    quality.type_changes += object.type != before.type ? 1 : 0;
    quality.size_changes += object.has_size && before.has_size && !same_size(object, before, options_.size) ? 1 : 0;
    const auto jump = jump_of(before, object, seconds_of(time - quality.last));
    if (!jump) return;
    if (!quality.greatest_jump || *jump > *quality.greatest_jump) {
        quality.greatest_jump = jump;
        quality.greatest_jump_time = time;
    }
    quality.jumps += *jump > options_.jump ? 1 : 0;
}

/// An object that is gone, and one that is new where it would be: the same under another id. Each counts once.
void QualityCounter::find_successors()
{
    std::size_t budget = 1'000'000;  // pairs: in a frame that replaces all of very many objects none is found
    for (const auto id : present_) {
        auto& gone = states_.find(id)->second;
        if (gone.frame == frame_ || gone.quality.becomes || appeared_.empty()) continue;
        for (auto& candidate : appeared_) {
            if (budget == 0) return;
            --budget;
            const auto& state = states_.find(candidate)->second;
            const auto jump = jump_of(gone.object, state.object, seconds_of(time_ - gone.quality.last));
            if (!jump || *jump > options_.jump || state.object.type != gone.object.type ||
                !same_size(state.object, gone.object, options_.size))
                continue;
            gone.quality.becomes = candidate;
            candidate = appeared_.back();
            appeared_.pop_back();
            break;
        }
    }
}

std::vector<ObjectQuality> QualityCounter::rows() const
{
    std::vector<ObjectQuality> rows;
    rows.reserve(states_.size());
    for (const auto& [id, state] : states_) {
        auto& row = rows.emplace_back(state.quality);
        row.frames_of_channel = state.frame - state.first_frame + 1;
    }
    std::ranges::sort(rows, {}, &ObjectQuality::id);
    return rows;
}

}  // namespace ositrace::traffic
