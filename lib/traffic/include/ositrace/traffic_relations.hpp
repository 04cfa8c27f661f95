// SPDX-License-Identifier: MPL-2.0
// Who leads, who follows, who drives beside: pairs of objects of a frame, by lane or else by corridor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/footprint.hpp>
#include <ositrace/lane_graph.hpp>
#include <ositrace/traffic_frame.hpp>

namespace ositrace {

/// How one object is to another one, `b` as `a` sees it.
struct PairRelation {
    enum class Basis : std::uint8_t { lane, corridor };
    enum class Side : std::uint8_t { same, left, right, none };
    enum class Order : std::uint8_t { ahead, alongside, behind };

    Basis basis = Basis::corridor;
    Side side = Side::none;  ///< the lane of b: that of a, the next one; none: another one
    Order order = Order::alongside;
    bool oncoming = false;  ///< b drives against the direction of a
    /// On the same side, not alongside, not oncoming: of the follower, which is a if b is ahead.
    std::optional<PathMotion> motion = {};
};

/// The relations of the objects of a frame. By lane where both objects are assigned to lanes with a centre line: lanes
/// that lane_pairing chains are one lane, adjacent ones are the next. Else by corridor: straight ahead of an object, as
/// wide as it; objects whose centre is at most neighbour_reach aside are in the next one.
class TrafficRelations {
public:
    static constexpr double neighbour_reach = 5.25;  ///< m: one and a half lanes of 3.5 m

    /// The frame was read with TrafficNeeds::lanes and map; it must outlive the calls of between().
    void begin(const TrafficFrame& frame);
    [[nodiscard]] std::span<const Footprint> footprints() const noexcept { return footprints_; }
    [[nodiscard]] const Footprint& footprint(std::size_t object) const noexcept { return footprints_[object]; }
    /// By their places in TrafficFrame::objects.
    [[nodiscard]] PairRelation between(std::size_t a, std::size_t b);
    /// Null: the frame has no lanes.
    [[nodiscard]] LaneGraph* lanes() noexcept { return graph_ ? &*graph_ : nullptr; }
    /// On the lanes that the object is assigned to.
    [[nodiscard]] std::span<const LaneSpot> spots_of(std::size_t object) const noexcept;

private:
    /// A lane on or beside which an object is.
    struct Line {
        LaneSpot spot;
        PairRelation::Side side = PairRelation::Side::same;
    };
    void find_spots(const TrafficFrame& frame, std::size_t object);
    void add_neighbours(std::size_t object, const LaneSpot& spot);
    [[nodiscard]] bool by_lane(std::size_t a, std::size_t b, PairRelation& relation);
    [[nodiscard]] PairRelation by_corridor(const Footprint& a, const Footprint& b) const noexcept;

    std::shared_ptr<const TrafficMap> map_;
    std::optional<LaneGraph> graph_;
    std::vector<Footprint> footprints_;
    std::vector<LaneSpot> spots_;
    std::vector<std::size_t> spots_end_;
    std::vector<Line> neighbours_;
    std::vector<std::size_t> neighbours_end_;
};

}  // namespace ositrace
