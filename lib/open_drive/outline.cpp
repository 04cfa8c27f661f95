// SPDX-License-Identifier: MPL-2.0
// The strips become triangles with corners on a grid of 1 mm, whose edges are split where they meet. Then a piece of
// the outline is an edge with triangles on its left and none on its right.
#include "lib/open_drive/outline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace ositrace::open_drive {

namespace {

constexpr double per_metre = 1000;   ///< of the grid, in a metre
constexpr double most_metres = 1e6;  ///< from the first corner

struct GridSpot {
    double x = 0, y = 0;  ///< whole numbers
    friend auto operator<=>(const GridSpot&, const GridSpot&) = default;
};

double turn(const GridSpot& a, const GridSpot& b, const GridSpot& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Between the spots `from` < `to`. `triangles`: how many more are on its left than on its right.
struct MeshEdge {
    std::size_t from = 0, to = 0;
    int triangles = 0;
    BorderKind kind = BorderKind::no_line;
    [[nodiscard]] auto ends() const { return std::pair(from, to); }
};

/// The edges of all triangles, split where they meet.
class TriangleMesh {
public:
    TriangleMesh(std::span<const AreaStrip> strips, std::size_t most_cost) : cost_left_(static_cast<double>(most_cost))
    {
        if (!strips.empty()) origin_ = {std::round(strips[0].corners[0].x), std::round(strips[0].corners[0].y), 0};
        for (const auto& strip : strips) {
            const auto& corners = strip.corners;
            for (const auto& corner : corners)
                if (!(distance(corner, origin_) < most_metres)) cost_left_ = -1;
            if (is_too_large()) return;
            const std::array ids{spot_of(corners[0]), spot_of(corners[1]), spot_of(corners[2]), spot_of(corners[3])};
            add_triangle({ids[0], ids[1], ids[2]}, {strip.start, BorderKind::no_line, strip.left});
            add_triangle({ids[1], ids[3], ids[2]}, {strip.right, strip.end, BorderKind::no_line});
        }
        merge();
        constexpr int most_rounds = 10;
        for (int i = 0; i < most_rounds && split(); ++i) merge();
    }

    [[nodiscard]] bool is_too_large() const { return cost_left_ < 0; }
    void spend(double cost) { cost_left_ -= cost; }
    [[nodiscard]] const std::vector<MeshEdge>& edges() const { return edges_; }
    [[nodiscard]] std::size_t spot_count() const { return spots_.size(); }
    [[nodiscard]] const GridSpot& spot(std::size_t id) const { return spots_[id]; }
    [[nodiscard]] Vector place(std::size_t id) const { return places_[id]; }

private:
    std::size_t spot_of(Vector place)
    {
        const auto local = per_metre * (place - origin_);
        const auto [found, is_new] = ids_.try_emplace({std::round(local.x), std::round(local.y)}, spots_.size());
        if (is_new) {
            spots_.push_back(found->first);
            places_.push_back(place);
        }
        return found->second;
    }

    void add_edge(std::size_t from, std::size_t to, int triangles, BorderKind kind)
    {
        if (from < to) edges_.push_back({from, to, triangles, kind});
        if (from > to) edges_.push_back({to, from, -triangles, kind});
    }

    /// Counter-clockwise, so that nothing has less than no triangles, even if lines of a road cross.
    void add_triangle(std::array<std::size_t, 3> ids, std::array<BorderKind, 3> kinds)
    {
        const double area = turn(spots_[ids[0]], spots_[ids[1]], spots_[ids[2]]);
        const int sign = area > 0 ? 1 : area < 0 ? -1 : 0;
        for (std::size_t i = 0; i < 3; ++i) add_edge(ids[i], ids[(i + 1) % 3], sign, kinds[i]);
    }

    /// Makes one edge of those with the same ends.
    void merge()
    {
        std::ranges::sort(edges_, {}, &MeshEdge::ends);
        std::size_t count = 0;
        for (const auto& edge : edges_) {
            if (count == 0 || edges_[count - 1].ends() != edge.ends()) {
                edges_[count++] = edge;
                continue;
            }
            edges_[count - 1].triangles += edge.triangles;
            edges_[count - 1].kind = std::max(edges_[count - 1].kind, edge.kind);
        }
        edges_.resize(count);
        std::erase_if(edges_, [](const MeshEdge& edge) { return edge.triangles == 0; });
    }

    /// Splits edges where they meet others. Returns false if there is nothing to split.
    bool split()
    {
        struct InCell {
            double x = 0, y = 0;
            std::size_t edge = 0;
        };
        constexpr double cell = 4 * per_metre;
        std::vector<InCell> all;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const auto &a = spots_[edges_[i].from], &b = spots_[edges_[i].to];
            const double left = std::floor((std::min(a.x, b.x) - 1) / cell),
                         right = std::floor((std::max(a.x, b.x) + 1) / cell);
            const double low = std::floor((std::min(a.y, b.y) - 1) / cell),
                         high = std::floor((std::max(a.y, b.y) + 1) / cell);
            spend((right - left + 1) * (high - low + 1));
            if (!(cost_left_ >= 0)) return false;
            for (double x = left; x <= right; ++x)
                for (double y = low; y <= high; ++y) all.push_back({x, y, i});
        }
        std::ranges::sort(all, {}, [](const InCell& one) { return std::tuple(one.x, one.y, one.edge); });
        std::vector<std::pair<std::size_t, std::size_t>> splits;  // edge and spot
        for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
            while (to < all.size() && all[to].x == all[from].x && all[to].y == all[from].y) ++to;
            const auto count = static_cast<double>(to - from);
            spend(count * count / 2);
            if (cost_left_ < 0) return false;
            for (auto i = from; i < to; ++i)
                for (auto k = i + 1; k < to; ++k) meet(splits, all[i].edge, all[k].edge);
        }
        if (splits.empty()) return false;
        apply(splits);
        return true;
    }

    void meet(std::vector<std::pair<std::size_t, std::size_t>>& splits, std::size_t one, std::size_t other)
    {
        const auto a = edges_[one], b = edges_[other];
        const auto &a0 = spots_[a.from], &a1 = spots_[a.to], &b0 = spots_[b.from], &b1 = spots_[b.to];
        if (std::max(a0.x, a1.x) + 1 < std::min(b0.x, b1.x) || std::max(b0.x, b1.x) + 1 < std::min(a0.x, a1.x) ||
            std::max(a0.y, a1.y) + 1 < std::min(b0.y, b1.y) || std::max(b0.y, b1.y) + 1 < std::min(a0.y, a1.y))
            return;
        bool touch = a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to;
        const auto split_at = [&](std::size_t edge, std::size_t spot) {
            if (!is_on(edges_[edge], spot)) return;
            splits.emplace_back(edge, spot);
            touch = true;
        };
        split_at(one, b.from), split_at(one, b.to), split_at(other, a.from), split_at(other, a.to);
        if (touch) return;
        const double from = turn(b0, b1, a0), to = turn(b0, b1, a1);
        if (!(from < 0 && to > 0) && !(from > 0 && to < 0)) return;
        const double from_b = turn(a0, a1, b0), to_b = turn(a0, a1, b1);
        if (!(from_b < 0 && to_b > 0) && !(from_b > 0 && to_b < 0)) return;
        const auto spot = spot_of(between(places_[a.from], places_[a.to], from / (from - to)));
        splits.emplace_back(one, spot);
        splits.emplace_back(other, spot);
    }

    /// Is a spot between the ends of an edge, and not a unit beside it?
    [[nodiscard]] bool is_on(const MeshEdge& edge, std::size_t spot) const
    {
        if (spot == edge.from || spot == edge.to) return false;
        const auto &a = spots_[edge.from], &b = spots_[edge.to], &p = spots_[spot];
        const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
        const double along = (p.x - a.x) * dx + (p.y - a.y) * dy, beside = turn(a, b, p);
        return along > 0 && along < square && beside * beside <= square;
    }

    void apply(std::vector<std::pair<std::size_t, std::size_t>>& splits)
    {
        const auto along = [&](const std::pair<std::size_t, std::size_t>& split) {
            const auto& edge = edges_[split.first];
            const auto &a = spots_[edge.from], &b = spots_[edge.to], &p = spots_[split.second];
            return std::tuple(split.first, (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y), split.second);
        };
        std::ranges::sort(splits, {}, along);
        for (std::size_t i = 0; i < splits.size();) {
            const auto edge = edges_[splits[i].first];
            auto last = edge.from;
            const auto of = splits[i].first;
            for (; i < splits.size() && splits[i].first == of; ++i) {
                add_edge(last, splits[i].second, edge.triangles, edge.kind);
                last = splits[i].second;
            }
            add_edge(last, edge.to, edge.triangles, edge.kind);
            edges_[of].triangles = 0;
        }
        std::erase_if(edges_, [](const MeshEdge& edge) { return edge.triangles == 0; });
    }

    double cost_left_;
    Vector origin_;
    std::map<GridSpot, std::size_t> ids_;
    std::vector<GridSpot> spots_;
    std::vector<Vector> places_;  ///< what is on the spots; not rounded
    std::vector<MeshEdge> edges_;
};

/// Walks around the areas of a mesh. Side 2i of edge i runs from its begin to its end, side 2i + 1 back.
class OutlineWalk {
public:
    explicit OutlineWalk(TriangleMesh& mesh)
        : mesh_(mesh), leaving_(mesh.spot_count()), on_left_(2 * mesh.edges().size()), is_known_(on_left_.size())
    {
        for (std::size_t side = 0; side < on_left_.size(); ++side) leaving_[from(side)].push_back(side);
        rank_.resize(on_left_.size());
        for (auto& sides : leaving_) {
            std::ranges::sort(sides, {}, [this](std::size_t side) { return angle(side); });
            for (std::size_t i = 0; i < sides.size(); ++i) rank_[sides[i]] = i;
        }
        count_triangles();
    }

    [[nodiscard]] std::vector<OutlinePart> parts() const
    {
        std::vector<OutlinePart> parts;
        std::vector<bool> is_used(on_left_.size());
        for (std::size_t side = 0; side < on_left_.size(); ++side) {
            std::vector<std::size_t> round;
            for (auto next = side; is_outline(next) && !is_used[next]; next = after(next)) {
                is_used[next] = true;
                round.push_back(next);
            }
            if (is_wide(round)) add_parts(parts, round);
        }
        return parts;
    }

private:
    [[nodiscard]] std::size_t from(std::size_t side) const
    {
        const auto& edge = mesh_.edges()[side / 2];
        return side % 2 == 0 ? edge.from : edge.to;
    }
    [[nodiscard]] std::size_t to(std::size_t side) const { return from(side ^ 1U); }
    [[nodiscard]] BorderKind kind(std::size_t side) const { return mesh_.edges()[side / 2].kind; }
    [[nodiscard]] int more_on_left(std::size_t side) const
    {
        const int triangles = mesh_.edges()[side / 2].triangles;
        return side % 2 == 0 ? triangles : -triangles;
    }
    [[nodiscard]] double angle(std::size_t side) const
    {
        const auto &a = mesh_.spot(from(side)), &b = mesh_.spot(to(side));
        return std::atan2(b.y - a.y, b.x - a.x);
    }

    /// What is on the left of a side is known from what is on the left of its neighbour around a spot.
    void count_triangles()
    {
        std::vector<bool> is_passed(leaving_.size());
        std::vector<std::size_t> spots(leaving_.size());
        for (std::size_t i = 0; i < spots.size(); ++i) spots[i] = i;
        std::ranges::sort(spots, {}, [this](std::size_t id) { return std::pair(mesh_.spot(id).y, mesh_.spot(id).x); });
        for (const auto lowest : spots) {
            if (leaving_[lowest].empty() || is_known_[leaving_[lowest].front()]) continue;
            // No side of these edges is below the lowest spot: on the left of the last side is what is around them.
            set(leaving_[lowest].back(), triangles_around(mesh_.spot(lowest)));
            for (std::vector<std::size_t> ahead{lowest}; !ahead.empty();) {
                const auto spot = ahead.back();
                ahead.pop_back();
                if (!is_passed[spot]) pass(spot, ahead);
                is_passed[spot] = true;
            }
        }
    }

    void set(std::size_t side, int triangles)
    {
        on_left_[side] = triangles;
        on_left_[side ^ 1U] = triangles - more_on_left(side);
        is_known_[side] = is_known_[side ^ 1U] = true;
    }

    void pass(std::size_t spot, std::vector<std::size_t>& ahead)
    {
        const auto& sides = leaving_[spot];
        std::size_t first = 0;
        while (!is_known_[sides[first]]) ++first;
        for (std::size_t i = 1; i <= sides.size(); ++i) {
            const auto before = sides[(first + i - 1) % sides.size()], side = sides[(first + i) % sides.size()];
            if (!is_known_[side]) set(side, on_left_[before] + more_on_left(side));
            ahead.push_back(to(side));
        }
    }

    /// Triangles that cover a spot, of those that are known: the edges of others come later, or are not connected.
    [[nodiscard]] int triangles_around(const GridSpot& spot)
    {
        int triangles = 0;
        mesh_.spend(static_cast<double>(mesh_.edges().size()));
        if (mesh_.is_too_large()) return 0;
        for (std::size_t side = 0; side < on_left_.size(); side += 2) {
            if (!is_known_[side]) continue;
            const auto &a = mesh_.spot(from(side)), &b = mesh_.spot(to(side));
            if ((a.y <= spot.y) == (b.y <= spot.y)) continue;
            const bool is_up = a.y <= spot.y;
            if (is_up == (turn(a, b, spot) > 0)) triangles += is_up ? more_on_left(side) : -more_on_left(side);
        }
        return triangles;
    }

    [[nodiscard]] bool is_outline(std::size_t side) const { return on_left_[side] > 0 && on_left_[side ^ 1U] <= 0; }

    /// The next side of the outline: around the same area, also where two areas touch in a spot.
    [[nodiscard]] std::size_t after(std::size_t side) const
    {
        const auto& sides = leaving_[to(side)];
        auto i = rank_[side ^ 1U];
        do i = (i + sides.size() - 1) % sides.size();
        while (!is_outline(sides[i]) && sides[i] != (side ^ 1U));
        return sides[i];
    }

    /// Roads that should touch may leave a thin gap.
    [[nodiscard]] bool is_wide(const std::vector<std::size_t>& round) const
    {
        constexpr double least = 0.05 * per_metre;
        double area = 0, length = 0;
        for (const auto side : round) {
            const auto &start = mesh_.spot(from(round.front())), &a = mesh_.spot(from(side)), &b = mesh_.spot(to(side));
            area += turn(start, a, b) / 2;
            length += std::hypot(b.x - a.x, b.y - a.y);
        }
        return std::abs(area) > least * length / 2;
    }

    void add_parts(std::vector<OutlinePart>& parts, std::vector<std::size_t> round) const
    {
        const auto changes = [this](std::size_t a, std::size_t b) { return kind(a) != kind(b); };
        const auto change = std::ranges::adjacent_find(round, changes);
        if (change != round.end()) std::rotate(round.begin(), change + 1, round.end());
        for (std::size_t i = 0; i < round.size();) {
            OutlinePart part{kind(round[i]), {mesh_.place(from(round[i]))}};
            for (; i < round.size() && kind(round[i]) == part.kind; ++i) part.line.push_back(mesh_.place(to(round[i])));
            if (part.kind != BorderKind::mouth) parts.push_back({part.kind, without_straight(part.line)});
        }
    }

    /// Without the points on a straight line between their neighbours.
    static std::vector<Vector> without_straight(const std::vector<Vector>& all)
    {
        constexpr double least = 0.002, least_height = 0.005;
        std::vector<Vector> line{all.front()};
        for (std::size_t i = 1; i + 1 < all.size(); ++i) {
            const auto a = line.back(), b = all[i + 1], p = all[i];
            const double whole = distance(a, b), first = distance(a, p), rest = distance(p, b);
            const double beside =
                whole > 0 ? std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / whole : first;
            const double height = whole > 0 ? std::abs(p.z - between(a, b, first / whole).z) : 1;
            if (beside > least || first > whole || rest > whole || height > least_height) line.push_back(p);
        }
        line.push_back(all.back());
        return line;
    }

    TriangleMesh& mesh_;
    std::vector<std::vector<std::size_t>> leaving_;  ///< the sides that leave a spot, counter-clockwise
    std::vector<std::size_t> rank_;                  ///< of a side there
    std::vector<int> on_left_;                       ///< triangles on the left of a side
    std::vector<bool> is_known_;
};

}  // namespace

std::optional<std::vector<OutlinePart>> outline_of(std::span<const AreaStrip> strips, std::size_t most_cost)
{
    TriangleMesh mesh(strips, most_cost);
    if (mesh.is_too_large()) return std::nullopt;
    const OutlineWalk outline(mesh);
    if (mesh.is_too_large()) return std::nullopt;
    return outline.parts();
}

}  // namespace ositrace::open_drive
