// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"

using namespace maps;
using decoded::Node;

namespace {

/// The element of a part with this identifier.
Node with_id(const Map& map, std::string_view part, std::uint64_t id)
{
    for (const auto& node : map.ground_truth.all(part))
        if (node.id("id") == id) return node;
    return {};
}

/// The lane of OpenDRIVE by road and lane id.
Node lane_of(const Map& map, std::string_view part, std::string_view road, std::string_view lane,
             std::string_view s = "0")
{
    for (const auto& node : map.ground_truth.all(part))
        for (const auto& source : node.all("source_reference")) {
            std::vector<std::string> words;
            source.view().for_each_element(*source.view().table().find("identifier"),
                                           [&](const ositrace::Value& value) {
                                               words.emplace_back(std::get<std::string_view>(value));
                                               return true;
                                           });
            if (words == std::vector<std::string>{std::string(road), std::string(s), std::string(lane)}) return node;
        }
    return {};
}

Node classification(const Map& map, std::string_view road, std::string_view lane, std::string_view s = "0")
{
    return lane_of(map, "lane", road, lane, s)["classification"];
}

const std::string two_way = document(RoadText{.left = lane(1), .right = lane(-1) + lane(-2, "", "sidewalk")});

}  // namespace

TEST_CASE("a lane has type, neighbours, boundaries and a centre line in the order of s")
{
    const auto map = read(two_way);
    const auto right = classification(map, "1", "-1"), left = classification(map, "1", "1");
    CHECK(right.name("type") == "TYPE_DRIVING");
    CHECK(right.name("subtype") == "SUBTYPE_NORMAL");
    CHECK(right.number("centerline_is_driving_direction") == 1);
    CHECK(left.number("centerline_is_driving_direction") == 0);
    CHECK(right.ids("left_adjacent_lane_id") == std::vector{lane_of(map, "lane", "1", "1").id("id")});
    CHECK(right.ids("right_adjacent_lane_id") == std::vector{lane_of(map, "lane", "1", "-2").id("id")});
    CHECK(right.ids("left_lane_boundary_id") == left.ids("right_lane_boundary_id"));
    for (const auto& points : {right.all("centerline"), left.all("centerline")}) {
        REQUIRE(points.size() == 2);
        CHECK(points.front().real("x") == 0);
        CHECK(points.back().real("x") == 100);
    }
    CHECK(right.all("centerline").front().real("y") == -1.75);
    const auto sidewalk = classification(map, "1", "-2");
    CHECK(sidewalk.name("type") == "TYPE_NONDRIVING");
    CHECK(sidewalk.name("subtype") == "SUBTYPE_SIDEWALK");
    CHECK(sidewalk.all("centerline").empty());
}

TEST_CASE("left-hand traffic runs on the left, and left stays left")
{
    const auto map = read(document(RoadText{.attributes = "rule='LHT'", .left = lane(1), .right = lane(-1)}));
    CHECK(classification(map, "1", "1").number("centerline_is_driving_direction") == 1);
    CHECK(classification(map, "1", "-1").number("centerline_is_driving_direction") == 0);
    CHECK(classification(map, "1", "-1").ids("left_adjacent_lane_id").size() == 1);
    CHECK(lane_of(map, "logical_lane", "1", "1").name("move_direction") == "MOVE_DIRECTION_INCREASING_S");
}

TEST_CASE("each road mark is a boundary with type, colour and width")
{
    const auto map = read(document(RoadText{
        .right = lane(-1,
                      "<roadMark sOffset='0' type='solid' color='yellow' width='0.2'/>"
                      "<roadMark sOffset='40' type='broken' color='standard' width='0.12'>"
                      "<type name='broken' width='0.12'><line length='6' space='12' tOffset='0' sOffset='0'/></type>"
                      "</roadMark>") +
                 lane(-2)}));
    const auto ids = classification(map, "1", "-1").ids("right_lane_boundary_id");
    REQUIRE(ids.size() == 2);
    CHECK(classification(map, "1", "-2").ids("left_lane_boundary_id") == ids);
    const auto solid = with_id(map, "lane_boundary", ids[0]), dashed = with_id(map, "lane_boundary", ids[1]);
    CHECK(solid["classification"].name("type") == "TYPE_SOLID_LINE");
    CHECK(solid["classification"].name("color") == "COLOR_YELLOW");
    CHECK(solid.all("boundary_line").front().real("width") == 0.2);
    CHECK(solid.all("boundary_line").back()["position"].real("x") == 40);
    CHECK(dashed["classification"].name("type") == "TYPE_DASHED_LINE");
    const auto points = dashed.all("boundary_line");
    REQUIRE(points.size() == 8);  // dashes from 40, 58, 76 and 94, the last of them 6 m long
    CHECK(points[0].name("dash") == "DASH_START");
    CHECK(points[1].name("dash") == "DASH_END");
    CHECK(points[1]["position"].real("x") == 46);
    CHECK(points[2]["position"].real("x") == 58);
    CHECK(points.back().name("dash") == "DASH_END");
    CHECK(points.back()["position"].real("x") == 100);
}

TEST_CASE("of a double line each lane has the line on its side, and the logical boundary has both from right to left")
{
    const auto map =
        read(document(RoadText{.left = lane(1),
                               .center = "<lane id='0' type='none'><roadMark sOffset='0' type='solid broken' "
                                         "color='white' width='0.1'/></lane>",
                               .right = lane(-1)}));
    const auto of_left = classification(map, "1", "1").ids("right_lane_boundary_id");
    const auto of_right = classification(map, "1", "-1").ids("left_lane_boundary_id");
    REQUIRE((of_left.size() == 1 && of_right.size() == 1));
    CHECK(with_id(map, "lane_boundary", of_left[0])["classification"].name("type") == "TYPE_SOLID_LINE");
    CHECK(with_id(map, "lane_boundary", of_right[0])["classification"].name("type") == "TYPE_DASHED_LINE");
    CHECK(with_id(map, "lane_boundary", of_left[0]).all("boundary_line")[0]["position"].real("y") == Approx(0.1));
    const auto logical = lane_of(map, "logical_lane", "1", "1").ids("right_boundary_id");
    REQUIRE(logical.size() == 1);
    const auto boundary = with_id(map, "logical_lane_boundary", logical[0]);
    CHECK(boundary.ids("physical_boundary_id") == std::vector{of_right[0], of_left[0]});
    // Passing the dashed line on the right comes first when one goes to the left.
    CHECK(boundary.name("passing_rule") == "PASSING_RULE_INCREASING_T");
}

TEST_CASE("laneChange decides where one may pass")
{
    const auto rule = [](std::string_view change) {
        const auto map = read(document(RoadText{
            .right =
                lane(-1, "<roadMark sOffset='0' type='solid' laneChange='" + std::string(change) + "'/>") + lane(-2)}));
        const auto ids = lane_of(map, "logical_lane", "1", "-1").ids("right_boundary_id");
        return std::string(with_id(map, "logical_lane_boundary", ids.at(0)).name("passing_rule"));
    };
    CHECK(rule("increase") == "PASSING_RULE_INCREASING_T");
    CHECK(rule("decrease") == "PASSING_RULE_DECREASING_T");
    CHECK(rule("both") == "PASSING_RULE_BOTH_ALLOWED");
    CHECK(rule("none") == "PASSING_RULE_NONE_ALLOWED");
    CHECK(rule("") == "PASSING_RULE_NONE_ALLOWED");
}

TEST_CASE("a logical lane has its reference line, physical lane, neighbours, street, speed limit and road type")
{
    auto road = RoadText{.attributes = "name='Main Street'", .left = lane(1), .right = lane(-1)};
    road.link = {};
    road.profiles = "<type s='0' type='town' country='DE'><speed max='50' unit='km/h'/></type>";
    const auto map = read(document(road));
    const auto logical = lane_of(map, "logical_lane", "1", "1");
    const auto line = map.ground_truth.all("reference_line").at(0);
    CHECK(logical.id("reference_line_id") == line.id("id"));
    CHECK(line.name("type") == "TYPE_POLYLINE_WITH_T_AXIS");
    CHECK(line.all("poly_line").back().real("s_position") == 100);
    CHECK(line.all("poly_line").back().real("t_axis_yaw") == Approx(1.5707963));
    CHECK(logical.all("physical_lane_reference").at(0).id("physical_lane_id") ==
          lane_of(map, "lane", "1", "1").id("id"));
    CHECK(logical.all("right_adjacent_lane").at(0).id("other_lane_id") ==
          lane_of(map, "logical_lane", "1", "-1").id("id"));
    CHECK(logical.name("move_direction") == "MOVE_DIRECTION_DECREASING_S");
    CHECK(logical.text("street_name") == "Main Street");
    CHECK(logical.name("road_type") == "ROAD_TYPE_TOWN");
    const auto rule = logical.all("traffic_rule").at(0);
    CHECK(rule["traffic_rule_validity"].real("start_s") == 100);  // for traffic against s
    CHECK(rule["speed_limit"]["speed_limit_value"].real("value") == 50);
    CHECK(map.ground_truth.number("country_code") == 276);
}

TEST_CASE("sections of a road are connected by their links, and lanes without width are not")
{
    const std::string narrow =
        "<lane id='-2' type='driving'><link><successor id='-1'/></link>"
        "<width sOffset='0' a='3.5' b='-0.07' c='0' d='0'/></lane>";
    const auto map = read(document(
        "<road id='1' length='100' junction='-1'><planView><geometry s='0' x='0' y='0' hdg='0' "
        "length='100'><line/></geometry></planView><lanes><laneSection s='0'><right>" +
        lane(-1, "<link><successor id='-1'/></link>") + narrow + "</right></laneSection><laneSection s='50'><right>" +
        lane(-1, "<link><predecessor id='-1'/></link>") + "</right></laneSection></lanes></road>"));
    const auto after = lane_of(map, "lane", "1", "-1", "50"), before = lane_of(map, "lane", "1", "-1");
    const auto ended = lane_of(map, "lane", "1", "-2");
    CHECK(before["classification"].all("lane_pairing").at(0).id("successor_lane_id") == after.id("id"));
    CHECK(after["classification"].all("lane_pairing").size() == 2);
    CHECK(after["classification"].all("centerline").empty());  // OSI: only with one pairing
    CHECK(ended["classification"].all("lane_pairing").size() == 1);
    CHECK(lane_of(map, "logical_lane", "1", "-1", "50").all("predecessor_lane").size() == 1);
    CHECK(lane_of(map, "logical_lane", "1", "-2").all("successor_lane").empty());
}

TEST_CASE("lines are within 5 cm of their curves, or within what is wanted")
{
    auto road = RoadText{.length = 300, .left = lane(1), .right = lane(-1)};
    road.geometry = "<geometry s='0' x='0' y='0' hdg='0' length='300'><arc curvature='0.01'/></geometry>";
    for (const double wanted : {0.05, 1.0}) {
        const auto map = read(document(road), {.max_deviation = wanted});
        for (const auto& boundary : map.ground_truth.all("lane_boundary")) {
            const auto points = boundary.all("boundary_line");
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                const auto a = points[i].triple("position"), b = points[i + 1].triple("position");
                const double radius = std::hypot(a[0], a[1] - 100);
                const double middle = std::hypot((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - 100);
                CHECK(radius - middle <= wanted);
            }
            CHECK(points.size() < (wanted < 0.1 ? 60u : 16u));
        }
    }
}

TEST_CASE("elevation, superelevation and shape give the height")
{
    auto road = RoadText{.left = lane(1), .right = lane(-1)};
    road.profiles =
        "<elevationProfile><elevation s='0' a='10' b='0' c='0' d='0'/></elevationProfile>"
        "<lateralProfile><superelevation s='0' a='0.1' b='0' c='0' d='0'/></lateralProfile>";
    const auto tilted = read(document(road));
    const auto edge = tilted.ground_truth.all("lane_boundary").front().all("boundary_line").front().triple("position");
    CHECK(edge[1] == Approx(3.5 * std::cos(0.1)));
    CHECK(edge[2] == Approx(10 + 3.5 * std::sin(0.1)));
    const auto logical = tilted.ground_truth.all("logical_lane_boundary").front().all("boundary_line").front();
    CHECK(logical.real("t_position") == Approx(3.5 * std::cos(0.1)));  // osi_referenceline.proto

    road.profiles =
        "<lateralProfile><shape s='0' t='-10' a='0' b='0.1' c='0' d='0'/><shape s='100' t='-10' a='2' b='0' c='0' "
        "d='0'/></lateralProfile>";
    const auto shaped = read(document(road));
    const auto points = shaped.ground_truth.all("lane_boundary").front().all("boundary_line");
    CHECK(points.front().triple("position")[2] == Approx(1.35));
    CHECK(points.back().triple("position")[2] == Approx(2));
}

TEST_CASE("a lane that is higher than its neighbour shares no logical boundary with it")
{
    const auto map = read(document(
        RoadText{.right = lane(-1) + lane(-2, "<height sOffset='0' inner='0.12' outer='0.12'/>", "sidewalk")}));
    const auto road_side = lane_of(map, "logical_lane", "1", "-1").ids("right_boundary_id");
    const auto walk_side = lane_of(map, "logical_lane", "1", "-2").ids("left_boundary_id");
    CHECK(road_side != walk_side);
    const auto z = [&](std::uint64_t id) {
        return with_id(map, "logical_lane_boundary", id).all("boundary_line").front().triple("position")[2];
    };
    CHECK(z(road_side.at(0)) == 0);
    CHECK(z(walk_side.at(0)) == 0.12);
}

TEST_CASE("a lane offset that jumps gives two points at one s")
{
    auto road = RoadText{.right = lane(-1)};
    road.lane_offset = "<laneOffset s='0' a='0' b='0' c='0' d='0'/><laneOffset s='60' a='1' b='0' c='0' d='0'/>";
    const auto map = read(document(road));
    const auto points = map.ground_truth.all("logical_lane_boundary").front().all("boundary_line");
    REQUIRE(points.size() == 4);
    CHECK(points[1].real("s_position") == 60);
    CHECK(points[2].real("s_position") == 60);
    CHECK(points[1].real("t_position") == 0);
    CHECK(points[2].real("t_position") == 1);
}

TEST_CASE("borders are used where a lane has no width")
{
    const auto map = read(document(
        RoadText{.right = "<lane id='-1' type='driving'><border sOffset='0' a='-4' b='-0.01' c='0' d='0'/></lane>"}));
    const auto points = map.ground_truth.all("logical_lane_boundary").back().all("boundary_line");
    CHECK(points.front().real("t_position") == -4);
    CHECK(points.back().real("t_position") == -5);
}

TEST_CASE("lanes of a road of 25 km are cut into three")
{
    const auto map = read(document(RoadText{.length = 25'000, .right = lane(-1)}));
    const auto lanes = map.ground_truth.all("lane");
    REQUIRE(lanes.size() == 3);
    CHECK(lanes[1]["classification"].all("lane_pairing").at(0).id("antecessor_lane_id") == lanes[0].id("id"));
    CHECK(lanes[1]["classification"].all("lane_pairing").at(0).id("successor_lane_id") == lanes[2].id("id"));
    CHECK(map.ground_truth.all("reference_line").size() == 1);
}

TEST_CASE("a section of a single side leaves the other side to the section before it")
{
    const auto section = [](double s, const std::string& left, const std::string& right, const char* attributes) {
        return "<laneSection s='" + std::to_string(s) + "' " + attributes + "><left>" + left +
               "</left><center><lane id='0' type='none'/></center><right>" + right + "</right></laneSection>";
    };
    const auto map =
        read(document("<road id='1' length='100' junction='-1'><planView><geometry s='0' x='0' y='0' hdg='0' "
                      "length='100'><line/></geometry></planView><lanes>" +
                      section(0, lane(1), lane(-1, "<link><successor id='-1'/></link>"), "") +
                      section(50, "", lane(-1), "singleSide='true'") + "</lanes></road>"));
    const auto lanes = map.ground_truth.all("lane");
    REQUIRE(lanes.size() == 4);
    CHECK(lane_of(map, "lane", "1", "1", "50")["classification"].all("lane_pairing").at(0).id("antecessor_lane_id") ==
          lane_of(map, "lane", "1", "1").id("id"));
}

TEST_CASE("identifiers begin where they should and are unique")
{
    const auto map = read(two_way, {.first_id = 1'000'000});
    std::vector<std::uint64_t> ids;
    for (const auto* const part : {"lane", "lane_boundary", "logical_lane", "logical_lane_boundary", "reference_line"})
        for (const auto& node : map.ground_truth.all(part)) ids.push_back(node.id("id"));
    std::ranges::sort(ids);
    CHECK(ids.front() == 1'000'000);
    CHECK(std::ranges::adjacent_find(ids) == ids.end());
}
