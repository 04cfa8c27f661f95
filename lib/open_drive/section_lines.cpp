// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/section_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <ositrace/error.hpp>

namespace ositrace::open_drive {

namespace {

/// Distances are checked at three places between two stations, so a little is left for the places between them.
constexpr double margin = 0.9;
constexpr double max_height_deviation = 0.02;

class Sampler {
public:
    Sampler(const RoadSurface& surface, const LaneSection& section, double max_deviation, std::size_t& points_left,
            double max_step)
        : surface_(surface),
          section_(section),
          max_deviation_(margin * max_deviation),
          max_step_(max_step),
          points_left_(points_left)
    {
        lines_.road = &surface.road();
        lines_.section = &section;
    }

    SectionLines run()
    {
        const auto breaks = break_points();
        for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
            const double from = breaks[i], to = breaks[i + 1];
            inside_ = (from + to) / 2;
            auto before = row(from);
            const double parts = first_parts(to - from, before);
            add(before);
            for (double part = 0; part < parts; ++part) {
                auto after = row(part + 1 < parts ? from + (to - from) * (part + 1) / parts : to);
                refine(std::move(before), after);
                before = std::move(after);
            }
        }
        return std::move(lines_);
    }

private:
    template <class Records>
    void add_breaks(std::vector<double>& to, const Records& records) const
    {
        for (const auto& record : records)
            if (record.s > section_.s && record.s < section_.end) to.push_back(record.s);
    }

    [[nodiscard]] std::vector<double> break_points() const
    {
        const auto& road = surface_.road();
        std::vector<double> all{section_.s, section_.end};
        add_breaks(all, road.plan_view);
        for (const auto* const profile :
             {&road.elevation, &road.superelevation, &road.lane_offset, &road.crossfall.left, &road.crossfall.right})
            add_breaks(all, profile->pieces);
        add_breaks(all, road.shapes);
        const auto add_lane = [&](const Lane& lane) {
            add_breaks(all, lane.width.pieces);
            add_breaks(all, lane.border.pieces);
            add_breaks(all, lane.marks);
            add_breaks(all, lane.heights);
        };
        add_lane(*section_.center);
        for (const auto& lane : section_.lanes) add_lane(*lane);
        std::ranges::sort(all);
        constexpr double apart = 1e-6;
        const auto end = std::unique(all.begin(), all.end(), [](double a, double b) { return b - a < apart; });
        all.erase(end, all.end());
        all.back() = section_.end;
        return all;
    }

    /// An interval begins with so many parts that a curve which crosses its chord is seen.
    [[nodiscard]] double first_parts(double length, const SectionRow& first) const
    {
        constexpr double turn = 0.5, polynomial_parts = 4;
        const auto* const geometry = record_at(surface_.road().plan_view, inside_);
        if (geometry == nullptr || geometry->curve == Curve::line) return 1;
        if (!geometry->arc_lengths.empty()) return polynomial_parts;
        const double parts = geometry->largest_turn() * length / geometry->length / turn;
        if (geometry->curve != Curve::arc) return std::max(1.0, std::ceil(parts));
        // A chord of d has the sagitta d^2 / 8r.
        const double curvature = std::abs(geometry->curvature_start);
        const double widest = std::max(std::abs(first.t.front()), std::abs(first.t.back()));
        const double step = std::sqrt(8 * 0.95 * max_deviation_ / (curvature * (1 + curvature * widest)));
        return std::max(1.0, std::ceil(std::max(parts, length / step)));
    }

    [[nodiscard]] SectionRow row(double s) const
    {
        const Station at{s, inside_};
        SectionRow row{surface_.frame(at), {}, {}};
        const auto count = section_.lanes.size() + 1, center = section_.left_count;
        row.t.resize(count);
        row.t[center] = surface_.road().lane_offset.value(at);
        for (auto i = center; i-- > 0;) row.t[i] = outer_t(*section_.lanes[i], at, row.t[i + 1], row.t[center]);
        for (auto i = center; i + 1 < count; ++i)
            row.t[i + 1] = outer_t(*section_.lanes[i], at, row.t[i], row.t[center]);
        for (const double t : row.t) row.border.push_back(surface_.point(row.frame, t));
        // A level lane has no superelevation: it keeps the height of its inner border.
        for (auto i = center; i-- > 0;)
            if (section_.lanes[i]->level) row.border[i].z = row.border[i + 1].z;
        for (auto i = center; i + 1 < count; ++i)
            if (section_.lanes[i]->level) row.border[i + 1].z = row.border[i].z;
        return row;
    }

    static double outer_t(const Lane& lane, Station at, double inner_t, double center_t)
    {
        if (lane.width.pieces.empty() && !lane.border.pieces.empty()) return center_t + lane.border.value(at);
        const double width = std::max(0.0, lane.width.value(at));
        return lane.id > 0 ? inner_t + width : inner_t - width;
    }

    /// Adds the rows after `before` up to `after`.
    void refine(SectionRow before, const SectionRow& after)
    {
        constexpr double shortest = 0.01;
        std::vector<SectionRow> ahead{after};
        while (!ahead.empty()) {
            const auto& next = ahead.back();
            const double from = before.frame.at.s, to = next.frame.at.s;
            auto middle = row((from + to) / 2);
            if (to - from < shortest || (to - from <= max_step_ && is_close(middle, before, next) &&
                                         is_close(row((3 * from + to) / 4), before, next) &&
                                         is_close(row((from + 3 * to) / 4), before, next))) {
                before = std::move(ahead.back());
                ahead.pop_back();
                add(before);
            } else {
                ahead.push_back(std::move(middle));
            }
        }
    }

    [[nodiscard]] bool is_close(const SectionRow& between, const SectionRow& before, const SectionRow& after) const
    {
        if (!is_close(between.frame.origin, before.frame.origin, after.frame.origin)) return false;
        for (std::size_t i = 0; i < between.border.size(); ++i)
            if (!is_close(between.border[i], before.border[i], after.border[i])) return false;
        return true;
    }

    [[nodiscard]] bool is_close(Vector point, Vector from, Vector to) const
    {
        const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
        const double along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (square > 0 ? square : 1);
        const auto foot = open_drive::between(from, to, std::clamp(along, 0.0, 1.0));
        return distance(point, foot) <= max_deviation_ && std::abs(point.z - foot.z) <= margin * max_height_deviation;
    }

    /// Where nothing jumps, the first row of an interval is the last one of the interval before.
    void add(const SectionRow& row)
    {
        if (!lines_.rows.empty() && row.frame.at.s <= lines_.rows.back().frame.at.s && is_same(row, lines_.rows.back()))
            return;
        const auto points = row.border.size() + 1;
        if (points > points_left_)
            throw Error(Cause::limit, "the lines of the map have too many points, the last ones in road " +
                                          surface_.road().id + " at s " + std::to_string(row.frame.at.s));
        points_left_ -= points;
        lines_.rows.push_back(row);
    }

    [[nodiscard]] bool is_same(const SectionRow& a, const SectionRow& b) const
    {
        constexpr double apart = 1e-4;
        for (const auto& lane : section_.lanes)
            if (record_at(lane->heights, a.frame.at.inside) != record_at(lane->heights, b.frame.at.inside))
                return false;
        for (std::size_t i = 0; i < a.border.size(); ++i)
            if (distance(a.border[i], b.border[i]) > apart || std::abs(a.border[i].z - b.border[i].z) > apart)
                return false;
        return true;
    }

    const RoadSurface& surface_;
    const LaneSection& section_;
    double max_deviation_, max_step_;
    double inside_ = 0;
    std::size_t& points_left_;
    SectionLines lines_;
};

}  // namespace

Vector SectionLines::left_edge(const SectionRow& row, std::size_t lane) const noexcept
{
    return row.border[lane] + height(row, lane, true) * row.frame.up;
}

Vector SectionLines::right_edge(const SectionRow& row, std::size_t lane) const noexcept
{
    return row.border[lane + 1] + height(row, lane, false) * row.frame.up;
}

double SectionLines::height(const SectionRow& row, std::size_t lane, bool left) const noexcept
{
    const auto& of_lane = *section->lanes[lane];
    const auto* const record = record_at(of_lane.heights, row.frame.at.inside);
    if (record == nullptr) return 0;
    return (of_lane.id > 0) == left ? record->outer : record->inner;
}

SectionLines sample(const RoadSurface& surface, const LaneSection& section, double max_deviation,
                    std::size_t& points_left, double max_step)
{
    return Sampler(surface, section, max_deviation, points_left, max_step).run();
}

}  // namespace ositrace::open_drive
