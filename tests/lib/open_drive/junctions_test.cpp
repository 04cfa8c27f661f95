// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"

using namespace maps;
using decoded::Node;

namespace {

std::string geometry(double x, double y, double hdg, double length, std::string_view curve = "<line/>")
{
    return "<geometry s='0' x='" + std::to_string(x) + "' y='" + std::to_string(y) + "' hdg='" + std::to_string(hdg) +
           "' length='" + std::to_string(length) + "'>" + std::string(curve) + "</geometry>";
}

/// Three roads that meet: 1 comes from the west, 2 leaves to the east and 3 to the north.
std::string three_roads()
{
    const std::string to_junction = "<successor elementType='junction' elementId='9'/>";
    const std::string from_junction = "<predecessor elementType='junction' elementId='9'/>";
    const auto connecting = [](const char* id, const char* to, const std::string& plan, double length) {
        return std::string(RoadText{
            .id = id,
            .length = length,
            .attributes = "junction='9'",
            .link = "<predecessor elementType='road' elementId='1' contactPoint='end'/><successor elementType='road' "
                    "elementId='" +
                    std::string(to) + "' contactPoint='start'/>",
            .right = lane(-1, "<link><predecessor id='-1'/><successor id='-1'/></link>"),
            .geometry = plan});
    };
    return document(
        std::string(RoadText{
            .id = "1", .length = 50, .link = to_junction, .right = lane(-1), .geometry = geometry(-50, 0, 0, 50)}) +
        std::string(RoadText{
            .id = "2", .length = 50, .link = from_junction, .right = lane(-1), .geometry = geometry(20, 0, 0, 50)}) +
        std::string(RoadText{.id = "3",
                             .length = 50,
                             .link = from_junction,
                             .right = lane(-1),
                             .geometry = geometry(20, 20, 1.5707963267948966, 50)}) +
        connecting("11", "2", geometry(0, 0, 0, 20), 20) +
        connecting("12", "3", geometry(0, 0, 0, 31.41592653589793, "<arc curvature='0.05'/>"), 31.41592653589793) +
        "<junction id='9' name='fork'>"
        "<connection id='0' incomingRoad='1' connectingRoad='11' contactPoint='start'><laneLink from='-1' "
        "to='-1'/></connection>"
        "<connection id='1' incomingRoad='1' connectingRoad='12' contactPoint='start'><laneLink from='-1' "
        "to='-1'/></connection>"
        "</junction>\n");
}

Node of_road(const Map& map, std::string_view part, std::string_view road)
{
    for (const auto& node : map.ground_truth.all(part))
        for (const auto& source : node.all("source_reference")) {
            std::string first;
            source.view().for_each_element(*source.view().table().find("identifier"),
                                           [&](const ositrace::Value& value) {
                                               first = std::get<std::string_view>(value);
                                               return false;
                                           });
            if (first == road) return node;
        }
    return {};
}

}  // namespace

TEST_CASE("a junction is one intersection lane with all pairings and free boundaries only")
{
    const auto map = read(three_roads());
    const auto lanes = map.ground_truth.all("lane");
    REQUIRE(lanes.size() == 4);
    const auto intersection = of_road(map, "lane", "11");
    const auto of = intersection["classification"];
    CHECK(of.name("type") == "TYPE_INTERSECTION");
    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (const auto& pair : of.all("lane_pairing"))
        pairs.emplace(pair.id("antecessor_lane_id"), pair.id("successor_lane_id"));
    const auto id = [&](const char* road) { return of_road(map, "lane", road).id("id"); };
    CHECK(pairs == std::set<std::pair<std::uint64_t, std::uint64_t>>{{id("1"), id("2")}, {id("1"), id("3")}});
    CHECK(of.all("left_lane_boundary_id").empty());
    CHECK(of.all("right_lane_boundary_id").empty());
    CHECK(of.all("centerline").empty());
    CHECK(intersection.all("source_reference").size() == 2);
    const auto incoming = of_road(map, "lane", "1")["classification"];
    REQUIRE(incoming.all("lane_pairing").size() == 1);
    CHECK(incoming.all("lane_pairing")[0].id("successor_lane_id") == intersection.id("id"));
    CHECK(incoming.all("centerline").size() == 2);
}

TEST_CASE("the free boundaries of an intersection are its outline")
{
    const auto map = read(three_roads());
    const auto ids = of_road(map, "lane", "11")["classification"].ids("free_lane_boundary_id");
    CHECK(ids.size() == 6);  // four, and two where the lanes begin together
    for (const auto& boundary : map.ground_truth.all("lane_boundary")) {
        if (std::ranges::find(ids, boundary.id("id")) == ids.end()) continue;
        const auto points = boundary.all("boundary_line");
        REQUIRE(points.size() >= 2);
        // Nothing runs through the middle of the straight lane, where the turning lane leaves it.
        const auto a = points[0].triple("position"), b = points[1].triple("position");
        const double x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
        CHECK_FALSE((x > 1 && x < 19 && y < -0.2 && y > -3.3));
    }
}

TEST_CASE("connecting lanes are logical lanes of the intersection that know where they lead and overlap")
{
    const auto map = read(three_roads());
    const auto straight = of_road(map, "logical_lane", "11"), turning = of_road(map, "logical_lane", "12");
    CHECK(straight.all("physical_lane_reference").at(0).id("physical_lane_id") == of_road(map, "lane", "11").id("id"));
    CHECK(straight.all("predecessor_lane").at(0).id("other_lane_id") == of_road(map, "logical_lane", "1").id("id"));
    CHECK(straight.all("predecessor_lane").at(0).number("at_begin_of_other_lane") == 0);
    CHECK(straight.all("successor_lane").at(0).id("other_lane_id") == of_road(map, "logical_lane", "2").id("id"));
    CHECK(straight.all("successor_lane").at(0).number("at_begin_of_other_lane") == 1);
    const auto incoming = of_road(map, "logical_lane", "1").all("successor_lane");
    CHECK(incoming.size() == 2);
    const auto overlaps = straight.all("overlapping_lane");
    REQUIRE(overlaps.size() == 1);
    CHECK(overlaps[0].id("other_lane_id") == turning.id("id"));
    CHECK(overlaps[0].real("start_s") == 0);
    // The turning lane has left the straight one after acos(1 - 3.5 / 23.5) of its outer arc: 13 m.
    CHECK(overlaps[0].real("end_s") == Approx(12.3).margin(2.5));
}

TEST_CASE("a direct junction connects lanes without an intersection")
{
    const auto map = read(document(
        std::string(RoadText{
            .id = "1", .length = 50, .link = "<successor elementType='junction' elementId='9'/>", .right = lane(-1)}) +
        std::string(RoadText{.id = "2",
                             .length = 50,
                             .link = "<predecessor elementType='junction' elementId='9'/>",
                             .right = lane(-1) + lane(-2),
                             .geometry = geometry(50, 0, 0, 50)}) +
        "<junction id='9' type='direct'><connection id='0' incomingRoad='1' linkedRoad='2' contactPoint='start'>"
        "<laneLink from='-1' to='-1'/><laneLink from='-1' to='-2'/></connection></junction>"));
    CHECK(map.map.intersections == 0);
    CHECK(of_road(map, "lane", "1")["classification"].all("lane_pairing").size() == 2);
    CHECK(of_road(map, "logical_lane", "1").all("successor_lane").size() == 2);
}

TEST_CASE("roads that meet end to end know at which end of the other they are")
{
    const auto map = read(
        document(std::string(RoadText{.id = "1",
                                      .length = 50,
                                      .link = "<successor elementType='road' elementId='2' contactPoint='end'/>",
                                      .right = lane(-1, "<link><successor id='1'/></link>")}) +
                 std::string(RoadText{
                     .id = "2", .length = 50, .left = lane(1), .geometry = geometry(100, 0, 3.141592653589793, 50)})));
    const auto successor = of_road(map, "logical_lane", "1").all("successor_lane").at(0);
    CHECK(successor.number("at_begin_of_other_lane") == 0);
    CHECK(of_road(map, "logical_lane", "2").all("successor_lane").at(0).id("other_lane_id") ==
          of_road(map, "logical_lane", "1").id("id"));
}
