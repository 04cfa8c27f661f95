// SPDX-License-Identifier: MPL-2.0
// Documents that are broken, or that want too much.
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"

using namespace maps;

namespace {

std::string with_geometry(const std::string& geometry, double length = 100)
{
    return document(RoadText{.length = length, .right = lane(-1), .geometry = geometry});
}

}  // namespace

TEST_CASE("an error names the line and the element")
{
    CHECK(error_of_read(with_geometry("<geometry s='0' x='0' y='0' hdg='0' length='nan'><line/></geometry>")) ==
          "line 6: <geometry>: length is \"nan\", expected a number");
    CHECK(error_of_read(with_geometry("<geometry s='0' x='0' y='0' hdg='0' length='1e999'><line/></geometry>")) ==
          "line 6: <geometry>: length is \"1e999\", expected a number");
    CHECK(error_of_read(with_geometry("<geometry s='0' y='0' hdg='0' length='1'><line/></geometry>")) ==
          "line 6: <geometry>: the attribute x is missing");
    CHECK(error_of_read(with_geometry("<geometry s='0' x='0' y='0' hdg='0' length='1'/>")) ==
          "line 6: <geometry>: it has no line, arc, spiral, poly3 or paramPoly3");
    CHECK(error_of_read(document("<road id='7' length='10'><planView/></road>")) ==
          "line 4: <planView>: it has no geometry");
    CHECK(error_of_read("<OpenDRIVE>\n<road>\n</OpenDRIVE>") == "line 3: Start-end tags mismatch");
    CHECK(error_of_read("<osm version='0.6'/>") ==
          "this is XML but no OpenDRIVE map: the root element is <osm>, expected <OpenDRIVE>");
    const std::string road = RoadText{.right = lane(-1)};
    CHECK(error_of_read(document(road + road)).ends_with("<road>: there is another road with the id 1"));
}

TEST_CASE("what is too large is refused")
{
    CHECK(error_of_read(document(RoadText{.length = 1e9, .right = lane(-1)}))
              .ends_with("the length of the road exceeds the limit of 1000 km"));
    CHECK(error_of_read(
              with_geometry("<geometry s='0' x='0' y='0' hdg='0' length='100'><arc curvature='1e6'/></geometry>"))
              .ends_with("its turn exceeds the limit of 2000 radians"));
    CHECK(error_of_read(with_geometry("<geometry s='0' x='1e300' y='0' hdg='0' length='100'><line/></geometry>"))
              .ends_with("which exceeds the limit of 1e12"));
    std::string lanes;
    for (int i = 1; i <= 1001; ++i) lanes += lane(-i);
    CHECK(error_of_read(document(RoadText{.right = lanes}))
              .ends_with("the number of its lanes exceeds the limit of 1000"));
}

TEST_CASE("many dashes on many long roads reach the limit of a message, not that of the memory")
{
    std::string roads;
    for (int i = 1; i <= 50; ++i)
        roads += RoadText{.id = std::to_string(i),
                          .length = 999'999,
                          .right = lane(-1,
                                        "<roadMark sOffset='0' type='broken'><type name='x'><line length='0.1' "
                                        "space='0.1' tOffset='0' sOffset='0'/></type></roadMark>")};
    ositrace::MapOptions options;
    options.max_message_bytes = std::size_t{16} << 20;
    CHECK_THROWS_WITH(read(document(roads), options),
                      Catch::Contains("the map as OSI exceeds the limit of 16777216 bytes"));
}

TEST_CASE("an object that is repeated without end is refused")
{
    auto road = RoadText{.length = 900'000, .right = lane(-1)};
    road.features =
        "<objects><object type='pole' id='p' s='0' t='0'><repeat s='0' length='900000' distance='0.01' "
        "tStart='0' tEnd='0'/></object></objects>";
    CHECK(error_of_read(document(road)).find("object p of road 1 is repeated") != std::string::npos);
}

TEST_CASE("entities and depth cost nothing")
{
    std::string bomb =
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>";
    const auto map = read(bomb + "<OpenDRIVE><header name='&c;'/>" +
                          std::string(RoadText{.attributes = "name='&c;'", .right = lane(-1)}) + "</OpenDRIVE>");
    CHECK(map.ground_truth.all("logical_lane").at(0).text("street_name") == "&c;");
    constexpr int depth = 200'000;
    std::string deep;
    for (int i = 0; i < depth; ++i) deep += "<a>";
    for (int i = 0; i < depth; ++i) deep += "</a>";
    CHECK(read(document(deep)).map.notes.at(0).reason().starts_with("1 element "));
}

TEST_CASE("unknown elements and links that lead nowhere are counted")
{
    auto road = RoadText{.link = "<successor elementType='road' elementId='99' contactPoint='start'/>",
                         .right = lane(-1, "<link><successor id='-1'/></link><parcel/><parcel/><userData/>")};
    const auto map = read(document(road));
    REQUIRE(map.map.notes.size() == 2);
    CHECK(map.map.notes[0].reason() ==
          "2 elements that OpenDRIVE does not have are not read, the first in line 9: <parcel>");
    CHECK(map.map.notes[1].reason() == "1 link leads to a road, junction or lane that the map does not have");
}

TEST_CASE("roads that follow each other in a circle end")
{
    const auto linked = [](const char* id, const char* other) {
        return std::string(RoadText{.id = id,
                                    .link = "<predecessor elementType='road' elementId='" + std::string(other) +
                                            "' contactPoint='end'/><successor elementType='road' elementId='" + other +
                                            "' contactPoint='start'/>",
                                    .right = lane(-1, "<link><predecessor id='-1'/><successor id='-1'/></link>")});
    };
    CHECK(read(document(linked("1", "2") + linked("2", "1"))).ground_truth.all("lane").size() == 2);
    CHECK(
        read(document(linked("1", "1"))).ground_truth.all("lane").at(0)["classification"].all("lane_pairing").size() ==
        1);
    // A junction whose connecting roads lead into each other.
    const auto connecting = [](const char* id, const char* other) {
        return std::string(RoadText{.id = id,
                                    .attributes = "junction='9'",
                                    .link = "<predecessor elementType='road' elementId='" + std::string(other) +
                                            "' contactPoint='end'/><successor elementType='road' elementId='" + other +
                                            "' contactPoint='start'/>",
                                    .right = lane(-1, "<link><predecessor id='-1'/><successor id='-1'/></link>")});
    };
    CHECK(read(document(connecting("1", "2") + connecting("2", "1") + "<junction id='9'/>")).map.intersections == 1);
}

TEST_CASE("a hundred kilometres of road are one message")
{
    std::string roads;
    for (int i = 0; i < 200; ++i) {
        RoadText road{
            .id = std::to_string(i),
            .length = 500,
            .left = lane(1, "<roadMark sOffset='0' type='solid' width='0.12'/>"),
            .center = "<lane id='0' type='none'><roadMark sOffset='0' type='broken' width='0.12'/></lane>",
            .right = lane(-1, "<roadMark sOffset='0' type='solid' width='0.12'/>") + lane(-2, "", "sidewalk")};
        road.geometry = "<geometry s='0' x='0' y='" + std::to_string(i * 20) +
                        "' hdg='0' length='200'><spiral curvStart='0' curvEnd='0.005'/></geometry>"
                        "<geometry s='200' x='200' y='0' hdg='0.5' length='300'><arc curvature='0.005'/></geometry>";
        roads += road;
    }
    const auto text = document(roads);
    const auto map = read(text);
    CHECK(map.ground_truth.all("lane").size() == 600);
}

TEST_CASE("geometries that do not meet are noted, once for a road")
{
    const auto plan = [](double gap) {
        return "<geometry s='0' x='0' y='0' hdg='0' length='40'><line/></geometry>"
               "<geometry s='40' x='40' y='" +
               std::to_string(gap) +
               "' hdg='0' length='30'><line/></geometry>"
               "<geometry s='70' x='70' y='0' hdg='0' length='30'><line/></geometry>";
    };
    const auto notes = [](const std::string& roads) {
        std::vector<std::string> texts;
        for (const auto& note : read(document(roads)).map.notes) texts.emplace_back(note.what());
        return texts;
    };
    const auto road = [&](const std::string& id, double gap) {
        return std::string(RoadText{.id = id, .right = lane(-1), .geometry = plan(gap)});
    };
    CHECK(notes(road("7", 0.009)).empty());
    CHECK(notes(road("7", 0.53)) ==
          std::vector<std::string>{"road 7: 2 geometries of the planView do not start where the one before ends: up to "
                                   "0.53 m apart at s = 40.00"});
    // One that is shorter than its place.
    const auto shorter =
        "<geometry s='0' x='0' y='0' hdg='0' length='40'><line/></geometry>"
        "<geometry s='50' x='40' y='0' hdg='0' length='50'><line/></geometry>";
    CHECK(
        notes(std::string(RoadText{.right = lane(-1), .geometry = shorter})) ==
        std::vector<std::string>{"road 1: a geometry of the planView does not start where the one before ends: 10.00 m "
                                 "apart at s = 50.00"});
    std::string many;
    for (int id = 0; id < 15; ++id) many += road(std::to_string(id), 2);
    CHECK(notes(many).size() == 11);
    CHECK(notes(many).back() == "the planViews of 5 more roads have such gaps");
}
