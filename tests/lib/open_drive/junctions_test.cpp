// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "lib/picture/lane_area.hpp"
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
    CHECK(ids.size() == 3);  // two sides, and one between the lanes after they have parted
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

namespace {

using Place = std::array<double, 2>;

double product(Place a, Place b) { return a[0] * b[0] + a[1] * b[1]; }

/// Roads of a lane in each direction that come from all sides to a place 20 m before the origin. From each a lane leads
/// to each other one, straight on or on a circle.
struct Crossing {
    static constexpr double begin = 20, width = 3.5;
    std::vector<double> arms;  ///< directions in which they leave, in degrees
    std::string marks;         ///< of each connecting lane

    [[nodiscard]] double direction(std::size_t arm) const { return arms[arm] * M_PI / 180; }
    [[nodiscard]] Place along(std::size_t arm) const { return {std::cos(direction(arm)), std::sin(direction(arm))}; }

    [[nodiscard]] std::string text() const
    {
        std::string roads, connections;
        int id = 100;
        for (std::size_t i = 0; i < arms.size(); ++i) {
            roads += RoadText{.id = std::to_string(i + 1),
                              .length = 30,
                              .link = "<predecessor elementType='junction' elementId='9'/>",
                              .left = lane(1),
                              .right = lane(-1),
                              .geometry = geometry(begin * along(i)[0], begin * along(i)[1], direction(i), 30)};
            for (std::size_t k = 0; k < arms.size(); ++k) {
                if (k == i) continue;
                roads += connecting(i, k, ++id);
                connections += "<connection id='" + std::to_string(id) + "' incomingRoad='" + std::to_string(i + 1) +
                               "' connectingRoad='" + std::to_string(id) +
                               "' contactPoint='start'><laneLink from='1' to='-1'/></connection>";
            }
        }
        return document(roads + "<junction id='9'>" + connections + "</junction>");
    }

    [[nodiscard]] std::string connecting(std::size_t from, std::size_t to, int id) const
    {
        const double heading = direction(from) + M_PI, turn = std::remainder(direction(to) - heading, 2 * M_PI);
        const bool is_straight = std::abs(turn) < 1e-6;
        const double curvature = is_straight ? 0 : std::tan(turn / 2) / begin;
        const double length = is_straight ? 2 * begin : turn / curvature;
        return RoadText{
            .id = std::to_string(id),
            .length = length,
            .attributes = "junction='9'",
            .link = "<predecessor elementType='road' elementId='" + std::to_string(from + 1) +
                    "' contactPoint='start'/><successor elementType='road' elementId='" + std::to_string(to + 1) +
                    "' contactPoint='start'/>",
            .right = lane(-1, "<link><predecessor id='1'/><successor id='-1'/></link>" + marks),
            .geometry = geometry(begin * along(from)[0], begin * along(from)[1], heading, length,
                                 is_straight ? "<line/>" : "<arc curvature='" + std::to_string(curvature) + "'/>")};
    }

    /// Is a place on one of the two lanes between two arms?
    [[nodiscard]] bool is_between(std::size_t one, std::size_t other, Place p) const
    {
        const auto a = along(one), b = along(other);
        if (product(p, a) > begin || product(p, b) > begin) return false;
        if (product(a, b) < -0.999) return std::abs(product(p, {-a[1], a[0]})) < width;
        // The centre of the circle is on the line between both arms.
        const double to_centre = begin / (1 + product(a, b));
        const Place centre{to_centre * (a[0] + b[0]), to_centre * (a[1] + b[1])};
        const double radius = std::sqrt(product(centre, centre) - begin * begin);
        return std::abs(std::hypot(p[0] - centre[0], p[1] - centre[1]) - radius) < width;
    }

    [[nodiscard]] bool is_on_lane(Place p) const
    {
        for (std::size_t i = 0; i < arms.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (is_between(i, k, p)) return true;
        return false;
    }

    [[nodiscard]] double area() const
    {
        constexpr double step = 0.1;
        std::size_t count = 0;
        for (double x = -begin + step / 2; x < begin; x += step)
            for (double y = -begin + step / 2; y < begin; y += step)
                if (is_on_lane({x, y})) ++count;
        return static_cast<double>(count) * step * step;
    }

    /// Are all places around one on a lane?
    [[nodiscard]] bool is_inside(Place p, double by) const
    {
        constexpr int directions = 32;
        for (int i = 0; i < directions; ++i) {
            const double angle = i * 2 * M_PI / directions;
            if (!is_on_lane({p[0] + by * std::cos(angle), p[1] + by * std::sin(angle)})) return false;
        }
        return true;
    }
};

/// The free boundaries of the only intersection.
std::vector<std::vector<ositrace::Point>> free_lines(const Map& map)
{
    std::vector<std::vector<ositrace::Point>> lines;
    const auto ids = of_road(map, "lane", "101")["classification"].ids("free_lane_boundary_id");
    for (const auto& boundary : map.ground_truth.all("lane_boundary")) {
        if (std::ranges::find(ids, boundary.id("id")) == ids.end()) continue;
        auto& line = lines.emplace_back();
        for (const auto& point : boundary.all("boundary_line")) {
            const auto at = point.triple("position");
            line.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
        }
    }
    CHECK(lines.size() == ids.size());
    return lines;
}

double drawn_area(const std::vector<std::vector<ositrace::Point>>& lines)
{
    std::vector<ositrace::picture::LaneEdge> edges;
    for (const auto& line : lines) edges.push_back({.line = line});
    double area = 0;
    for (const auto& corners : ositrace::picture::area_inside(edges).strips) {
        const auto way = [&](std::size_t i, std::size_t axis) {
            return static_cast<double>(corners[i][axis]) - static_cast<double>(corners[0][axis]);
        };
        area += std::abs(way(1, 0) * way(2, 1) - way(1, 1) * way(2, 0)) / 2;
    }
    return area;
}

}  // namespace

TEST_CASE("what the free boundaries of an intersection enclose is the area of its connecting lanes")
{
    const std::string marks = "<roadMark sOffset='0' type='solid' color='white' width='0.12'/>";
    for (const auto& arms :
         std::vector<std::vector<double>>{{0, 90, 180, 270}, {0, 90, 180}, {0, 60, 180, 240}, {10, 95, 190, 250, 310}})
        for (const auto& mark : {std::string(), marks}) {
            const Crossing crossing{arms, mark};
            INFO(arms.size() << " arms, the second one at " << arms[1] << (mark.empty() ? "" : ", with marks"));
            const auto lines = free_lines(read(crossing.text()));
            CHECK(drawn_area(lines) == Approx(crossing.area()).epsilon(0.02));
            for (const auto& line : lines)
                for (std::size_t i = 0; i + 1 < line.size(); ++i)
                    for (const double part : {0.1, 0.5, 0.9}) {
                        const auto at = [&](std::size_t axis) {
                            return (1 - part) * static_cast<double>(line[i][axis]) +
                                   part * static_cast<double>(line[i + 1][axis]);
                        };
                        if (crossing.is_inside({at(0), at(1)}, 0.05)) FAIL_CHECK("inside: " << at(0) << ' ' << at(1));
                    }
        }
    // Of a right-angled crossing only a quarter of a circle is missing in each corner.
    constexpr double inner = Crossing::begin - Crossing::width;
    CHECK(Crossing{{0, 90, 180, 270}, ""}.area() ==
          Approx(4 * Crossing::begin * Crossing::begin - M_PI * inner * inner).epsilon(0.005));
}

TEST_CASE("a mark on the outline of an intersection is the free boundary there, and no second boundary")
{
    for (const auto* const type : {"solid", "broken"}) {
        const Crossing crossing{{0, 90, 180, 270},
                                "<roadMark sOffset='0' type='" + std::string(type) + "' color='white' width='0.12'/>"};
        const auto map = read(crossing.text());
        const auto free = of_road(map, "lane", "101")["classification"].ids("free_lane_boundary_id");
        CHECK(free.size() == 4);
        std::set<std::uint64_t> referenced(free.begin(), free.end()), written;
        for (const auto& logical : map.ground_truth.all("logical_lane_boundary"))
            for (const auto id : logical.ids("physical_boundary_id")) referenced.insert(id);
        const auto outline = free_lines(map);
        const auto is_on_outline = [&](Place p) {
            for (const auto& line : outline)
                for (std::size_t i = 0; i + 1 < line.size(); ++i) {
                    const auto at = [&](std::size_t k) {
                        return Place{static_cast<double>(line[k][0]), static_cast<double>(line[k][1])};
                    };
                    const Place a = at(i), b = at(i + 1), way{b[0] - a[0], b[1] - a[1]};
                    const Place to{p[0] - a[0], p[1] - a[1]};
                    const double part = std::clamp(product(to, way) / product(way, way), 0.0, 1.0);
                    if (std::hypot(to[0] - part * way[0], to[1] - part * way[1]) < 0.04) return true;
                }
            return false;
        };
        double twice = 0, inner = 0;
        for (const auto& boundary : map.ground_truth.all("lane_boundary")) {
            const auto id = boundary.id("id");
            const bool is_free = std::ranges::find(free, id) != free.end();
            const auto kind = boundary["classification"].name("type");
            if (kind == "TYPE_SOLID_LINE" || kind == "TYPE_DASHED_LINE") written.insert(id);
            if (is_free) {
                CHECK(kind == (type == std::string("solid") ? "TYPE_SOLID_LINE" : "TYPE_DASHED_LINE"));
                CHECK(boundary["classification"].name("color") == "COLOR_WHITE");
                CHECK(boundary.all("boundary_line").at(0).real("width") == 0.12);
            }
            if (is_free || !written.contains(id)) continue;
            const auto points = boundary.all("boundary_line");
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                const auto a = points[i].triple("position"), b = points[i + 1].triple("position");
                const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
                (is_on_outline({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}) ? twice : inner) += length;
            }
        }
        CHECK(inner > 100);  // marks of the lanes that cross are boundaries of their own
        CHECK(twice < 12);   // a mark that leaves the outline in a curve is near it for a metre
        for (const auto id : written) CHECK(referenced.contains(id));
    }
}

TEST_CASE("the free boundaries of an intersection reach the ends of its arms")
{
    for (const auto& line : free_lines(read(Crossing{{0, 90, 180, 270}, ""}.text())))
        for (const auto& end : {line.front(), line.back()}) {
            const std::array<double, 2> at{std::abs(static_cast<double>(end[0])),
                                           std::abs(static_cast<double>(end[1]))};
            CHECK(std::ranges::max(at) == Approx(Crossing::begin));
            CHECK(std::ranges::min(at) == Approx(Crossing::width));
        }
}

TEST_CASE("roads in a junction that do not meet have an outline each")
{
    // One road to the east, and one to the north 100 m away.
    const auto road = [](const char* id, double x, double heading) {
        return std::string(RoadText{.id = id,
                                    .length = 20,
                                    .attributes = "junction='9'",
                                    .right = lane(-1),
                                    .geometry = geometry(x, 0, heading, 20)});
    };
    const auto map = read(document(road("101", 0, 0) + road("102", 100, M_PI / 2) + "<junction id='9'></junction>"));
    const auto lines = free_lines(map);
    REQUIRE(lines.size() == 4);
    for (const auto& line : lines) CHECK(line.size() == 2);
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
