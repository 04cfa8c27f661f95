// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "lib/open_drive/parse.hpp"

namespace ositrace::open_drive {

namespace {

Facing facing(std::string_view orientation)
{
    if (orientation == "+") return Facing::along;
    return orientation == "-" ? Facing::against : Facing::both;
}

RoadPlace parse_place(const XmlReader& reader, pugi::xml_node node, const char* heading)
{
    return {.s = reader.number(node, "s"),
            .t = reader.number(node, "t"),
            .z_offset = reader.number(node, "zOffset", 0),
            .heading = reader.number(node, heading, 0),
            .pitch = reader.number(node, "pitch", 0),
            .roll = reader.number(node, "roll", 0),
            .facing = facing(XmlReader::text(node, "orientation"))};
}

Validity parse_validity(const XmlReader& reader, pugi::xml_node node)
{
    const int from = reader.integer(node, "fromLane"), to = reader.integer(node, "toLane");
    return {std::min(from, to), std::max(from, to)};
}

/// Of some makers `-1` is no subtype and no value.
std::string word(pugi::xml_node node, const char* name)
{
    const auto text = XmlReader::text(node, name);
    return std::string(text == "-1" || text == "none" ? "" : text);
}

Signal parse_signal(XmlReader& reader, pugi::xml_node node)
{
    Signal signal{.id = std::string(XmlReader::text(node, "id")),
                  .name = std::string(XmlReader::text(node, "name")),
                  .place = parse_place(reader, node, "hOffset"),
                  .dynamic = XmlReader::is_true(node, "dynamic"),
                  .country = std::string(XmlReader::text(node, "country")),
                  .country_revision = std::string(XmlReader::text(node, "countryRevision")),
                  .type = word(node, "type"),
                  .subtype = word(node, "subtype"),
                  .unit = std::string(XmlReader::text(node, "unit")),
                  .text = std::string(XmlReader::text(node, "text")),
                  .width = std::abs(reader.number(node, "width", 0)),
                  .height = std::abs(reader.number(node, "height", 0))};
    if (!word(node, "value").empty()) signal.value = reader.number(node, "value");
    for (const auto child : node.children()) {
        const std::string_view name = child.name();
        if (name == "validity")
            signal.validities.push_back(parse_validity(reader, child));
        else if (name != "positionInertial" && name != "positionRoad" && name != "physicalPosition" &&
                 name != "semantics")
            reader.other(child);
    }
    return signal;
}

SignalReference parse_signal_reference(XmlReader& reader, pugi::xml_node node)
{
    SignalReference reference{std::string(XmlReader::text(node, "id")),
                              reader.number(node, "s"),
                              facing(XmlReader::text(node, "orientation")),
                              {}};
    for (const auto child : node.children()) {
        if (std::string_view(child.name()) == "validity")
            reference.validities.push_back(parse_validity(reader, child));
        else
            reader.other(child);
    }
    return reference;
}

Outline parse_outline(XmlReader& reader, pugi::xml_node element)
{
    Outline outline;
    for (const auto node : element.children()) {
        const std::string_view name = node.name();
        if (name == "cornerRoad") {
            outline.on_road = true;
            outline.corners.push_back({reader.number(node, "s"), reader.number(node, "t"), reader.number(node, "dz", 0),
                                       reader.number(node, "height", 0)});
        } else if (name == "cornerLocal") {
            outline.corners.push_back({reader.number(node, "u"), reader.number(node, "v"), reader.number(node, "z", 0),
                                       reader.number(node, "height", 0)});
        } else {
            reader.other(node);
        }
    }
    return outline;
}

Repeat parse_repeat(const XmlReader& reader, pugi::xml_node node)
{
    const auto range = [&](const char* start, const char* end) {
        const double first = reader.number(node, start, 0);
        return Repeat::Range{first, reader.number(node, end, first)};
    };
    const auto has = [&](const char* name) { return !XmlReader::text(node, name).empty(); };
    return {.s = reader.number(node, "s"),
            .length = reader.number(node, "length"),
            .distance = reader.number(node, "distance"),
            .t = range("tStart", "tEnd"),
            .width = range("widthStart", "widthEnd"),
            .height = range("heightStart", "heightEnd"),
            .z_offset = range("zOffsetStart", "zOffsetEnd"),
            .object_length = range("lengthStart", "lengthEnd"),
            .radius = range("radiusStart", "radiusEnd"),
            .has_width = has("widthStart"),
            .has_height = has("heightStart"),
            .has_length = has("lengthStart"),
            .has_radius = has("radiusStart")};
}

void parse_object_child(XmlReader& reader, pugi::xml_node node, Object& object)
{
    const std::string_view name = node.name();
    if (name == "outline") {
        object.outlines.push_back(parse_outline(reader, node));
    } else if (name == "outlines") {
        for (const auto outline : node.children())
            if (std::string_view(outline.name()) == "outline")
                object.outlines.push_back(parse_outline(reader, outline));
            else
                reader.other(outline);
    } else if (name == "repeat") {
        object.repeats.push_back(parse_repeat(reader, node));
    } else if (name == "validity") {
        object.validities.push_back(parse_validity(reader, node));
    } else if (name != "borders") {
        reader.other(node);
    }
}

Object parse_object(XmlReader& reader, pugi::xml_node node)
{
    const auto size = [&](const char* name) { return std::abs(reader.number(node, name, 0)); };
    Object object{.id = std::string(XmlReader::text(node, "id")),
                  .name = std::string(XmlReader::text(node, "name")),
                  .type = word(node, "type"),
                  .subtype = word(node, "subtype"),
                  .place = parse_place(reader, node, "hdg"),
                  .length = size("length"),
                  .width = size("width"),
                  .height = size("height"),
                  .radius = size("radius")};
    for (const auto child : node.children()) parse_object_child(reader, child, object);
    return object;
}

}  // namespace

void parse_signals(XmlReader& reader, pugi::xml_node signals, Road& road)
{
    for (const auto node : signals.children()) {
        const std::string_view name = node.name();
        if (name == "signal")
            reader.attempt(node, [&] { road.signals.push_back(parse_signal(reader, node)); });
        else if (name == "signalReference")
            reader.attempt(node, [&] { road.signal_references.push_back(parse_signal_reference(reader, node)); });
        else
            reader.other(node);
    }
}

void parse_objects(XmlReader& reader, pugi::xml_node objects, Road& road)
{
    for (const auto node : objects.children()) {
        if (std::string_view(node.name()) == "object")
            reader.attempt(node, [&] { road.objects.push_back(parse_object(reader, node)); });
        else
            reader.other(node);
    }
}

}  // namespace ositrace::open_drive
