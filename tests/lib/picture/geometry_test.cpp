// SPDX-License-Identifier: MPL-2.0
// Poses computed by hand.
#include <cmath>

#include "lib/picture/placement.hpp"
#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

constexpr double quarter_turn = scene::pi / 2;

void check_at(const Picture& picture, const Point& point, double x, double y, double z)
{
    CAPTURE(point[0], point[1], point[2]);
    CHECK(picture.origin[0] + static_cast<double>(point[0]) == Approx(x).margin(1e-4));
    CHECK(picture.origin[1] + static_cast<double>(point[1]) == Approx(y).margin(1e-4));
    CHECK(picture.origin[2] + static_cast<double>(point[2]) == Approx(z).margin(1e-4));
}

/// The host at (100, 200, 0.75) looks to the left (+y); its rear axle is 1.5 m behind and 0.4 m below the centre.
void write_host(OsiWriter& out)
{
    out.message("moving_object", [&] {
        out.id("id", 7);
        write_base(out, {4, 2, 1.5}, {100, 200, 0.75}, quarter_turn);
        out.enumeration("type", "TYPE_VEHICLE");
        out.message("vehicle_attributes", [&] { out.vector("bbcenter_to_rear", {-1.5, 0, -0.4}); });
    });
}

void write_sensor_view(OsiWriter& out)
{
    out.message("global_ground_truth", [&] {
        out.id("host_vehicle_id", 7);
        write_host(out);
    });
}

/// On the rear axle: 2 m forward, 0.5 m left, 1 m up, turned left by 90 degrees.
void write_mounting(OsiWriter& out) { out.mounting_position("mounting_position", {2, 0.5, 1}, {0, 0, quarter_turn}); }

}  // namespace

TEST_CASE("a detected object stands at host pose times rear axle times mounting position")
{
    const auto picture = picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        write_mounting(out);
        out.message("sensor_view", [&] { write_sensor_view(out); });
        out.message("moving_object", [&] {
            out.message("header", [&] { out.id("tracking_id", 33); });
            write_base(out, {3, 2, 1}, {10, 1, 0}, 0.25);
        });
    });
    // The rear axle is at (100, 198.5, 0.35), the sensor at (99.5, 200.5, 1.35) and looks backward (-x).
    const auto things = things_of(*picture, Category::detected_moving_object);
    REQUIRE(things.size() == 1);
    check_at(*picture, things[0].centre, 89.5, 199.5, 1.35);
    CHECK(std::remainder(static_cast<double>(things[0].rotation[2]) - (scene::pi + 0.25), 2 * scene::pi) ==
          Approx(0).margin(1e-5));
    CHECK(things[0].key.id == 33);
    REQUIRE(picture->axes.size() == 3);
    CHECK(picture->axes[0].name == "rear axle");
    CHECK(picture->axes[2].name == "host");
    check_at(*picture, picture->axes[2].centre, 100, 200, 0.75);
    check_at(*picture, picture->axes[0].centre, 100, 198.5, 0.35);
    check_at(*picture, picture->axes[1].centre, 99.5, 200.5, 1.35);
}

TEST_CASE("the reference point of a detected object is not always its centre")
{
    const auto check = [](const char* reference_point, double x, double y) {
        const auto picture = picture_of(MessageType::sensor_data, [&](OsiWriter& out) {
            out.message("moving_object", [&] {
                write_base(out, {4, 2, 1}, {10, 0, 0});
                out.enumeration("reference_point", reference_point);
            });
        });
        check_at(*picture, things_of(*picture, Category::detected_moving_object).at(0).centre, x, y, 0);
    };
    check("REFERENCE_POINT_CENTER", 10, 0);
    check("REFERENCE_POINT_REAR_LEFT", 12, -1);
    check("REFERENCE_POINT_FRONT_MIDDLE", 8, 0);
}

TEST_CASE(
    "a SensorData that says nothing of the host takes it from another source, even one that is not shown, else from "
    "its own estimate")
{
    const auto data = written(MessageType::sensor_data, [](OsiWriter& out) {
        out.message("host_vehicle_location", [&] {
            out.vector("position", {-50, 0, 0});
            out.orientation("orientation", {0, 0, 0});
        });
        write_mounting(out);
        out.message("moving_object", [&] { write_base(out, {3, 2, 1}, {10, 1, 0}); });
    });
    const auto view = written(MessageType::sensor_view, write_sensor_view);
    const auto data_channel = channel_of(MessageType::sensor_data), view_channel = channel_of(MessageType::sensor_view);
    const auto data_frame = frame_of(data), view_frame = frame_of(view);
    const std::vector<PictureSource> both{{.frame = &data_frame, .channel = &data_channel},
                                          {.frame = &view_frame, .channel = &view_channel, .shown = false}};
    const auto from_truth = PictureMaker().make(both);
    check_at(*from_truth, things_of(*from_truth, Category::detected_moving_object).at(0).centre, 89.5, 199.5, 1.35);
    CHECK(things_of(*from_truth, Category::host).empty());
    const auto estimated = PictureMaker().make(std::span(both).first(1));
    check_at(*estimated, things_of(*estimated, Category::detected_moving_object).at(0).centre, -49, 10.5, 1);
}

TEST_CASE("lidar and radar detections are spherical coordinates in the frame of their own sensor")
{
    const auto picture = picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        out.message("sensor_view", [&] { write_sensor_view(out); });
        out.message("feature_data", [&] {
            out.message("radar_sensor", [&] {
                out.message("header", [&] {
                    write_mounting(out);
                    out.id("sensor_id", 4);
                });
                out.message("detection", [&] {
                    out.id("object_id", UINT64_MAX);
                    out.spherical("position", 10, scene::pi / 6, 0);
                    out.real("rcs", 3.5);
                });
                out.message("detection", [&] { out.spherical("position", 10, 0, scene::pi / 6); });
            });
        });
    });
    REQUIRE(picture->clouds.size() == 1);
    const auto& cloud = *picture->clouds[0];
    REQUIRE(cloud.points.size() == 2);
    const double far = 10 * std::cos(scene::pi / 6), near = 5;
    check_at(*picture, cloud.points[0], 99.5 - far, 200.5 - near, 1.35);
    check_at(*picture, cloud.points[1], 99.5 - far, 200.5, 1.35 + near);
    CHECK(cloud.key == ThingKey{0, Category::radar_detection, 4});
    CHECK(cloud.path == "feature_data.radar_sensor[0].detection");
    REQUIRE(cloud.fields.size() == 5);
    CHECK(cloud.fields[0].name == "rcs");
    CHECK(cloud.fields[0].unit == "dB m²");
    CHECK(cloud.fields[0].values[0] == 3.5F);
    CHECK(std::isnan(cloud.fields[0].values[1]));
    CHECK(cloud.fields[0].largest == 3.5F);
    CHECK(cloud.fields[1].name == "object_id");
    CHECK(std::isnan(cloud.fields[1].values[0]));
}

TEST_CASE("a host at 1000 km keeps its centimetres")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.id("host_vehicle_id", 1);
        for (const std::uint64_t id : {1, 2}) {
            out.message("moving_object", [&] {
                out.id("id", id);
                write_base(out, {4, 2, 1.5}, {1'000'000.01 + 0.02 * static_cast<double>(id), -999'999.37, 512.25});
            });
        }
    });
    const auto others = things_of(*picture, Category::moving_object);
    REQUIRE(picture->host);
    REQUIRE(others.size() == 1);
    check_at(*picture, picture->host->centre, 1'000'000.03, -999'999.37, 512.25);
    check_at(*picture, others[0].centre, 1'000'000.05, -999'999.37, 512.25);
    CHECK(others[0].centre[0] - picture->host->centre[0] == Approx(0.02).margin(1e-4));
    CHECK(std::abs(picture->host->centre[0]) <= 500);
}

TEST_CASE("neighbouring frames share the origin, whatever came before")
{
    const auto at = [](double x) {
        return written(MessageType::ground_truth, [&](OsiWriter& out) {
            out.id("host_vehicle_id", 1);
            out.message("moving_object", [&] {
                out.id("id", 1);
                write_base(out, {4, 2, 1.5}, {x, 0, 0});
            });
        });
    };
    CHECK(picture_of(MessageType::ground_truth, at(5010))->origin == GlobalPoint{5000, 0, 0});
    CHECK(picture_of(MessageType::ground_truth, at(5480))->origin == GlobalPoint{5000, 0, 0});
    CHECK(picture_of(MessageType::ground_truth, at(5510))->origin == GlobalPoint{6000, 0, 0});
    CHECK(picture_of(MessageType::ground_truth, at(-0.25))->origin == GlobalPoint{0, 0, 0});
}

TEST_CASE("an orientation survives the way through a matrix, looking straight up as well")
{
    using namespace ositrace::picture;
    for (const double roll : {-3.0, -0.4, 0.0, 1.2}) {
        for (const double pitch : {-1.5, -0.3, 0.0, 0.7, scene::pi / 2, -scene::pi / 2}) {
            for (const double yaw : {-3.1, 0.0, 2.2}) {
                const Rotation rotation({roll, pitch, yaw});
                const Rotation back(orientation_of(rotation));
                for (int axis = 0; axis < 3; ++axis) CHECK((rotation.axis(axis) - back.axis(axis)).length() < 1e-6);
            }
        }
    }
}
