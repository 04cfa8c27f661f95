// SPDX-License-Identifier: MPL-2.0
// What the sample scene has not: where it stands, and that nothing of it is left out.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/lib/picture/samples.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

double distance(const Point& a, const Point& b)
{
    return static_cast<double>(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
}

const Cloud& only_cloud(const Picture& picture, Category category)
{
    REQUIRE(picture.clouds.size() == 1);
    REQUIRE(picture.clouds[0]->key.category == category);
    REQUIRE(complaints(picture).empty());
    return *picture.clouds[0];
}

}  // namespace

TEST_CASE("ultrasonic detections are half circles in front of their sensor, as far away as they say")
{
    const auto picture = ultrasonic_sample();
    const auto arcs = lines_of(*picture, Category::ultrasonic_detection);
    REQUIRE(arcs.size() == 4);
    const auto& layer = *picture->layers.at(0);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        for (std::uint32_t k = 0; k < arcs[i].count; ++k) {
            const auto& at = layer.points[arcs[i].first + k];
            CHECK(distance(at, {0, 0, 1}) == Approx(static_cast<double>(i + 1)));
            CHECK(at[0] >= -1e-5F);
        }
    }
    CHECK(complaints(*picture).empty());
}

TEST_CASE(
    "indirect ultrasonic detections lie on the ellipse about sender and receiver, and those without one are counted")
{
    const auto picture = picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        out.mounting_position("mounting_position", {}, {});
        out.message("feature_data", [&] {
            out.message("ultrasonic_sensor", [&] {
                for (const double axial : {2.0, -1.0, 0.0}) {
                    out.message("indirect_detection", [&] {
                        out.real("ellipsoid_radial", 1.5);
                        out.real("ellipsoid_axial", axial);
                        out.vector("receiver_origin", {0, 1, 0});
                    });
                }
            });
        });
    });
    const auto arcs = lines_of(*picture, Category::ultrasonic_detection);
    REQUIRE(arcs.size() == 1);
    const auto& layer = *picture->layers.at(0);
    for (std::uint32_t k = 0; k < arcs[0].count; ++k) {
        const auto& at = layer.points[arcs[0].first + k];
        CHECK(std::hypot(at[0] / 1.5F, (at[1] - 0.5F) / 2) == Approx(1));
        CHECK(at[0] >= -1e-5F);
    }
    CHECK(complaints(*picture) ==
          std::vector<std::string>{
              "2 indirect ultrasonic detections without an ellipsoid about sender and receiver are not shown"});
}

TEST_CASE("direct and indirect ultrasonic detections of several sensors are things of their own")
{
    const auto picture = picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        out.mounting_position("mounting_position", {}, {});
        out.message("feature_data", [&] {
            for (int sensor = 0; sensor < 2; ++sensor) {
                out.message("ultrasonic_sensor", [&] {
                    out.message("detection", [&] { out.real("distance", 1); });
                    out.message("indirect_detection", [&] {
                        out.real("ellipsoid_radial", 1.5);
                        out.real("ellipsoid_axial", 2);
                        out.vector("receiver_origin", {0, 1, 0});
                    });
                });
            }
        });
    });
    const auto things = things_of(*picture, Category::ultrasonic_detection);
    REQUIRE(things.size() == 4);
    for (const auto& thing : things) {
        const auto* const found = picture->find(thing.key);
        REQUIRE(found != nullptr);
        CHECK(found->path == thing.path);
    }
}

TEST_CASE("points of a camera, logical detections and radar reflections stand where their numbers say")
{
    const auto points = camera_sample();
    for (const auto& at : only_cloud(*points, Category::camera_detection).points)
        CHECK(at[0] == Approx(10).epsilon(1e-5));
    CHECK(points->clouds[0]->points.size() == 45);
    CHECK(points->clouds[0]->fields.at(0).name == "existence_probability");

    const auto logical = logical_sample();
    for (const auto& at : only_cloud(*logical, Category::logical_detection).points)
        CHECK(distance(at, {0, 0, 1}) == Approx(6).epsilon(1e-5));

    const auto radar = radar_sample();
    const auto& reflections = only_cloud(*radar, Category::radar_reflection);
    REQUIRE(reflections.points.size() == 21);
    for (const auto& at : reflections.points) CHECK(distance(at, {0, 0, 1}) == Approx(12).epsilon(1e-5));
    CHECK(reflections.points[20][1] == Approx(12 * std::sin(1)).epsilon(1e-5));  // to the left
    CHECK(things_of(*radar, Category::field_of_view).size() == 1);
}

TEST_CASE("a trajectory is a line that ends in an arrow")
{
    const auto picture = trajectory_sample();
    const auto lines = lines_of(*picture, Category::trajectory);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].arrow);
    CHECK(lines[0].count == 21);
}
