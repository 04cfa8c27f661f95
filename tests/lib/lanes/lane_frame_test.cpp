// SPDX-License-Identifier: MPL-2.0
// Lane coordinates beside closed forms: of straight roads, arcs and what OSI's comments say of reference lines.
#include <ositrace/lane_frame.hpp>

#include <cmath>
#include <numbers>

#include "formats/protobuf/named_writer.hpp"
#include "tests/catch.hpp"
#include "tests/lib/open_drive/map.hpp"

using namespace maps;
using namespace ositrace;

namespace {

LaneFrame frame_of(const Map& map)
{
    return LaneFrame(MessageView(map.map.message->bytes(), Schema::built_in()->root(MessageType::ground_truth), {}));
}

/// `1/0/-1`: road, s of the section and lane of a logical lane.
std::string source_of(const Map& map, std::optional<std::uint64_t> lane)
{
    if (!lane) return "none";
    for (const auto& each : map.ground_truth.all("logical_lane")) {
        if (each.id("id") != *lane) continue;
        const auto source = each.all("source_reference").at(0);
        std::string text;
        source.view().for_each_element(*source.view().table().find("identifier"), [&](const Value& part) {
            text += (text.empty() ? "" : "/") + std::string(std::get<std::string_view>(part));
            return true;
        });
        return text;
    }
    return "unknown";
}

struct Corner {
    double x = 0, y = 0, s = 0, axis = 0;
};

/// A GroundTruth with one reference line.
ByteBuffer line_of(const std::vector<Corner>& corners, bool has_axes)
{
    ByteBuffer bytes;
    NamedWriter out(bytes, Schema::built_in()->root(MessageType::ground_truth));
    out.message("reference_line", [&] {
        out.id("id", 5);
        for (const auto& corner : corners)
            out.message("poly_line", [&] {
                out.message("world_position", [&] {
                    out.real("x", corner.x);
                    out.real("y", corner.y);
                });
                out.real("s_position", corner.s);
                if (has_axes) out.real("t_axis_yaw", corner.axis);
            });
        out.enumeration("type", has_axes ? "TYPE_POLYLINE_WITH_T_AXIS" : "TYPE_POLYLINE");
    });
    return bytes;
}

std::optional<LanePlace> place_in(const ByteBuffer& truth, double x, double y)
{
    return LaneFrame(MessageView(truth.bytes(), Schema::built_in()->root(MessageType::ground_truth), {}))
        .place(x, y, 0);
}

constexpr double half_pi = std::numbers::pi / 2;

}  // namespace

TEST_CASE("on a straight road s and t are those of the road, and the lane is the one around the place")
{
    const auto map = read(document(RoadText{.left = lane(1), .right = lane(-1) + lane(-2)}));
    const auto frame = frame_of(map);
    struct Row {
        double x, y;
        std::string lane;
    };
    for (const auto& row : {Row{50, 1, "1/0/1"}, Row{0.5, 3.4, "1/0/1"}, Row{99.5, -1, "1/0/-1"},
                            Row{20, -3.6, "1/0/-2"}, Row{20, -6.9, "1/0/-2"}, Row{20, -7.1, "none"},
                            Row{20, 13, "none"}, Row{-4, 1, "none"}, Row{109, -1, "none"}}) {
        INFO(row.x << ", " << row.y);
        const auto place = frame.place(row.x, row.y, 0);
        REQUIRE(place);
        CHECK(place->s == Approx(row.x).margin(1e-9));
        CHECK(place->t == Approx(row.y).margin(1e-9));
        CHECK(source_of(map, place->logical_lane) == row.lane);
        CHECK(place->reference_line == map.ground_truth.all("reference_line").at(0).id("id"));
        CHECK(place->physical_lane.has_value() == place->logical_lane.has_value());
    }
    CHECK_FALSE(frame.place(50, 14, 0));
    CHECK_FALSE(frame.place(-11, 0, 0));
    CHECK_FALSE(frame.place(1e300, 0, 0));
    CHECK_FALSE(frame.place(std::nan(""), 0, 0));
    CHECK_FALSE(frame.empty());
}

TEST_CASE("on an arc s is the angle times the radius, and t the distance to the circle")
{
    constexpr double radius = 80;
    const auto map = read(document(RoadText{.length = 200,
                                            .left = lane(1) + lane(2),
                                            .right = lane(-1),
                                            .geometry = "<geometry s='0' x='10' y='-5' hdg='0.3' length='200'>"
                                                        "<arc curvature='0.0125'/></geometry>"}));
    const auto frame = frame_of(map);
    const double middle_x = 10 - radius * std::sin(0.3), middle_y = -5 + radius * std::cos(0.3);
    for (double s = 0.25; s < 200; s += 1.7)
        for (const double t : {-3.0, -0.2, 0.3, 2.0, 3.7, 6.5}) {
            const double angle = 0.3 - half_pi + s / radius;
            const auto place =
                frame.place(middle_x + (radius - t) * std::cos(angle), middle_y + (radius - t) * std::sin(angle), 0);
            INFO("s " << s << ", t " << t);
            REQUIRE(place);
            CHECK(place->s == Approx(s).margin(0.005));
            CHECK(place->t == Approx(t).margin(0.05));
            if (std::abs(t) > 0.25)
                CHECK(source_of(map, place->logical_lane) == (t < 0 ? "1/0/-1" : t < 3.5 ? "1/0/1" : "1/0/2"));
        }
}

TEST_CASE("s is that of the reference line's points, which may be more than the length of the line")
{
    // 10 m of the line are 11 m of s.
    const auto line = line_of({{0, 0, 100, half_pi}, {10, 0, 111, half_pi}, {20, 0, 122, half_pi}}, true);
    CHECK(place_in(line, 5, 2)->s == Approx(105.5));
    CHECK(place_in(line, 15, -2)->s == Approx(116.5));
    CHECK(place_in(line, 15, -2)->t == Approx(-2));
    // Before its first and after its last point s counts metres.
    CHECK(place_in(line, -4, 1)->s == Approx(96));
    CHECK(place_in(line, -4, 1)->t == Approx(1));
    CHECK(place_in(line, 26, -3)->s == Approx(128));
    CHECK(place_in(line, 26, -3)->t == Approx(-3));
    CHECK(place_in(line, 5, 2)->reference_line == 5);
    CHECK_FALSE(place_in(line, 5, 2)->logical_lane);
}

TEST_CASE("t axes decide to which segment a place belongs, and without them the nearest point")
{
    // A corner to the left by 90 degrees, whose t axis is the bisector.
    const std::vector<Corner> corners{{0, 0, 0, half_pi}, {10, 0, 10, 1.5 * half_pi}, {10, 10, 20, 2 * half_pi}};
    const auto axes = line_of(corners, true), nearest = line_of(corners, false);
    // The axes of the first segment meet at (0, 10): the line from there through (5, 4) ends at (8.33, 0).
    CHECK(place_in(axes, 5, 4)->s == Approx(25.0 / 3));
    CHECK(place_in(axes, 5, 4)->t == Approx(std::hypot(4, 5 - 25.0 / 3)));
    CHECK(place_in(nearest, 5, 4)->s == Approx(5));
    CHECK(place_in(nearest, 5, 4)->t == Approx(4));
    // Outside of the corner the bisector separates the segments; without axes it is the corner itself.
    CHECK(place_in(axes, 12, -1)->s > 10);
    CHECK(place_in(axes, 11, -2)->s < 10);
    CHECK(place_in(nearest, 12, -1)->s == Approx(10));
    CHECK(place_in(nearest, 12, -1)->t == Approx(-std::hypot(2, 1)));
    // As near to both: the smaller s.
    CHECK(place_in(nearest, 6, 4)->s == Approx(6));
}

TEST_CASE("of two roads one above the other that with the height of the place counts")
{
    const auto bridge = RoadText{.id = "2",
                                 .profiles =
                                     "<elevationProfile><elevation s='0' a='6' b='0' c='0' d='0'/>"
                                     "</elevationProfile>",
                                 .right = lane(-1),
                                 .geometry =
                                     "<geometry s='0' x='50' y='-50' hdg='1.5707963267948966' length='100'>"
                                     "<line/></geometry>"};
    const auto map = read(document(std::string(RoadText{.right = lane(-1)}) + std::string(bridge)));
    const auto frame = frame_of(map);
    CHECK(source_of(map, frame.place(51, -1, 0.8)->logical_lane) == "1/0/-1");
    CHECK(source_of(map, frame.place(51, -1, 6.8)->logical_lane) == "2/0/-1");
    CHECK(frame.place(51, -1, 6.8)->s == Approx(49));
    // Heights of objects may be left out altogether.
    CHECK(source_of(map, frame.place(20, -1, 1000)->logical_lane) == "1/0/-1");
}

TEST_CASE("an assignment refers to the reference line of its lane")
{
    const auto map = read(document(RoadText{.left = lane(1), .right = lane(-1)}));
    const auto frame = frame_of(map);
    const auto place = frame.place(50, 1, 0).value();
    const auto assigned = frame.assigned(*place.logical_lane, 7, -1);
    CHECK(assigned.s == 7);
    CHECK(assigned.t == -1);
    CHECK(assigned.reference_line == place.reference_line);
    CHECK(assigned.physical_lane == place.physical_lane);
    CHECK(assigned.logical_lane == place.logical_lane);
    const auto unknown = frame.assigned(999, 7, -1);
    CHECK(unknown.s == 7);
    CHECK_FALSE(unknown.reference_line);
    CHECK(unknown.logical_lane == 999);
    // A place beside its lane, in the coordinates of the lane.
    CHECK(frame.place_on(*place.logical_lane, 20, -9, 0)->t == Approx(-9));
    CHECK_FALSE(frame.place_on(999, 20, -9, 0));
}

TEST_CASE("lines of no length, of strangers and of great length are bounded")
{
    CHECK_FALSE(place_in(line_of({{0, 0, 0, 0}}, true), 0, 0));
    CHECK_FALSE(place_in(line_of({{0, 0, 0, 0}, {10, 0, 0, 0}}, true), 5, 0));  // s must grow
    CHECK(place_in(line_of({{0, 0, 0, 0}, {0, 0, 10, 0}}, true), 1, 0));
    CHECK_FALSE(place_in(line_of({{std::nan(""), 0, 0, 0}, {10, 0, 10, 0}}, true), 5, 0));
    // An axis along the line is none; the nearest point counts.
    CHECK(place_in(line_of({{0, 0, 0, 0}, {10, 0, 10, 0}}, true), 5, 1)->s == Approx(5));
    const auto far = line_of({{-4e9, -4e9, 0, 0}, {4e9, 4e9, 1e10, 0}}, false);
    CHECK(place_in(far, 3, 3)->t == Approx(0).margin(1e-6));
    const auto beyond = line_of({{-1e300, 0, 0, 0}, {1e300, 0, 1e300, 0}}, true);
    CHECK_FALSE(place_in(beyond, 3, 3));
}
