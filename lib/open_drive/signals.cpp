// SPDX-License-Identifier: MPL-2.0
// Signals as traffic signs and traffic lights: osi_trafficsign.proto, osi_trafficlight.proto.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "lib/open_drive/assigned_lanes.hpp"
#include "lib/open_drive/map_writer.hpp"
#include "lib/open_drive/sign_types.hpp"

namespace ositrace::open_drive {

namespace {

/// Where a document states no size; metres.
constexpr double usual_sign = 0.6, thickness = 0.02, lamp = 0.3;

struct Bulb {
    std::string_view color, icon;
};

/// The lamps of a traffic light from top to bottom, by type and subtype of OpenDRIVE's catalogue of signals.
struct LightRow {
    std::string_view type, subtype;  ///< an empty subtype: any
    std::array<Bulb, 3> bulbs;
    std::size_t count;
};

constexpr auto red = "COLOR_RED", yellow = "COLOR_YELLOW", green = "COLOR_GREEN";

constexpr LightRow arrows(std::string_view type, std::string_view subtype, std::string_view icon)
{
    return {type, subtype, {Bulb{red, icon}, Bulb{yellow, icon}, Bulb{green, icon}}, 3};
}

constexpr LightRow two(std::string_view type, std::string_view subtype, Bulb above, Bulb below)
{
    return {type, subtype, {above, below}, 2};
}

constexpr LightRow one(std::string_view type, std::string_view subtype, Bulb bulb)
{
    return {type, subtype, {bulb}, 1};
}

constexpr auto plain = "ICON_NONE";

constexpr std::array light_rows{
    arrows("1000001", "", plain),
    two("1000002", "", {red, "ICON_DONT_WALK"}, {green, "ICON_WALK"}),
    two("1000007", "", {red, "ICON_PEDESTRIAN_AND_BICYCLE"}, {green, "ICON_PEDESTRIAN_AND_BICYCLE"}),
    one("1000008", "10", {yellow, "ICON_ARROW_LEFT"}),
    one("1000008", "20", {yellow, "ICON_ARROW_RIGHT"}),
    one("1000008", "", {yellow, plain}),
    two("1000009", "10", {red, plain}, {yellow, plain}),
    two("1000009", "20", {red, plain}, {green, plain}),
    two("1000009", "30", {yellow, plain}, {green, plain}),
    two("1000010", "10", {yellow, "ICON_ARROW_LEFT"}, {green, "ICON_ARROW_LEFT"}),
    two("1000010", "20", {yellow, "ICON_ARROW_RIGHT"}, {green, "ICON_ARROW_RIGHT"}),
    arrows("1000011", "10", "ICON_ARROW_LEFT"),
    arrows("1000011", "20", "ICON_ARROW_RIGHT"),
    arrows("1000011", "30", "ICON_ARROW_STRAIGHT_AHEAD"),
    arrows("1000011", "40", "ICON_ARROW_STRAIGHT_AHEAD_LEFT"),
    arrows("1000011", "50", "ICON_ARROW_STRAIGHT_AHEAD_RIGHT"),
    one("1000012", "10", {green, "ICON_ARROW_LEFT"}),
    one("1000012", "20", {green, "ICON_ARROW_RIGHT"}),
    two("1000013", "", {red, "ICON_BICYCLE"}, {green, "ICON_BICYCLE"}),
    one("1000020", "", {red, plain}),
};

std::span<const Bulb> bulbs_of(const Signal& signal)
{
    static constexpr std::array unknown{Bulb{"COLOR_OTHER", "ICON_OTHER"}};
    const auto* const row = std::ranges::find_if(light_rows, [&](const LightRow& light) {
        return light.type == signal.type && (light.subtype.empty() || light.subtype == signal.subtype);
    });
    if (row == light_rows.end()) return unknown;
    return std::span(row->bulbs).first(row->count);
}

/// Types of the catalogue are lights also where `dynamic` does not say so.
bool is_light(const Signal& signal)
{
    return signal.dynamic || std::ranges::find(light_rows, signal.type, &LightRow::type) != light_rows.end();
}

/// The place of a signal: its bottom edge, and the direction from which it is seen, which is the x axis in OSI.
struct SignalPose {
    Vector bottom;
    Orientation orientation;
};

SignalPose pose_of(const RoadSurface& surface, const RoadPlace& place)
{
    const auto frame = surface.frame(std::clamp(place.s, 0.0, surface.road().length));
    // Who drives along the road looks at the back of its own direction.
    const double yaw = frame.heading + place.heading + (place.facing == Facing::against ? 0 : pi);
    return {surface.point(frame, place.t, place.z_offset), {place.roll, place.pitch, yaw}};
}

void write_base(NamedWriter& out, FieldName field, const SignalPose& pose, double height_above, Vector dimension)
{
    out.message(field, [&] {
        write_dimension(out, "dimension", dimension);
        write_vector(out, "position", pose.bottom + Vector{0, 0, height_above + dimension.z / 2});
        write_orientation(out, "orientation", pose.orientation);
    });
}

class SignalWriter {
public:
    SignalWriter(MapWriter& map, std::size_t road, const Signal& signal, const std::vector<Assignments>& references)
        : map_(map), signal_(signal), surface_(map.document().roads[road]), pose_(pose_of(surface_, signal.place))
    {
        assignments_.add(map.network(), map.document(), road, signal.place.s, 0, signal.place.facing,
                         signal.validities);
        for (const auto& reference : references)
            assignments_.places.insert(assignments_.places.end(), reference.places.begin(), reference.places.end());
    }

    void write()
    {
        if (!is_light(signal_)) return write_sign();
        const auto bulbs = bulbs_of(signal_);
        const double height = signal_.height > 0 ? signal_.height / static_cast<double>(bulbs.size()) : lamp;
        for (std::size_t i = 0; i < bulbs.size(); ++i)
            write_bulb(bulbs[i], height, height * static_cast<double>(bulbs.size() - 1 - i));
    }

private:
    void write_sign()
    {
        map_.add(Part::traffic_sign, [&](NamedWriter& out) {
            out.id("id", map_.new_id());
            out.message("main_sign", [&] {
                write_base(out, "base", pose_, 0,
                           {thickness, signal_.width > 0 ? signal_.width : usual_sign,
                            signal_.height > 0 ? signal_.height : usual_sign});
                out.message("classification", [&] { write_sign_classification(out); });
            });
            write_source(out, {signal_.id});
        });
    }

    void write_sign_classification(NamedWriter& out)
    {
        out.enumeration("variability", "VARIABILITY_FIXED");
        out.enumeration("type", sign_type(signal_.country, signal_.type, signal_.subtype));
        if (signal_.value || !signal_.text.empty()) {
            out.message("value", [&] {
                if (signal_.value) {
                    out.real("value", *signal_.value);
                    out.enumeration("value_unit", value_unit(signal_.unit));
                }
                if (!signal_.text.empty()) write_text(out, "text", signal_.text);
            });
        }
        out.enumeration("direction_scope", "DIRECTION_SCOPE_NO_DIRECTION");
        assignments_.write_physical(out, map_.network());
        if (!signal_.country.empty()) write_text(out, "country", signal_.country);
        if (!signal_.country_revision.empty()) write_text(out, "country_revision", signal_.country_revision);
        if (!signal_.type.empty()) write_text(out, "code", signal_.type);
        if (!signal_.subtype.empty()) write_text(out, "sub_code", signal_.subtype);
        assignments_.write_logical(out, map_.network());
    }

    /// OSI: a traffic light is one bulb. What a map shows is switched off.
    void write_bulb(const Bulb& bulb, double height, double height_above)
    {
        map_.add(Part::traffic_light, [&](NamedWriter& out) {
            out.id("id", map_.new_id());
            write_base(out, "base", pose_, height_above, {thickness, signal_.width > 0 ? signal_.width : lamp, height});
            out.message("classification", [&] {
                out.enumeration("color", bulb.color);
                out.enumeration("icon", bulb.icon);
                out.enumeration("mode", "MODE_OFF");
                assignments_.write_physical(out, map_.network());
                assignments_.write_logical(out, map_.network());
            });
            write_source(out, {signal_.id});
        });
    }

    MapWriter& map_;
    const Signal& signal_;
    RoadSurface surface_;
    SignalPose pose_;
    Assignments assignments_;
};

}  // namespace

void write_signals(MapWriter& map)
{
    const auto& roads = map.document().roads;
    std::map<std::string_view, std::vector<Assignments>> references;
    for (std::size_t r = 0; r < roads.size(); ++r)
        for (const auto& reference : roads[r].signal_references)
            references[reference.id].emplace_back().add(map.network(), map.document(), r, reference.s, 0,
                                                        reference.facing, reference.validities);
    const std::vector<Assignments> none;
    for (std::size_t r = 0; r < roads.size(); ++r)
        for (const auto& signal : roads[r].signals) {
            const auto found = references.find(signal.id);
            SignalWriter(map, r, signal, found == references.end() ? none : found->second).write();
        }
}

}  // namespace ositrace::open_drive
