// SPDX-License-Identifier: MPL-2.0
// The connecting roads of a junction as one lane of TYPE_INTERSECTION (osi_lane.proto): it has all pairings and only
// free boundaries, which are its outline without the mouths of the roads. Each connecting lane is a logical lane.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "lib/lanes/cell_grid.hpp"
#include "lib/open_drive/boundaries.hpp"
#include "lib/open_drive/logical_lanes.hpp"
#include "lib/open_drive/map_writer.hpp"
#include "lib/open_drive/outline.hpp"

namespace ositrace::open_drive {

namespace {

/// Of tests of a part of a road against another, in one junction; beyond it overlaps are not searched for.
constexpr std::size_t max_tests = 200'000'000;
/// Of outline_of(), in one junction; beyond it the sides of all roads are taken.
constexpr std::size_t max_outline_cost = 1'000'000;
/// Between stations, in metres: so exact are the ends of overlaps.
constexpr double longest_step = 2;

struct Box {
    double min_x = 1e300, min_y = 1e300, max_x = -1e300, max_y = -1e300;

    void add(Vector p)
    {
        min_x = std::min(min_x, p.x), max_x = std::max(max_x, p.x);
        min_y = std::min(min_y, p.y), max_y = std::max(max_y, p.y);
    }
    void add(const Box& box)
    {
        add(Vector{box.min_x, box.min_y, 0});
        add(Vector{box.max_x, box.max_y, 0});
    }
    [[nodiscard]] bool meets(const Box& b) const
    {
        return min_x <= b.max_x && b.min_x <= max_x && min_y <= b.max_y && b.min_y <= max_y;
    }
};

/// The area between two lines from one station to the next: left and right at its start, then at its end.
using Quad = std::array<Vector, 4>;

/// Separating axes: do two convex areas have more than a strip of 5 cm in common, which OSI calls an overlap?
bool overlap(const Quad& a, const Quad& b)
{
    constexpr double least = 0.05;
    constexpr std::array<std::size_t, 4> around{0, 1, 3, 2};
    const auto separates = [&](const Quad& of, std::size_t i) {
        const Vector from = of[around[i]], to = of[around[(i + 1) % 4]];
        const double length = distance(from, to);
        if (length < 1e-9) return false;
        const double nx = (to.y - from.y) / length, ny = (from.x - to.x) / length;
        const auto range = [&](const Quad& quad) {
            std::pair<double, double> all{1e300, -1e300};
            for (const auto& p : quad) {
                const double at = p.x * nx + p.y * ny;
                all = {std::min(all.first, at), std::max(all.second, at)};
            }
            return all;
        };
        const auto ra = range(a), rb = range(b);
        return std::min(ra.second, rb.second) - std::max(ra.first, rb.first) < least;
    };
    for (std::size_t i = 0; i < 4; ++i)
        if (separates(a, i) || separates(b, i)) return false;
    return true;
}

/// The lines of the connecting roads of one junction.
class IntersectionWriter {
public:
    IntersectionWriter(MapWriter& map, const Network::Intersection& intersection, double max_deviation)
        : map_(map), network_(map.network()), intersection_(intersection)
    {
        for (const auto road : intersection.roads) {
            const RoadSurface surface(map.document().roads[road]);
            for (std::size_t s = 0; s < surface.road().sections.size(); ++s) {
                const auto& section = surface.road().sections[s];
                sections_.push_back(
                    {road, s, sample(surface, section, max_deviation, map.points_left(), longest_step), {}, {}, {}});
                add_strips(sections_.back());
            }
        }
        std::size_t places = 0;
        for (const auto& section : sections_)
            places += section.lines.rows.size() * (section.lines.section->lanes.size() + 1);
        is_searched_ = places < max_tests / (places + 1);
    }

    void write()
    {
        const auto parts = outline();
        write_outline(parts);
        if (!marks_.empty()) find_marks_on_outline(parts);
        std::size_t index = 0;
        for (const auto road : intersection_.roads) {
            const auto reference_line_id = map_.new_id();
            std::vector<RoadFrame> stations;
            for (; index < sections_.size() && sections_[index].road == road; ++index) {
                write_section(sections_[index], reference_line_id);
                for (const auto& row : sections_[index].lines.rows) stations.push_back(row.frame);
            }
            write_reference_line(map_, stations, reference_line_id);
        }
        map_.add(Part::lane, [&](NamedWriter& out) { write_lane(out); });
    }

private:
    struct Section {
        std::size_t road = 0, section = 0;
        SectionLines lines;
        std::vector<Box> boxes;  ///< of the whole width between two stations
        Box box;
        std::optional<OutlineRows> on_outline = {};
    };

    static Quad quad(const SectionLines& lines, std::size_t row, std::size_t left, std::size_t right)
    {
        const auto &a = lines.rows[row].border, &b = lines.rows[row + 1].border;
        return {a[left], a[right], b[left], b[right]};
    }

    static void add_strips(Section& section)
    {
        for (std::size_t row = 0; row + 1 < section.lines.rows.size(); ++row) {
            auto& box = section.boxes.emplace_back();
            for (const auto& corner : quad(section.lines, row, 0, section.lines.section->lanes.size())) box.add(corner);
            section.box.add(box);
        }
    }

    void write_section(const Section& section, std::uint64_t reference_line_id)
    {
        const auto boundaries = write_boundaries(map_, section.lines, reference_line_id, Unmarked::left_out,
                                                 section.on_outline ? &*section.on_outline : nullptr);
        write_logical_lanes(map_, section.lines, network_.node(section.road, section.section, 0), boundaries,
                            reference_line_id, overlaps_of(section));
    }

    [[nodiscard]] static double inside(const Section& section, std::size_t row)
    {
        return (section.lines.rows[row].frame.at.s + section.lines.rows[row + 1].frame.at.s) / 2;
    }

    /// What a boundary has of a mark: equal marks of several roads are one line.
    using MarkStyle = std::tuple<const MarkKind*, std::string_view, double, double, double, double, double>;
    [[nodiscard]] static MarkStyle style_of(const RoadMark& mark)
    {
        const auto& line = mark.lines.front();
        return {mark.kind, mark.color, mark.width, mark.height, line.width, line.length, line.space};
    }

    /// A mark on a border gives it a kind of its own.
    [[nodiscard]] BorderKind side(const Section& section, std::size_t border, std::size_t row, bool with_marks)
    {
        const auto& lanes = section.lines.section->lanes;
        const auto* const mark =
            with_marks ? line_on_border(*section.lines.section, border, inside(section, row)) : nullptr;
        if (mark == nullptr)
            return (border == 0 ? lanes.front() : lanes.back())->kind->is_driving() ? BorderKind::road_edge
                                                                                    : BorderKind::no_line;
        const auto [found, is_new] = kind_of_mark_.try_emplace(style_of(*mark), marks_.size());
        if (is_new) marks_.push_back(mark);
        return static_cast<BorderKind>(static_cast<std::uint32_t>(BorderKind::first_mark) + found->second);
    }

    /// The sides of a section, and its ends where the road begins or ends.
    void add_strips_of_area(std::vector<AreaStrip>& to, const Section& section, bool with_marks)
    {
        const auto& lines = section.lines;
        const auto& lanes = lines.section->lanes;
        if (lanes.empty()) return;
        for (std::size_t row = 0; row + 1 < lines.rows.size(); ++row) {
            const auto &start = lines.rows[row], &end = lines.rows[row + 1];
            const auto last = lanes.size() - 1;
            auto& strip = to.emplace_back(AreaStrip{{lines.left_edge(start, 0), lines.right_edge(start, last),
                                                     lines.left_edge(end, 0), lines.right_edge(end, last)},
                                                    side(section, 0, row, with_marks),
                                                    side(section, lanes.size(), row, with_marks)});
            if (section.section == 0 && row == 0) strip.start = BorderKind::mouth;
            if (section.section + 1 == lines.road->sections.size() && row + 2 == lines.rows.size())
                strip.end = BorderKind::mouth;
        }
    }

    [[nodiscard]] std::vector<OutlinePart> outline()
    {
        std::vector<AreaStrip> strips;
        for (const auto& section : sections_) add_strips_of_area(strips, section, true);
        if (auto found = outline_of(strips, max_outline_cost)) return std::move(*found);
        marks_.clear();
        std::vector<OutlinePart> sides;
        for (const auto& section : sections_) {
            std::vector<AreaStrip> of_section;
            add_strips_of_area(of_section, section, false);
            if (of_section.empty()) continue;
            OutlinePart left{of_section.front().left, {of_section.front().corners[0]}},
                right{of_section.front().right, {of_section.front().corners[1]}};
            for (const auto& strip : of_section) {
                left.line.push_back(strip.corners[2]);
                right.line.push_back(strip.corners[3]);
            }
            sides.push_back(std::move(left));
            sides.push_back(std::move(right));
        }
        return sides;
    }

    void write_outline(const std::vector<OutlinePart>& parts)
    {
        for (const auto& part : parts) {
            const auto id = free_boundaries_.emplace_back(map_.new_id());
            if (part.kind >= BorderKind::first_mark) {
                write_mark(
                    map_, id,
                    *marks_[static_cast<std::uint32_t>(part.kind) - static_cast<std::uint32_t>(BorderKind::first_mark)],
                    part.line);
                continue;
            }
            map_.add(Part::lane_boundary, [&](NamedWriter& out) {
                out.id("id", id);
                for (const auto& point : part.line)
                    out.message("boundary_line", [&] {
                        write_vector(out, "position", point);
                        out.real("width", 0);
                        out.real("height", 0);
                    });
                out.message("classification", [&] {
                    out.enumeration("type", part.kind == BorderKind::road_edge ? "TYPE_ROAD_EDGE" : "TYPE_NO_LINE");
                    out.enumeration("color", "COLOR_NONE");
                });
            });
        }
    }

    /// The free boundary on which each marked piece of an outer border lies: that at its middle.
    void find_marks_on_outline(const std::vector<OutlinePart>& parts)
    {
        constexpr double cell = 4, apart = 0.02;  // metres
        struct Piece {
            Vector from, to;
            std::uint64_t id = 0;
        };
        std::vector<Piece> pieces;
        lanes::CellGrid grid(cell);
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t k = 0; k + 1 < parts[i].line.size(); ++k) {
                const auto from = parts[i].line[k], to = parts[i].line[k + 1];
                const double count = std::max(1.0, std::ceil(distance(from, to) / cell));
                for (double part = 0; part < count; ++part) {
                    const Piece piece{between(from, to, part / count), between(from, to, (part + 1) / count),
                                      free_boundaries_[i]};
                    lanes::Box box;
                    box.add(piece.from.x, piece.from.y);
                    box.add(piece.to.x, piece.to.y);
                    box.widen(apart);
                    grid.add(box, static_cast<std::uint32_t>(pieces.size()));
                    pieces.push_back(piece);
                }
            }
        grid.close();
        const auto part_at = [&](Vector p) {
            std::uint64_t id = 0;
            double least = apart;
            grid.visit(p.x, p.y, [&](std::uint32_t item) {
                const auto& [from, to, of] = pieces[item];
                const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
                const double along = square > 0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / square : 0;
                const double found = distance(p, between(from, to, std::clamp(along, 0.0, 1.0)));
                if (found < least) least = found, id = of;
            });
            return id;
        };
        for (auto& section : sections_) {
            const auto count = section.lines.rows.size(), lane_count = section.lines.section->lanes.size();
            if (lane_count == 0) continue;
            auto& found = section.on_outline.emplace(
                OutlineRows{std::vector<std::uint64_t>(count), std::vector<std::uint64_t>(count)});
            for (std::size_t row = 0; row + 1 < count; ++row) {
                const auto &start = section.lines.rows[row], &end = section.lines.rows[row + 1];
                const double s = inside(section, row);
                if (line_on_border(*section.lines.section, 0, s) != nullptr)
                    found.leftmost[row] =
                        part_at(between(section.lines.left_edge(start, 0), section.lines.left_edge(end, 0), 0.5));
                if (line_on_border(*section.lines.section, lane_count, s) != nullptr)
                    found.rightmost[row] = part_at(between(section.lines.right_edge(start, lane_count - 1),
                                                           section.lines.right_edge(end, lane_count - 1), 0.5));
            }
        }
    }

    /// Of each lane of a section those with the lanes of other roads, by s.
    [[nodiscard]] std::vector<std::vector<Overlap>> overlaps_of(const Section& section) const
    {
        std::vector<std::vector<Overlap>> all(section.lines.section->lanes.size());
        if (!is_searched_) return all;
        for (const auto& other : sections_) {
            if (other.road == section.road || !section.box.meets(other.box)) continue;
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t k = 0; k < other.lines.section->lanes.size(); ++k)
                    add_overlaps(all[i], section, i, other, k);
        }
        for (auto& of_lane : all)
            std::ranges::sort(of_lane, [](const Overlap& a, const Overlap& b) {
                return std::pair(a.start, a.end) < std::pair(b.start, b.end);
            });
        return all;
    }

    /// From the first to the last station of each where the two lanes overlap.
    void add_overlaps(std::vector<Overlap>& to, const Section& a, std::size_t lane_a, const Section& b,
                      std::size_t lane_b) const
    {
        const auto s = [](const Section& section, std::size_t row) { return section.lines.rows[row].frame.at.s; };
        std::optional<Overlap> found;
        for (std::size_t i = 0; i < a.boxes.size(); ++i) {
            if (!a.boxes[i].meets(b.box)) continue;
            for (std::size_t k = 0; k < b.boxes.size(); ++k) {
                if (!a.boxes[i].meets(b.boxes[k]) ||
                    !overlap(quad(a.lines, i, lane_a, lane_a + 1), quad(b.lines, k, lane_b, lane_b + 1)))
                    continue;
                if (!found)
                    found =
                        Overlap{network_.node(b.road, b.section, lane_b), s(a, i), s(a, i + 1), s(b, k), s(b, k + 1)};
                found->start = std::min(found->start, s(a, i)), found->end = std::max(found->end, s(a, i + 1));
                found->start_other = std::min(found->start_other, s(b, k));
                found->end_other = std::max(found->end_other, s(b, k + 1));
            }
        }
        if (found) to.push_back(*found);
    }

    /// From the lane where traffic comes from to the one that it leaves by.
    [[nodiscard]] std::set<std::pair<std::uint64_t, std::uint64_t>> pairings() const
    {
        std::set<std::pair<std::uint64_t, std::uint64_t>> all;
        for (const auto& section : sections_)
            for (std::size_t i = 0; i < section.lines.section->lanes.size(); ++i) {
                const auto& node = network_.lanes()[network_.node(section.road, section.section, i)];
                const bool along = network_.runs_along(node);
                for (const auto from : outside(along ? node.at_start : node.at_end))
                    for (const auto to : outside(along ? node.at_end : node.at_start)) all.emplace(from, to);
            }
        return all;
    }

    [[nodiscard]] std::vector<std::uint64_t> outside(const std::vector<Network::LaneEnd>& ends) const
    {
        std::vector<std::uint64_t> ids;
        for (const auto& end : ends) ids.push_back(outside(end));
        if (ids.empty()) ids.push_back(0);
        return ids;
    }

    /// The lane where a connection ends that may go on through further connecting lanes; 0: there is none.
    [[nodiscard]] std::uint64_t outside(Network::LaneEnd end) const
    {
        for (std::size_t steps = 0; steps <= sections_.size(); ++steps) {
            const auto& node = network_.lanes()[end.lane];
            if (node.physical_id != intersection_.id) return node.physical_id;
            const auto& next = end.at_end ? node.at_start : node.at_end;
            if (next.empty()) return 0;
            end = next.front();
        }
        return 0;
    }

    void write_lane(NamedWriter& out) const
    {
        out.id("id", intersection_.id);
        out.message("classification", [&] {
            out.enumeration("type", "TYPE_INTERSECTION");
            for (const auto& pair : pairings()) {
                const auto from = pair.first, to = pair.second;  // for clang, which captures no binding
                if (from == 0 && to == 0) continue;
                out.message("lane_pairing", [&] {
                    if (from != 0) out.id("antecessor_lane_id", from);
                    if (to != 0) out.id("successor_lane_id", to);
                });
            }
            for (const auto id : free_boundaries_) out.id("free_lane_boundary_id", id);
            out.enumeration("subtype", "SUBTYPE_OTHER");
        });
        for (const auto& section : sections_)
            for (std::size_t i = 0; i < section.lines.section->lanes.size(); ++i)
                write_lane_source(out, network_, network_.lanes()[network_.node(section.road, section.section, i)]);
    }

    MapWriter& map_;
    const Network& network_;
    const Network::Intersection& intersection_;
    std::vector<Section> sections_;
    bool is_searched_ = true;
    std::vector<const RoadMark*> marks_;  ///< on outer borders
    std::map<MarkStyle, std::size_t> kind_of_mark_;
    std::vector<std::uint64_t> free_boundaries_;  ///< of the parts of the outline
};

}  // namespace

void write_intersection(MapWriter& map, const Network::Intersection& intersection, double max_deviation)
{
    IntersectionWriter(map, intersection, max_deviation).write();
}

}  // namespace ositrace::open_drive
