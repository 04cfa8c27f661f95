// SPDX-License-Identifier: MPL-2.0
#include <ositrace/picture_between.hpp>

#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "lib/picture/placement.hpp"

namespace ositrace {

namespace {

using picture::Orientation;
using picture::Rotation;
using picture::Vector;

constexpr double farthest_move = 50;  // m: farther, it is another object with the same id

Vector vector_of(const Point& point) noexcept
{
    return {static_cast<double>(point[0]), static_cast<double>(point[1]), static_cast<double>(point[2])};
}

Orientation orientation_in(const std::array<float, 3>& angles) noexcept
{
    return {static_cast<double>(angles[0]), static_cast<double>(angles[1]), static_cast<double>(angles[2])};
}

double angle_between(double from, double to, double share) noexcept
{
    return from + share * std::remainder(to - from, 2 * std::numbers::pi);
}

/// Moves what is fixed to a thing.
class Motion {
public:
    /// `to` is that of another picture, whose origin is at `shift` in this one.
    Motion(const Thing& from, const Thing& to, Vector shift, double share)
        : begin_(vector_of(from.centre)), end_(begin_ + share * (vector_of(to.centre) + shift - begin_))
    {
        const auto a = orientation_in(from.rotation), b = orientation_in(to.rotation);
        const Rotation between({angle_between(a.roll, b.roll, share), angle_between(a.pitch, b.pitch, share),
                                angle_between(a.yaw, b.yaw, share)});
        turn_ = between.after(Rotation(a).inverse());
    }
    void move(Point& point) const { point = picture::to_point(end_ + turn_.to_parent(vector_of(point) - begin_)); }
    void turn(std::array<float, 3>& angles) const
    {
        angles = picture::to_angles(orientation_of(turn_.after(Rotation(orientation_in(angles)))));
    }

private:
    Vector begin_, end_;
    Rotation turn_;
};

/// The way of a thing between two pictures; empty: it stays.
std::optional<Motion> motion_of(const Thing& from, const Thing* to, Vector shift, double share)
{
    if (to == nullptr || !from.has_id) return std::nullopt;
    const double metres = (vector_of(to->centre) + shift - vector_of(from.centre)).length();
    if (!(metres <= farthest_move)) return std::nullopt;
    return Motion(from, *to, shift, share);
}

using ThingsByKey = std::map<ThingKey, const Thing*>;

ThingsByKey road_users_of(const Picture& picture)
{
    ThingsByKey things;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (is_road_user(thing.key.category)) things.emplace(thing.key, &thing);
    return things;
}

const Thing* find_in(const ThingsByKey& things, const ThingKey& key)
{
    const auto found = things.find(key);
    return found == things.end() ? nullptr : found->second;
}

/// Where something was, and where it plans to be, does not move with it.
bool is_fixed(const LineMark& line) noexcept { return !line.arrow || line.look == Look::trajectory; }
bool is_fixed(const StripMark& /*strip*/) noexcept { return false; }

/// Each point once, however many marks share it.
template <class Mark>
void move_points(const std::vector<Mark>& marks, const std::vector<std::optional<Motion>>& motions, Layer& layer,
                 std::vector<bool>& is_moved)
{
    for (const auto& mark : marks) {
        const bool is_on_road = is_road_user(layer.things[mark.thing].key.category);
        if (!motions[mark.thing] || (is_on_road && is_fixed(mark))) continue;
        for (std::size_t i = mark.first; i != std::size_t{mark.first} + mark.count; ++i) {
            if (is_moved[i]) continue;
            motions[mark.thing]->move(layer.points[i]);
            is_moved[i] = true;
        }
    }
}

/// The layer if nothing in it moves.
std::shared_ptr<const Layer> moved(const std::shared_ptr<const Layer>& layer, const ThingsByKey& later, Vector shift,
                                   double share, const std::optional<Motion>& of_host)
{
    std::vector<std::optional<Motion>> motions;
    bool any = false;
    for (const auto& thing : layer->things) {
        if (is_road_user(thing.key.category))
            motions.push_back(motion_of(thing, find_in(later, thing.key), shift, share));
        else
            motions.push_back(thing.key.category == Category::field_of_view ? of_host : std::nullopt);
        any = any || motions.back();
    }
    if (!any) return layer;
    auto copy = std::make_shared<Layer>(*layer);
    for (std::size_t i = 0; i != copy->things.size(); ++i) {
        if (!motions[i]) continue;
        motions[i]->move(copy->things[i].centre);
        motions[i]->turn(copy->things[i].rotation);
    }
    for (auto& box : copy->boxes) {
        if (!motions[box.thing]) continue;
        motions[box.thing]->move(box.centre);
        motions[box.thing]->turn(box.rotation);
    }
    std::vector<bool> is_moved(copy->points.size());
    move_points(layer->lines, motions, *copy, is_moved);
    move_points(layer->strips, motions, *copy, is_moved);
    return copy;
}

}  // namespace

std::shared_ptr<const Picture> picture_between(const Picture& from, const Picture& to, double share)
{
    const Vector shift{to.origin[0] - from.origin[0], to.origin[1] - from.origin[1], to.origin[2] - from.origin[2]};
    const auto later = road_users_of(to);
    auto between = std::make_shared<Picture>(from);
    std::optional<Motion> of_host;
    if (from.host && to.host && from.host->key == to.host->key)
        of_host = motion_of(*from.host, &*to.host, shift, share);
    if (of_host) {
        of_host->move(between->host->centre);
        of_host->turn(between->host->rotation);
        for (auto& axes : between->axes) {
            of_host->move(axes.centre);
            of_host->turn(axes.rotation);
        }
    }
    for (auto& layer : between->layers)
        if (!layer->is_static) layer = moved(layer, later, shift, share, of_host);
    between->notes.push_back({0, PictureNote::Kind::information, "motion between messages is interpolated"});
    return between;
}

}  // namespace ositrace
