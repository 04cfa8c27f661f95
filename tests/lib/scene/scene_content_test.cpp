// SPDX-License-Identifier: MPL-2.0
// One of everything that a viewer draws.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/lib/scene/decoded.hpp"

using namespace ositrace;
using namespace decoded;

namespace {

Scene ground_truth_scene()
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    return Scene(options);
}

template <class Of>
std::set<std::string> names(const std::vector<Node>& things, const Of& of)
{
    std::set<std::string> found;
    for (const auto& thing : things) found.emplace(of(thing));
    return found;
}

using Names = std::set<std::string>;
bool all_in(const Names& wanted, const Names& found)
{
    return std::includes(found.begin(), found.end(), wanted.begin(), wanted.end());
}

}  // namespace

TEST_CASE("a scene has vehicles of several classes, pedestrians and an animal")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto objects = frame.root().all("moving_object");
    CHECK(objects.size() == 13);
    CHECK(names(objects, [](const Node& o) { return o.name("type"); }) ==
          Names{"TYPE_ANIMAL", "TYPE_PEDESTRIAN", "TYPE_VEHICLE"});
    std::vector<Node> vehicles;
    for (const auto& object : objects) {
        if (object.has("vehicle_classification")) vehicles.push_back(object);
    }
    const auto classes = names(vehicles, [](const Node& o) { return o["vehicle_classification"].name("type"); });
    CHECK(
        all_in({"TYPE_BICYCLE", "TYPE_BUS", "TYPE_COMPACT_CAR", "TYPE_HEAVY_TRUCK", "TYPE_MOTORBIKE", "TYPE_SMALL_CAR"},
               classes));
    const auto roles = names(vehicles, [](const Node& o) { return o["vehicle_classification"].name("role"); });
    CHECK(roles == Names{"ROLE_AMBULANCE", "ROLE_CIVIL", "ROLE_PUBLIC_TRANSPORT"});
    for (const auto& vehicle : vehicles) CHECK(vehicle["vehicle_attributes"].has("bbcenter_to_rear"));
}

TEST_CASE("a scene has buildings, trees, poles and more that stands")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto objects = frame.root().all("stationary_object");
    const auto types = names(objects, [](const Node& o) { return o["classification"].name("type"); });
    CHECK(all_in({"TYPE_BARRIER", "TYPE_BUILDING", "TYPE_DELINEATOR", "TYPE_OVERHEAD_STRUCTURE", "TYPE_POLE",
                  "TYPE_TREE", "TYPE_WALL"},
                 types));
    const auto colours = names(objects, [](const Node& o) { return o["classification"].name("color"); });
    CHECK(colours.size() >= 5);
    CHECK(std::any_of(objects.begin(), objects.end(), [](const Node& o) { return o["base"].has("base_polygon"); }));
}

TEST_CASE("a scene has driving lanes, a bicycle lane and a sidewalk")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto lanes = frame.root().all("lane");
    const auto subtypes = names(lanes, [](const Node& l) { return l["classification"].name("subtype"); });
    CHECK(subtypes == Names{"SUBTYPE_BIKING", "SUBTYPE_NORMAL", "SUBTYPE_SIDEWALK"});
    for (const auto& lane : lanes) {
        const bool driving = lane["classification"].name("type") == "TYPE_DRIVING";
        CHECK(lane["classification"].all("centerline").empty() == !driving);
    }
}

TEST_CASE("a scene has solid, dashed and edge boundaries in several colours")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto boundaries = frame.root().all("lane_boundary");
    const auto types = names(boundaries, [](const Node& b) { return b["classification"].name("type"); });
    CHECK(types == Names{"TYPE_CURB", "TYPE_DASHED_LINE", "TYPE_GRASS_EDGE", "TYPE_SOLID_LINE"});
    const auto colours = names(boundaries, [](const Node& b) { return b["classification"].name("color"); });
    CHECK(colours == Names{"COLOR_NONE", "COLOR_WHITE", "COLOR_YELLOW"});
    for (const auto& boundary : boundaries) {
        const auto points = boundary.all("boundary_line");
        REQUIRE(points.size() >= 2);
        CHECK(points[0].real("width") > 0);
        if (boundary["classification"].name("type") != "TYPE_DASHED_LINE") continue;
        CHECK(points.front().name("dash") == "DASH_START");
        CHECK(points.back().name("dash") == "DASH_END");
    }
}

TEST_CASE("polylines are within 5 cm of their circles, as OSI asks")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = GENERATE(12u, 500u);
    const SceneFrame frame(Scene(options), 0);
    for (const auto& boundary : frame.root().all("lane_boundary")) {
        const auto points = boundary.all("boundary_line");
        for (std::size_t i = 1; i < points.size(); ++i) {
            const auto a = points[i - 1].triple("position"), b = points[i].triple("position");
            const double radius = std::hypot(a[0], a[1]);
            CHECK(std::hypot(b[0], b[1]) == Approx(radius).margin(1e-6));
            CHECK(radius - std::hypot((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) < 0.05);
        }
    }
}

TEST_CASE("a scene has traffic signs with values and supplementary signs")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto signs = frame.root().all("traffic_sign");
    const auto types = names(signs, [](const Node& s) { return s["main_sign"]["classification"].name("type"); });
    CHECK(types == Names{"TYPE_GIVE_WAY", "TYPE_PEDESTRIANS", "TYPE_SPEED_LIMIT_BEGIN"});
    CHECK(signs[0]["main_sign"]["classification"]["value"].real("value") == 50);
    CHECK(signs[0]["main_sign"]["classification"]["value"].name("value_unit") == "UNIT_KILOMETER_PER_HOUR");
    CHECK_FALSE(signs[1].all("supplementary_sign").empty());
}

TEST_CASE("traffic lights change: of a signal, one bulb is lit at any time")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.period = std::chrono::milliseconds(500);
    const Scene scene(options);
    std::set<std::string> lit_colours;
    bool flashing = false;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const SceneFrame frame(scene, i);
        const auto lights = frame.root().all("traffic_light");
        REQUIRE(lights.size() == 6);
        int lit = 0;
        for (std::size_t bulb = 0; bulb < 3; ++bulb) {
            if (lights[bulb]["classification"].name("mode") != "MODE_CONSTANT") continue;
            ++lit;
            lit_colours.emplace(lights[bulb]["classification"].name("color"));
        }
        CHECK(lit == 1);
        flashing = flashing || lights[5]["classification"].name("mode") == "MODE_FLASHING";
    }
    CHECK(lit_colours == Names{"COLOR_GREEN", "COLOR_RED", "COLOR_YELLOW"});
    CHECK(flashing);
}

TEST_CASE("a scene has road markings that lie on the road")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto markings = frame.root().all("road_marking");
    const auto types = names(markings, [](const Node& m) { return m["classification"].name("type"); });
    CHECK(types ==
          Names{"TYPE_GENERIC_LINE", "TYPE_GENERIC_SYMBOL", "TYPE_GENERIC_TEXT", "TYPE_SYMBOLIC_TRAFFIC_SIGN"});
    for (const auto& marking : markings) {
        const auto orientation = marking["base"].triple("orientation");
        CHECK(turned({1, 0, 0}, orientation)[2] == Approx(1));  // the view normal points to the sky
        const auto up = turned({0, 0, 1}, orientation), at = marking["base"].triple("position");
        CHECK(std::abs(at[0] * up[0] + at[1] * up[1]) < 1e-6 * std::hypot(at[0], at[1]));  // along the ring
    }
}

TEST_CASE("a scene has logical lanes, their boundaries and a reference line")
{
    const SceneFrame frame(ground_truth_scene(), 0);
    const auto& truth = frame.root();
    CHECK(truth.all("logical_lane").size() == truth.all("lane").size());
    CHECK(truth.all("logical_lane_boundary").size() == truth.all("lane_boundary").size());
    const auto line = truth.all("reference_line").at(0);
    CHECK(line.name("type") == "TYPE_POLYLINE_WITH_T_AXIS");
    const auto points = line.all("poly_line");
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double s = points[i].real("s_position") - points[i - 1].real("s_position");
        const auto chord = length(minus(points[i].triple("world_position"), points[i - 1].triple("world_position")));
        CHECK(s >= chord);
        CHECK(s == Approx(chord).epsilon(1e-3));
    }
}

TEST_CASE("a scene has weather, a time of day and a place on earth")
{
    const SceneFrame frame(ground_truth_scene(), 20);
    const auto weather = frame.root()["environmental_conditions"];
    CHECK(weather["time_of_day"].number("seconds_since_midnight") == 12 * 3600 + 2);
    CHECK(weather.name("precipitation") == "PRECIPITATION_NONE");
    CHECK(weather["sun"].real("elevation") > 0);
    CHECK(frame.root().number("country_code") == 276);
    CHECK(frame.root().text("proj_string").starts_with("+proj="));
}

TEST_CASE("a SensorView has the sensor, the host's data and the lidar's field of view")
{
    const SceneFrame frame(Scene({}), 15);
    const auto& view = frame.root();
    CHECK(view["version"].number("version_major") == 3);
    CHECK(view["version"].number("version_minor") == 8);
    CHECK(view["timestamp"].number("seconds") == 1);
    CHECK(view["timestamp"].number("nanos") == 500'000'000);
    CHECK(view.has("sensor_id"));
    CHECK(view["mounting_position"].has("orientation"));
    CHECK(view["host_vehicle_data"]["location"].triple("position") ==
          frame.ground_truth().all("moving_object").at(0)["base"].triple("position"));
    const auto lidar = view.all("lidar_sensor_view").at(0)["view_configuration"];
    CHECK(lidar.real("field_of_view_horizontal") == Approx(2.0944).epsilon(1e-4));
    CHECK(lidar.real("field_of_view_vertical") == Approx(0.5236).epsilon(1e-4));
    CHECK(lidar.id("sensor_id") != view.id("sensor_id"));
}

TEST_CASE("what stands still can be sent once or never")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.static_data = StaticData::first_frame;
    const Scene once(options);
    CHECK(SceneFrame(once, 0).root().has("lane"));
    const SceneFrame later(once, 1);
    for (const auto* field : {"stationary_object", "traffic_sign", "road_marking", "lane_boundary", "lane",
                              "reference_line", "logical_lane_boundary", "logical_lane"}) {
        CHECK_FALSE(later.root().has(field));
    }
    CHECK(later.root().has("traffic_light"));
    CHECK(later.root().all("moving_object").at(0).has("moving_object_classification"));
    options.static_data = StaticData::never;
    const SceneFrame bare(Scene(options), 0);
    CHECK_FALSE(bare.root().has("lane"));
    CHECK_FALSE(bare.root().all("moving_object").at(0).has("moving_object_classification"));
}
