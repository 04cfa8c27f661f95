// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lib/messages/geometry.hpp"
#include "lib/scene/scene_ids.hpp"

namespace ositrace::scene {

/// One lane of the cross-section. Offsets t from the reference line, to the left; enumerators as in OSI.
struct LaneRow {
    double left, right;
    std::string_view type, subtype, logical_type, move_direction;
    bool against_s;  ///< traffic runs towards smaller s
};

/// One lane boundary of the cross-section; boundary i is left of lane i, boundary i + 1 right of it.
struct BoundaryRow {
    double t, width, height;
    std::string_view type, color, passing_rule;
};

/// A place relative to the reference line.
struct RoadPlace {
    double s, t;
};

/// A flat ring road, driven on the right: the inner lane clockwise, the others counter-clockwise. The reference line is
/// a circle about the origin, s grows counter-clockwise from (0, -radius) and t grows towards the centre. Four sections
/// of equal length; lanes and boundaries end with them.
class RingRoad {
public:
    static constexpr std::size_t sections = 4;
    static constexpr std::array<LaneRow, 5> lanes{{
        {3.5, 0.0, "TYPE_DRIVING", "SUBTYPE_NORMAL", "TYPE_NORMAL", "MOVE_DIRECTION_DECREASING_S", true},
        {0.0, -3.5, "TYPE_DRIVING", "SUBTYPE_NORMAL", "TYPE_NORMAL", "MOVE_DIRECTION_INCREASING_S", false},
        {-3.5, -7.0, "TYPE_DRIVING", "SUBTYPE_NORMAL", "TYPE_NORMAL", "MOVE_DIRECTION_INCREASING_S", false},
        {-7.0, -8.5, "TYPE_NONDRIVING", "SUBTYPE_BIKING", "TYPE_BIKING", "MOVE_DIRECTION_INCREASING_S", false},
        {-8.5, -11.0, "TYPE_NONDRIVING", "SUBTYPE_SIDEWALK", "TYPE_SIDEWALK", "MOVE_DIRECTION_BOTH_ALLOWED", false},
    }};
    static constexpr std::array<BoundaryRow, lanes.size() + 1> boundaries{{
        {3.5, 0.12, 0.0, "TYPE_SOLID_LINE", "COLOR_WHITE", "PASSING_RULE_NONE_ALLOWED"},
        {0.0, 0.15, 0.0, "TYPE_SOLID_LINE", "COLOR_YELLOW", "PASSING_RULE_NONE_ALLOWED"},
        {-3.5, 0.12, 0.0, "TYPE_DASHED_LINE", "COLOR_WHITE", "PASSING_RULE_BOTH_ALLOWED"},
        {-7.0, 0.25, 0.0, "TYPE_SOLID_LINE", "COLOR_WHITE", "PASSING_RULE_OTHER"},
        {-8.5, 0.15, 0.12, "TYPE_CURB", "COLOR_NONE", "PASSING_RULE_OTHER"},
        {-11.0, 0.05, 0.0, "TYPE_GRASS_EDGE", "COLOR_NONE", "PASSING_RULE_OTHER"},
    }};
    static constexpr double dash_length = 4.0, gap_length = 8.0;

    /// `radius` of the reference line.
    RingRoad(double radius, SceneIds ids) noexcept;

    [[nodiscard]] double radius() const noexcept { return radius_; }
    [[nodiscard]] double length() const noexcept { return 2 * pi * radius_; }
    [[nodiscard]] double section_length() const noexcept { return length() / sections; }
    /// Chords per section, so that no polyline is further than 5 cm from its circle, as OSI requires.
    [[nodiscard]] std::size_t chords() const noexcept { return chords_; }

    [[nodiscard]] Vector point(RoadPlace place, double z = 0) const noexcept;
    /// The direction of growing s.
    [[nodiscard]] double heading(double s) const noexcept;
    /// s in [0, length).
    [[nodiscard]] RoadPlace place(Vector point) const noexcept;
    [[nodiscard]] std::size_t section_of(double s) const noexcept;

    [[nodiscard]] std::uint64_t lane_id(std::size_t section, std::size_t lane) const noexcept;
    [[nodiscard]] std::uint64_t boundary_id(std::size_t section, std::size_t boundary) const noexcept;
    [[nodiscard]] std::uint64_t logical_lane_id(std::size_t section, std::size_t lane) const noexcept;
    [[nodiscard]] std::uint64_t logical_boundary_id(std::size_t section, std::size_t boundary) const noexcept;
    [[nodiscard]] std::uint64_t reference_line_id() const noexcept;

private:
    double radius_;
    SceneIds ids_;
    std::size_t chords_;
};

}  // namespace ositrace::scene
