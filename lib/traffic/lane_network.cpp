// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/lane_network.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ositrace::traffic {

namespace {

/// So many lanes of a chain are visited: a hostile network could chain all lanes with all.
constexpr std::size_t most_chained = 64;

bool contains(const std::vector<std::uint64_t>& ids, std::uint64_t id) noexcept
{
    return std::ranges::find(ids, id) != ids.end();
}

void add_once(std::vector<std::uint64_t>& ids, std::uint64_t id)
{
    if (!contains(ids, id)) ids.push_back(id);
}

Vec2 in_plane(const TrafficPoint& point) noexcept { return {point[0], point[1]}; }

std::vector<NetworkLane> network_lanes(const TrafficMap& map)
{
    std::vector<NetworkLane> lanes;
    lanes.reserve(map.lanes.size());
    for (const auto& from : map.lanes) {
        auto& lane = lanes.emplace_back();
        lane.id = from.id;
        lane.left = from.left_lanes;
        lane.right = from.right_lanes;
        lane.left_markings = from.left_boundaries;
        lane.right_markings = from.right_boundaries;
        lane.along_centre_line = from.driven_forwards;
        for (const auto& pairing : from.pairings) {
            if (pairing.antecessor) lane.before.push_back(*pairing.antecessor);
            if (pairing.successor) lane.after.push_back(*pairing.successor);
        }
        for (const auto& point : from.centre) lane.centre_line.push_back(in_plane(point));
    }
    return lanes;
}

std::vector<Marking> network_markings(const TrafficMap& map)
{
    std::vector<Marking> markings;
    markings.reserve(map.boundaries.size());
    for (const auto& from : map.boundaries) {
        auto& marking = markings.emplace_back();
        marking.id = from.id;
        for (std::size_t i = 0; i != from.points.size(); ++i)
            marking.points.push_back({in_plane(from.points[i]), from.widths[i] / 2});
    }
    return markings;
}

/// The foot of a place on a line.
struct MarkingFoot {
    double square = std::numeric_limits<double>::infinity();
    double left = 0;
    double half_width = 0;
    Vec2 along;
    bool beside = false;  ///< the place is not before the first or after the last point
};

std::vector<Marking::Segment> segments_of(const std::vector<Marking::Point>& points)
{
    std::vector<Marking::Segment> segments;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto edge = points[i + 1].at - points[i].at;
        segments.push_back({edge, {edge.x / dot(edge, edge), edge.y / dot(edge, edge)}});
    }
    return segments;
}

/// Segments in a leaf of the tree of boxes.
constexpr std::size_t leaf_length = 4;

/// What is not a number is in no box.
void extend(Marking::Box& box, Vec2 least, Vec2 most) noexcept
{
    box.least = {std::fmin(box.least.x, least.x), std::fmin(box.least.y, least.y)};
    box.most = {std::fmax(box.most.x, most.x), std::fmax(box.most.y, most.y)};
}

std::vector<Marking::Box> boxes_of(const std::vector<Marking::Point>& points)
{
    if (points.size() < 2) return {};
    constexpr double far = std::numeric_limits<double>::infinity();
    const auto leaves = std::bit_ceil((points.size() - 2) / leaf_length + 1);
    std::vector<Marking::Box> boxes(2 * leaves, {{far, far}, {-far, -far}});
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        for (const auto at : {points[i].at, points[i + 1].at}) extend(boxes[leaves + i / leaf_length], at, at);
    for (auto i = leaves - 1; i != 0; --i)
        for (const auto half : {2 * i, 2 * i + 1}) extend(boxes[i], boxes[half].least, boxes[half].most);
    return boxes;
}

double square_to_box(const Marking::Box& box, Vec2 place) noexcept
{
    const Vec2 off{std::max({box.least.x - place.x, place.x - box.most.x, 0.0}),
                   std::max({box.least.y - place.y, place.y - box.most.y, 0.0})};
    return dot(off, off);
}

/// Finds the segment of a marking that is nearest to a place, the first of those that are equally near.
struct NearestSegment {
    const Marking& marking;
    Vec2 place;
    double square = std::numeric_limits<double>::infinity();
    std::size_t segment = marking.segments.size();

    void visit(std::size_t box) noexcept
    {
        if (box >= marking.boxes.size() / 2) return visit_leaf(box - marking.boxes.size() / 2);
        const std::array halves{2 * box, 2 * box + 1};
        const std::array squares{square_to_box(marking.boxes[halves[0]], place),
                                 square_to_box(marking.boxes[halves[1]], place)};
        const std::size_t near = squares[1] < squares[0] ? 1 : 0;
        for (const auto half : {near, 1 - near})
            if (squares[half] <= square) visit(halves[half]);
    }

private:
    void visit_leaf(std::size_t leaf) noexcept
    {
        const auto first = leaf * leaf_length, last = std::min(first + leaf_length, marking.segments.size());
        for (auto i = first; i < last; ++i) {
            const auto& [edge, per_square] = marking.segments[i];
            const auto to = place - marking.points[i].at;
            const auto off = to - std::clamp(dot(to, per_square), 0.0, 1.0) * edge;
            const double distance = dot(off, off);
            if (!(distance < square || (distance == square && i < segment))) continue;
            square = distance;
            segment = i;
        }
    }
};

MarkingFoot foot_on_marking(const Marking& marking, Vec2 place, Vec2 heading) noexcept
{
    const auto& points = marking.points;
    if (points.size() < 2) return {};
    NearestSegment nearest{marking, place};
    nearest.visit(1);
    const auto at = nearest.segment;
    if (at == marking.segments.size()) return {};
    const auto& [edge, per_square] = marking.segments[at];
    const auto to = place - points[at].at;
    const double raw = dot(to, per_square), part = std::clamp(raw, 0.0, 1.0);
    const double sign = dot(edge, heading) < 0 ? -1 : 1;
    const bool before = at == 0 && raw < 0, after = at + 2 == points.size() && raw > 1;
    return {nearest.square, std::copysign(std::sqrt(nearest.square), sign * cross(edge, to)),
            points[at].half_width + part * (points[at + 1].half_width - points[at].half_width),
            (sign / std::sqrt(dot(edge, edge))) * edge, !before && !after};
}

}  // namespace

LaneNetwork::LaneNetwork(std::vector<NetworkLane> lanes, std::vector<Marking> markings)
    : lanes_(std::move(lanes)), markings_(std::move(markings))
{
    for (auto& marking : markings_) {
        marking.segments = segments_of(marking.points);
        marking.boxes = boxes_of(marking.points);
    }
    for (std::size_t i = 0; i != markings_.size(); ++i) marking_at_.try_emplace(markings_[i].id, i);
    for (std::size_t i = 0; i != lanes_.size(); ++i) lane_at_.try_emplace(lanes_[i].id, i);
    // Writers state a pairing or an adjacency at one of the two lanes only.
    const auto count = lanes_.size();
    for (std::size_t i = 0; i != count; ++i) {
        const auto id = lanes_[i].id;
        const auto link = [&](const std::vector<std::uint64_t>& others,
                              std::vector<std::uint64_t> NetworkLane::* list) {
            for (const auto other : std::vector(others))
                if (const auto found = lane_at_.find(other); found != lane_at_.end() && other != id)
                    if (auto& ids = lanes_[found->second].*list; ids.size() < most_chained) add_once(ids, id);
        };
        link(lanes_[i].before, &NetworkLane::after);
        link(lanes_[i].after, &NetworkLane::before);
    }
}

LaneNetwork::LaneNetwork(const TrafficMap& map) : LaneNetwork(network_lanes(map), network_markings(map)) {}

const NetworkLane* LaneNetwork::find(std::uint64_t id) const noexcept
{
    const auto found = lane_at_.find(id);
    return found == lane_at_.end() ? nullptr : &lanes_[found->second];
}

std::vector<std::uint64_t> LaneNetwork::walk(std::uint64_t lane, bool forwards) const
{
    std::vector<std::uint64_t> reached{lane};
    std::size_t from = 0;
    for (int step = 0; step != chain_steps; ++step) {
        const auto until = reached.size();
        for (; from != until; ++from) {
            const auto* const known = find(reached[from]);
            if (known == nullptr) continue;
            for (const auto next : forwards ? known->after : known->before)
                if (reached.size() < most_chained && find(next) != nullptr) add_once(reached, next);
        }
    }
    return reached;
}

std::vector<std::uint64_t> LaneNetwork::chain(std::uint64_t lane) const
{
    auto lanes = walk(lane, true);
    for (const auto before : walk(lane, false)) add_once(lanes, before);
    return lanes;
}

bool LaneNetwork::is_chained(std::uint64_t lane, std::uint64_t other) const
{
    return lane == other || contains(chain(lane), other);
}

std::optional<LaneSide> LaneNetwork::side_of(std::uint64_t lane, std::uint64_t other) const
{
    for (const auto side : {LaneSide::left, LaneSide::right})
        if (contains(neighbours(lane, side), other)) return side;
    return std::nullopt;
}

std::vector<std::uint64_t> LaneNetwork::neighbours(std::uint64_t lane, LaneSide side) const
{
    std::vector<std::uint64_t> ids;
    for (const auto id : chain(lane))
        if (const auto* const known = find(id))
            for (const auto other : side == LaneSide::left ? known->left : known->right) add_once(ids, other);
    return ids;
}

std::optional<LaneNetwork::Offset> LaneNetwork::offset(std::uint64_t lane, LaneSide side, Vec2 place,
                                                       Vec2 heading) const
{
    MarkingFoot best;
    const auto visit = [&](const NetworkLane& known) {
        for (const auto id : side == LaneSide::left ? known.left_markings : known.right_markings)
            if (const auto found = marking_at_.find(id); found != marking_at_.end()) {
                const auto foot = foot_on_marking(markings_[found->second], place, heading);
                if (foot.beside && foot.square < best.square) best = foot;
            }
    };
    const auto* const known = find(lane);
    if (known == nullptr) return std::nullopt;
    visit(*known);
    if (!best.beside)
        for (const auto id : chain(lane))
            if (const auto* const other = find(id); other != known) visit(*other);
    if (!best.beside) return std::nullopt;
    return Offset{best.left, best.half_width, best.along};
}

}  // namespace ositrace::traffic
