// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/lane_kinds.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ositrace::open_drive {

namespace {

constexpr auto driving = "TYPE_DRIVING", nondriving = "TYPE_NONDRIVING";

constexpr std::array lane_kinds{
    LaneKind{"driving", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"bidirectional", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"entry", driving, "SUBTYPE_ENTRY", "TYPE_ENTRY"},
    LaneKind{"exit", driving, "SUBTYPE_EXIT", "TYPE_EXIT"},
    LaneKind{"mwyEntry", driving, "SUBTYPE_ENTRY", "TYPE_ENTRY"},
    LaneKind{"mwyExit", driving, "SUBTYPE_EXIT", "TYPE_EXIT"},
    LaneKind{"onRamp", driving, "SUBTYPE_ONRAMP", "TYPE_ONRAMP"},
    LaneKind{"offRamp", driving, "SUBTYPE_OFFRAMP", "TYPE_OFFRAMP"},
    LaneKind{"connectingRamp", driving, "SUBTYPE_CONNECTINGRAMP", "TYPE_CONNECTINGRAMP"},
    LaneKind{"slipLane", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"bus", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"taxi", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"HOV", driving, "SUBTYPE_NORMAL", "TYPE_NORMAL"},
    LaneKind{"roadWorks", nondriving, "SUBTYPE_OTHER", "TYPE_OTHER"},
    LaneKind{"biking", nondriving, "SUBTYPE_BIKING", "TYPE_BIKING"},
    LaneKind{"sidewalk", nondriving, "SUBTYPE_SIDEWALK", "TYPE_SIDEWALK"},
    LaneKind{"walking", nondriving, "SUBTYPE_SIDEWALK", "TYPE_SIDEWALK"},
    LaneKind{"shared", nondriving, "SUBTYPE_OTHER", "TYPE_OTHER"},
    LaneKind{"parking", nondriving, "SUBTYPE_PARKING", "TYPE_PARKING"},
    LaneKind{"stop", nondriving, "SUBTYPE_STOP", "TYPE_STOP"},
    LaneKind{"restricted", nondriving, "SUBTYPE_RESTRICTED", "TYPE_RESTRICTED"},
    LaneKind{"border", nondriving, "SUBTYPE_BORDER", "TYPE_BORDER"},
    LaneKind{"shoulder", nondriving, "SUBTYPE_SHOULDER", "TYPE_SHOULDER"},
    LaneKind{"median", nondriving, "SUBTYPE_OTHER", "TYPE_MEDIAN", false},
    LaneKind{"curb", nondriving, "SUBTYPE_OTHER", "TYPE_CURB", false},
    LaneKind{"rail", nondriving, "SUBTYPE_OTHER", "TYPE_RAIL", false},
    LaneKind{"tram", nondriving, "SUBTYPE_OTHER", "TYPE_TRAM", false},
    LaneKind{"none", nondriving, "SUBTYPE_OTHER", "TYPE_OTHER"},
};

constexpr auto solid = "TYPE_SOLID_LINE", dashed = "TYPE_DASHED_LINE";

constexpr std::array mark_kinds{
    MarkKind{"none", "TYPE_NO_LINE", "TYPE_NO_LINE", false, false, false},
    MarkKind{"solid", solid, solid},
    MarkKind{"broken", dashed, dashed},
    MarkKind{"solid solid", solid, solid, true},
    MarkKind{"solid broken", solid, dashed, true},
    MarkKind{"broken solid", dashed, solid, true},
    MarkKind{"broken broken", dashed, dashed, true},
    MarkKind{"botts dots", "TYPE_BOTTS_DOTS", "TYPE_BOTTS_DOTS"},
    MarkKind{"grass", "TYPE_GRASS_EDGE", "TYPE_GRASS_EDGE", false, false},
    MarkKind{"curb", "TYPE_CURB", "TYPE_CURB", false, false},
    MarkKind{"edge", "TYPE_ROAD_EDGE", "TYPE_ROAD_EDGE", false, false},
    MarkKind{"custom", "TYPE_OTHER", "TYPE_OTHER"},
};

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array colors{
    Words{"standard", "COLOR_WHITE"}, Words{"white", "COLOR_WHITE"},   Words{"yellow", "COLOR_YELLOW"},
    Words{"red", "COLOR_RED"},        Words{"blue", "COLOR_BLUE"},     Words{"green", "COLOR_GREEN"},
    Words{"violet", "COLOR_VIOLET"},  Words{"orange", "COLOR_ORANGE"},
};

constexpr std::array road_types{
    Words{"unknown", "ROAD_TYPE_UNKNOWN"},
    Words{"rural", "ROAD_TYPE_RURAL"},
    Words{"motorway", "ROAD_TYPE_MOTORWAY"},
    Words{"town", "ROAD_TYPE_TOWN"},
    Words{"lowSpeed", "ROAD_TYPE_LOWSPEED"},
    Words{"pedestrian", "ROAD_TYPE_PEDESTRIAN"},
    Words{"bicycle", "ROAD_TYPE_BICYCLE"},
    Words{"townExpressway", "ROAD_TYPE_TOWNEXPRESSWAY"},
    Words{"townCollector", "ROAD_TYPE_TOWNCOLLECTOR"},
    Words{"townArterial", "ROAD_TYPE_TOWNARTERIAL"},
    Words{"townPrivate", "ROAD_TYPE_TOWNPRIVATE"},
    Words{"townLocal", "ROAD_TYPE_TOWNLOCAL"},
    Words{"townPlayStreet", "ROAD_TYPE_TOWNPLAYSTREET"},
};

constexpr std::array units{
    Words{"", "UNIT_NO_UNIT"},          Words{"km/h", "UNIT_KILOMETER_PER_HOUR"},
    Words{"mph", "UNIT_MILE_PER_HOUR"}, Words{"m", "UNIT_METER"},
    Words{"km", "UNIT_KILOMETER"},      Words{"ft", "UNIT_FEET"},
    Words{"mile", "UNIT_MILE"},         Words{"t", "UNIT_METRIC_TON"},
    Words{"%", "UNIT_PERCENTAGE"},
};

template <class Rows>
std::string_view word(const Rows& rows, std::string_view name, std::string_view otherwise)
{
    const auto* const row = std::ranges::find(rows, name, &Words::first);
    return row == rows.end() ? otherwise : row->second;
}

}  // namespace

const LaneKind& lane_kind(std::string_view name) noexcept
{
    const auto* const row = std::ranges::find(lane_kinds, name, &LaneKind::name);
    return row == lane_kinds.end() ? lane_kinds.back() : *row;
}

const MarkKind& mark_kind(std::string_view name) noexcept
{
    const auto* const row = std::ranges::find(mark_kinds, name, &MarkKind::name);
    return row == mark_kinds.end() ? mark_kinds.back() : *row;
}

std::string_view mark_color(std::string_view name) noexcept { return word(colors, name, "COLOR_OTHER"); }
std::string_view road_type(std::string_view name) noexcept { return word(road_types, name, "ROAD_TYPE_OTHER"); }
std::string_view value_unit(std::string_view name) noexcept { return word(units, name, "UNIT_OTHER"); }

}  // namespace ositrace::open_drive
