// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "lib/open_drive/parse.hpp"

namespace ositrace::open_drive {

namespace {

/// Where a document gives none (esmini's and OpenDRIVE's examples).
constexpr double standard_width = 0.12, bold_width = 0.25;
constexpr double default_dash = 4, default_gap = 8;

LaneChange lane_change(std::string_view name)
{
    if (name == "none") return LaneChange::none;
    if (name == "increase") return LaneChange::increase;
    if (name == "decrease") return LaneChange::decrease;
    if (name == "both") return LaneChange::both;
    return LaneChange::by_lines;
}

/// The lines of a mark that lists none.
std::vector<MarkLine> usual_lines(const MarkKind& kind, double width, bool left_lane)
{
    const auto line = [&](double t_offset, bool is_dashed) {
        return is_dashed ? MarkLine{t_offset, width, default_dash, default_gap} : MarkLine{t_offset, width};
    };
    if (!kind.is_double) return {line(0, kind.left_is_dashed())};
    const bool left = left_lane ? kind.right_is_dashed() : kind.left_is_dashed();
    const bool right = left_lane ? kind.left_is_dashed() : kind.right_is_dashed();
    return {line(-width, right), line(width, left)};
}

RoadMark parse_mark(XmlReader& reader, pugi::xml_node node, double section_s, bool left_lane)
{
    RoadMark mark;
    mark.s = section_s + reader.number(node, "sOffset");
    mark.kind = &mark_kind(XmlReader::text(node, "type"));
    mark.color = mark_color(XmlReader::text(node, "color").empty() ? "standard" : XmlReader::text(node, "color"));
    mark.width = reader.number(node, "width", XmlReader::text(node, "weight") == "bold" ? bold_width : standard_width);
    mark.height = reader.number(node, "height", 0);
    mark.lane_change = lane_change(XmlReader::text(node, "laneChange"));
    for (const auto type : node.children()) {
        if (std::string_view(type.name()) != "type") {
            reader.other(type);
            continue;
        }
        for (const auto line : type.children()) {
            if (std::string_view(line.name()) == "line")
                mark.lines.push_back({reader.number(line, "tOffset", 0), reader.number(line, "width", mark.width),
                                      reader.number(line, "length", 0), reader.number(line, "space", 0),
                                      reader.number(line, "sOffset", 0)});
            else
                reader.other(line);
        }
    }
    if (mark.lines.empty()) mark.lines = usual_lines(*mark.kind, mark.width, left_lane);
    std::ranges::stable_sort(mark.lines, {}, &MarkLine::t_offset);
    return mark;
}

void parse_lane_link(XmlReader& reader, pugi::xml_node link, Lane& lane)
{
    for (const auto node : link.children()) {
        const std::string_view name = node.name();
        if (name == "predecessor")
            reader.attempt(node, [&] { lane.predecessors.push_back(reader.integer(node, "id")); });
        else if (name == "successor")
            reader.attempt(node, [&] { lane.successors.push_back(reader.integer(node, "id")); });
        else
            reader.other(node);
    }
}

LaneDirection lane_direction(pugi::xml_node element)
{
    const auto direction = XmlReader::text(element, "direction");
    if (direction == "both" || XmlReader::text(element, "type") == "bidirectional") return LaneDirection::both;
    return direction == "reversed" ? LaneDirection::reversed : LaneDirection::standard;
}

std::shared_ptr<Lane> parse_lane(XmlReader& reader, pugi::xml_node element, double section_s)
{
    auto lane = std::make_shared<Lane>();
    lane->id = reader.integer(element, "id");
    lane->kind = &lane_kind(XmlReader::text(element, "type"));
    lane->level = XmlReader::is_true(element, "level");
    lane->direction = lane_direction(element);
    const auto s_of = [&](pugi::xml_node node) { return section_s + reader.number(node, "sOffset"); };
    for (const auto node : element.children()) {
        const std::string_view name = node.name();
        if (name == "link")
            parse_lane_link(reader, node, *lane);
        else if (name == "width")
            lane->width.pieces.push_back(parse_cubic(reader, node, s_of(node)));
        else if (name == "border")
            lane->border.pieces.push_back(parse_cubic(reader, node, s_of(node)));
        else if (name == "roadMark")
            reader.attempt(node, [&] { lane->marks.push_back(parse_mark(reader, node, section_s, lane->id > 0)); });
        else if (name == "height")
            reader.attempt(node, [&] {
                lane->heights.push_back({s_of(node), reader.number(node, "inner", 0), reader.number(node, "outer", 0)});
            });
        else if (name == "speed")
            reader.attempt(node, [&] {
                if (const auto speed = parse_speed(reader, node, s_of(node))) lane->speeds.push_back(*speed);
            });
        else
            reader.other(node);
    }
    sort_by_s(lane->width.pieces);
    sort_by_s(lane->border.pieces);
    sort_by_s(lane->marks);
    sort_by_s(lane->heights);
    sort_by_s(lane->speeds);
    return lane;
}

bool is_side(std::string_view name) { return name == "left" || name == "center" || name == "right"; }

LaneSection parse_section(XmlReader& reader, pugi::xml_node element)
{
    LaneSection section;
    section.s = section.written_s = reader.number(element, "s");
    for (const auto side : element.children()) {
        if (!is_side(side.name())) {
            reader.other(side);
            continue;
        }
        for (const auto node : side.children()) {
            if (std::string_view(node.name()) != "lane") {
                reader.other(node);
                continue;
            }
            auto lane = parse_lane(reader, node, section.s);
            if (lane->id == 0)
                section.center = std::move(lane);
            else
                section.lanes.push_back(std::move(lane));
            if (section.lanes.size() > max_lanes_in_section)
                reader.fail_limit(element, "the number of its lanes exceeds the limit of 1000");
        }
    }
    if (!section.center) section.center = std::make_shared<Lane>();
    return section;
}

void sort_lanes(const XmlReader& reader, pugi::xml_node element, LaneSection& section)
{
    const auto id = [](const std::shared_ptr<const Lane>& lane) { return lane->id; };
    std::ranges::stable_sort(section.lanes, std::greater<>(), id);
    const auto twice = std::ranges::adjacent_find(section.lanes, {}, id);
    if (twice != section.lanes.end())
        reader.fail(element, "it has more than one lane with the id " + std::to_string((*twice)->id));
    section.left_count = static_cast<std::size_t>(
        std::ranges::count_if(section.lanes, [](const std::shared_ptr<const Lane>& lane) { return lane->id > 0; }));
}

/// The side that a section with `singleSide` leaves to the section before it goes on in it, linked to itself.
void continue_other_side(LaneSection& before, LaneSection& section)
{
    const auto has = [&](bool left) {
        return std::ranges::any_of(section.lanes, [&](const auto& lane) { return (lane->id > 0) == left; });
    };
    const bool left = has(true), right = has(false);
    for (auto& lane : before.lanes) {
        if (lane->id > 0 ? left : right) continue;
        auto first = std::make_shared<Lane>(*lane), second = std::make_shared<Lane>(*lane);
        first->successors = {lane->id};
        second->predecessors = {lane->id};
        section.lanes.push_back(std::move(second));
        lane = std::move(first);
    }
}

/// Metres; a lane that is wider is a mistake.
constexpr double widest = 100;

/// Where a polynomial has its least and its largest value between two places.
void add_extremes(const Cubic& cubic, double from, double to, std::vector<double>& places)
{
    places.insert(places.end(), {from, to});
    const auto add = [&](double ds) {
        if (cubic.s + ds > from && cubic.s + ds < to) places.push_back(cubic.s + ds);
    };
    const double a = 3 * cubic.d, b = 2 * cubic.c, c = cubic.b;
    if (a == 0) {
        if (b != 0) add(-c / b);
        return;
    }
    const double square = b * b - 4 * a * c;
    if (square < 0) return;
    add((-b - std::sqrt(square)) / (2 * a));
    add((-b + std::sqrt(square)) / (2 * a));
}

void doubt_width(XmlReader& reader, pugi::xml_node node, const LaneSection& section, const Lane& lane)
{
    constexpr double rounding = 1e-3;
    double least = 0, largest = 0, least_s = 0, largest_s = 0;
    const auto& pieces = lane.width.pieces;
    std::vector<double> places;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const double to = i + 1 < pieces.size() ? std::min(pieces[i + 1].s, section.end) : section.end;
        const double from = std::max(pieces[i].s, section.s);
        if (to <= from) continue;
        places.clear();
        add_extremes(pieces[i], from, to, places);
        for (const double s : places) {
            const double width = pieces[i].value(s);
            if (width < least) least = width, least_s = s;
            if (width > largest) largest = width, largest_s = s;
        }
    }
    const auto of_lane = [&](double width, double s) {
        return "lane " + std::to_string(lane.id) + " has the width " + two_digits(width) + " m at s = " + two_digits(s);
    };
    if (least < -rounding) reader.doubt(node, of_lane(least, least_s) + ", which counts as 0");
    if (largest > widest) reader.doubt(node, of_lane(largest, largest_s));
}

std::vector<LaneSection> cut(const LaneSection& section)
{
    const double pieces = std::ceil((section.end - section.s) / max_lane_length);
    std::vector<LaneSection> all;
    for (double i = 0; i < pieces; ++i) {
        auto& piece = all.emplace_back(section);
        const double length = section.end - section.s;
        piece.s = section.s + length * i / pieces;
        piece.end = i + 1 < pieces ? section.s + length * (i + 1) / pieces : section.end;
    }
    return all;
}

}  // namespace

void parse_lanes(XmlReader& reader, pugi::xml_node lanes, Road& road, std::size_t& lanes_left)
{
    struct Parsed {
        double s;
        pugi::xml_node node;
        LaneSection section;
        bool single_side;
    };
    std::vector<Parsed> parsed;
    for (const auto node : lanes.children()) {
        const std::string_view name = node.name();
        if (name == "laneOffset") {
            road.lane_offset.pieces.push_back(parse_cubic(reader, node, reader.number(node, "s")));
        } else if (name == "laneSection") {
            auto section = parse_section(reader, node);
            parsed.push_back({section.s, node, std::move(section), XmlReader::is_true(node, "singleSide")});
        } else {
            reader.other(node);
        }
    }
    sort_by_s(road.lane_offset.pieces);
    sort_by_s(parsed);
    constexpr double shortest = 1e-6;  // a shorter one has no place for a lane
    for (std::size_t i = 0; i < parsed.size(); ++i) {
        auto& [s, node, section, single_side] = parsed[i];
        if (single_side && i > 0) continue_other_side(parsed[i - 1].section, section);
        sort_lanes(reader, node, section);
        section.end = i + 1 < parsed.size() ? parsed[i + 1].s : road.length;
        section.end = std::min(section.end, road.length);
        if (section.s >= road.length && !section.lanes.empty())
            reader.doubt(node,
                         "it begins at s = " + two_digits(section.s) + ", where the road has ended: it has no lanes");
        for (const auto& lane : section.lanes) doubt_width(reader, node, section, *lane);
    }
    for (auto& [s, node, section, single_side] : parsed) {
        if (section.end - section.s < shortest) continue;
        for (auto& piece : cut(section)) {
            if (piece.lanes.size() > lanes_left)
                reader.fail_limit(node, "the number of lanes of the map exceeds the limit of 4194304");
            lanes_left -= piece.lanes.size();
            road.sections.push_back(std::move(piece));
        }
    }
}

}  // namespace ositrace::open_drive
