// SPDX-License-Identifier: MPL-2.0
// The surfaces of lanes between their boundaries, and how boundaries are painted.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "lib/picture/lane_area.hpp"
#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

using Places = std::vector<std::array<double, 2>>;

struct LaneText {
    std::vector<std::pair<std::uint64_t, Places>> boundaries;
    std::vector<std::uint64_t> left, right, free;
    Places centre;
    const char* type = "TYPE_DRIVING";
    const char* subtype = "SUBTYPE_NORMAL";
};

std::shared_ptr<const Picture> picture_of_lane(const LaneText& lane)
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        for (const auto& boundary : lane.boundaries) {
            out.message("lane_boundary", [&] {
                out.id("id", boundary.first);
                for (const auto& at : boundary.second)
                    out.message("boundary_line", [&] { out.vector("position", {at[0], at[1], 0}); });
            });
        }
        out.message("lane", [&] {
            out.id("id", 9);
            out.message("classification", [&] {
                out.enumeration("type", lane.type);
                for (const auto& [x, y] : lane.centre) out.vector("centerline", {x, y, 0});
                for (const auto id : lane.right) out.id("right_lane_boundary_id", id);
                for (const auto id : lane.left) out.id("left_lane_boundary_id", id);
                for (const auto id : lane.free) out.id("free_lane_boundary_id", id);
                out.enumeration("subtype", lane.subtype);
            });
        });
    });
}

/// The strips of lanes, in global coordinates.
std::vector<Places> strips_of(const Picture& picture, bool fading = false)
{
    std::vector<Places> strips;
    for (const auto& layer : picture.layers) {
        for (const auto& strip : layer->strips) {
            if (layer->things[strip.thing].key.category != Category::lane || strip.fading != fading) continue;
            auto& places = strips.emplace_back();
            for (std::uint32_t i = strip.first; i < strip.first + strip.count; ++i)
                places.push_back({picture.origin[0] + static_cast<double>(layer->points[i][0]),
                                  picture.origin[1] + static_cast<double>(layer->points[i][1])});
        }
    }
    return strips;
}

double square_metres(const std::vector<Places>& strips)
{
    double sum = 0;
    for (const auto& strip : strips)
        for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
            const auto &a = strip[i], &b = strip[i + 1], &c = strip[i + 2];
            sum += std::abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
        }
    return sum;
}

/// A lane of 100 m along x: its left boundaries at y = 3, its right ones at y = 0.
LaneText straight(std::vector<std::pair<double, double>> left, std::vector<std::pair<double, double>> right)
{
    LaneText lane;
    lane.centre = {{0, 1.5}, {100, 1.5}};
    std::uint64_t id = 1;
    for (const auto& [from, to] : left) {
        lane.boundaries.push_back({id, {{from, 3}, {to, 3}}});
        lane.left.push_back(id++);
    }
    for (const auto& [from, to] : right) {
        lane.boundaries.push_back({id, {{from, 0}, {to, 0}}});
        lane.right.push_back(id++);
    }
    return lane;
}

std::shared_ptr<const Picture> boundary(const char* type, const Places& places, double width = 0, double height = 0)
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("lane_boundary", [&] {
            out.id("id", 3);
            for (const auto& at : places)
                out.message("boundary_line", [&] {
                    out.vector("position", {at[0], at[1], 0});
                    if (width > 0) out.real("width", width);
                    if (height > 0) out.real("height", height);
                });
            out.message("classification", [&] { out.enumeration("type", type); });
        });
    });
}

}  // namespace

TEST_CASE("a lane is filled between its boundaries, with their points")
{
    const auto strips = strips_of(*picture_of_lane(straight({{0, 100}}, {{0, 100}})));
    REQUIRE(strips.size() == 1);
    CHECK(strips[0] == Places{{0, 3}, {0, 0}, {100, 3}, {0, 0}, {100, 3}, {100, 0}});
}

TEST_CASE("the surface of a lane does not depend on the direction, number and order of its boundaries")
{
    const auto area = [](const LaneText& lane) { return square_metres(strips_of(*picture_of_lane(lane))); };
    CHECK(area(straight({{0, 100}}, {{100, 0}})) == Approx(300));
    CHECK(area(straight({{60, 100}, {0, 60}}, {{0, 100}})) == Approx(300));
    CHECK(area(straight({{100, 60}, {0, 60}}, {{100, 30}, {0, 30}})) == Approx(300));
    auto without_centre = straight({{60, 100}, {60, 0}}, {{100, 0}});
    without_centre.centre.clear();
    CHECK(area(without_centre) == Approx(300));
    auto against = straight({{0, 60}, {100, 60}}, {{100, 0}});
    std::ranges::reverse(against.centre);
    CHECK(area(against) == Approx(300));
}

TEST_CASE("a lane is not filled where one of its boundaries is missing")
{
    const auto strips = [](const LaneText& lane) { return strips_of(*picture_of_lane(lane)); };
    CHECK(square_metres(strips(straight({{0, 60}}, {{0, 100}}))) == Approx(180));
    CHECK(square_metres(strips(straight({{20, 100}}, {{60, 0}}))) == Approx(120));
    const auto with_gap = strips(straight({{0, 30}, {70, 100}}, {{0, 100}}));
    CHECK(with_gap.size() == 2);
    CHECK(square_metres(with_gap) == Approx(180));
    CHECK(strips(straight({{0, 40}}, {{60, 100}})).empty());
    CHECK(strips(straight({}, {{0, 100}})).empty());
    // How far it extends is unknown: a strip that fades out.
    CHECK(strips_of(*picture_of_lane(straight({}, {{0, 100}})), true).size() == 1);
}

TEST_CASE("a lane is filled beside the gap with which a dashed boundary ends")
{
    const auto lane = [](double end, const char* type) {
        return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
            out.message("lane_boundary", [&] {
                out.id("id", 1);
                for (const double x : {0.0, 4.0, 12.0, end})
                    out.message("boundary_line", [&] { out.vector("position", {x, 3, 0}); });
                out.message("classification", [&] { out.enumeration("type", type); });
            });
            out.message("lane_boundary", [&] {
                out.id("id", 2);
                for (const double x : {24.0, 0.0})
                    out.message("boundary_line", [&] { out.vector("position", {x, 0, 0}); });
            });
            out.message("lane", [&] {
                out.message("classification", [&] {
                    out.id("right_lane_boundary_id", 2);
                    out.id("left_lane_boundary_id", 1);
                });
            });
        });
    };
    CHECK(square_metres(strips_of(*lane(16, "TYPE_DASHED_LINE"))) == Approx(3 * 24));
    CHECK(square_metres(strips_of(*lane(13, "TYPE_DASHED_LINE"))) == Approx(3 * 13));  // more than a gap
    CHECK(square_metres(strips_of(*lane(16, "TYPE_SOLID_LINE"))) == Approx(3 * 16));
}

TEST_CASE("the slanted end of a lane is filled")
{
    LaneText lane;
    lane.boundaries = {{1, {{0, 3}, {100, 3}}}, {2, {{3, 0}, {103, 0}}}};
    lane.left = {1};
    lane.right = {2};
    CHECK(square_metres(strips_of(*picture_of_lane(lane))) == Approx(300));
}

TEST_CASE("a lane in a bend with boundaries of different numbers of points is filled without folds")
{
    const auto arc = [](double radius, int pieces) {
        Places places;
        for (int i = 0; i <= pieces; ++i)
            places.push_back({radius * std::cos(3.0 * i / pieces), radius * std::sin(3.0 * i / pieces)});
        return places;
    };
    LaneText lane;
    lane.boundaries = {{1, arc(20, 400)}, {2, arc(24, 61)}};
    lane.left = {1};
    lane.right = {2};
    const auto strips = strips_of(*picture_of_lane(lane));
    REQUIRE(strips.size() == 1);
    CHECK(strips[0].size() == 2 * (401 + 62 - 1));
    CHECK(square_metres(strips) == Approx(1.5 * (24 * 24 - 20 * 20)).epsilon(0.005));
}

TEST_CASE("a closed lane is filled all round")
{
    LaneText lane;
    const auto circle = [](double radius, int pieces) {
        Places places;
        for (int i = 0; i <= pieces; ++i) {
            const double angle = 2 * M_PI * (i % pieces) / pieces;
            places.push_back({radius * std::cos(angle), radius * std::sin(angle)});
        }
        return places;
    };
    lane.boundaries = {{1, circle(20, 300)}, {2, circle(24, 200)}};
    std::ranges::reverse(lane.boundaries[1].second);
    lane.left = {1};
    lane.right = {2};
    CHECK(square_metres(strips_of(*picture_of_lane(lane))) == Approx(M_PI * (24 * 24 - 20 * 20)).epsilon(0.005));
}

TEST_CASE("an intersection is filled inside its free boundaries, in any order and direction")
{
    LaneText lane;
    lane.type = "TYPE_INTERSECTION";
    // The corners of a square of 20 m, cut off by 5 m.
    lane.boundaries = {
        {1, {{5, 0}, {0, 5}}}, {2, {{15, 20}, {20, 15}}}, {3, {{0, 15}, {5, 20}}}, {4, {{20, 5}, {15, 0}}}};
    lane.free = {1, 2, 3, 4};
    const auto picture = picture_of_lane(lane);
    CHECK(square_metres(strips_of(*picture)) == Approx(400 - 4 * 12.5));
    CHECK(things_of(*picture, Category::lane).at(0).look == Look::lane_intersection);
    lane.boundaries.resize(1);  // its outline is not known
    CHECK(strips_of(*picture_of_lane(lane)).empty());
}

TEST_CASE("closed free boundaries inside an intersection are holes")
{
    const auto square = [](double x, double y, double width) {
        return Places{{x, y}, {x + width, y}, {x + width, y + width}, {x, y + width}, {x, y}};
    };
    LaneText lane;
    lane.type = "TYPE_INTERSECTION";
    lane.boundaries = {{1, {{0, 0}, {20, 0}}}, {2, {{20, 20}, {0, 20}}}, {3, square(2, 2, 4)},
                       {4, square(8, 8, 10)},  {5, square(9, 9, 2)},     {6, square(30, 5, 3)}};
    std::ranges::reverse(lane.boundaries[2].second);
    lane.free = {3, 5, 1, 2, 4, 6};
    // One area is in a hole, and one outside.
    CHECK(square_metres(strips_of(*picture_of_lane(lane))) == Approx(400 - 16 - 100 + 4 + 9));
}

TEST_CASE("the outline of an intersection with many points is simplified")
{
    Places circle;
    for (int i = 0; i <= 4000; ++i)
        circle.push_back({20 * std::cos(2 * M_PI * i / 4000), 20 * std::sin(2 * M_PI * i / 4000)});
    LaneText lane;
    lane.boundaries = {{1, circle}};
    lane.free = {1};
    CHECK(square_metres(strips_of(*picture_of_lane(lane))) == Approx(M_PI * 400).epsilon(0.01));
}

TEST_CASE("lanes have the look of their type and subtype")
{
    const auto look = [](const char* type, const char* subtype) {
        auto lane = straight({{0, 100}}, {{0, 100}});
        lane.type = type;
        lane.subtype = subtype;
        return things_of(*picture_of_lane(lane), Category::lane).at(0).look;
    };
    CHECK(look("TYPE_DRIVING", "SUBTYPE_NORMAL") == Look::lane_driving);
    CHECK(look("TYPE_DRIVING", "SUBTYPE_ENTRY") == Look::lane_driving);
    CHECK(look("TYPE_NONDRIVING", "SUBTYPE_SIDEWALK") == Look::lane_sidewalk);
    CHECK(look("TYPE_NONDRIVING", "SUBTYPE_BIKING") == Look::lane_biking);
    CHECK(look("TYPE_NONDRIVING", "SUBTYPE_PARKING") == Look::lane_parking);
    CHECK(look("TYPE_NONDRIVING", "SUBTYPE_SHOULDER") == Look::lane_shoulder);
    CHECK(look("TYPE_NONDRIVING", "SUBTYPE_UNKNOWN") == Look::lane_non_driving);
    CHECK(look("TYPE_INTERSECTION", "SUBTYPE_UNKNOWN") == Look::lane_intersection);
}

TEST_CASE("the surfaces of lanes with very many boundaries take a limited time")
{
    const std::vector<Point> line{{0, 0, 0}, {3, 0, 0}}, far{{0, 9, 0}, {3, 9, 0}};
    picture::LaneSides sides;
    for (int i = 0; i < 3000; ++i) {
        sides.left.push_back({line});
        sides.right.push_back({far});
    }
    const auto area = picture::area_between_sides(sides, 100'000);
    CHECK(area.cost > 100'000);
    CHECK(area.strips.size() < 20'000);
}

TEST_CASE("a dashed line whose points are the ends of dashes is painted between them, another one for 3 m of 9")
{
    const auto ends =
        lines_of(*boundary("TYPE_DASHED_LINE", {{0, 0}, {4, 0}, {12, 0}, {16, 0}}), Category::lane_boundary);
    REQUIRE(ends.size() == 2);
    const auto picture = boundary("TYPE_DASHED_LINE", {{0, 0}, {16, 0}, {32, 0}, {60, 0}});
    const auto dashes = lines_of(*picture, Category::lane_boundary);
    REQUIRE(dashes.size() == 7);
    const auto& points = picture->layers.at(0)->points;
    const auto x = [&](std::uint32_t i) { return picture->origin[0] + static_cast<double>(points[i][0]); };
    for (std::size_t i = 0; i < dashes.size(); ++i) {
        CHECK(x(dashes[i].first) == Approx(9.0 * static_cast<double>(i)).margin(1e-4));
        CHECK(x(dashes[i].first + dashes[i].count - 1) ==
              Approx(std::min(9.0 * static_cast<double>(i) + 3, 60.0)).margin(1e-4));
        CHECK(dashes[i].width == 0.12F);
        CHECK(dashes[i].height == 0);
    }
}

TEST_CASE("a dash bends with its line")
{
    const auto picture = boundary("TYPE_DASHED_LINE", {{0, 0}, {19, 0}, {19, 30}});
    const auto dashes = lines_of(*picture, Category::lane_boundary);
    REQUIRE(dashes.size() == 6);
    CHECK(dashes[2].count == 3);  // from 18 m over the corner to 21 m
    const auto& points = picture->layers.at(0)->points;
    CHECK(static_cast<double>(points[dashes[2].first + 2][1]) + picture->origin[1] == Approx(2));
}

TEST_CASE("a point of a boundary without a width or a height has those of the previous point")
{
    const std::vector<std::optional<double>> widths{std::nullopt, 0.3, std::nullopt, std::nullopt, 0.5, std::nullopt};
    const auto picture = picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("lane_boundary", [&] {
            out.id("id", 3);
            for (std::size_t i = 0; i != widths.size(); ++i)
                out.message("boundary_line", [&] {
                    out.vector("position", {10.0 * static_cast<double>(i), 0, 0});
                    if (widths[i]) out.real("width", *widths[i]);
                    if (i == 1) out.real("height", 0.25);
                });
            out.message("classification", [&] { out.enumeration("type", "TYPE_CURB"); });
        });
    });
    const auto lines = lines_of(*picture, Category::lane_boundary);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].width == 0.15F);  // that of its type: there is none before it
    CHECK(lines[1].width == 0.3F);
    CHECK(lines[1].height == 0.25F);
    CHECK(lines[1].count == 4);
    CHECK(lines[2].width == 0.5F);
    CHECK(lines[2].height == 0.25F);
}

TEST_CASE("paint is flat, a curb has a top, a guard rail is a rail on posts")
{
    const auto lines = [](const char* type, double width, double height) {
        return lines_of(*boundary(type, {{0, 0}, {10, 0}}, width, height), Category::lane_boundary);
    };
    CHECK(lines("TYPE_SOLID_LINE", 0.15, 0.02).at(0).height == 0);
    CHECK(lines("TYPE_SOLID_LINE", 0.15, 0.02).at(0).width == 0.15F);
    CHECK(lines("TYPE_SOLID_LINE", 0, 0).at(0).width == 0.12F);
    CHECK(lines("TYPE_CURB", 0, 0).at(0).width == 0.15F);
    CHECK(lines("TYPE_CURB", 0, 0.2).at(0).height == 0.2F);
    const auto rail = boundary("TYPE_GUARD_RAIL", {{0, 0}, {10, 0}}, 0.2, 0.6);
    const auto parts = lines_of(*rail, Category::lane_boundary);
    REQUIRE(parts.size() == 4);
    CHECK(static_cast<double>(parts[0].height) == Approx(0.3));
    CHECK(static_cast<double>(rail->layers.at(0)->points[parts[0].first][2]) == Approx(0.3));
    for (std::size_t i = 1; i < parts.size(); ++i) CHECK(static_cast<double>(parts[i].height) == Approx(0.3));
}

TEST_CASE("a lane with a centre line only is a ribbon as wide as lanes of its type usually are")
{
    for (const auto& [type, subtype, width] : {std::tuple{"TYPE_DRIVING", "SUBTYPE_NORMAL", 3.5},
                                               {"TYPE_NONDRIVING", "SUBTYPE_BIKING", 2.0},
                                               {"TYPE_NONDRIVING", "SUBTYPE_SHOULDER", 2.5},
                                               {"TYPE_NONDRIVING", "SUBTYPE_PARKING", 2.2}}) {
        LaneText lane;
        lane.type = type;
        lane.subtype = subtype;
        for (int i = 0; i <= 90; ++i)  // a quarter of a circle of 50 m
            lane.centre.push_back({50 * std::cos(i * 0.01745329252), 50 * std::sin(i * 0.01745329252)});
        const auto picture = picture_of_lane(lane);
        const auto strips = strips_of(*picture);
        REQUIRE(strips.size() == 1);
        CHECK(square_metres(strips) == Approx(width * 50 * 1.570796).epsilon(0.01));
        for (const auto& [x, y] : strips[0]) CHECK(std::hypot(x, y) == Approx(50).margin(width / 2 + 0.01));
        CHECK(complaints(*picture).empty());
        CHECK(std::ranges::any_of(picture->notes, [](const PictureNote& note) {
            return note.text == "1 lane with a centre line only is shown as wide as such lanes usually are";
        }));
    }
}
