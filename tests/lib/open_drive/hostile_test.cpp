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
          "line 4: <planView>: it has no geometry of any length");
    CHECK(error_of_read("<OpenDRIVE>\n<road>\n</OpenDRIVE>") == "line 3: Start-end tags mismatch");
    CHECK(error_of_read("<osm version='0.6'/>") ==
          "this is XML but no OpenDRIVE map: the root element is <osm>, expected <OpenDRIVE>");
}

namespace {

std::vector<std::string> notes_of(const std::string& content)
{
    std::vector<std::string> texts;
    for (const auto& note : read(document(content)).map.notes) texts.emplace_back(note.what());
    return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a road that cannot be read is left out, with the line and the element")
{
    const std::string good = RoadText{.right = lane(-1)};
    const auto with = [&](const RoadText& road) { return notes_of(std::string(road) + good); };
    CHECK(with({.id = "2", .length = 0, .right = lane(-1)}) ==
          Texts{"line 4: <road>: the length is 0; it is left out"});
    CHECK(with({.id = "2", .length = -3, .right = lane(-1)}) ==
          Texts{"line 4: <road>: the length is negative; it is left out"});
    CHECK(with({.id = "2",
                .right = lane(-1),
                .geometry = "<geometry s='0' x='0' y='0' hdg='0' length='0'><line/></geometry>"}) ==
          Texts{"line 6: <planView>: it has no geometry of any length; the <road> in line 4 is left out"});
    CHECK(with({.id = "2", .length = 1e7, .right = lane(-1)}) ==
          Texts{"line 4: <road>: the length of the road exceeds the limit of 1000 km; it is left out"});
    CHECK(with({.id = "2", .right = lane(-1) + lane(-1)}) ==
          Texts{"line 7: <laneSection>: it has more than one lane with the id -1; the <road> in line 4 is left out"});
    CHECK(with({.right = lane(-1)}) == Texts{"line 13: <road>: there is another road with the id 1; it is left out"});
    const auto map = read(document(std::string(RoadText{.id = "2", .length = 0}) + good));
    CHECK(map.map.left_out == 1);
    CHECK(map.map.roads == 1);
    CHECK(map.ground_truth.all("lane").size() == 1);
    // A link to it leads nowhere.
    CHECK(notes_of(std::string(RoadText{.id = "2", .length = 0}) +
                   std::string(RoadText{.link = "<successor elementType='road' elementId='2' contactPoint='start'/>",
                                        .right = lane(-1)}))
              .size() == 2);
}

TEST_CASE("what cannot be read of a road is left out, and the road stays")
{
    const auto one = [](const RoadText& road) {
        const auto map = read(document(road));
        CHECK(map.ground_truth.all("lane").size() == 1);
        REQUIRE(map.map.notes.size() == 1);
        return map.map.notes[0].reason();
    };
    CHECK(one({.right = lane(-1), .features = "<signals><signal id='1' s='x' t='0'/></signals>"}) ==
          "line 12: <signal>: s is \"x\", expected a number; it is left out");
    CHECK(one({.right = lane(-1),
               .features = "<objects><object id='1' s='5' t='0'><outline><cornerRoad s='1'/></outline>"
                           "</object></objects>"}) ==
          "line 12: <cornerRoad>: the attribute t is missing; the <object> in line 12 is left out");
    CHECK(one({.link = "<successor elementType='road'/>", .right = lane(-1)}) ==
          "line 5: <successor>: the attribute elementId is missing; it is left out");
    CHECK(one({.right = lane(-1, "<roadMark sOffset='nan' type='solid'/>")}) ==
          "line 9: <roadMark>: sOffset is \"nan\", expected a number; it is left out");
    CHECK(one({.right = lane(-1, "<link><successor id='1.5'/></link>")}) ==
          "line 9: <successor>: id is \"1.5\", expected a whole number; it is left out");
    CHECK(one({.profiles = "<type s='0' type='town'><speed max='fast'/></type>", .right = lane(-1)}) ==
          "line 7: <speed>: max is \"fast\", expected a number; the <type> in line 7 is left out");
    CHECK(notes_of(std::string(RoadText{.right = lane(-1)}) + "<junction/>") ==
          Texts{"line 13: <junction>: the attribute id is missing; it is left out"});
}

TEST_CASE("of many elements that are left out the first are named, and the others counted")
{
    std::string signals;
    for (int i = 0; i < 100'000; ++i) signals += "<signal/>\n";
    const auto notes = notes_of(RoadText{.right = lane(-1), .features = "<signals>" + signals + "</signals>"});
    REQUIRE(notes.size() == 11);
    CHECK(notes[9] == "line 21: <signal>: the attribute s is missing; it is left out");
    CHECK(notes[10] == "99990 more elements are left out");
}

TEST_CASE("a version after 1.8 is noted")
{
    const auto notes = [](const std::string& major, const std::string& minor) {
        const auto map = read("<OpenDRIVE><header revMajor='" + major + "' revMinor='" + minor + "'/>" +
                              std::string(RoadText{.right = lane(-1)}) + "</OpenDRIVE>");
        return map.map.notes.empty() ? std::string() : map.map.notes.at(0).reason();
    };
    for (const auto* const minor : {"4", "8", "08", "x"}) CHECK(notes("1", minor).empty());
    CHECK(notes("1", "9") == "the map is OpenDRIVE 1.9: it is read as 1.8, and what is new is not read");
    CHECK(notes("2", "0") == "the map is OpenDRIVE 2.0: it is read as 1.8, and what is new is not read");
}

TEST_CASE("widths that cannot be right are noted")
{
    const auto of = [](const std::string& width) {
        return notes_of(RoadText{.right = "<lane id='-1' type='driving'>" + width + "</lane>"});
    };
    CHECK(of("<width sOffset='0' a='3' b='0' c='0' d='0'/>").empty());
    CHECK(of("<width sOffset='0' a='0' b='0' c='0' d='0'/>").empty());
    CHECK(of("<width sOffset='0' a='3' b='-0.06' c='0.0003' d='0'/>").empty());  // 3 (1 - s / 100)^2
    CHECK(of("<width sOffset='0' a='3.5' b='-0.1' c='0' d='0'/>") ==
          Texts{"line 7: <laneSection>: lane -1 has the width -6.50 m at s = 100.00, which counts as 0"});
    CHECK(of("<width sOffset='0' a='1' b='-0.2' c='0.002' d='0'/>") ==  // least in the middle
          Texts{"line 7: <laneSection>: lane -1 has the width -4.00 m at s = 50.00, which counts as 0"});
    CHECK(of("<width sOffset='0' a='350' b='0' c='0' d='0'/>") ==
          Texts{"line 7: <laneSection>: lane -1 has the width 350.00 m at s = 0.00"});
    // A piece ends where the next one begins.
    CHECK(
        of("<width sOffset='0' a='3.5' b='-0.1' c='0' d='0'/><width sOffset='30' a='0.5' b='0' c='0' d='0'/>").empty());
}

TEST_CASE("a planView that does not cover its road is noted")
{
    const auto of = [](double s, double length) {
        return notes_of(RoadText{.right = lane(-1),
                                 .geometry = "<geometry s='" + std::to_string(s) + "' x='0' y='0' hdg='0' length='" +
                                             std::to_string(length) + "'><line/></geometry>"});
    };
    CHECK(of(0, 99.995).empty());
    CHECK(of(0, 120).empty());
    CHECK(of(0, 80) ==
          Texts{"line 4: <road>: the planView ends at s = 80.00, but the road at 100.00: it goes on straight"});
    CHECK(of(5, 95) == Texts{"line 4: <road>: the planView begins at s = 5.00, so the road begins straight"});
}

TEST_CASE("a lane section after the end of its road has no lanes, which is noted")
{
    std::string road = RoadText{.right = lane(-1)};
    road.insert(road.find("</lanes>"), "<laneSection s='100'><right>" + lane(-1) + "</right></laneSection>");
    CHECK(notes_of(road) ==
          Texts{"line 11: <laneSection>: it begins at s = 100.00, where the road has ended: it has no lanes"});
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

TEST_CASE("an object that is repeated without end has no copies")
{
    auto road = RoadText{.length = 900'000, .right = lane(-1)};
    road.features =
        "<objects><object type='pole' id='p' s='0' t='0'><repeat s='0' length='900000' distance='0.01' "
        "tStart='0' tEnd='0'/></object></objects>";
    CHECK(notes_of(road) == Texts{"object p of road 1 is repeated more than 1000000 times; its copies are left out"});
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
