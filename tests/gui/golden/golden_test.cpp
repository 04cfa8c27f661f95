// SPDX-License-Identifier: MPL-2.0
// One golden picture for each kind of thing: in the sample scene, or in a message of its own. OSITRACE_MAKE_GOLDEN=1
// makes them anew; look at them then.
#include <ositrace/picture_maker.hpp>
#include <ositrace/scene.hpp>

#include "gui/scene/camera_controller.hpp"
#include "tests/catch.hpp"
#include "tests/gui/golden/golden_picture.hpp"
#include "tests/lib/picture/samples.hpp"

using namespace ositrace;
using namespace ositrace::gui;

namespace {

std::shared_ptr<const Picture> picture_of(MessageType type)
{
    const Scene scene({.type = type, .reflections = 4000, .ray_directions = true});
    ByteBuffer bytes;
    scene.frame(20, bytes);
    const Frame frame{.bytes = bytes.bytes(), .time = scene.time(20)};
    const PictureSource source{.frame = &frame, .channel = &scene.info().channels[0]};
    return PictureMaker().make({&source, 1});
}

/// The same picture for all tests of a type.
const std::shared_ptr<const Picture>& sample(MessageType type)
{
    static const auto view = picture_of(MessageType::sensor_view), data = picture_of(MessageType::sensor_data);
    return type == MessageType::sensor_view ? view : data;
}

Camera camera_for(const Picture& picture, View view, double distance)
{
    CameraController controller;
    controller.set_view(view);
    controller.set_picture(picture);
    controller.look_at_host();
    auto camera = controller.camera();
    camera.distance = distance;
    return camera;
}

RenderOptions only(Category category)
{
    RenderOptions options;
    options.hidden.set();
    options.hidden.reset(static_cast<std::size_t>(category));
    options.grid = options.axes = false;
    return options;
}

bool shows(const Picture& picture, Category category)
{
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things) {
            if (thing.key.category == category) return true;
        }
    }
    for (const auto& cloud : picture.clouds) {
        if (cloud->key.category == category) return true;
    }
    return false;
}

bool is_empty(const QImage& image)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixel(x, y) != image.pixel(0, 0)) return false;
        }
    }
    return true;
}

void check(const QImage& image, const std::string& name)
{
    const auto difference = test::compare_with_golden(image, name);
    INFO(name << ".png: OSITRACE_MAKE_GOLDEN=1 makes it anew");
    REQUIRE(difference);
    if (difference->same_driver) {
        CHECK(difference->same_bits);
    } else {
        CHECK(difference->share <= 0.005);
    }
}

/// A small thing of a kind, from near by.
Camera camera_at(const Picture& picture, Category category, double distance)
{
    auto camera = camera_for(picture, View::orbit, distance);
    for (const auto& layer : picture.layers) {
        for (const auto& thing : layer->things) {
            if (thing.key.category != category) continue;
            camera.target = to_vector(thing.centre) + picture.origin;
            return camera;
        }
    }
    return camera;
}

void check_small(Category category, const std::string& name, double distance,
                 MessageType type = MessageType::sensor_view)
{
    if (!test::why_no_egl().empty()) {
        WARN("skipped: " << test::why_no_egl());
        return;
    }
    const auto& picture = sample(type);
    REQUIRE(shows(*picture, category));
    const auto image = test::draw(picture, camera_at(*picture, category, distance), only(category));
    CHECK_FALSE(is_empty(image));
    check(image, name);
}

void check_kind(Category category, MessageType type, const std::string& name, View view = View::orbit,
                double distance = 34)
{
    if (!test::why_no_egl().empty()) {
        WARN("skipped: " << test::why_no_egl());
        return;
    }
    const auto& picture = sample(type);
    REQUIRE(shows(*picture, category));
    const auto image = test::draw(picture, camera_for(*picture, view, distance), only(category));
    CHECK_FALSE(is_empty(image));
    check(image, name);
}

/// A separate picture, seen from behind and above `target`.
void check_sample(const std::shared_ptr<const Picture>& picture, Category category, const std::string& name,
                  double distance, Vector target = {}, double yaw = 0)
{
    if (!test::why_no_egl().empty()) {
        WARN("skipped: " << test::why_no_egl());
        return;
    }
    REQUIRE(shows(*picture, category));
    RenderOptions options;
    options.axes = false;
    const auto image = test::draw(picture, {.target = target, .distance = distance, .yaw = yaw, .pitch = 0.5}, options);
    options.hidden.set();
    CHECK(test::draw(picture, {.target = target, .distance = distance, .yaw = yaw, .pitch = 0.5}, options) != image);
    check(image, name);
}

}  // namespace

TEST_CASE("golden: host") { check_kind(Category::host, MessageType::sensor_view, "host", View::orbit, 12); }
TEST_CASE("golden: moving objects") { check_kind(Category::moving_object, MessageType::sensor_view, "moving_object"); }
TEST_CASE("golden: stationary objects")
{
    check_kind(Category::stationary_object, MessageType::sensor_view, "stationary_object", View::orbit, 80);
}
TEST_CASE("golden: lanes") { check_kind(Category::lane, MessageType::sensor_view, "lane"); }
TEST_CASE("golden: lane boundaries") { check_kind(Category::lane_boundary, MessageType::sensor_view, "lane_boundary"); }
TEST_CASE("golden: lane boundaries from above")
{
    check_kind(Category::lane_boundary, MessageType::sensor_view, "lane_boundary_bird", View::bird, 60);
}
TEST_CASE("golden: logical lanes") { check_kind(Category::logical_lane, MessageType::sensor_view, "logical_lane"); }
TEST_CASE("golden: logical lane boundaries")
{
    check_kind(Category::logical_lane_boundary, MessageType::sensor_view, "logical_lane_boundary");
}
TEST_CASE("golden: reference lines")
{
    check_kind(Category::reference_line, MessageType::sensor_view, "reference_line");
}
TEST_CASE("golden: traffic signs") { check_small(Category::traffic_sign, "traffic_sign", 8); }
TEST_CASE("golden: traffic lights") { check_small(Category::traffic_light, "traffic_light", 5); }
TEST_CASE("golden: road markings") { check_small(Category::road_marking, "road_marking", 12); }
TEST_CASE("golden: lidar reflections")
{
    check_kind(Category::lidar_reflection, MessageType::sensor_view, "lidar_reflection");
}
TEST_CASE("golden: detected moving objects")
{
    check_kind(Category::detected_moving_object, MessageType::sensor_data, "detected_moving_object");
}
TEST_CASE("golden: detected stationary objects")
{
    check_kind(Category::detected_stationary_object, MessageType::sensor_data, "detected_stationary_object",
               View::orbit, 80);
}
TEST_CASE("golden: detected lane boundaries")
{
    check_kind(Category::detected_lane_boundary, MessageType::sensor_data, "detected_lane_boundary");
}
TEST_CASE("golden: lidar detections")
{
    check_kind(Category::lidar_detection, MessageType::sensor_data, "lidar_detection");
}
TEST_CASE("golden: radar detections")
{
    check_kind(Category::radar_detection, MessageType::sensor_data, "radar_detection");
}
TEST_CASE("golden: field of view")
{
    check_kind(Category::field_of_view, MessageType::sensor_view, "field_of_view", View::orbit, 120);
}

TEST_CASE("golden: detected lanes") { check_kind(Category::detected_lane, MessageType::sensor_data, "detected_lane"); }
TEST_CASE("golden: detected traffic signs")
{
    check_small(Category::detected_traffic_sign, "detected_traffic_sign", 8, MessageType::sensor_data);
}
TEST_CASE("golden: detected traffic lights")
{
    check_small(Category::detected_traffic_light, "detected_traffic_light", 5, MessageType::sensor_data);
}
TEST_CASE("golden: detected road markings")
{
    check_small(Category::detected_road_marking, "detected_road_marking", 12, MessageType::sensor_data);
}
TEST_CASE("golden: detection area")
{
    check_kind(Category::field_of_view, MessageType::sensor_data, "detection_area", View::orbit, 120);
}
TEST_CASE("golden: ultrasonic detections")
{
    check_sample(test::ultrasonic_sample(), Category::ultrasonic_detection, "ultrasonic_detection", 12);
}
TEST_CASE("golden: camera detections")
{
    check_sample(test::camera_sample(), Category::camera_detection, "camera_detection", 12, {8, 0, 0});
}
TEST_CASE("golden: logical detections")
{
    check_sample(test::logical_sample(), Category::logical_detection, "logical_detection", 18);
}
TEST_CASE("golden: radar reflections")
{
    check_sample(test::radar_sample(), Category::radar_reflection, "radar_reflection", 26, {5, 0, 0});
}
TEST_CASE("golden: trajectories")
{
    check_sample(test::trajectory_sample(), Category::trajectory, "trajectory", 20, {9, 0, 0});
}
TEST_CASE("golden: parts and outlines")
{
    check_sample(test::bodies_sample(), Category::moving_object, "bodies", 30, {3, 2, 0}, 0.9);
}
TEST_CASE("golden: lights of vehicles")
{
    check_sample(test::lamps_sample(), Category::moving_object, "lamps", 13, {}, 0.3);
}

TEST_CASE("golden: pictograms and bulbs")
{
    check_sample(test::signs_sample(), Category::traffic_sign, "pictograms", 6.5, {0, 0, 1.5}, 3.14159);
}
TEST_CASE("golden: surfaces of lanes and types of boundaries")
{
    check_sample(test::road_sample(), Category::lane, "road", 34, {14, -1, 0}, 0.25);
}

TEST_CASE("golden: everything, dark and light, 3D and from above")
{
    if (!test::why_no_egl().empty()) {
        WARN("skipped: " << test::why_no_egl());
        return;
    }
    const auto& picture = sample(MessageType::sensor_view);
    RenderOptions options;
    check(test::draw(picture, camera_for(*picture, View::orbit, 34), options), "scene_dark");
    options.theme = Theme::light;
    check(test::draw(picture, camera_for(*picture, View::bird, 70), options), "scene_light_bird");
}

TEST_CASE("golden: the selected thing is highlighted")
{
    if (!test::why_no_egl().empty()) {
        WARN("skipped: " << test::why_no_egl());
        return;
    }
    const auto& picture = sample(MessageType::sensor_view);
    auto options = only(Category::moving_object);
    const auto camera = camera_for(*picture, View::orbit, 34);
    const auto before = test::draw(picture, camera, options);
    for (const auto& layer : picture->layers) {
        for (const auto& thing : layer->things) {
            if (thing.key.category == Category::moving_object && thing.key.id == 2) options.selected = thing.key;
        }
    }
    REQUIRE(options.selected);
    const auto after = test::draw(picture, camera, options);
    CHECK(before != after);
    check(after, "selected");
}
