// SPDX-License-Identifier: MPL-2.0
#include <ositrace/lane_frame.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/lanes/cell_grid.hpp"
#include "lib/trace/view_fields.hpp"

namespace ositrace {

namespace {

using lanes::Box;
using lanes::CellGrid;

constexpr auto no_lane = std::numeric_limits<std::uint32_t>::max();
constexpr double on_border = 1e-6;  // metres

struct Point {
    double x = 0, y = 0, z = 0;
};

Point operator-(Point a, Point b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point between(Point a, Point b, double part) noexcept
{
    return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z)};
}
/// In the plane.
double cross(Point a, Point b) noexcept { return a.x * b.y - a.y * b.x; }
double dot(Point a, Point b) noexcept { return a.x * b.x + a.y * b.y; }
double square(Point a) noexcept { return dot(a, a) + a.z * a.z; }

/// Sums and products of such numbers are finite.
bool is_sane(double value) noexcept { return std::abs(value) < 1e12; }
bool is_sane(Point at) noexcept { return is_sane(at.x) && is_sane(at.y) && is_sane(at.z); }

Point point_in(const std::optional<MessageView>& vector)
{
    return {real_in(vector, "x"), real_in(vector, "y"), real_in(vector, "z")};
}

struct LinePoint {
    Point at;
    double s = 0;
    Point axis;  ///< direction of the t axis
};

struct Line {
    std::uint64_t id = 0;
    bool has_axes = false;  ///< TYPE_POLYLINE_WITH_T_AXIS
    std::vector<LinePoint> points;
};

/// Where a place is on a line.
struct Foot {
    double s = 0, t = 0;
    double square = 0;   ///< of the distance to the line, in space
    double outside = 0;  ///< metres by which the place is before or after the segments that were visited
};

/// The part of a segment at which the line along the t axes through `p` meets it; empty outside of the sector of the
/// two axes.
std::optional<double> part_by_axes(const LinePoint& a, const LinePoint& b, Point p) noexcept
{
    const Point along = b.at - a.at, to = p - a.at;
    if (cross(to, a.axis) < 0 || cross(p - b.at, b.axis) > 0) return std::nullopt;
    constexpr double parallel = 1e-12;
    auto direction = a.axis;
    if (const double turn = cross(a.axis, b.axis); std::abs(turn) > parallel) {
        const double distance = cross(along, b.axis) / turn;  // to where the axes meet
        direction = {to.x - distance * a.axis.x, to.y - distance * a.axis.y, 0};
    }
    const double slope = cross(along, direction);
    if (std::abs(slope) < parallel) return std::nullopt;
    return std::clamp(cross(to, direction) / slope, 0.0, 1.0);
}

/// Of the nearest point, in space.
double part_by_distance(const LinePoint& a, const LinePoint& b, Point p) noexcept
{
    const Point along = b.at - a.at, to = p - a.at;
    const double length = square(along);
    return length > 0 ? std::clamp((dot(along, to) + along.z * to.z) / length, 0.0, 1.0) : 0;
}

Foot foot_at(const LinePoint& a, const LinePoint& b, double part, Point p) noexcept
{
    const auto on_line = between(a.at, b.at, part);
    const auto off = p - on_line;
    const double t = std::hypot(off.x, off.y);
    return {a.s + part * (b.s - a.s), cross(b.at - a.at, off) < 0 ? -t : t, square(off), 0};
}

/// Before the first point of a line, or after the last one.
std::optional<Foot> foot_beyond(const Line& line, std::size_t segment, Point p) noexcept
{
    const auto &a = line.points[segment], &b = line.points[segment + 1];
    const Point along = b.at - a.at;
    const double length = std::hypot(along.x, along.y);
    if (length <= 0) return std::nullopt;
    const auto beyond = [&](const LinePoint& end, double sign) -> std::optional<Foot> {
        const auto to = p - end.at;
        const Point axis = line.has_axes ? end.axis : Point{-along.y / length, along.x / length, 0};
        const double slope = cross(along, axis) / length;
        if (slope <= 0) return std::nullopt;
        const double ds = cross(to, axis) / slope;  // along the segment
        if (ds * sign <= 0) return std::nullopt;
        const auto off = p - Point{end.at.x + ds * along.x / length, end.at.y + ds * along.y / length, end.at.z};
        const double t = std::hypot(off.x, off.y);
        return Foot{end.s + ds, cross(along, off) < 0 ? -t : t, square(to), std::abs(ds)};
    };
    if (segment == 0)
        if (auto before = beyond(a, -1)) return before;
    if (segment + 2 == line.points.size()) return beyond(b, 1);
    return std::nullopt;
}

/// On the segments that have an s from `from` to `to`.
Foot foot_on(const Line& line, double from, double to, Point p) noexcept
{
    const auto& points = line.points;
    const auto after = std::ranges::upper_bound(points, from, {}, &LinePoint::s);
    auto segment = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - points.begin() - 1, 0));
    segment = std::min(segment, points.size() - 2);
    std::optional<Foot> best, nearest, beyond;
    const auto take = [](std::optional<Foot>& known, const Foot& foot) {
        if (!known || foot.square < known->square) known = foot;
    };
    for (; segment + 1 < points.size() && (points[segment].s < to || !nearest); ++segment) {
        const auto &a = points[segment], &b = points[segment + 1];
        if (const auto foot = foot_beyond(line, segment, p)) take(beyond, *foot);
        const double part = part_by_distance(a, b, p);
        auto foot = foot_at(a, b, part, p);
        if (line.has_axes) {
            foot.outside = std::max({0.0, -cross(p - a.at, a.axis), cross(p - b.at, b.axis)});
            if (const auto by_axes = part_by_axes(a, b, p)) take(best, foot_at(a, b, *by_axes, p));
        }
        take(nearest, foot);
    }
    if (best) return *best;
    if (beyond && beyond->square <= nearest->square * (1 + 1e-9)) return *beyond;
    return *nearest;
}

struct BorderPoint {
    double s = 0, t = 0;
    Point at;
};
using Border = std::vector<BorderPoint>;

struct Boundary {
    std::uint64_t line = 0;
    Border points;
};

BorderPoint at_s(const Border& border, double s) noexcept
{
    const auto after = std::ranges::upper_bound(border, s, {}, &BorderPoint::s);
    if (after == border.begin()) return {s, border.front().t, border.front().at};
    if (after == border.end()) return {s, border.back().t, border.back().at};
    const auto &a = *std::prev(after), &b = *after;
    const double part = b.s > a.s ? (s - a.s) / (b.s - a.s) : 0;
    return {s, a.t + part * (b.t - a.t), between(a.at, b.at, part)};
}

struct PhysicalPart {
    std::uint64_t id = 0;
    double start = 0, end = 0;
};

struct Lane {
    std::uint64_t id = 0, line_id = 0;
    std::uint32_t line = no_lane;
    double start = 0, end = 0;
    std::vector<PhysicalPart> physical;
};

/// A lane across the line at some s.
struct Row {
    BorderPoint left, right;
};

/// A piece of a lane, or of a reference line, that has no width.
struct Piece {
    std::uint32_t line = 0, lane = no_lane;
    Row start, end;
    Box box = {};

    [[nodiscard]] double length() const noexcept
    {
        const auto chord = [](Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); };
        return std::max(chord(start.left.at, end.left.at), chord(start.right.at, end.right.at));
    }
};

BorderPoint between(const BorderPoint& a, const BorderPoint& b, double part) noexcept
{
    return {a.s + part * (b.s - a.s), a.t + part * (b.t - a.t), between(a.at, b.at, part)};
}
Row between(const Row& a, const Row& b, double part) noexcept
{
    return {between(a.left, b.left, part), between(a.right, b.right, part)};
}

/// How well a piece fits a place.
struct Fit {
    const Piece* piece = nullptr;
    Foot foot;
    double distance = 0;  ///< to the piece, in the plane
    double height = 0;    ///< above or below it
    double off_middle = 0;

    [[nodiscard]] bool is_inside() const noexcept { return piece->lane != no_lane && distance <= on_border; }
    [[nodiscard]] bool is_better_than(const Fit& other) const noexcept
    {
        if (is_inside() != other.is_inside()) return is_inside();
        const bool is_same_line = piece->line == other.piece->line;
        if (is_same_line && (foot.outside == 0) != (other.foot.outside == 0)) return foot.outside == 0;
        if (!is_inside()) return distance < other.distance;
        if (is_same_line && foot.s != other.foot.s) return foot.square < other.foot.square;
        return off_middle < other.off_middle;
    }
};

Fit fit_of(const Piece& piece, const Line& line, Point p) noexcept
{
    Fit fit{&piece, foot_on(line, piece.start.left.s, piece.end.left.s, p)};
    const double length = piece.end.left.s - piece.start.left.s;
    const double part = length > 0 ? (fit.foot.s - piece.start.left.s) / length : 0;
    const auto row = between(piece.start, piece.end, std::clamp(part, 0.0, 1.0));
    const double ds = std::max({piece.start.left.s - fit.foot.s, fit.foot.s - piece.end.left.s, fit.foot.outside, 0.0});
    const double left = std::max(row.left.t, row.right.t), right = std::min(row.left.t, row.right.t);
    const double dt = std::max({fit.foot.t - left, right - fit.foot.t, 0.0});
    fit.distance = ds == 0 ? dt : std::hypot(ds, dt);
    fit.height = std::abs(p.z - (row.left.at.z + row.right.at.z) / 2);
    fit.off_middle = std::abs(fit.foot.t - (left + right) / 2);
    return fit;
}

}  // namespace

struct LaneFrame::Implementation {
    std::vector<Line> lines;
    std::vector<Lane> lanes;
    std::vector<Piece> pieces;
    std::unordered_map<std::uint64_t, std::uint32_t> line_by_id, lane_by_id;
    CellGrid grid{1};

    explicit Implementation(const MessageView& ground_truth);
    [[nodiscard]] LanePlace place_of(const Foot& foot, std::uint32_t lane, std::uint32_t line) const;
    [[nodiscard]] const Lane* find(std::uint64_t id) const
    {
        const auto found = lane_by_id.find(id);
        return found == lane_by_id.end() ? nullptr : &lanes[found->second];
    }

private:
    void read_lines(const MessageView& ground_truth);
    void read_lane(const MessageView& view, const std::unordered_map<std::uint64_t, Boundary>& boundaries);
    void cut();
};

void LaneFrame::Implementation::read_lines(const MessageView& ground_truth)
{
    for_each_child(ground_truth, "reference_line", [&](const MessageView& view) {
        constexpr std::int64_t with_axis = 1;
        Line line{id_in(view, "id"), as_integer(view["type"]).value_or(0) == with_axis, {}};
        for_each_child(view, "poly_line", [&](const MessageView& point) {
            LinePoint next{point_in(child_in(point, "world_position")), real_in(point, "s_position"), {}};
            if (!is_sane(next.at) || !is_sane(next.s)) return;
            if (!line.points.empty() && next.s <= line.points.back().s) return;
            if (const double yaw = real_in(point, "t_axis_yaw"); std::isfinite(yaw))
                next.axis = {std::cos(yaw), std::sin(yaw), 0};
            line.points.push_back(next);
        });
        if (line.points.size() < 2) return;
        line_by_id.emplace(line.id, static_cast<std::uint32_t>(lines.size()));
        lines.push_back(std::move(line));
    });
}

void LaneFrame::Implementation::read_lane(const MessageView& view,
                                          const std::unordered_map<std::uint64_t, Boundary>& boundaries)
{
    Lane lane{id_in(view, "id"),        id_in(view, "reference_line_id"), no_lane,
              real_in(view, "start_s"), real_in(view, "end_s"),           {}};
    for_each_child(view, "physical_lane_reference", [&](const MessageView& part) {
        lane.physical.push_back({id_in(part, "physical_lane_id"), real_in(part, "start_s"), real_in(part, "end_s")});
    });
    if (const auto line = line_by_id.find(lane.line_id); line != line_by_id.end()) lane.line = line->second;
    const auto index = static_cast<std::uint32_t>(lanes.size());
    if (!lane_by_id.emplace(lane.id, index).second) return;
    const auto border = [&](std::string_view ids) {
        Border points;
        for_each_child(view, ids, [&](const MessageView& identifier) {
            const auto found = boundaries.find(static_cast<std::uint64_t>(as_integer(identifier["value"]).value_or(0)));
            if (found == boundaries.end() || found->second.line != lane.line_id) return;
            points.insert(points.end(), found->second.points.begin(), found->second.points.end());
        });
        std::ranges::stable_sort(points, {}, &BorderPoint::s);
        return points;
    };
    if (lane.line != no_lane && is_sane(lane.start) && is_sane(lane.end) && lane.start <= lane.end) {
        const auto left = border("left_boundary_id"), right = border("right_boundary_id");
        std::vector<double> stations{lane.start, lane.end};
        for (const auto* const points : {&left, &right})
            for (const auto& point : *points)
                if (point.s > lane.start && point.s < lane.end) stations.push_back(point.s);
        std::ranges::sort(stations);
        stations.erase(std::unique(stations.begin(), stations.end()), stations.end());
        if (!left.empty() && !right.empty())
            for (std::size_t i = 0; i + 1 < stations.size(); ++i)
                pieces.push_back({lane.line, index, Row{at_s(left, stations[i]), at_s(right, stations[i])},
                                  Row{at_s(left, stations[i + 1]), at_s(right, stations[i + 1])}});
    }
    lanes.push_back(std::move(lane));
}

/// Into pieces that a few cells have.
void LaneFrame::Implementation::cut()
{
    double length = 0;
    for (const auto& piece : pieces) length += piece.length();
    const double cell = CellGrid::piece_length(length, pieces.size());
    grid = CellGrid(cell);
    std::vector<Piece> whole;
    whole.swap(pieces);
    for (const auto& piece : whole) {
        const double parts = std::max(1.0, std::ceil(piece.length() / cell));
        for (double i = 0; i < parts; ++i) {
            auto part = piece;
            if (i > 0) part.start = between(piece.start, piece.end, i / parts);
            if (i + 1 < parts) part.end = between(piece.start, piece.end, (i + 1) / parts);
            for (const auto& row : {part.start, part.end}) {
                part.box.add(row.left.at.x, row.left.at.y);
                part.box.add(row.right.at.x, row.right.at.y);
            }
            part.box.widen(reach);
            grid.add(part.box, static_cast<std::uint32_t>(pieces.size()));
            pieces.push_back(part);
        }
    }
    grid.close();
}

LaneFrame::Implementation::Implementation(const MessageView& ground_truth)
{
    read_lines(ground_truth);
    std::unordered_map<std::uint64_t, Boundary> boundaries;
    for_each_child(ground_truth, "logical_lane_boundary", [&](const MessageView& view) {
        Boundary boundary{id_in(view, "reference_line_id"), {}};
        for_each_child(view, "boundary_line", [&](const MessageView& point) {
            const BorderPoint next{real_in(point, "s_position"), real_in(point, "t_position"),
                                   point_in(child_in(point, "position"))};
            if (is_sane(next.s) && is_sane(next.t) && is_sane(next.at)) boundary.points.push_back(next);
        });
        boundaries.insert_or_assign(id_in(view, "id"), std::move(boundary));
    });
    for_each_child(ground_truth, "logical_lane", [&](const MessageView& view) { read_lane(view, boundaries); });
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (std::size_t k = 0; k + 1 < lines[i].points.size(); ++k) {
            const auto &a = lines[i].points[k], &b = lines[i].points[k + 1];
            const BorderPoint start{a.s, 0, a.at}, end{b.s, 0, b.at};
            pieces.push_back({static_cast<std::uint32_t>(i), no_lane, {start, start}, {end, end}});
        }
    cut();
}

LanePlace LaneFrame::Implementation::place_of(const Foot& foot, std::uint32_t lane, std::uint32_t line) const
{
    LanePlace place{foot.s, foot.t, lines[line].id};
    if (lane == no_lane) return place;
    place.logical_lane = lanes[lane].id;
    const auto distance = [&](const PhysicalPart& part) {
        return std::max({part.start - foot.s, foot.s - part.end, 0.0});
    };
    const auto& parts = lanes[lane].physical;
    if (const auto nearest = std::ranges::min_element(parts, {}, distance); nearest != parts.end())
        place.physical_lane = nearest->id;
    return place;
}

LaneFrame::LaneFrame(const MessageView& ground_truth)
    : implementation_(std::make_unique<const Implementation>(ground_truth))
{
}
LaneFrame::LaneFrame(LaneFrame&&) noexcept = default;
LaneFrame::~LaneFrame() = default;

bool LaneFrame::empty() const noexcept { return implementation_->lines.empty(); }

std::optional<LanePlace> LaneFrame::place(double x, double y, double z) const
{
    const auto& own = *implementation_;
    const Point p{x, y, is_sane(z) ? z : 0};
    std::vector<Fit> fits;
    double least_height = std::numeric_limits<double>::infinity();
    own.grid.visit(x, y, [&](std::uint32_t item) {
        const auto& piece = own.pieces[item];
        if (!piece.box.has(x, y)) return;
        const auto fit = fit_of(piece, own.lines[piece.line], p);
        if (!(fit.distance <= reach)) return;
        least_height = std::min(least_height, fit.height);
        fits.push_back(fit);
    });
    constexpr double same_level = 3;
    const Fit* best = nullptr;
    for (const auto& fit : fits)
        if (fit.height <= least_height + same_level && (best == nullptr || fit.is_better_than(*best))) best = &fit;
    if (best == nullptr) return std::nullopt;
    return own.place_of(best->foot, best->is_inside() ? best->piece->lane : no_lane, best->piece->line);
}

bool LaneFrame::reaches(double x, double y, std::optional<double> z) const
{
    const auto& own = *implementation_;
    const Point p{x, y, z && is_sane(*z) ? *z : 0};
    bool found = false;
    own.grid.visit(x, y, [&](std::uint32_t item) {
        const auto& piece = own.pieces[item];
        if (found || !piece.box.has(x, y)) return;
        const auto fit = fit_of(piece, own.lines[piece.line], p);
        found = fit.distance <= reach && (!z || fit.height <= reach);
    });
    return found;
}

std::optional<LanePlace> LaneFrame::place_on(std::uint64_t logical_lane, double x, double y, double z) const
{
    const auto& own = *implementation_;
    const auto* const lane = own.find(logical_lane);
    if (lane == nullptr || lane->line == no_lane || !is_sane(Point{x, y, z})) return std::nullopt;
    const auto& line = own.lines[lane->line];
    const auto foot = foot_on(line, line.points.front().s, line.points.back().s, {x, y, z});
    return own.place_of(foot, own.lane_by_id.at(logical_lane), lane->line);
}

LanePlace LaneFrame::assigned(std::uint64_t logical_lane, double s, double t) const
{
    const auto& own = *implementation_;
    const auto* const lane = own.find(logical_lane);
    LanePlace place{s, t};
    if (lane != nullptr && lane->line != no_lane)
        place = own.place_of({s, t}, own.lane_by_id.at(logical_lane), lane->line);
    place.logical_lane = logical_lane;
    return place;
}

}  // namespace ositrace
