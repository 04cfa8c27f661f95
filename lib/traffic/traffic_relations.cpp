// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_relations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ositrace {

namespace {

using Side = PairRelation::Side;
using Order = PairRelation::Order;

constexpr std::size_t most_lanes_of_object = 8;

double dot_of(const GroundPoint& a, const GroundPoint& b) noexcept { return a[0] * b[0] + a[1] * b[1]; }
GroundPoint scaled(const GroundPoint& a, double by) noexcept { return {a[0] * by, a[1] * by}; }
GroundPoint heading_of(const Footprint& footprint) noexcept
{
    return {std::cos(footprint.yaw), std::sin(footprint.yaw)};
}

/// How far the rectangle reaches from its centre in a direction.
double extent(const Footprint& footprint, const GroundPoint& direction) noexcept
{
    const auto along = heading_of(footprint);
    const GroundPoint across{-along[1], along[0]};
    return std::abs(dot_of(along, direction)) * footprint.length / 2 +
           std::abs(dot_of(across, direction)) * footprint.width / 2;
}

/// Two objects on one line.
struct OnLine {
    double ahead = 0;            ///< m, from the centre of a to that of b, in the direction in which a drives
    GroundPoint path_a, path_b;  ///< direction of the line at them
};

/// From the places of two objects on a line; `is_path`: they share it.
void set_order(const Footprint& a, const Footprint& b, const OnLine& line, PairRelation& relation) noexcept
{
    const double touch = extent(a, line.path_a) + extent(b, line.path_b);
    const double clearance = std::abs(line.ahead) - touch;
    relation.order = clearance < 0 ? Order::alongside : line.ahead > 0 ? Order::ahead : Order::behind;
    if (relation.side != Side::same || relation.oncoming || relation.order == Order::alongside) return;
    const double sign = line.ahead > 0 ? 1 : -1;
    const auto difference = [&](const GroundPoint& of_a, const GroundPoint& of_b) {
        return sign * (dot_of(of_a, line.path_a) - dot_of(of_b, line.path_b));
    };
    relation.motion =
        PathMotion{.clearance = clearance,
                   .closing_speed = difference(a.velocity, b.velocity),
                   .closing_acceleration = difference(a.acceleration, b.acceleration),
                   .follower_speed = sign > 0 ? dot_of(a.velocity, line.path_a) : dot_of(b.velocity, line.path_b)};
}

}  // namespace

void TrafficRelations::begin(const TrafficFrame& frame)
{
    if (frame.map != map_) {
        map_ = frame.map;
        graph_.reset();
        if (map_ && !map_->lanes.empty()) graph_.emplace(map_);
    }
    footprints_.clear();
    spots_.clear();
    spots_end_.clear();
    neighbours_.clear();
    neighbours_end_.clear();
    for (std::size_t i = 0; i != frame.objects.size(); ++i) {
        footprints_.push_back(footprint_of(frame.objects[i]));
        if (graph_) find_spots(frame, i);
        spots_end_.push_back(spots_.size());
        neighbours_end_.push_back(neighbours_.size());
    }
}

void TrafficRelations::find_spots(const TrafficFrame& frame, std::size_t object)
{
    const auto first = spots_.size();
    for (const auto id : frame.lanes_of(frame.objects[object])) {
        if (spots_.size() - first == most_lanes_of_object) break;
        const auto lane = graph_->lane_of(id);
        if (const auto spot = lane ? graph_->spot_on(*lane, footprints_[object].centre) : std::nullopt)
            spots_.push_back(*spot);
    }
    const auto end = spots_.size();
    for (auto i = first; i != end; ++i) add_neighbours(object, spots_[i]);
}

void TrafficRelations::add_neighbours(std::size_t object, const LaneSpot& spot)
{
    const auto& footprint = footprints_[object];
    const bool forwards = dot_of(heading_of(footprint), spot.tangent) >= 0;
    for (const auto side : {Side::left, Side::right}) {
        const auto lanes =
            side == Side::left ? graph_->left_of(spot.lane, forwards) : graph_->right_of(spot.lane, forwards);
        for (const auto lane : lanes.first(std::min(lanes.size(), most_lanes_of_object)))
            if (const auto there = graph_->spot_on(lane, footprint.centre)) neighbours_.push_back({*there, side});
    }
}

std::span<const LaneSpot> TrafficRelations::spots_of(std::size_t object) const noexcept
{
    const auto first = object == 0 ? 0 : spots_end_[object - 1];
    return std::span(spots_).subspan(first, spots_end_[object] - first);
}

bool TrafficRelations::by_lane(std::size_t a, std::size_t b, PairRelation& relation)
{
    const auto theirs = spots_of(b);
    const auto heading_a = heading_of(footprints_[a]), heading_b = heading_of(footprints_[b]);
    std::optional<OnLine> nearest;
    const auto try_line = [&](const LaneSpot& spot, Side side) {
        const double forwards = dot_of(heading_a, spot.tangent) >= 0 ? 1 : -1;
        for (const auto& chained : graph_->chain_of(spot.lane))
            for (const auto& their : theirs) {
                if (their.lane != chained.lane) continue;
                const double ahead = forwards * (chained.origin + chained.direction * their.s - spot.s);
                if (nearest && std::abs(ahead) >= std::abs(nearest->ahead)) continue;
                nearest =
                    OnLine{ahead, scaled(spot.tangent, forwards), scaled(their.tangent, forwards * chained.direction)};
                relation.side = side;
            }
    };
    for (const auto& spot : spots_of(a)) try_line(spot, Side::same);
    if (!nearest) {
        const auto first = a == 0 ? 0 : neighbours_end_[a - 1];
        for (auto i = first; i != neighbours_end_[a]; ++i) try_line(neighbours_[i].spot, neighbours_[i].side);
    }
    if (!nearest) return false;
    relation.oncoming = dot_of(heading_b, nearest->path_b) < 0;
    set_order(footprints_[a], footprints_[b], *nearest, relation);
    return true;
}

PairRelation TrafficRelations::by_corridor(const Footprint& a, const Footprint& b) const noexcept
{
    PairRelation relation;
    if (auto motion = in_corridor(a, b)) {
        relation.side = Side::same;
        relation.order = Order::ahead;
        relation.motion = motion;
        return relation;
    }
    if (auto motion = in_corridor(b, a)) {
        relation.side = Side::same;
        relation.order = Order::behind;
        relation.motion = motion;
        return relation;
    }
    const auto along = direction_of(a);
    const GroundPoint across{-along[1], along[0]}, step{b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]};
    const double aside = dot_of(step, across);
    if (std::abs(aside) > neighbour_reach) return relation;
    const bool overlaps = std::abs(aside) < a.width / 2 + extent(b, across);
    relation.side = overlaps ? Side::same : aside > 0 ? Side::left : Side::right;
    relation.oncoming = dot_of(along, direction_of(b)) <= 0;
    set_order(a, b, {dot_of(step, along), along, along}, relation);
    relation.motion.reset();  // neither is in the corridor of the other
    return relation;
}

PairRelation TrafficRelations::between(std::size_t a, std::size_t b)
{
    if (!graph_ || spots_of(a).empty() || spots_of(b).empty()) return by_corridor(footprints_[a], footprints_[b]);
    PairRelation relation{.basis = PairRelation::Basis::lane};
    if (!by_lane(a, b, relation)) relation.side = Side::none;
    return relation;
}

}  // namespace ositrace
