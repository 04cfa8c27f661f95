// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <ositrace/web_page.hpp>

namespace ositrace::web_page {

namespace {

constexpr double metres_per_second = 0.01;
constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// The same angle, near the last one.
std::int64_t without_jump(std::int64_t angle, const Steps& before)
{
    constexpr std::int64_t turn = 3600;
    if (before.empty()) return angle;
    const auto turns = std::llround(static_cast<double>(before.back() - angle) / turn);
    return angle + turn * turns;
}

/// What the player draws from the track itself.
bool is_drawn_from_track(const Thing& thing, const LineMark& line)
{
    return line.look == Look::velocity && thing.velocity.has_value();
}

}  // namespace

void Track::add(std::size_t frame, const Thing& thing, const Pose& pose, float steering, Shapes shapes)
{
    frames_.push_back(static_cast<std::int64_t>(frame));
    for (std::size_t k = 0; k < 3; ++k) {
        places_[k].push_back(steps_of(pose.centre[k], page_metres));
        const double angle = static_cast<double>(thing.rotation[k]) * degrees_per_radian;
        rotation_[k].push_back(without_jump(steps_of(angle, page_degrees), rotation_[k]));
    }
    has_velocity_.push_back(thing.velocity.has_value());
    if (thing.velocity)
        for (std::size_t k = 0; k < 3; ++k) velocity_[k].push_back(steps_of((*thing.velocity)[k], metres_per_second));
    steering_.push_back(steps_of(static_cast<double>(steering) * degrees_per_radian, page_degrees));
    add_shapes(std::move(shapes));
}

void Track::add_shapes(Shapes shapes)
{
    const auto oldest = shapes_.size() - std::min(shapes_.size(), most_compared);
    for (auto place = shapes_.size(); place-- > oldest;) {
        if (!shapes_[place].resembles(shapes)) continue;
        shape_.push_back(static_cast<std::int64_t>(place));
        return;
    }
    shape_.push_back(static_cast<std::int64_t>(shapes_.size()));
    shapes_.push_back(std::move(shapes));
}

void Track::write(PageData& to) const
{
    to.number(first_.key.source);
    to.number(static_cast<std::uint64_t>(first_.key.category));
    to.text(first_.has_id ? std::to_string(first_.key.id) : std::string());
    to.number(static_cast<std::uint64_t>(first_.look));
    to.text(first_.label);
    to.text(first_.type);
    for (const float side : first_.size)
        to.number(
            static_cast<std::uint64_t>(std::max(std::int64_t{0}, steps_of(static_cast<double>(side), page_metres))));
    to.block(frames_, Order::on_a_line);
    for (const auto& column : places_) to.block(column, Order::on_a_line);
    for (const auto& column : rotation_) to.block(column, Order::on_a_line);
    to.block(has_velocity_, Order::similar);
    for (const auto& column : velocity_) to.block(column, Order::similar);
    to.block(steering_, Order::similar);
    to.block(shape_, Order::similar);
    to.number(shapes_.size());
    for (const auto& each : shapes_) each.write(to);
}

const Track* Tracks::find(const ThingKey& key) const noexcept
{
    const auto place = by_key_.find(key);
    return place == by_key_.end() ? nullptr : &tracks_[place->second];
}

void Tracks::add(std::size_t frame, const Layer& layer, const Pose& origin, const Tracks* before)
{
    struct Moment {
        Pose pose;
        Shapes shapes;
        float steering = 0;
    };
    std::vector<Moment> moments(layer.things.size());
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const auto& thing = layer.things[i];
        auto& pose = moments[i].pose;
        for (std::size_t k = 0; k < 3; ++k) pose.centre[k] = static_cast<double>(thing.centre[k]) + origin.centre[k];
        pose.rotation = rotation_of(thing.rotation);
    }
    for (const auto& box : layer.boxes) {
        if (box.thing >= moments.size()) continue;
        auto& moment = moments[box.thing];
        moment.shapes.add(box, 0, origin, moment.pose);
        if (box.steering != 0) moment.steering = box.steering;
    }
    for (const auto& line : layer.lines) {
        if (line.thing >= moments.size() || is_drawn_from_track(layer.things[line.thing], line)) continue;
        auto& moment = moments[line.thing];
        moment.shapes.add(line, 0, points_of(layer, line.first, line.count), origin, moment.pose);
    }
    for (const auto& strip : layer.strips) {
        if (strip.thing >= moments.size()) continue;
        auto& moment = moments[strip.thing];
        moment.shapes.add(strip, 0, points_of(layer, strip.first, strip.count), origin, moment.pose);
    }
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const auto& thing = layer.things[i];
        const auto [place, is_new] = by_key_.try_emplace(thing.key, tracks_.size());
        if (is_new) tracks_.emplace_back(thing);
        auto& moment = moments[i];
        if (const auto* const known = before == nullptr ? nullptr : before->find(thing.key))
            if (known->last_shapes().resembles(moment.shapes)) moment.shapes = known->last_shapes();
        tracks_[place->second].add(frame, thing, moment.pose, moment.steering, std::move(moment.shapes));
    }
}

void Tracks::write(PageData& to) const
{
    to.number(tracks_.size());
    for (const auto& track : tracks_) track.write(to);
}

}  // namespace ositrace::web_page
