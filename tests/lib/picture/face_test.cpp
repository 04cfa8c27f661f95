// SPDX-License-Identifier: MPL-2.0
// Flat shapes on the front of a sign: where they lie, what they cover, what is left out.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/picture/face.hpp"
#include "tests/catch.hpp"

using namespace ositrace;
using namespace ositrace::picture;

namespace {

/// A layer with one thing: 0.8 m wide and 0.6 m high, at (1, 2, 3).
struct DrawnSign {
    explicit DrawnSign(float thickness = 0.02F) : to(0, {}, Placement(Vector{}), notes)
    {
        auto& thing = to.add(Category::traffic_sign, {1, true}, Look::sign, {}, {});
        thing.centre = {1, 2, 3};
        thing.size = {thickness, 0.8F, 0.6F};
    }

    [[nodiscard]] std::vector<Point> points_of(std::size_t strip)
    {
        const auto& layer = to.layer();
        const auto& mark = layer.strips.at(strip);
        const auto from = layer.points.begin() + mark.first;
        return {from, from + mark.count};
    }

    Notes notes;
    LayerBuilder to;
};

std::vector<Corner> regular_polygon(int corners)
{
    std::vector<Corner> rim;
    for (int i = 0; i != corners; ++i)
        rim.push_back({std::cos(2 * std::numbers::pi * i / corners), std::sin(2 * std::numbers::pi * i / corners)});
    return rim;
}

/// Of a strip in the plane of y and z: overlaps would count twice.
double area_of_strip(const std::vector<Point>& strip)
{
    double area = 0;
    for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
        const auto &a = strip[i], &b = strip[i + 1], &c = strip[i + 2];
        area += static_cast<double>(std::abs((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]))) / 2;
    }
    return area;
}

}  // namespace

TEST_CASE("a polygon on a face is one strip that covers it once, in halves of the square on the side")
{
    constexpr double half = 0.3;  // m
    for (const int corners : {3, 4, 5, 6, 7, 24}) {
        CAPTURE(corners);
        DrawnSign sign;
        Face(sign.to).polygon(Look::sign_red, regular_polygon(corners), 0.5F);
        REQUIRE(sign.to.layer().strips.size() == 1);
        CHECK(sign.to.layer().strips[0].look == Look::sign_red);
        CHECK(sign.to.layer().strips[0].strength == 0.5F);
        const auto strip = sign.points_of(0);
        CHECK(strip.size() == static_cast<std::size_t>(corners));
        const double expected = half * half * corners * std::sin(2 * std::numbers::pi / corners) / 2;
        CHECK(area_of_strip(strip) == Approx(expected).epsilon(1e-4));
    }
}

TEST_CASE("a polygon of two corners is none")
{
    DrawnSign sign;
    Face(sign.to).polygon(Look::sign_red, std::array{Corner{0, 0}, Corner{1, 1}});
    CHECK(sign.to.layer().strips.empty());
    CHECK(sign.to.layer().points.empty());
}

TEST_CASE("a shape lies before the front of its sign, one after raise() before the others, wherever the sign looks")
{
    DrawnSign ahead;
    Face face(ahead.to);
    face.disc(Look::sign, 1);
    face.raise();
    face.disc(Look::sign, 1);
    for (const auto& point : ahead.points_of(0)) CHECK(point[0] == Approx(1 + 0.01 + 0.004));
    for (const auto& point : ahead.points_of(1)) CHECK(point[0] == Approx(1 + 0.01 + 0.008));

    DrawnSign to_the_left;
    to_the_left.to.thing().rotation = {0, 0, static_cast<float>(std::numbers::pi / 2)};
    Face(to_the_left.to).disc(Look::sign, 1);
    for (const auto& point : to_the_left.points_of(0)) CHECK(point[1] == Approx(2 + 0.01 + 0.004));
}

TEST_CASE("a stroke reaches half its width beyond both ends, one without a length is a square")
{
    const auto extent = [](Corner from, Corner to, std::size_t axis) {
        DrawnSign sign;
        Face(sign.to).stroke(Look::sign_black, from, to, 0.5);
        const auto strip = sign.points_of(0);
        const auto [least, most] = std::ranges::minmax(strip, {}, [&](const Point& point) { return point[axis]; });
        return static_cast<double>(most[axis] - least[axis]) / 0.3;
    };
    CHECK(extent({0, -1}, {0, 1}, 2) == Approx(2.5).epsilon(1e-5));
    CHECK(extent({0, -1}, {0, 1}, 1) == Approx(0.5).epsilon(1e-5));
    CHECK(extent({0.2, 0.2}, {0.2, 0.2}, 1) == Approx(0.5).epsilon(1e-5));
    CHECK(extent({0.2, 0.2}, {0.2, 0.2}, 2) == Approx(0.5).epsilon(1e-5));
}

TEST_CASE("a text is as high as asked or as wide as allowed, and has no unknown characters")
{
    const auto written_on_sign = [](std::string_view text) {
        DrawnSign sign;
        Face(sign.to).text(Look::sign_black, text, 0.8, 1.6);
        return sign.to.take();
    };
    const auto reach = [](const Layer& layer, std::size_t axis) {
        const auto middle = axis == 1 ? 2.0F : 3.0F;
        float most = 0;
        for (const auto& point : layer.points) most = std::max(most, std::abs(point[axis] - middle));
        return static_cast<double>(most) / 0.3;
    };
    // A character has 2 of 3.2 columns and 4 rows; the pen is 0.75 thick.
    const auto high = written_on_sign("T");
    CHECK(reach(*high, 2) == Approx(0.4 + 0.2 * 0.75 / 2).epsilon(1e-4));
    const auto wide = written_on_sign("00000000");
    const double unit = 1.6 / (8 * 3.2 - 1.2);
    CHECK(reach(*wide, 1) == Approx(0.8 + unit * 0.75 / 2).epsilon(1e-4));
    CHECK(reach(*wide, 2) == Approx(unit * (2 + 0.75 / 2)).epsilon(1e-4));

    CHECK(written_on_sign("50")->strips.size() == 5 + 4);
    CHECK(written_on_sign("5?0")->strips.size() == 5 + 4);
    CHECK(written_on_sign("?")->strips.empty());
    CHECK(written_on_sign("")->strips.empty());
}

TEST_CASE("a sign that is thicker than its front is narrow, or has no size, has no pictogram")
{
    constexpr std::int64_t stop = 17, hotel = 108;  // MainSign.Classification.Type
    const auto has_pictogram = [](DrawnSign& sign, std::int64_t type) {
        const bool added = add_pictogram(sign.to, type, {});
        CHECK(added == !sign.to.layer().strips.empty());
        CHECK(added == !sign.to.layer().boxes.empty());
        return added;
    };
    DrawnSign flat, cube(0.6F), thick(0.7F), narrow(0.7F), sizeless;
    cube.to.thing().size = {0.6F, 0.6F, 0.6F};
    narrow.to.thing().size = {0.7F, 0.6F, 0.8F};
    sizeless.to.thing().has_size = false;
    CHECK(has_pictogram(flat, stop));
    CHECK(has_pictogram(cube, stop));
    CHECK_FALSE(has_pictogram(thick, stop));
    CHECK_FALSE(has_pictogram(narrow, stop));
    CHECK_FALSE(has_pictogram(sizeless, stop));
    DrawnSign other;
    CHECK_FALSE(has_pictogram(other, hotel));
}
