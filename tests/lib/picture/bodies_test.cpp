// SPDX-License-Identifier: MPL-2.0
// The shape of things: parts, polygons, and what is wrong with them.
#include <cmath>
#include <limits>
#include <numbers>

#include "lib/picture/polygon.hpp"
#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;
using picture::Corner;
using picture::triangles_of;

namespace {

using Corners = std::vector<Corner>;

double area_of(const Corners& corners)
{
    double area = 0;
    for (const auto& [a, b, c] : triangles_of(corners)) {
        const auto &p = corners[a], &q = corners[b], &r = corners[c];
        area += ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / 2;
    }
    return area;
}

/// 4 x 2 x 1 m at (10, 20, 0.5), turned by a quarter.
void write_shaped(OsiWriter& out, const Corners& polygon, const std::function<void(OsiWriter&)>& write_sections = {})
{
    out.message("base", [&] {
        out.dimension("dimension", {4, 2, 1});
        out.vector("position", {10, 20, 0.5});
        out.orientation("orientation", {0, 0, std::numbers::pi / 2});
        for (const auto& corner : polygon) out.vector2d("base_polygon", corner.x, corner.y);
        if (write_sections) write_sections(out);
    });
}

std::shared_ptr<const Picture> shaped(scene::FieldName field, const Corners& polygon,
                                      const std::function<void(OsiWriter&)>& write_sections = {})
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message(field, [&] {
            out.id("id", 4);
            write_shaped(out, polygon, write_sections);
        });
    });
}

/// In global coordinates.
double global(const Picture& picture, const Point& point, std::size_t axis)
{
    return picture.origin[axis] + static_cast<double>(point[axis]);
}

std::size_t strips_in(const Picture& picture) { return picture.layers.at(0)->strips.size(); }

}  // namespace

TEST_CASE("polygons with dents are cut into triangles either way round")
{
    const Corners arrow{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}};
    CHECK(area_of(arrow) == Approx(10));
    CHECK(area_of({arrow.rbegin(), arrow.rend()}) == Approx(10));
    CHECK(area_of({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}}) == Approx(4));  // a flat corner and one twice
}

TEST_CASE("a polygon that is none has no triangles")
{
    CHECK(triangles_of({}).empty());
    CHECK(triangles_of(Corners{{0, 0}, {1, 1}}).empty());
    CHECK(triangles_of(Corners{{0, 0}, {1, 1}, {2, 2}, {3, 3}}).empty());
    CHECK(triangles_of(Corners(40, Corner{1, 1})).empty());
    CHECK(triangles_of(Corners{{0, 0}, {2, 2}, {2, 0}, {0, 2}}).size() < 3);
    CHECK(triangles_of(Corners(100'000, Corner{1, 1})).empty());
}

TEST_CASE("a base_polygon that is more than the box is a body with a roof, the box about it is edges")
{
    const auto check = [](scene::FieldName field) {
        const auto picture = shaped(field, {{2, 0}, {0, 1}, {-2, 1}, {-2, -1}, {0, -1}});
        const auto& layer = *picture->layers.at(0);
        REQUIRE(layer.boxes.size() == 1);
        CHECK(layer.boxes[0].wire_only);
        REQUIRE(!layer.lines.empty());
        const auto& wall = layer.lines[0];
        CHECK(wall.count == 6);
        CHECK(wall.height == 1);
        const auto& front = layer.points[wall.first];  // 2 m ahead of the centre is 2 m along y
        CHECK(global(*picture, front, 0) == Approx(10));
        CHECK(global(*picture, front, 1) == Approx(22));
        CHECK(global(*picture, front, 2) == Approx(0).margin(1e-6));
        CHECK(layer.points[wall.first + 5] == front);
        REQUIRE(layer.strips.size() == 3);
        CHECK(global(*picture, layer.points[layer.strips[0].first], 2) == Approx(1));
        CHECK(complaints(*picture).empty());
    };
    check("moving_object");
    check("stationary_object");
}

TEST_CASE("a base_polygon that is the rectangle of the box says no more than the box")
{
    const auto picture = shaped("moving_object", {{2, 1}, {-2, 1}, {-2, -1}, {2, -1}});
    CHECK_FALSE(picture->layers.at(0)->boxes.at(0).wire_only);
    CHECK(strips_in(*picture) == 0);
    const auto wedge = shaped("moving_object", {{2, 0.5}, {-2, 1}, {-2, -1}, {2, -0.5}});
    CHECK(wedge->layers.at(0)->boxes.at(0).wire_only);
}

TEST_CASE("a base_polygon with corners that are no places, or two, leaves the box")
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    const auto picture = shaped("moving_object", {{nan, 0}, {infinite, 1}, {-2, 1}, {1e300, -1}, {0, -1}});
    CHECK_FALSE(picture->layers.at(0)->boxes.at(0).wire_only);
    CHECK(complaints(*picture) == std::vector<std::string>{"3 polygon corners without a position are not shown"});
    CHECK(strips_in(*shaped("moving_object", {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {3, 3}})) == 0);
}

TEST_CASE("the parts of a vehicle are boxes where they say, the whole is edges, and its front is still seen")
{
    const auto picture = shaped("moving_object", {}, [](OsiWriter& out) {
        for (const double y : {19.0, 21.0}) {
            out.message("bounding_box_section", [&] {
                out.dimension("dimension", {2, 2, 1});
                out.vector("position", {10, y, 0.5});  // in the frame that the object stands in, not in its own
                out.orientation("orientation", {0, 0, std::numbers::pi / 2});
            });
        }
        out.message("bounding_box_section", [&] { out.dimension("dimension", {1, 1, 1}); });
    });
    const auto& layer = *picture->layers.at(0);
    REQUIRE(layer.boxes.size() == 3);
    CHECK(global(*picture, layer.boxes[0].centre, 1) == Approx(19));
    CHECK(layer.boxes[1].rotation[2] == Approx(std::numbers::pi / 2));
    CHECK_FALSE(layer.boxes[0].wire_only);
    CHECK(layer.boxes[2].wire_only);
    CHECK(layer.boxes[2].size == std::array<float, 3>{4, 2, 1});
    REQUIRE(layer.lines.size() == 1);  // the chevron
    CHECK(layer.lines[0].count == 3);
    CHECK(complaints(*picture) == std::vector<std::string>{"1 bounding box section without a position is not shown"});
}

TEST_CASE("what a sensor sees of an outline is an open line")
{
    const auto picture = picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        out.message("moving_object", [&] { write_shaped(out, {{2, 1}, {-2, 1}, {-2, -1}}); });
    });
    const auto lines = lines_of(*picture, Category::detected_moving_object);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].count == 3);
    CHECK(lines[0].height == 0);
    CHECK(boxes_of(*picture, Category::detected_moving_object).at(0).wire_only);
}

TEST_CASE("thousands of crooked outlines cost little")
{
    Corners zigzag;
    for (int i = 0; i < 64; ++i) zigzag.push_back({std::cos(i * 2.4) * (1 + i % 7), std::sin(i * 2.4) * (1 + i % 5)});
    const auto picture = picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        for (int i = 0; i < 3000; ++i) out.message("stationary_object", [&] { write_shaped(out, zigzag); });
    });
    CHECK(picture->layers.at(0)->things.size() == 3000);
}

TEST_CASE("reference lines say which way they run, boundaries are only painted")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.message("lane_boundary", [&] {
            out.id("id", 3);
            for (const double x : {0.0, 15.0, 45.0})
                out.message("boundary_line", [&] { out.vector("position", {x, 0, 0}); });
        });
        out.message("reference_line", [&] {
            out.id("id", 4);
            for (const double x : {0.0, 15.0, 45.0})
                out.message("poly_line", [&] { out.vector("world_position", {x, 0, 0}); });
        });
    });
    std::vector<double> arrows;
    for (const auto& line : lines_of(*picture, Category::lane_boundary)) CHECK_FALSE(line.arrow);
    const auto& layer = *picture->layers.at(1);
    for (const auto& line : layer.lines) {
        if (!line.arrow) continue;
        CHECK(layer.points[line.first + 1][0] - layer.points[line.first][0] == Approx(1).margin(1e-4));
        arrows.push_back(global(*picture, layer.points[line.first], 0));
    }
    REQUIRE(arrows.size() == 2);
    CHECK(arrows[0] == Approx(10));
    CHECK(arrows[1] == Approx(30));
}
