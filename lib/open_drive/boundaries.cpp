// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace ositrace::open_drive {

namespace {

/// Shorter patterns are drawn as one line: a document could have them by the billion.
constexpr double shortest_period = 0.2;
constexpr double dot_distance = 3;

struct LinePoint {
    Vector position;
    std::string_view dash;  ///< as in OSI; empty: none
};

/// A line of a boundary, or a boundary without a line.
struct BoundaryLine {
    std::string_view type, color;
    double width = 0, height = 0;
    MarkLine pattern = {};
};

/// Points with their distances from the start of the line.
struct Polyline {
    std::vector<Vector> points;
    std::vector<double> s;
};

BoundaryLine as_boundary(const RoadMark& mark, const MarkLine& line)
{
    const auto& kind = *mark.kind;
    const bool by_line = kind.is_double || kind.left == "TYPE_OTHER";
    const bool is_dashed = by_line ? line.space > 0 : kind.left_is_dashed();
    const auto type = !by_line ? kind.left : std::string_view(is_dashed ? "TYPE_DASHED_LINE" : "TYPE_SOLID_LINE");
    BoundaryLine boundary{type, kind.is_paint ? mark.color : "COLOR_NONE", line.width, mark.height, line};
    if (!is_dashed && type != "TYPE_BOTTS_DOTS") boundary.pattern.space = 0;
    return boundary;
}

/// The lane that the marks of a border belong to.
const Lane& owner(const LaneSection& section, std::size_t border)
{
    if (border == section.left_count) return *section.center;
    return *section.lanes[border < section.left_count ? border : border - 1];
}

/// Walks along a polyline: the place at ascending s.
class LineWalk {
public:
    explicit LineWalk(const Polyline& line) : line_(line) {}

    Vector to(double s)
    {
        while (row_ + 2 < line_.s.size() && line_.s[row_ + 1] < s) ++row_;
        last_s_ = s;
        const double from = line_.s[row_], length = line_.s[row_ + 1] - from;
        return between(line_.points[row_], line_.points[row_ + 1],
                       length > 0 ? std::clamp((s - from) / length, 0.0, 1.0) : 1);
    }
    /// Calls `pass` with the points before s that were not passed.
    template <class Pass>
    void pass_points(double s, const Pass& pass)
    {
        constexpr double apart = 1e-3;
        while (row_ + 2 < line_.s.size() && line_.s[row_ + 1] < s) {
            ++row_;
            if (line_.s[row_] > last_s_ + apart && line_.s[row_] < s - apart) pass(line_.points[row_]);
        }
    }

private:
    const Polyline& line_;
    std::size_t row_ = 0;
    double last_s_ = 0;
};

/// OSI: a point at the start and at the end of each dash; the first point begins the first dash and the last one
/// ends the last dash.
void add_dashes(std::vector<LinePoint>& points, const Polyline& line, const MarkLine& pattern, double period)
{
    const double begin = line.s.front(), end = line.s.back();
    LineWalk walk(line);
    constexpr double shortest = 1e-3;
    const double start = begin + std::clamp(pattern.s_offset, 0.0, end - begin);
    for (double i = 0; start + i * period < end - shortest; ++i) {
        const double from = start + i * period, to = std::min(from + pattern.length, end);
        const auto gap = [&](Vector at) { points.push_back({at, "DASH_GAP"}); };
        const auto dash = [&](Vector at) { points.push_back({at, "DASH_CONTINUE"}); };
        if (i > 0) walk.pass_points(from, gap);
        points.push_back({walk.to(from), "DASH_START"});
        walk.pass_points(to, dash);
        points.push_back({walk.to(to), "DASH_END"});
    }
}

/// Changes the gaps so that a line of this length begins and ends with a dash: the next line begins there.
void fit_pattern(MarkLine& pattern, double length)
{
    const double period = pattern.length + pattern.space;
    pattern.s_offset = 0;
    if (!(pattern.space > 0) || period < shortest_period) return;
    const double count = std::max(2.0, std::round((length + pattern.space) / period));
    if (length <= count * pattern.length)
        pattern.length = std::max(length, pattern.length);  // one dash
    else
        pattern.space = (length - count * pattern.length) / (count - 1);
}

/// OSI: a point for each dot.
void add_dots(std::vector<LinePoint>& points, const Polyline& line, double period)
{
    const double begin = line.s.front(), end = line.s.back();
    LineWalk walk(line);
    for (double i = 0; begin + i * period <= end; ++i) points.push_back({walk.to(begin + i * period), {}});
}

/// The points of a boundary along a polyline of at least two points.
std::vector<LinePoint> points_along(const Polyline& line, const BoundaryLine& boundary)
{
    std::vector<LinePoint> points;
    const double period = boundary.pattern.length + boundary.pattern.space;
    const bool is_pattern = boundary.pattern.space > 0 && period >= shortest_period;
    if (boundary.type == "TYPE_BOTTS_DOTS") {
        add_dots(points, line, is_pattern ? period : dot_distance);
    } else if (is_pattern && boundary.pattern.length > 0) {
        add_dashes(points, line, boundary.pattern, period);
    }
    if (!points.empty()) return points;
    for (const auto& at : line.points) points.push_back({at, {}});
    return points;
}

void write_boundary(MapWriter& map, std::uint64_t id, const Polyline& line, const BoundaryLine& boundary)
{
    const auto points = points_along(line, boundary);
    map.add(Part::lane_boundary, [&](NamedWriter& out) {
        out.id("id", id);
        for (const auto& point : points)
            out.message("boundary_line", [&] {
                write_vector(out, "position", point.position);
                out.real("width", boundary.width);
                out.real("height", boundary.height);
                if (!point.dash.empty()) out.enumeration("dash", point.dash);
            });
        out.message("classification", [&] {
            out.enumeration("type", boundary.type);
            out.enumeration("color", boundary.color);
        });
    });
}

class BoundaryWriter {
public:
    BoundaryWriter(MapWriter& map, const SectionLines& lines, std::uint64_t reference_line_id, Unmarked unmarked,
                   const OutlineRows* outline)
        : map_(map),
          lines_(lines),
          section_(*lines.section),
          reference_line_id_(reference_line_id),
          unmarked_(unmarked),
          outline_(outline),
          of_lanes_(section_.lanes.size())
    {
    }

    std::vector<LaneBoundaries> run()
    {
        for (std::size_t border = 0; border <= section_.lanes.size(); ++border) write_border(border);
        return std::move(of_lanes_);
    }

private:
    [[nodiscard]] bool has_left_lane(std::size_t border) const { return border > 0; }
    [[nodiscard]] bool has_right_lane(std::size_t border) const { return border < section_.lanes.size(); }
    [[nodiscard]] const Lane& left_lane(std::size_t border) const { return *section_.lanes[border - 1]; }
    [[nodiscard]] const Lane& right_lane(std::size_t border) const { return *section_.lanes[border]; }

    /// One boundary for each mark, and for what is before the first one.
    void write_border(std::size_t border)
    {
        const auto& marks = owner(section_, border).marks;
        constexpr double apart = 1e-5;
        double from = section_.s;
        while (from < section_.end - apart) {
            const auto* const mark = record_at(marks, from + apart);
            const auto* const next = mark != nullptr ? mark + 1 : marks.data();
            const bool has_next = next != marks.data() + marks.size();
            const double to = has_next && next->s < section_.end - apart ? next->s : section_.end;
            write_part(border, mark, from, to);
            from = to;
        }
    }

    /// A border from one station to another: its marks, and the logical boundary.
    void write_part(std::size_t border, const RoadMark* mark, double from, double to)
    {
        const auto [first, last] = rows_between(from, to);
        if (last <= first) return;
        std::vector<std::uint64_t> ids;  // from right to left
        if (outline_ != nullptr && mark != nullptr &&
            line_on_border(section_, border, lines_.rows[first].frame.at.inside) == mark) {
            ids = write_beside_outline(border, *mark, first, last);
        } else if (mark != nullptr && mark->kind->is_drawn) {
            for (const auto& line : mark->lines)
                ids.push_back(write_line(border, as_boundary(*mark, line), first, last));
        } else if (unmarked_ == Unmarked::written) {
            ids.push_back(write_line(border, without_mark(border), first, last));
        }
        if (!ids.empty() && has_right_lane(border)) of_lanes_[border].left.push_back(ids.front());
        if (!ids.empty() && has_left_lane(border)) of_lanes_[border - 1].right.push_back(ids.back());
        write_logical(border, mark, ids, first, last);
    }

    /// Of two rows with the same s the later one begins a part, and the earlier one ends it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> rows_between(double from, double to) const
    {
        constexpr double apart = 1e-5;
        const auto s = [](const SectionRow& row) { return row.frame.at.s; };
        const auto after_first = std::ranges::upper_bound(lines_.rows, from + apart, {}, s);
        const auto last = std::ranges::lower_bound(lines_.rows, to - apart, {}, s);
        const auto index = [&](auto row) { return static_cast<std::size_t>(row - lines_.rows.begin()); };
        return {after_first == lines_.rows.begin() ? 0 : index(after_first) - 1,
                last == lines_.rows.end() ? lines_.rows.size() - 1 : index(last)};
    }

    /// The edge of the road is where driving lanes end.
    [[nodiscard]] BoundaryLine without_mark(std::size_t border) const
    {
        const bool left = has_left_lane(border) && left_lane(border).kind->is_driving();
        const bool right = has_right_lane(border) && right_lane(border).kind->is_driving();
        return {left == right ? "TYPE_NO_LINE" : "TYPE_ROAD_EDGE", "COLOR_NONE"};
    }

    /// Where two lanes differ in height, a mark is on the lower one.
    [[nodiscard]] Vector position(std::size_t border, std::size_t row, double t_offset) const
    {
        const auto& at = lines_.rows[row];
        std::optional<Vector> lowest;
        const auto consider = [&](Vector edge) {
            if (!lowest || edge.z < lowest->z) lowest = edge;
        };
        if (has_left_lane(border)) consider(lines_.right_edge(at, border - 1));
        if (has_right_lane(border)) consider(lines_.left_edge(at, border));
        return lowest.value_or(at.border[border]) + t_offset * at.frame.left;
    }

    std::uint64_t write_line(std::size_t border, const BoundaryLine& boundary, std::size_t first, std::size_t last)
    {
        Polyline line;
        for (auto row = first; row <= last; ++row) {
            line.points.push_back(position(border, row, boundary.pattern.t_offset));
            line.s.push_back(lines_.rows[row].frame.at.s);
        }
        const auto id = map_.new_id();
        write_boundary(map_, id, line, boundary);
        return id;
    }

    /// What has the mark of an outer border of an intersection: its free boundaries, and a boundary for each part that
    /// is not on the outline.
    std::vector<std::uint64_t> write_beside_outline(std::size_t border, const RoadMark& mark, std::size_t first,
                                                    std::size_t last)
    {
        const auto& free = border == 0 ? outline_->leftmost : outline_->rightmost;
        std::vector<std::uint64_t> ids;
        for (auto row = first; row < last;) {
            if (free[row] != 0) {
                if (ids.empty() || ids.back() != free[row]) ids.push_back(free[row]);
                ++row;
                continue;
            }
            const auto from = row;
            while (row < last && free[row] == 0) ++row;
            ids.push_back(write_line(border, as_boundary(mark, mark.lines.front()), from, row));
        }
        return ids;
    }

    void write_logical(std::size_t border, const RoadMark* mark, const std::vector<std::uint64_t>& physical,
                       std::size_t first, std::size_t last)
    {
        if (!has_left_lane(border) && !has_right_lane(border)) return;
        const auto left = [&](std::size_t row) { return lines_.right_edge(lines_.rows[row], border - 1); };
        const auto right = [&](std::size_t row) { return lines_.left_edge(lines_.rows[row], border); };
        // Lanes of different heights share no boundary.
        bool is_shared = has_left_lane(border) && has_right_lane(border);
        constexpr double apart = 1e-3;
        for (auto row = first; is_shared && row <= last; ++row)
            is_shared = std::abs(left(row).z - right(row).z) < apart;
        std::optional<std::uint64_t> id;
        if (has_left_lane(border)) {
            id = write_logical_line(border, mark, physical, first, last, left);
            of_lanes_[border - 1].logical_right.push_back(*id);
        }
        if (has_right_lane(border)) {
            if (!is_shared) id = write_logical_line(border, mark, physical, first, last, right);
            of_lanes_[border].logical_left.push_back(*id);
        }
    }

    template <class Edge>
    std::uint64_t write_logical_line(std::size_t border, const RoadMark* mark,
                                     const std::vector<std::uint64_t>& physical, std::size_t first, std::size_t last,
                                     const Edge& edge)
    {
        const auto id = map_.new_id();
        map_.add(Part::logical_lane_boundary, [&](NamedWriter& out) {
            out.id("id", id);
            for (auto row = first; row <= last; ++row) {
                const auto& at = lines_.rows[row];
                out.message("boundary_line", [&] {
                    write_vector(out, "position", edge(row));
                    out.real("s_position", at.frame.at.s);
                    out.real("t_position", at.t[border] * std::cos(at.frame.roll));  // osi_referenceline.proto
                });
            }
            out.id("reference_line_id", reference_line_id_);
            for (const auto boundary : physical) out.id("physical_boundary_id", boundary);
            out.enumeration("passing_rule", passing_rule(border, mark));
        });
        return id;
    }

    [[nodiscard]] std::string_view passing_rule(std::size_t border, const RoadMark* mark) const
    {
        constexpr auto both = "PASSING_RULE_BOTH_ALLOWED", none = "PASSING_RULE_NONE_ALLOWED";
        if (mark == nullptr || !mark->kind->is_drawn) {
            const bool is_driven = has_left_lane(border) && has_right_lane(border) &&
                                   left_lane(border).kind->is_driving() && right_lane(border).kind->is_driving();
            return is_driven ? both : "PASSING_RULE_OTHER";
        }
        switch (mark->lane_change) {
        case LaneChange::none: return none;
        case LaneChange::both: return both;
        // Lane ids ascend with t.
        case LaneChange::increase: return "PASSING_RULE_INCREASING_T";
        case LaneChange::decrease: return "PASSING_RULE_DECREASING_T";
        case LaneChange::by_lines: break;
        }
        if (!mark->kind->is_paint) return "PASSING_RULE_OTHER";
        const bool from_right = as_boundary(*mark, mark->lines.front()).type != "TYPE_SOLID_LINE";
        const bool from_left = as_boundary(*mark, mark->lines.back()).type != "TYPE_SOLID_LINE";
        if (from_right && from_left) return both;
        if (!from_right && !from_left) return none;
        return from_right ? "PASSING_RULE_INCREASING_T" : "PASSING_RULE_DECREASING_T";
    }

    MapWriter& map_;
    const SectionLines& lines_;
    const LaneSection& section_;
    std::uint64_t reference_line_id_;
    Unmarked unmarked_;
    const OutlineRows* outline_;
    std::vector<LaneBoundaries> of_lanes_;
};

}  // namespace

const RoadMark* line_on_border(const LaneSection& section, std::size_t border, double s)
{
    constexpr double farthest = 0.05;  // metres from the border
    if (section.lanes.empty() || (border != 0 && border != section.lanes.size())) return nullptr;
    const auto* const mark = record_at(owner(section, border).marks, s);
    if (mark == nullptr || !mark->kind->is_drawn || mark->lines.size() != 1) return nullptr;
    return std::abs(mark->lines.front().t_offset) <= farthest ? mark : nullptr;
}

void write_mark(MapWriter& map, std::uint64_t id, const RoadMark& mark, const std::vector<Vector>& line)
{
    Polyline along{line, {0}};
    for (std::size_t i = 1; i < line.size(); ++i) along.s.push_back(along.s.back() + distance(line[i - 1], line[i]));
    auto boundary = as_boundary(mark, mark.lines.front());
    fit_pattern(boundary.pattern, along.s.back());
    write_boundary(map, id, along, boundary);
}

std::vector<LaneBoundaries> write_boundaries(MapWriter& map, const SectionLines& lines, std::uint64_t reference_line_id,
                                             Unmarked unmarked, const OutlineRows* outline)
{
    return BoundaryWriter(map, lines, reference_line_id, unmarked, outline).run();
}

}  // namespace ositrace::open_drive
