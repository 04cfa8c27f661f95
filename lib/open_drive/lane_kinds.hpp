// SPDX-License-Identifier: MPL-2.0
// The words of OpenDRIVE for lanes and road marks, and those of OSI (osi_lane.proto, osi_logicallane.proto).
#pragma once

#include <string_view>

namespace ositrace::open_drive {

struct LaneKind {
    std::string_view name;
    std::string_view type, subtype;  ///< of osi3.Lane
    std::string_view logical_type;   ///< of osi3.LogicalLane
    bool has_subtype = true;         ///< otherwise a logical lane refers to no physical lane (osi_logicallane.proto)

    [[nodiscard]] bool is_driving() const noexcept { return type == "TYPE_DRIVING"; }
};

/// A type of OpenDRIVE that is not known is another lane where nobody drives.
[[nodiscard]] const LaneKind& lane_kind(std::string_view name) noexcept;

struct MarkKind {
    std::string_view name;
    std::string_view left, right;  ///< type of osi3.LaneBoundary; of one line both are the same
    bool is_double = false;
    bool is_paint = true;  ///< it has a colour
    bool is_drawn = true;

    [[nodiscard]] bool left_is_dashed() const noexcept { return left == "TYPE_DASHED_LINE"; }
    [[nodiscard]] bool right_is_dashed() const noexcept { return right == "TYPE_DASHED_LINE"; }
};

/// `left` and `right` of the kinds with two lines are those of the centre lane and of lanes right of it. OpenDRIVE
/// names the lines from the inside, so lanes left of it have them the other way round.
[[nodiscard]] const MarkKind& mark_kind(std::string_view name) noexcept;

/// COLOR_WHITE and others of osi3.LaneBoundary.
[[nodiscard]] std::string_view mark_color(std::string_view name) noexcept;
/// ROAD_TYPE_TOWN and others of osi3.LogicalLane.
[[nodiscard]] std::string_view road_type(std::string_view name) noexcept;
/// UNIT_KILOMETER_PER_HOUR and others of osi3.TrafficSignValue; UNIT_OTHER for one that is not known.
[[nodiscard]] std::string_view value_unit(std::string_view name) noexcept;

}  // namespace ositrace::open_drive
