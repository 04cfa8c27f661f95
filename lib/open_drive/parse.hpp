// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "lib/open_drive/document.hpp"
#include "lib/open_drive/xml_reader.hpp"

namespace ositrace::open_drive {

/// Lanes of a longer section are cut into equal pieces.
inline constexpr double max_lane_length = 10'000;
/// Bounds of what a document can make a reader do.
inline constexpr double max_road_length = 1e6;
inline constexpr std::size_t max_lanes_in_section = 1000;
inline constexpr std::size_t max_lanes = std::size_t{1} << 22;
inline constexpr double max_turn = 2000;  ///< radians in one element of a plan view

/// Reads a document. What cannot be read is left out, with a note. Throws Error (malformed, limit) that names the line
/// and the element where the XML or the header cannot be read, or no road.
[[nodiscard]] Document parse(std::string_view xml);

/// Turns and moves all roads. The header's offset stays.
void place(Document& document, const MapOffset& placement);

/// `lanes` of a road whose length is known. `lanes_left`: of max_lanes.
void parse_lanes(XmlReader& reader, pugi::xml_node lanes, Road& road, std::size_t& lanes_left);
/// `signals` and `objects`.
void parse_signals(XmlReader& reader, pugi::xml_node signals, Road& road);
void parse_objects(XmlReader& reader, pugi::xml_node objects, Road& road);

/// Metres with two digits after the point.
[[nodiscard]] std::string two_digits(double value);

/// `a`, `b`, `c`, `d` of an element, valid from `s`.
[[nodiscard]] Cubic parse_cubic(const XmlReader& reader, pugi::xml_node node, double s);
/// `max` and `unit` of a `speed`; empty where it states no number.
[[nodiscard]] std::optional<SpeedLimit> parse_speed(const XmlReader& reader, pugi::xml_node node, double s);

/// By s, equal ones in the order of the document, of which the last is valid.
template <class Record>
void sort_by_s(std::vector<Record>& records)
{
    std::ranges::stable_sort(records, {}, &Record::s);
}

}  // namespace ositrace::open_drive
