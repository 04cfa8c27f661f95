// SPDX-License-Identifier: MPL-2.0
#include "lib/scene/write_scene.hpp"

namespace ositrace::scene {

namespace {

constexpr std::string_view country = "DE", country_revision = "2017";

/// The lanes that signs and lights beside the road apply to: those driven counter-clockwise.
constexpr std::size_t first_driven = 1, last_driven = 2;

void write_assigned_lanes(OsiWriter& out, const RingRoad& road, double s)
{
    for (auto lane = first_driven; lane <= last_driven; ++lane)
        out.id("assigned_lane_id", road.lane_id(road.section_of(s), lane));
}

void write_value(OsiWriter& out, const SignFace& face)
{
    if (face.unit.empty() && face.text.empty()) return;
    out.message("value", [&] {
        if (!face.unit.empty()) {
            out.real("value", face.value);
            out.enumeration("value_unit", face.unit);
        }
        out.text("text", face.text);
    });
}

void write_catalogue(OsiWriter& out, const SignFace& face)
{
    out.text("country", country);
    out.text("country_revision", country_revision);
    out.text("code", face.code);
    if (!face.sub_code.empty()) out.text("sub_code", face.sub_code);
}

void write_main_classification(OsiWriter& out, const TrafficSign& sign, const RingRoad* road)
{
    out.enumeration("variability", sign.variability);
    out.enumeration("type", sign.main.type);
    write_value(out, sign.main);
    out.enumeration("direction_scope", "DIRECTION_SCOPE_NO_DIRECTION");
    if (road != nullptr) write_assigned_lanes(out, *road, sign.s);
    write_catalogue(out, sign.main);
}

void write_supplementary_sign(OsiWriter& out, const TrafficSign& sign, std::size_t i, const RingRoad& road)
{
    const auto& face = sign.supplementary[i];
    out.message("base", [&] { write_base_stationary(out, supplementary_body(sign, i)); });
    out.message("classification", [&] {
        out.enumeration("variability", sign.variability);
        out.enumeration("type", face.type);
        write_value(out, face);
        write_assigned_lanes(out, road, sign.s);
        write_catalogue(out, face);
    });
}

void write_light_classification(OsiWriter& out, const TrafficLight& light, double seconds, const RingRoad* road)
{
    out.enumeration("color", light.color);
    out.enumeration("icon", light.icon);
    out.enumeration("mode", light.lit(seconds) ? light.lit_mode : "MODE_OFF");
    if (road != nullptr && !light.for_pedestrians) write_assigned_lanes(out, *road, light.s);
    out.boolean("is_out_of_service", false);
}

void write_marking_classification(OsiWriter& out, const RoadMarking& marking, const RingRoad* road)
{
    out.enumeration("type", marking.type);
    if (!marking.sign_type.empty()) out.enumeration("traffic_main_sign_type", marking.sign_type);
    out.enumeration("monochrome_color", marking.color);
    if (!marking.unit.empty()) write_value(out, {"", marking.value, marking.unit, marking.text, "", ""});
    if (!marking.text.empty()) out.text("value_text", marking.text);
    if (road != nullptr) {
        const auto section = road->section_of(marking.place.s);
        for (std::size_t lane = 0; lane < RingRoad::lanes.size(); ++lane) {
            const auto& row = RingRoad::lanes[lane];
            const double half_width = marking.body.dimension.y / 2;
            if (marking.place.t + half_width > row.right && marking.place.t - half_width < row.left) {
                out.id("assigned_lane_id", road->lane_id(section, lane));
            }
        }
    }
    if (marking.code.empty()) return;
    write_catalogue(out, {"", 0, "", "", marking.code, ""});
    out.text("sub_code", "");  // OSI requires one; the catalogue has none
}

}  // namespace

void write_base_stationary(OsiWriter& out, const Body& body, bool outlined)
{
    out.dimension("dimension", body.dimension);
    out.vector("position", body.position);
    out.orientation("orientation", body.orientation);
    if (!outlined) return;
    const double x = body.dimension.x / 2, y = body.dimension.y / 2;
    out.vector2d("base_polygon", x, -y);
    out.vector2d("base_polygon", x, y);
    out.vector2d("base_polygon", -x, y);
    out.vector2d("base_polygon", -x, -y);
}

void write_classification(OsiWriter& out, const StationaryObject& object)
{
    out.enumeration("type", object.type);
    out.enumeration("material", object.material);
    out.enumeration("density", object.density);
    out.enumeration("color", object.color);
}
void write_classification(OsiWriter& out, const TrafficSign& sign) { write_main_classification(out, sign, nullptr); }
void write_classification(OsiWriter& out, const TrafficLight& light, double seconds)
{
    write_light_classification(out, light, seconds, nullptr);
}
void write_classification(OsiWriter& out, const RoadMarking& marking)
{
    write_marking_classification(out, marking, nullptr);
}

void write_stationary_objects(OsiWriter& out, const Roadside& roadside)
{
    for (const auto& object : roadside.objects) {
        out.message("stationary_object", [&] {
            out.id("id", object.body.id);
            out.message("base", [&] { write_base_stationary(out, object.body, object.outlined); });
            out.message("classification", [&] { write_classification(out, object); });
            out.colour("color_description", object.colour);
        });
    }
}

void write_traffic_signs(OsiWriter& out, const World& world)
{
    for (const auto& sign : world.roadside.signs) {
        out.message("traffic_sign", [&] {
            out.id("id", sign.body.id);
            out.message("main_sign", [&] {
                out.message("base", [&] { write_base_stationary(out, sign.body); });
                out.message("classification", [&] { write_main_classification(out, sign, &world.road); });
            });
            for (std::size_t i = 0; i < sign.supplementary.size(); ++i) {
                out.message("supplementary_sign", [&] { write_supplementary_sign(out, sign, i, world.road); });
            }
        });
    }
}

void write_traffic_lights(OsiWriter& out, const World& world, const WorldState& moment)
{
    const auto* const road = world.options.static_data == StaticData::never ? nullptr : &world.road;
    for (const auto& light : world.roadside.lights) {
        out.message("traffic_light", [&] {
            out.id("id", light.body.id);
            out.message("base", [&] { write_base_stationary(out, light.body); });
            out.message("classification", [&] { write_light_classification(out, light, moment.seconds, road); });
        });
    }
}

void write_road_markings(OsiWriter& out, const World& world)
{
    for (const auto& marking : world.roadside.markings) {
        out.message("road_marking", [&] {
            out.id("id", marking.body.id);
            out.message("base", [&] { write_base_stationary(out, marking.body); });
            out.message("classification", [&] { write_marking_classification(out, marking, &world.road); });
        });
    }
}

}  // namespace ositrace::scene
