// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/lib/scene/decoded.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace decoded;

namespace {

constexpr double light = 299'792'458.0;
constexpr std::uint64_t no_object = std::numeric_limits<std::uint64_t>::max();
constexpr double centimetre = 0.01;

Node lidar_of(const SceneFrame& frame) { return frame.root().all("lidar_sensor_view").at(0); }

/// The direction of ray i as the configuration describes it.
Triple direction(const Node& configuration, std::size_t i)
{
    const auto columns = configuration.number("number_of_rays_horizontal"),
               rows = configuration.number("number_of_rays_vertical");
    const double across = configuration.real("field_of_view_horizontal"),
                 down = configuration.real("field_of_view_vertical");
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    return from_spherical(1, across / 2 - (column + 0.5) * across / static_cast<double>(columns),
                          down / 2 - (row + 0.5) * down / static_cast<double>(rows));
}

double to_surface(const std::vector<Box>& all, std::uint64_t id, Triple point)
{
    double nearest = id == no_object ? std::abs(point[2]) : 1e9;
    for (const auto& box : all) {
        if (box.id == id) nearest = std::min(nearest, box.distance(point));
    }
    return nearest;
}

}  // namespace

TEST_CASE("every returned reflection lies within 1 cm of the surface it names")
{
    SceneOptions options;
    options.reflections = 30'000 / test::stride;
    options.reflection_fields = 5;
    options.moving_objects = GENERATE(0u, 12u, 60u);
    options.seed = GENERATE(1u, 7u);
    const Scene scene(options);
    for (const std::uint64_t i : {0, 30, 95, 1000}) {
        const SceneFrame frame(scene, i);
        const auto truth = frame.ground_truth();
        const auto all = boxes(truth);
        const auto lidar = lidar_of(frame);
        const auto configuration = lidar["view_configuration"];
        const SensorPose pose(truth, configuration["mounting_position"]);
        const auto reflections = lidar.all("reflection");
        REQUIRE(reflections.size() == options.reflections);
        std::size_t returned = 0, on_objects = 0;
        double worst = 0;
        for (std::size_t ray = 0; ray < reflections.size(); ++ray) {
            const double distance = light * reflections[ray].real("time_of_flight") / 2;
            if (distance == 0) continue;
            const auto object = reflections[ray].id("object_id");
            const auto point = pose.to_global(times(distance, direction(configuration, ray)));
            worst = std::max(worst, to_surface(all, object, point));
            ++returned;
            on_objects += object != no_object;
        }
        CHECK(worst < centimetre);
        CHECK(returned > options.reflections / 2);
        CHECK(on_objects > options.reflections / 100);
    }
}

TEST_CASE("no reflection lies behind another surface")
{
    SceneOptions options;
    options.reflections = 500;
    const Scene scene(options);
    const SceneFrame frame(scene, 17);
    const auto all = boxes(frame.ground_truth());
    const auto lidar = lidar_of(frame);
    const SensorPose pose(frame.ground_truth(), lidar["view_configuration"]["mounting_position"]);
    const auto reflections = lidar.all("reflection");
    for (std::size_t ray = 0; ray < reflections.size(); ++ray) {
        const double flown = light * reflections[ray].real("time_of_flight") / 2;
        const double distance = flown == 0 ? 200 : flown;
        const auto way = direction(lidar["view_configuration"], ray);
        const auto origin = pose.to_global({0, 0, 0});
        const auto along = minus(pose.to_global(way), origin);
        CHECK(plus(origin, times(distance - 0.1, along))[2] > 0);
        for (const auto& box : all) {
            if (box.id == 1) continue;
            // Steps of 10 cm past the box; all that is thicker is met.
            const auto half = length(box.dimension) / 2;
            const auto centre = minus(box.position, origin);
            const double nearest = centre[0] * along[0] + centre[1] * along[1] + centre[2] * along[2];
            bool inside = false;
            for (double at = std::max(0.0, nearest - half); at < std::min(distance - 0.1, nearest + half); at += 0.1) {
                inside = inside || box.contains(plus(origin, times(at, along)));
            }
            CHECK_FALSE(inside);
        }
    }
}

TEST_CASE("a ray that meets nothing keeps its place and says so")
{
    SceneOptions options;
    options.reflection_fields = 5;
    const SceneFrame frame(Scene(options), 0);
    std::size_t lost = 0;
    for (const auto& reflection : lidar_of(frame).all("reflection")) {
        if (reflection.real("time_of_flight") != 0) {
            CHECK(reflection.real("signal_strength") > -150);
            CHECK(length(reflection.triple("normal_to_surface")) == Approx(1));
            continue;
        }
        ++lost;
        CHECK(reflection.real("signal_strength") == -200);
        CHECK(reflection.real("doppler_shift") == 0);
        CHECK(length(reflection.triple("normal_to_surface")) == 0);
        CHECK(reflection.id("object_id") == no_object);
    }
    CHECK(lost > 0);
}

TEST_CASE("normals point out of the surface, against the ray")
{
    SceneOptions options;
    options.reflection_fields = 5;
    const SceneFrame frame(Scene(options), 4);
    const auto lidar = lidar_of(frame);
    const auto all = boxes(frame.ground_truth());
    const SensorPose pose(frame.ground_truth(), lidar["view_configuration"]["mounting_position"]);
    const auto reflections = lidar.all("reflection");
    for (std::size_t ray = 0; ray < reflections.size(); ++ray) {
        const double distance = light * reflections[ray].real("time_of_flight") / 2;
        if (distance == 0) continue;
        const auto normal = reflections[ray].triple("normal_to_surface");
        const auto hit = times(distance, direction(lidar["view_configuration"], ray));
        CHECK(normal[0] * hit[0] + normal[1] * hit[1] + normal[2] * hit[2] < 0);
        // A step of 5 cm along the normal leads 5 cm away from the surface.
        const auto outside = pose.to_global(plus(hit, times(0.05, normal)));
        CHECK(to_surface(all, reflections[ray].id("object_id"), outside) == Approx(0.05).margin(1e-6));
    }
}

TEST_CASE("the Doppler shift is that of the speed at which the surface comes nearer")
{
    SceneOptions options;
    options.reflection_fields = 5;
    options.period = std::chrono::microseconds(100);
    const Scene scene(options);
    const SceneFrame before(scene, 19'999), now(scene, 20'000), after(scene, 20'001);
    const auto lidar = lidar_of(now);
    const auto configuration = lidar["view_configuration"];
    const auto pose_in = [&](const SceneFrame& frame) {
        return SensorPose(frame.ground_truth(), configuration["mounting_position"]);
    };
    const auto pose = pose_in(now);
    const auto origin = pose.to_global({0, 0, 0});
    const auto sensor =
        times(1 / 200e-6, minus(pose_in(after).to_global({0, 0, 0}), pose_in(before).to_global({0, 0, 0})));
    const double per_speed = 2 * configuration.real("emitter_frequency") / light;
    std::size_t on_moving = 0;
    const auto reflections = lidar.all("reflection");
    for (std::size_t ray = 0; ray < reflections.size(); ++ray) {
        const double distance = light * reflections[ray].real("time_of_flight") / 2;
        if (distance == 0) continue;
        const auto along = minus(pose.to_global(direction(configuration, ray)), origin);
        Triple surface{};
        for (const auto& object : now.ground_truth().all("moving_object")) {
            if (object.id("id") != reflections[ray].id("object_id")) continue;
            const auto lever = minus(plus(origin, times(distance, along)), object["base"].triple("position"));
            const double turn = object["base"].triple("orientation_rate")[2];
            surface = plus(object["base"].triple("velocity"), {-turn * lever[1], turn * lever[0], 0});
            ++on_moving;
        }
        const auto relative = minus(sensor, surface);
        const double nearing = relative[0] * along[0] + relative[1] * along[1] + relative[2] * along[2];
        CHECK(reflections[ray].real("doppler_shift") / per_speed == Approx(nearing).margin(1e-3));
    }
    CHECK(on_moving > 20);
}

TEST_CASE("rays come in as many rows and columns as the configuration says")
{
    SceneOptions options;
    options.reflections = GENERATE(1u, 2u, 7u, 2000u, 99'991u, 100'000u, 668'052u);
    const Scene scene(options);
    CHECK(scene.lidar_grid().rays() == options.reflections);
    const SceneFrame frame(scene, 3);
    const auto lidar = lidar_of(frame);
    const auto configuration = lidar["view_configuration"];
    CHECK(configuration.number("number_of_rays_horizontal") * configuration.number("number_of_rays_vertical") ==
          options.reflections);
    CHECK(lidar.view().repeated(*lidar.view().table().find("reflection")).size() == options.reflections);
}

TEST_CASE("a reflection has the fields that were asked for")
{
    SceneOptions options;
    options.reflection_fields = GENERATE(2, 3, 5);
    options.equal_reflections = GENERATE(false, true);
    const SceneFrame frame(Scene(options), 0);
    for (const auto& reflection : lidar_of(frame).all("reflection")) {
        CHECK(reflection.has("signal_strength"));
        CHECK(reflection.has("time_of_flight"));
        CHECK(reflection.has("doppler_shift") == (options.reflection_fields >= 3));
        CHECK(reflection.has("normal_to_surface") == (options.reflection_fields == 5));
        CHECK(reflection.has("object_id") == (options.reflection_fields == 5));
    }
}

TEST_CASE("equal reflections are equal")
{
    SceneOptions options;
    options.equal_reflections = true;
    options.reflections = 10;
    const SceneFrame frame(Scene(options), 5);
    const auto reflections = lidar_of(frame).all("reflection");
    REQUIRE(reflections.size() == 10);
    for (const auto& reflection : reflections) {
        CHECK(reflection.real("signal_strength") == reflections[0].real("signal_strength"));
        CHECK(reflection.real("time_of_flight") == reflections[0].real("time_of_flight"));
    }
}

TEST_CASE("ray directions are those of the grid")
{
    SceneOptions options;
    options.ray_directions = true;
    const SceneFrame frame(Scene(options), 0);
    const auto configuration = lidar_of(frame)["view_configuration"];
    CHECK(configuration.number("num_of_pixels") == options.reflections);
    const auto directions = configuration.all("directions");
    REQUIRE(directions.size() == options.reflections);
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const auto expected = direction(configuration, i);
        CHECK(directions[i].real("x") == Approx(expected[0]).margin(1e-12));
        CHECK(directions[i].real("y") == Approx(expected[1]).margin(1e-12));
        CHECK(directions[i].real("z") == Approx(expected[2]).margin(1e-12));
    }
}

TEST_CASE("without reflections there is no lidar")
{
    SceneOptions options;
    options.reflections = 0;
    CHECK_FALSE(SceneFrame(Scene(options), 0).root().has("lidar_sensor_view"));
}
