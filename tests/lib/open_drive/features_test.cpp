// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"

using namespace maps;

namespace {

Map with_features(const std::string& features)
{
    auto road = RoadText{.left = lane(1), .right = lane(-1) + lane(-2)};
    road.features = features;
    return read(document(road));
}

std::string identifier(const decoded::Node& node)
{
    const auto source = node.all("source_reference").at(0);
    CHECK(source.text("type") == "net.asam.opendrive");
    std::string first;
    source.view().for_each_element(*source.view().table().find("identifier"), [&](const ositrace::Value& value) {
        first = std::get<std::string_view>(value);
        return false;
    });
    return first;
}

constexpr double pi = 3.14159265358979;

}  // namespace

TEST_CASE("a signal is a sign with type, code, value, size and the direction from which it is seen")
{
    const auto map = with_features(
        "<signals><signal s='30' t='-8' id='s7' name='limit' dynamic='no' orientation='+' zOffset='2' country='DE' "
        "countryRevision='2017' type='274' subtype='50' value='50' unit='km/h' height='0.8' width='0.7' hOffset='0'>"
        "<validity fromLane='-2' toLane='-1'/></signal></signals>");
    const auto sign = map.ground_truth.all("traffic_sign").at(0);
    CHECK(identifier(sign) == "s7");
    const auto base = sign["main_sign"]["base"], of = sign["main_sign"]["classification"];
    CHECK(base.triple("position")[0] == 30);
    CHECK(base.triple("position")[1] == -8);
    CHECK(base.triple("position")[2] == Approx(2.4));                // the middle of the sign
    CHECK(std::abs(base["orientation"].real("yaw")) == Approx(pi));  // seen from where s is smaller
    CHECK(of.name("type") == "TYPE_SPEED_LIMIT_BEGIN");
    CHECK(of["value"].real("value") == 50);
    CHECK(of["value"].name("value_unit") == "UNIT_KILOMETER_PER_HOUR");
    CHECK(of.text("country") == "DE");
    CHECK(of.text("code") == "274");
    CHECK(of.text("sub_code") == "50");
    CHECK(of.all("logical_lane_assignment").size() == 2);
    CHECK(of.ids("assigned_lane_id").size() == 2);
}

TEST_CASE("a sign without validity is valid for the driving lanes of its direction")
{
    const auto map =
        with_features("<signals><signal s='30' t='8' id='1' orientation='-' zOffset='2' type='206'/></signals>");
    const auto of = map.ground_truth.all("traffic_sign").at(0)["main_sign"]["classification"];
    CHECK(of.name("type") == "TYPE_STOP");
    REQUIRE(of.ids("assigned_lane_id").size() == 1);
    CHECK(of.ids("assigned_lane_id")[0] == map.ground_truth.all("lane").at(0).id("id"));
    CHECK(map.ground_truth.all("traffic_sign")[0]["main_sign"]["base"]["orientation"].real("yaw") ==
          Approx(0).margin(1e-9));
}

TEST_CASE("a traffic light is one light per lamp, the red one on top")
{
    const auto map = with_features(
        "<signals><signal s='90' t='-8' id='4' dynamic='yes' orientation='+' zOffset='3' "
        "type='1000011' subtype='10' height='0.9' width='0.3'/></signals>");
    const auto lights = map.ground_truth.all("traffic_light");
    REQUIRE(lights.size() == 3);
    CHECK(lights[0]["classification"].name("color") == "COLOR_RED");
    CHECK(lights[0]["classification"].name("icon") == "ICON_ARROW_LEFT");
    CHECK(lights[0]["base"].triple("position")[2] == Approx(3.75));
    CHECK(lights[2]["base"].triple("position")[2] == Approx(3.15));
    for (const auto& light : lights) CHECK(identifier(light) == "4");
}

TEST_CASE("a signal is valid on a road that refers to it")
{
    const auto map = with_features(
        "<signals><signal s='90' t='-8' id='4' orientation='+' zOffset='3' type='205'><validity fromLane='-1' "
        "toLane='-1'/>"
        "</signal><signalReference s='40' t='0' id='4' orientation='-'><validity fromLane='1' "
        "toLane='1'/></signalReference>"
        "</signals>");
    const auto assignments =
        map.ground_truth.all("traffic_sign").at(0)["main_sign"]["classification"].all("logical_lane_assignment");
    REQUIRE(assignments.size() == 2);
    CHECK(assignments[1].real("s_position") == 40);
}

TEST_CASE("an object is a stationary object")
{
    const auto map = with_features(
        "<objects><object type='tree' id='o1' s='20' t='9' zOffset='1' hdg='0.5' length='1' "
        "width='2' height='6'/></objects>");
    const auto object = map.ground_truth.all("stationary_object").at(0);
    CHECK(object["classification"].name("type") == "TYPE_TREE");
    CHECK(object["base"].triple("position")[2] == 4);  // the middle of the box
    CHECK(object["base"]["dimension"].real("height") == 6);
    CHECK(object["base"]["orientation"].real("yaw") == 0.5);
    CHECK(identifier(object) == "o1");
}

TEST_CASE("an outline is a polygon about the middle of its box, counter-clockwise")
{
    const auto map = with_features(
        "<objects><object type='building' id='o1' s='20' t='9' zOffset='0' hdg='0'><outlines><outline>"
        "<cornerLocal u='0' v='0' z='0' height='5'/><cornerLocal u='0' v='4' z='0' height='5'/>"
        "<cornerLocal u='10' v='4' z='0' height='5'/><cornerLocal u='10' v='0' z='0' height='5'/></outline></outlines>"
        "</object></objects>");
    const auto base = map.ground_truth.all("stationary_object").at(0)["base"];
    CHECK(base.triple("position")[0] == 25);
    CHECK(base.triple("position")[1] == 11);
    CHECK(base.triple("position")[2] == 2.5);
    const auto polygon = base.all("base_polygon");
    REQUIRE(polygon.size() == 4);
    double area = 0;
    for (std::size_t i = 0; i < 4; ++i)
        area += polygon[i].real("x") * polygon[(i + 1) % 4].real("y") -
                polygon[(i + 1) % 4].real("x") * polygon[i].real("y");
    CHECK(area == Approx(80));
}

TEST_CASE("a crosswalk is a road marking that assigned lanes have")
{
    const auto map = with_features(
        "<objects><object type='crosswalk' id='c' s='50' t='0' zOffset='0' hdg='1.5707963267949' "
        "length='7' width='4' height='0'/></objects>");
    const auto marking = map.ground_truth.all("road_marking").at(0);
    CHECK(marking["classification"].name("type") == "TYPE_SYMBOLIC_TRAFFIC_SIGN");
    CHECK(marking["classification"].name("traffic_main_sign_type") == "TYPE_ZEBRA_CROSSING");
    for (const auto* const field : {"country", "country_revision", "code", "sub_code"}) {
        CHECK(marking["classification"].has(field));
        CHECK(marking["classification"].text(field).empty());
    }
    CHECK(marking["base"]["orientation"].real("pitch") == Approx(-pi / 2));
    CHECK(marking["base"]["dimension"].real("height") == 7);
    CHECK(marking["base"]["dimension"].real("width") == 4);
    CHECK(marking["classification"].ids("assigned_lane_id").size() == 3);
    CHECK(map.ground_truth.all("stationary_object").empty());
}

TEST_CASE("a crosswalk has the country of its road, with two letters")
{
    const auto country_at = [](const std::string& s) {
        auto road = RoadText{.left = lane(1)};
        road.profiles =
            "<type s='0' type='town'/><type s='10' type='town' country='DEU'/>"
            "<type s='60' type='town' country='FR'/>";
        road.features = "<objects><object type='crosswalk' id='c' s='" + s + "' t='0' zOffset='0'/></objects>";
        const auto map = read(document(road));
        return std::string(map.ground_truth.all("road_marking").at(0)["classification"].text("country"));
    };
    CHECK(country_at("5") == "DE");
    CHECK(country_at("50") == "DE");
    CHECK(country_at("70") == "FR");
}

TEST_CASE("a map without lanes is noted")
{
    for (const auto* const content : {"",
                                      "<road id='1' length='5'><planView><geometry s='0' x='0' y='0' hdg='0' "
                                      "length='5'><line/></geometry></planView></road>"}) {
        const auto notes = read(document(content)).map.notes;
        REQUIRE(notes.size() == 1);
        CHECK(notes[0].reason() == "the map has no lanes");
    }
    CHECK(read(document(RoadText{.left = lane(1)})).map.notes.empty());
}

TEST_CASE("repeated objects are copies, and a continuous one is a chain of boxes")
{
    const auto map = with_features(
        "<objects><object type='pole' id='p' s='0' t='9' zOffset='0' radius='0.1' height='1'>"
        "<repeat s='10' length='50' distance='25' tStart='9' tEnd='11' heightStart='1' heightEnd='3' zOffsetStart='0' "
        "zOffsetEnd='0'/></object>"
        "<object type='barrier' id='b' s='0' t='-9' zOffset='0' height='0.8' width='0.3'>"
        "<repeat s='0' length='20' distance='0' tStart='-9' tEnd='-9' heightStart='0.8' heightEnd='0.8' "
        "zOffsetStart='0' "
        "zOffsetEnd='0'/></object></objects>");
    const auto objects = map.ground_truth.all("stationary_object");
    REQUIRE(objects.size() == 3 + 4);
    CHECK(objects[1]["base"].triple("position")[0] == 35);
    CHECK(objects[1]["base"].triple("position")[1] == 10);
    CHECK(objects[1]["base"]["dimension"].real("height") == 2);
    CHECK(objects[3]["base"]["dimension"].real("length") == 5);
    CHECK(objects[3]["base"].triple("position")[0] == 2.5);
}

TEST_CASE("the header says where the map is, which is not applied")
{
    const auto map = read(
        "<OpenDRIVE><header><geoReference><![CDATA[ +proj=utm +zone=32 ]]></geoReference>"
        "<offset x='1000' y='2000' z='3' hdg='0.5'/></header>" +
            std::string(RoadText{.right = lane(-1)}) + "</OpenDRIVE>",
        {.reference = "town.xodr"});
    CHECK(map.ground_truth.text("proj_string") == "+proj=utm +zone=32");
    CHECK(map.ground_truth.text("map_reference") == "town.xodr");
    CHECK(map.ground_truth["proj_frame_offset"].triple("position") == decoded::Triple{1000, 2000, 3});
    CHECK(map.ground_truth["proj_frame_offset"].real("yaw") == 0.5);
    CHECK(map.ground_truth.all("reference_line").at(0).all("poly_line").at(0).triple("world_position")[0] == 0);
    CHECK(map.map.offset == ositrace::MapOffset{1000, 2000, 3, 0.5});
}
