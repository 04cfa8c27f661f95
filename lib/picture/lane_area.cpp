// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/lane_area.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "lib/picture/polygon.hpp"

namespace ositrace::picture {

namespace {

using Polyline = std::vector<Point>;
using Way = std::array<double, 3>;

Way way_between(const Point& from, const Point& to) noexcept
{
    return {static_cast<double>(to[0]) - static_cast<double>(from[0]),
            static_cast<double>(to[1]) - static_cast<double>(from[1]),
            static_cast<double>(to[2]) - static_cast<double>(from[2])};
}

double product(const Way& a, const Way& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double square_between(const Point& a, const Point& b) noexcept
{
    const auto way = way_between(a, b);
    return product(way, way);
}

bool has_two_points(const LaneEdge& edge) noexcept { return edge.line.size() >= 2; }

/// The place of a line that is nearest to a point.
struct Foot {
    std::size_t segment = 0;
    double share = 0;                                         ///< of the segment
    double square = std::numeric_limits<double>::infinity();  ///< of the distance

    [[nodiscard]] Point on(Line line) const noexcept
    {
        Point place = line[segment];
        const auto way = way_between(line[segment], line[segment + 1]);
        for (std::size_t i = 0; i < 3; ++i)
            place[i] = static_cast<float>(static_cast<double>(place[i]) + share * way[i]);
        return place;
    }
};

/// Which of several equally near places is meant: a closed line begins where it ends.
enum class Among : bool { first, last };

Foot foot_on(Line line, const Point& point, Among among, std::size_t& cost)
{
    Foot nearest;
    cost += line.size();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const auto along = way_between(line[i], line[i + 1]), to = way_between(line[i], point);
        const double square = product(along, along);
        const double share = square > 0 ? std::clamp(product(along, to) / square, 0.0, 1.0) : 0;
        const Way rest{to[0] - share * along[0], to[1] - share * along[1], to[2] - share * along[2]};
        const double distance = product(rest, rest);
        if (distance < nearest.square || (among == Among::last && distance <= nearest.square))
            nearest = {i, share, distance};
    }
    return nearest;
}

/// A line with the distance of each of its points from its begin.
struct MeasuredLine {
    explicit MeasuredLine(Line points) : line(points)
    {
        metres.reserve(line.size());
        double sum = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i > 0) sum += std::sqrt(square_between(line[i - 1], line[i]));
            metres.push_back(sum);
        }
    }
    [[nodiscard]] double at(const Foot& foot) const noexcept
    {
        return metres[foot.segment] + foot.share * (metres[foot.segment + 1] - metres[foot.segment]);
    }

    Line line;
    std::vector<double> metres;
};

/// Consecutive boundaries of one side, in the direction of the lane.
struct Chain {
    Polyline line;
    double gap = 0;           ///< m, see LaneEdge
    double from = 0, to = 0;  ///< metres along the lane
};

/// What the boundaries are ordered along: the centre line, else the longest boundary.
MeasuredLine reference_of(const LaneSides& sides)
{
    if (sides.centre.size() >= 2) return MeasuredLine(sides.centre);
    std::optional<MeasuredLine> longest;
    for (const auto* const side : {&sides.left, &sides.right}) {
        for (const auto& edge : *side) {
            if (!has_two_points(edge)) continue;
            MeasuredLine measured(edge.line);
            if (!longest || measured.metres.back() > longest->metres.back()) longest = std::move(measured);
        }
    }
    return *longest;
}

/// A boundary in the direction of the lane; `from` is the place of its middle.
Chain along_lane(const LaneEdge& edge, const MeasuredLine& lane, std::size_t& cost)
{
    const auto& boundary = edge.line;
    const auto middle = boundary.size() / 2;
    const auto foot = foot_on(lane.line, boundary[middle], Among::first, cost);
    const auto own = way_between(boundary[middle - 1], boundary[middle]),
               reference = way_between(lane.line[foot.segment], lane.line[foot.segment + 1]);
    Polyline line(boundary.begin(), boundary.end());
    if (product(own, reference) < 0) std::ranges::reverse(line);
    return {.line = std::move(line), .gap = edge.gap, .from = lane.at(foot)};
}

/// Is it the next boundary of the same side?
bool goes_on(const Chain& chain, const Chain& next)
{
    constexpr double joint = 1;  // m between consecutive boundaries; more is a gap
    const double farthest = joint + std::max(chain.gap, next.gap);
    return square_between(chain.line.back(), next.line.front()) <= farthest * farthest;
}

std::vector<Chain> chains_of(const std::vector<LaneEdge>& side, const MeasuredLine& lane, std::size_t most_cost,
                             std::size_t& cost)
{
    std::vector<Chain> pieces;
    for (const auto& boundary : side)
        if (has_two_points(boundary) && cost < most_cost) pieces.push_back(along_lane(boundary, lane, cost));
    std::ranges::stable_sort(pieces, {}, &Chain::from);
    std::vector<Chain> chains;
    for (auto& piece : pieces) {
        cost += chains.size();
        const auto before =
            std::ranges::find_if(chains, [&piece](const Chain& chain) { return goes_on(chain, piece); });
        if (before == chains.end()) {
            chains.push_back(std::move(piece));
            continue;
        }
        const auto first = piece.line.begin() + (before->line.back() == piece.line.front() ? 1 : 0);
        before->line.insert(before->line.end(), first, piece.line.end());
        before->gap = std::max(before->gap, piece.gap);
    }
    for (auto& chain : chains) {
        chain.from = lane.at(foot_on(lane.line, chain.line.front(), Among::first, cost));
        chain.to = lane.at(foot_on(lane.line, chain.line.back(), Among::last, cost));
    }
    return chains;
}

/// The place that is as far beside the begin of a line as `point` is beside its foot.
Point beside(Line line, const Foot& foot, const Point& foot_place, const Point& point) noexcept
{
    const auto from = way_between(line[foot.segment], line[foot.segment + 1]), to = way_between(line[0], line[1]),
               aside = way_between(foot_place, point);
    const double lengths = std::hypot(from[0], from[1]) * std::hypot(to[0], to[1]);
    const double cosine = lengths > 0 ? (from[0] * to[0] + from[1] * to[1]) / lengths : 1,
                 sine = lengths > 0 ? (from[0] * to[1] - from[1] * to[0]) / lengths : 0;
    const Way turned{aside[0] * cosine - aside[1] * sine, aside[0] * sine + aside[1] * cosine, aside[2]};
    Point place = line.front();
    for (std::size_t i = 0; i < place.size(); ++i)
        place[i] = static_cast<float>(static_cast<double>(place[i]) + turned[i]);
    return place;
}

/// If `line` begins before `other`: extends `other` if it may begin with a gap, else cuts `line`. A slanted end stays:
/// it is about as long as the lane is wide.
void match_begin(Polyline& line, Polyline& other, double gap_of_other, std::size_t& cost)
{
    constexpr double slant = 1.5, shortest = 0.01;
    if (line.size() < 2) return;
    const auto foot = foot_on(line, other.front(), Among::first, cost);
    const auto place = foot.on(line);
    double metres = std::sqrt(square_between(line[foot.segment], place));
    for (std::size_t i = 0; i < foot.segment; ++i) metres += std::sqrt(square_between(line[i], line[i + 1]));
    if (metres > shortest && metres <= gap_of_other) {
        other.insert(other.begin(), beside(line, foot, place, other.front()));
        return;
    }
    if (metres <= slant * std::sqrt(foot.square)) return;
    line.erase(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(foot.segment));
    line.front() = place;
    if (line.size() >= 2 && line[0] == line[1]) line.erase(line.begin());
}

void match_begins(Chain& left, Chain& right, std::size_t& cost)
{
    match_begin(left.line, right.line, right.gap, cost);
    match_begin(right.line, left.line, left.gap, cost);
}

/// A triangle strip that always goes on to the nearer of the next points of both sides.
Polyline zipped(const Polyline& left, const Polyline& right)
{
    Polyline strip{left.front(), right.front()};
    strip.reserve(2 * (left.size() + right.size()));
    for (std::size_t i = 0, k = 0; i + 1 < left.size() || k + 1 < right.size();) {
        const bool left_goes_on =
            k + 1 == right.size() ||
            (i + 1 < left.size() && square_between(left[i + 1], right[k]) <= square_between(left[i], right[k + 1]));
        ++(left_goes_on ? i : k);
        strip.push_back(left[i]);
        strip.push_back(right[k]);
    }
    return strip;
}

}  // namespace

LaneArea area_between_sides(const LaneSides& sides, std::size_t most_cost)
{
    LaneArea area;
    if (std::ranges::none_of(sides.left, has_two_points) || std::ranges::none_of(sides.right, has_two_points))
        return area;
    const auto lane = reference_of(sides);
    const auto lefts = chains_of(sides.left, lane, most_cost, area.cost),
               rights = chains_of(sides.right, lane, most_cost, area.cost);
    for (const auto& one : lefts) {
        for (const auto& other : rights) {
            constexpr double shortest = 0.01;  // m that both cover
            ++area.cost;
            if (area.cost > most_cost || std::min(one.to, other.to) - std::max(one.from, other.from) < shortest)
                continue;
            auto left = one, right = other;
            match_begins(left, right, area.cost);
            std::ranges::reverse(left.line);
            std::ranges::reverse(right.line);
            match_begins(left, right, area.cost);
            if (left.line.size() < 2 && right.line.size() < 2) continue;
            area.cost += left.line.size() + right.line.size();
            std::ranges::reverse(left.line);
            std::ranges::reverse(right.line);
            area.strips.push_back(zipped(left.line, right.line));
        }
    }
    return area;
}

namespace {

/// Appends the unused line that begins or ends nearest to the end of the outline. Returns false if all are used.
bool append_nearest(Polyline& outline, std::vector<Line>& unused)
{
    if (unused.empty()) return false;
    const auto distance = [&outline](Line line) {
        return std::min(square_between(outline.back(), line.front()), square_between(outline.back(), line.back()));
    };
    const auto next = std::ranges::min_element(unused, {}, distance);
    const auto line = *next;
    unused.erase(next);
    if (square_between(outline.back(), line.front()) <= square_between(outline.back(), line.back()))
        outline.insert(outline.end(), line.begin(), line.end());
    else
        outline.insert(outline.end(), line.rbegin(), line.rend());
    return true;
}

/// Is a point between both ends farther than `least` from the straight line between them? Looks at some of many.
bool is_corner(Line part, double least)
{
    constexpr std::size_t most_looked_at = 16;
    const std::array<Point, 2> chord{part.front(), part.back()};
    const auto step = 1 + part.size() / most_looked_at;
    std::size_t cost = 0;
    for (std::size_t i = 1; i + 1 < part.size(); i += step)
        if (foot_on(chord, part[i], Among::first, cost).square > least * least) return true;
    return foot_on(chord, part[part.size() - 2], Among::first, cost).square > least * least;
}

/// A line without the corners that are within `least` of the line between their neighbours.
Polyline simple(const Polyline& all, double least)
{
    Polyline line{all.front()};
    std::size_t last = 0;
    for (std::size_t i = 1; i + 1 < all.size(); ++i) {
        if (!is_corner(Line(all).subspan(last, i + 2 - last), least)) continue;
        line.push_back(all[i]);
        last = i;
    }
    if (all.back() != all.front()) line.push_back(all.back());
    return line;
}

bool meet(const Point& a, const Point& b) noexcept
{
    constexpr double same = 0.01;  // m between the ends of lines that are one
    return square_between(a, b) <= same * same;
}

/// Joins lines that begin where others end. The first ones of the result are closed.
std::vector<Polyline> joined(std::vector<Line> lines, std::size_t& closed)
{
    std::vector<Polyline> open, rings;
    while (!lines.empty()) {
        Polyline line(lines.back().begin(), lines.back().end());
        lines.pop_back();
        const auto is_ring = [&] { return line.size() > 3 && meet(line.front(), line.back()); };
        for (int reversals = 0; reversals < 2 && !is_ring();) {
            const auto next = std::ranges::find_if(
                lines, [&](Line other) { return meet(line.back(), other.front()) || meet(line.back(), other.back()); });
            if (next == lines.end()) {
                std::ranges::reverse(line);
                ++reversals;
                continue;
            }
            if (meet(line.back(), next->front()))
                line.insert(line.end(), next->begin() + 1, next->end());
            else
                line.insert(line.end(), next->rbegin() + 1, next->rend());
            lines.erase(next);
        }
        (is_ring() ? rings : open).push_back(std::move(line));
    }
    closed = rings.size();
    rings.insert(rings.end(), open.begin(), open.end());
    return rings;
}

/// The closed lines, and one of all others that connects each to the nearest one.
std::vector<Polyline> rings_of(std::span<const LaneEdge> free, std::size_t& cost)
{
    constexpr double closed = 0.5;           // m between the ends of a single line that is closed
    constexpr std::size_t most_lines = 500;  // the cost of ordering them grows with their square
    std::vector<Polyline> rings;
    std::vector<Line> open;
    for (const auto& edge : free) {
        if (!has_two_points(edge)) continue;
        cost += edge.line.size();
        if (edge.line.size() > 3 && meet(edge.line.front(), edge.line.back()))
            rings.emplace_back(edge.line.begin(), edge.line.end());
        else
            open.push_back(edge.line);
    }
    if (open.empty() || open.size() > most_lines) return rings;
    std::size_t count = 0;
    const auto lines = joined(std::move(open), count);
    rings.insert(rings.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count));
    open.assign(lines.begin() + static_cast<std::ptrdiff_t>(count), lines.end());
    if (open.empty()) return rings;
    if (open.size() == 1 && square_between(open[0].front(), open[0].back()) > closed * closed) return rings;
    Polyline outline(open.front().begin(), open.front().end());
    open.erase(open.begin());
    while (append_nearest(outline, open)) {
    }
    rings.push_back(std::move(outline));
    return rings;
}

/// Leaves out corners, the flattest ones first, until triangles_of() accepts all rings as one polygon. A ring of less
/// than three is left out.
void simplify(std::vector<Polyline>& rings)
{
    const auto all = rings;
    for (double least = 0.01;; least *= 2) {
        rings.clear();
        std::size_t corners = 0;
        for (const auto& ring : all) {
            auto line = simple(ring, least);
            if (line.size() < 3) continue;
            corners += line.size() + 2;
            rings.push_back(std::move(line));
        }
        if (corners <= most_cut_corners + 2) return;
    }
}

Corner corner_at(const Point& point) noexcept { return {static_cast<double>(point[0]), static_cast<double>(point[1])}; }

double turn(const Point& a, const Point& b, const Point& c) noexcept
{
    const auto one = way_between(a, b), other = way_between(a, c);
    return one[0] * other[1] - one[1] * other[0];
}

/// Twice the area; positive counter-clockwise.
double doubled_area(const Polyline& ring) noexcept
{
    double area = 0;
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) area += turn(ring[0], ring[i], ring[i + 1]);
    return area;
}

bool contains(const Polyline& ring, const Point& point) noexcept
{
    bool inside = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
        if ((a[1] > point[1]) != (b[1] > point[1]) && (turn(a, b, point) > 0) == (b[1] > a[1])) inside = !inside;
    }
    return inside;
}

bool crosses(const Polyline& ring, const Point& from, const Point& to) noexcept
{
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
        if (turn(a, b, from) * turn(a, b, to) < 0 && turn(from, to, a) * turn(from, to, b) < 0) return true;
    }
    return false;
}

/// Cuts a ring open along the shortest line to a hole in it, so that the hole becomes a part of the ring.
void add_hole(Polyline& ring, const Polyline& hole, const std::vector<Polyline>& all)
{
    std::vector<std::array<std::size_t, 2>> bridges;
    for (std::size_t i = 0; i < ring.size(); ++i)
        for (std::size_t k = 0; k < hole.size(); ++k) bridges.push_back({i, k});
    std::ranges::sort(bridges, {},
                      [&](const auto& bridge) { return square_between(ring[bridge[0]], hole[bridge[1]]); });
    for (const auto& [i, k] : bridges) {
        const auto &from = ring[i], &to = hole[k];
        const auto is_crossed = [&](const Polyline& other) { return crosses(other, from, to); };
        if (is_crossed(ring) || std::ranges::any_of(all, is_crossed)) continue;
        Polyline way{from};
        const bool is_against = (doubled_area(ring) > 0) != (doubled_area(hole) > 0);
        for (std::size_t n = 0; n <= hole.size(); ++n)
            way.push_back(hole[(is_against ? k + n : k + 2 * hole.size() - n) % hole.size()]);
        ring.insert(ring.begin() + static_cast<std::ptrdiff_t>(i), way.begin(), way.end());
        return;
    }
}

/// Rings around areas, with the holes in them. A ring in another one is a hole, and one in a hole is an area again.
std::vector<Polyline> without_holes(std::vector<Polyline> rings)
{
    std::ranges::sort(rings, std::ranges::greater{}, [](const Polyline& ring) { return std::abs(doubled_area(ring)); });
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    std::vector<Polyline> areas;
    std::vector<std::size_t> area_of(rings.size(), none);  // of a ring that is not a hole
    for (std::size_t i = 0; i < rings.size(); ++i) {
        auto around = i;
        while (around > 0 && !contains(rings[around - 1], rings[i].front())) --around;
        if (around == 0 || area_of[around - 1] == none) {
            area_of[i] = areas.size();
            areas.push_back(rings[i]);
        } else {
            add_hole(areas[area_of[around - 1]], rings[i], rings);
        }
    }
    return areas;
}

}  // namespace

LaneArea area_inside(std::span<const LaneEdge> free)
{
    LaneArea area;
    auto rings = rings_of(free, area.cost);
    simplify(rings);
    for (const auto& ring : without_holes(std::move(rings))) {
        std::vector<Corner> corners;
        for (const auto& point : ring) corners.push_back(corner_at(point));
        for (const auto& triangle : triangles_of(corners))
            area.strips.push_back({ring[triangle[0]], ring[triangle[1]], ring[triangle[2]]});
        area.cost += corners.size() * corners.size();
    }
    return area;
}

}  // namespace ositrace::picture
