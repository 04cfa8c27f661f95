// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/parse.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace::open_drive {

namespace {

std::optional<RoadEnd> road_end(std::string_view name)
{
    if (name == "start") return RoadEnd::start;
    if (name == "end") return RoadEnd::end;
    return std::nullopt;
}

/// Is this a version after 1.8?
bool is_newer_version(std::string_view major, std::string_view minor)
{
    constexpr int last_major = 1, last_minor = 8;
    const auto number = [](std::string_view text) {
        int value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    return std::pair(number(major), number(minor)) > std::pair(last_major, last_minor);
}

void parse_header(XmlReader& reader, pugi::xml_node header, Document& to)
{
    const auto major = XmlReader::text(header, "revMajor"), minor = XmlReader::text(header, "revMinor");
    if (!major.empty() && !minor.empty()) to.revision.append(major).append(".").append(minor);
    to.is_newer = is_newer_version(major, minor);
    for (const auto node : header.children()) {
        const std::string_view name = node.name();
        if (name == "geoReference") {
            const std::string_view text = node.text().get();
            const auto first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
            to.geo_reference = text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
        } else if (name == "offset") {
            to.offset = MapOffset{reader.number(node, "x", 0), reader.number(node, "y", 0), reader.number(node, "z", 0),
                                  reader.number(node, "hdg", 0)};
        } else {
            reader.other(node);
        }
    }
}

std::array<double, 4> coefficients(const XmlReader& reader, pugi::xml_node node, char axis)
{
    std::array<double, 4> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const char name[] = {static_cast<char>('a' + i), axis, '\0'};
        all[i] = reader.number(node, name);
    }
    return all;
}

/// False: the element is no curve.
bool parse_curve(const XmlReader& reader, pugi::xml_node node, Geometry& to)
{
    const std::string_view name = node.name();
    if (name == "line") {
        to.curve = Curve::line;
    } else if (name == "arc") {
        to.curve = Curve::arc;
        to.curvature_start = to.curvature_end = reader.number(node, "curvature");
    } else if (name == "spiral") {
        to.curve = Curve::spiral;
        to.curvature_start = reader.number(node, "curvStart");
        to.curvature_end = reader.number(node, "curvEnd");
    } else if (name == "poly3") {
        to.curve = Curve::poly3;
        const auto cubic = parse_cubic(reader, node, 0);
        to.v = {cubic.a, cubic.b, cubic.c, cubic.d};
    } else if (name == "paramPoly3") {
        to.curve = Curve::param_poly3;
        to.u = coefficients(reader, node, 'U');
        to.v = coefficients(reader, node, 'V');
        to.last_parameter = XmlReader::text(node, "pRange") == "arcLength" ? to.length : 1;
    } else {
        return false;
    }
    return true;
}

/// Notes where a geometry ends away from the start of the next one.
void find_gaps(Road& road)
{
    constexpr double most = 0.01;  // metres
    for (std::size_t i = 0; i + 1 < road.plan_view.size(); ++i) {
        const auto &geometry = road.plan_view[i], &next = road.plan_view[i + 1];
        const auto end = geometry.at(next.s - geometry.s);
        const double gap = std::hypot(next.x - end.x, next.y - end.y);
        if (!(gap > most)) continue;
        ++road.gaps;
        if (gap <= road.largest_gap) continue;
        road.largest_gap = gap;
        road.largest_gap_s = next.s;
    }
}

void parse_plan_view(XmlReader& reader, pugi::xml_node plan_view, Road& road)
{
    for (const auto node : plan_view.children()) {
        if (std::string_view(node.name()) != "geometry") {
            reader.other(node);
            continue;
        }
        Geometry geometry{.s = reader.number(node, "s"),
                          .x = reader.number(node, "x"),
                          .y = reader.number(node, "y"),
                          .heading = reader.number(node, "hdg"),
                          .length = reader.number(node, "length")};
        if (geometry.length < 0) reader.fail(node, "the length is negative");
        if (geometry.length > max_road_length) reader.fail_limit(node, "its length exceeds the limit of 1000 km");
        bool is_curve = false;
        for (const auto child : node.children()) {
            if (parse_curve(reader, child, geometry))
                is_curve = true;
            else
                reader.other(child);
        }
        if (!is_curve) reader.fail(node, "it has no line, arc, spiral, poly3 or paramPoly3");
        if (geometry.largest_turn() > max_turn) reader.fail_limit(node, "its turn exceeds the limit of 2000 radians");
        if (geometry.length == 0) continue;
        geometry.prepare();
        road.plan_view.push_back(std::move(geometry));
    }
    if (road.plan_view.empty()) reader.fail(plan_view, "it has no geometry of any length");
    sort_by_s(road.plan_view);
    find_gaps(road);
}

void parse_profile(XmlReader& reader, pugi::xml_node parent, std::string_view element, Profile& to)
{
    for (const auto node : parent.children()) {
        if (element == node.name())
            to.pieces.push_back(parse_cubic(reader, node, reader.number(node, "s")));
        else
            reader.other(node);
    }
    sort_by_s(to.pieces);
}

void add_shape(const XmlReader& reader, pugi::xml_node node, std::vector<Shape>& to)
{
    const double s = reader.number(node, "s");
    if (to.empty() || to.back().s != s) to.push_back({s, {}});
    to.back().heights.pieces.push_back(parse_cubic(reader, node, reader.number(node, "t")));
}

void parse_lateral_profile(XmlReader& reader, pugi::xml_node profile, Road& road)
{
    for (const auto node : profile.children()) {
        const std::string_view name = node.name();
        if (name == "superelevation") {
            road.superelevation.pieces.push_back(parse_cubic(reader, node, reader.number(node, "s")));
        } else if (name == "crossfall") {
            const auto cubic = parse_cubic(reader, node, reader.number(node, "s"));
            const auto side = XmlReader::text(node, "side");
            if (side != "right") road.crossfall.left.pieces.push_back(cubic);
            if (side != "left") road.crossfall.right.pieces.push_back(cubic);
        } else if (name == "shape") {
            add_shape(reader, node, road.shapes);
        } else {
            reader.other(node);
        }
    }
    sort_by_s(road.superelevation.pieces);
    sort_by_s(road.crossfall.left.pieces);
    sort_by_s(road.crossfall.right.pieces);
    sort_by_s(road.shapes);
    for (auto& shape : road.shapes) sort_by_s(shape.heights.pieces);
}

std::optional<RoadLink> parse_road_link(const XmlReader& reader, pugi::xml_node node)
{
    RoadLink link{XmlReader::text(node, "elementType") == "junction", std::string(XmlReader::text(node, "elementId")),
                  road_end(XmlReader::text(node, "contactPoint"))};
    if (link.id.empty()) reader.fail(node, "the attribute elementId is missing");
    return link;
}

void parse_road_links(XmlReader& reader, pugi::xml_node links, Road& road)
{
    for (const auto node : links.children()) {
        const std::string_view name = node.name();
        if (name == "predecessor")
            reader.attempt(node, [&] { road.predecessor = parse_road_link(reader, node); });
        else if (name == "successor")
            reader.attempt(node, [&] { road.successor = parse_road_link(reader, node); });
        else if (name != "neighbor")
            reader.other(node);
    }
}

void parse_road_type(XmlReader& reader, pugi::xml_node node, Road& road)
{
    RoadType type{reader.number(node, "s"), road_type(XmlReader::text(node, "type")),
                  std::string(XmlReader::text(node, "country")), std::nullopt};
    for (const auto child : node.children()) {
        if (std::string_view(child.name()) == "speed")
            type.speed = parse_speed(reader, child, type.s);
        else
            reader.other(child);
    }
    road.types.push_back(std::move(type));
}

/// Notes a planView that does not cover its road.
void doubt_ends(XmlReader& reader, pugi::xml_node element, const Road& road)
{
    constexpr double most = 0.01;  // metres
    const auto &first = road.plan_view.front(), &last = road.plan_view.back();
    if (first.s > most)
        reader.doubt(element, "the planView begins at s = " + two_digits(first.s) + ", so the road begins straight");
    if (road.length - last.s - last.length > most)
        reader.doubt(element, "the planView ends at s = " + two_digits(last.s + last.length) + ", but the road at " +
                                  two_digits(road.length) + ": it goes on straight");
}

Road parse_road(XmlReader& reader, pugi::xml_node element, std::size_t& lanes_left)
{
    Road road;
    road.id = XmlReader::text(element, "id");
    if (road.id.empty()) reader.fail(element, "the attribute id is missing");
    road.name = XmlReader::text(element, "name");
    road.junction = XmlReader::text(element, "junction");
    if (road.junction == "-1") road.junction.clear();
    road.left_hand_traffic = XmlReader::text(element, "rule") == "LHT";
    road.length = reader.number(element, "length");
    if (road.length < 0) reader.fail(element, "the length is negative");
    if (road.length == 0) reader.fail(element, "the length is 0");
    if (road.length > max_road_length)
        reader.fail_limit(element, "the length of the road exceeds the limit of 1000 km");
    bool has_plan_view = false;
    for (const auto node : element.children()) {
        const std::string_view name = node.name();
        if (name == "link") {
            parse_road_links(reader, node, road);
        } else if (name == "type") {
            reader.attempt(node, [&] { parse_road_type(reader, node, road); });
        } else if (name == "planView") {
            parse_plan_view(reader, node, road);
            has_plan_view = true;
        } else if (name == "elevationProfile") {
            parse_profile(reader, node, "elevation", road.elevation);
        } else if (name == "lateralProfile") {
            parse_lateral_profile(reader, node, road);
        } else if (name == "lanes") {
            parse_lanes(reader, node, road, lanes_left);
        } else if (name == "objects") {
            parse_objects(reader, node, road);
        } else if (name == "signals") {
            parse_signals(reader, node, road);
        } else {
            reader.other(node);
        }
    }
    if (!has_plan_view) reader.fail(element, "road " + road.id + " has no planView");
    doubt_ends(reader, element, road);
    sort_by_s(road.types);
    return road;
}

Connection parse_connection(XmlReader& reader, pugi::xml_node node)
{
    Connection connection;
    connection.incoming_road = XmlReader::text(node, "incomingRoad");
    connection.connecting_road = XmlReader::text(node, "connectingRoad");
    if (connection.connecting_road.empty()) {
        connection.connecting_road = XmlReader::text(node, "linkedRoad");
        connection.direct = true;
    }
    connection.contact = road_end(XmlReader::text(node, "contactPoint")).value_or(RoadEnd::start);
    for (const auto child : node.children()) {
        const std::string_view name = child.name();
        if (name == "laneLink")
            reader.attempt(child, [&] {
                connection.lanes.emplace_back(reader.integer(child, "from"), reader.integer(child, "to"));
            });
        else if (name != "predecessor" && name != "successor")
            reader.other(child);
    }
    return connection;
}

Junction parse_junction(XmlReader& reader, pugi::xml_node element)
{
    Junction junction{std::string(XmlReader::text(element, "id")), std::string(XmlReader::text(element, "name")), {}};
    if (junction.id.empty()) reader.fail(element, "the attribute id is missing");
    for (const auto node : element.children()) {
        const std::string_view name = node.name();
        // A virtual connection of 1.8 is one that nobody has to follow.
        if (name == "connection")
            junction.connections.push_back(parse_connection(reader, node));
        else
            reader.other(node);
    }
    return junction;
}

}  // namespace

Cubic parse_cubic(const XmlReader& reader, pugi::xml_node node, double s)
{
    return {s, reader.number(node, "a"), reader.number(node, "b"), reader.number(node, "c"), reader.number(node, "d")};
}

std::optional<SpeedLimit> parse_speed(const XmlReader& reader, pugi::xml_node node, double s)
{
    constexpr double kilometers_per_hour = 3.6;
    const auto max = XmlReader::text(node, "max");
    if (max.empty() || max == "no limit" || max == "undefined") return std::nullopt;
    const double value = reader.number(node, "max");
    const auto unit = XmlReader::text(node, "unit");
    if (unit.empty() || unit == "m/s") return SpeedLimit{s, value * kilometers_per_hour, value_unit("km/h")};
    return SpeedLimit{s, value, value_unit(unit)};
}

std::string two_digits(double value)
{
    char text[400];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 2).ptr};
}

Document parse(std::string_view xml)
{
    XmlReader reader(xml);
    const auto root = reader.root();
    if (std::string_view(root.name()) != "OpenDRIVE")
        throw Error(Cause::malformed, "this is XML but no OpenDRIVE map: the root element is <" +
                                          std::string(root.name()).substr(0, 40) + ">, expected <OpenDRIVE>");
    Document document;
    std::size_t lanes_left = max_lanes;
    std::optional<Error> road_error;
    for (const auto node : root.children()) {
        const std::string_view name = node.name();
        if (name == "header") {
            parse_header(reader, node, document);
        } else if (name == "road") {
            try {
                auto road = parse_road(reader, node, lanes_left);
                if (!document.road_by_id.emplace(road.id, document.roads.size()).second)
                    reader.fail(node, "there is another road with the id " + road.id);
                document.roads.push_back(std::move(road));
            } catch (const Error& error) {
                if (!road_error) road_error = error;
                reader.leave_out(node, error);
            }
        } else if (name == "junction") {
            reader.attempt(node, [&] { document.junctions.push_back(parse_junction(reader, node)); });
        } else {
            reader.other(node);
        }
    }
    if (document.roads.empty() && road_error) throw Error(*road_error);  // nothing is left of the map
    document.left_out = reader.left_out();
    document.doubts = reader.doubts();
    document.unknown_elements = reader.unknown_elements();
    document.first_unknown = reader.first_unknown();
    return document;
}

void place(Document& document, const MapOffset& placement)
{
    const double sine = std::sin(placement.yaw), cosine = std::cos(placement.yaw);
    for (auto& road : document.roads) {
        for (auto& geometry : road.plan_view) {
            const double x = geometry.x, y = geometry.y;
            geometry.x = cosine * x - sine * y + placement.x;
            geometry.y = sine * x + cosine * y + placement.y;
            geometry.heading += placement.yaw;
        }
        if (placement.z == 0) continue;
        if (road.elevation.pieces.empty()) road.elevation.pieces.emplace_back();
        for (auto& piece : road.elevation.pieces) piece.a += placement.z;
    }
}

}  // namespace ositrace::open_drive
