// SPDX-License-Identifier: MPL-2.0
#include <ositrace/lane_graph.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ositrace {

namespace traffic {

/// A centre line in the plane.
struct CentreLine {
    std::vector<GroundPoint> points;
    std::vector<double> s;  ///< of each point
    [[nodiscard]] bool usable() const noexcept { return !s.empty() && s.back() > 0; }
    [[nodiscard]] double length() const noexcept { return s.back(); }
    [[nodiscard]] const GroundPoint& end(int which) const noexcept
    {
        return which == 0 ? points.front() : points.back();
    }
};

/// From one end of a lane to an end of another one.
struct LaneLink {
    std::uint32_t to = 0;
    int to_end = 0;
    double gap = 0;
};

}  // namespace traffic

namespace {

traffic::CentreLine line_of(const TrafficLane& lane)
{
    traffic::CentreLine line;
    double s = 0;
    for (const auto& [x, y, z] : lane.centre) {
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        if (!line.points.empty()) s += std::hypot(x - line.points.back()[0], y - line.points.back()[1]);
        line.points.push_back({x, y});
        line.s.push_back(s);
    }
    return line;
}

double distance(const GroundPoint& a, const GroundPoint& b) noexcept { return std::hypot(a[0] - b[0], a[1] - b[1]); }

}  // namespace

struct LaneGraph::Implementation {
    std::shared_ptr<const TrafficMap> map;
    std::vector<traffic::CentreLine> lines;
    std::vector<std::array<std::vector<traffic::LaneLink>, 2>> links;  ///< by lane and end
    std::vector<std::array<std::vector<std::uint32_t>, 2>> sides;      ///< left and right, along the points
    std::vector<std::unique_ptr<std::vector<ChainedLane>>> chains;     ///< by lane; null: not wanted yet
    std::size_t chain_count = 0;

    void join(std::uint32_t a, std::uint32_t b);
    void walk(std::uint32_t from, int end, std::vector<ChainedLane>& chain) const;
};

/// Where the ends of two lanes are nearest.
void LaneGraph::Implementation::join(std::uint32_t a, std::uint32_t b)
{
    if (a == b || !lines[a].usable() || !lines[b].usable()) return;
    std::tuple<double, int, int> best{std::numeric_limits<double>::infinity(), 0, 0};
    for (const int end_a : {0, 1})
        for (const int end_b : {0, 1})
            best = std::min(best, {distance(lines[a].end(end_a), lines[b].end(end_b)), end_a, end_b});
    const auto [gap, end_a, end_b] = best;
    links[a][static_cast<std::size_t>(end_a)].push_back({b, end_b, gap});
    links[b][static_cast<std::size_t>(end_b)].push_back({a, end_a, gap});
}

/// Appends what follows beyond an end, the nearest first.
void LaneGraph::Implementation::walk(std::uint32_t from, int end, std::vector<ChainedLane>& chain) const
{
    struct Step {
        double way = 0;  ///< from the end of `from` to this end of the lane
        std::uint32_t lane = 0;
        int end = 0;
        bool operator>(const Step& other) const noexcept { return way > other.way; }
    };
    const double sign = end == 0 ? -1 : 1, start = end == 0 ? 0 : lines[from].length();
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    std::set<std::uint32_t> visited{from};
    const auto leave = [&](std::uint32_t lane, int at, double way) {
        for (const auto& link : links[lane][static_cast<std::size_t>(at)])
            if (way + link.gap <= reach) open.push({way + link.gap, link.to, link.to_end});
    };
    leave(from, end, 0);
    while (!open.empty() && visited.size() <= most_in_chain / 2) {
        const auto step = open.top();
        open.pop();
        if (!visited.insert(step.lane).second) continue;
        const double length = lines[step.lane].length(), direction = step.end == 0 ? sign : -sign;
        // At its end where it is entered, s is 0 or its length.
        const double entered = step.end == 0 ? 0 : length;
        chain.push_back({step.lane, start + sign * step.way - direction * entered, direction});
        leave(step.lane, 1 - step.end, step.way + length);
    }
}

LaneGraph::LaneGraph(std::shared_ptr<const TrafficMap> map) : implementation_(std::make_unique<Implementation>())
{
    auto& state = *implementation_;
    state.map = std::move(map);
    const auto& lanes = state.map->lanes;
    state.links.resize(lanes.size());
    state.sides.resize(lanes.size());
    state.chains.resize(lanes.size());
    for (const auto& lane : lanes) state.lines.push_back(line_of(lane));
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (std::uint32_t i = 0; i != lanes.size(); ++i) {
        for (const auto& pairing : lanes[i].pairings)
            for (const auto& id : {pairing.antecessor, pairing.successor})
                if (const auto other = id ? lane_of(*id) : std::nullopt)
                    if (joined.insert(std::minmax(i, *other)).second) state.join(i, *other);
        for (const auto side : {std::size_t{0}, std::size_t{1}})
            for (const auto id : side == 0 ? lanes[i].left_lanes : lanes[i].right_lanes)
                if (const auto other = lane_of(id)) state.sides[i].at(side).push_back(*other);
    }
}
LaneGraph::LaneGraph(LaneGraph&&) noexcept = default;
LaneGraph& LaneGraph::operator=(LaneGraph&&) noexcept = default;
LaneGraph::~LaneGraph() = default;

const TrafficMap& LaneGraph::map() const noexcept { return *implementation_->map; }

std::optional<std::uint32_t> LaneGraph::lane_of(std::uint64_t id) const noexcept
{
    const auto& places = implementation_->map->lane_places;
    const auto found = places.find(id);
    return found == places.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found->second));
}

std::optional<LaneSpot> LaneGraph::spot_on(std::uint32_t lane, const GroundPoint& point) const noexcept
{
    const auto& line = implementation_->lines[lane];
    if (!line.usable()) return std::nullopt;
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t place = 0;
    double share = 0;
    for (std::size_t i = 0; i + 1 != line.points.size(); ++i) {
        const auto &from = line.points[i], &to = line.points[i + 1];
        const double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
        if (!(square > 0)) continue;
        const double x = point[0] - from[0], y = point[1] - from[1];
        const double along = std::clamp((x * dx + y * dy) / square, 0.0, 1.0);
        const double ax = x - along * dx, ay = y - along * dy, away = ax * ax + ay * ay;
        if (away < nearest) nearest = away, place = i, share = along;
    }
    const auto &from = line.points[place], &to = line.points[place + 1];
    const double length = line.s[place + 1] - line.s[place];
    if (!(length > 0)) return std::nullopt;
    const GroundPoint tangent{(to[0] - from[0]) / length, (to[1] - from[1]) / length};
    // Before and after the line its first and last piece go on straight.
    const double along = (point[0] - from[0]) * tangent[0] + (point[1] - from[1]) * tangent[1];
    const bool beyond = (place == 0 && along < 0) || (place + 2 == line.points.size() && along > length);
    return LaneSpot{.lane = lane,
                    .s = line.s[place] + (beyond ? along : share * length),
                    .aside = (point[1] - from[1]) * tangent[0] - (point[0] - from[0]) * tangent[1],
                    .tangent = tangent};
}

std::span<const ChainedLane> LaneGraph::chain_of(std::uint32_t lane)
{
    auto& state = *implementation_;
    auto& chain = state.chains[lane];
    if (chain) return *chain;
    constexpr std::size_t most_chains = 10'000;  // a hostile map has many, and each is longer than its lane
    if (++state.chain_count > most_chains) {
        for (auto& each : state.chains) each.reset();
        state.chain_count = 1;
    }
    chain = std::make_unique<std::vector<ChainedLane>>(1, ChainedLane{lane, 0, 1});
    if (state.lines[lane].usable())
        for (const int end : {1, 0}) state.walk(lane, end, *chain);
    return *chain;
}

std::span<const std::uint32_t> LaneGraph::left_of(std::uint32_t lane, bool forwards) const noexcept
{
    return implementation_->sides[lane][forwards ? 0 : 1];
}
std::span<const std::uint32_t> LaneGraph::right_of(std::uint32_t lane, bool forwards) const noexcept
{
    return implementation_->sides[lane][forwards ? 1 : 0];
}

bool LaneGraph::are_chained(std::uint32_t a, std::uint32_t b)
{
    return std::ranges::find(chain_of(a), b, &ChainedLane::lane) != chain_of(a).end();
}

}  // namespace ositrace
