// SPDX-License-Identifier: MPL-2.0
// What things look like, and messages of other types.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/lib/picture/pictures.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

std::shared_ptr<const Picture> vehicle(const char* type, const std::function<void(OsiWriter&)>& light_state = {})
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.id("id", 12);
            write_base(out, {4, 2, 1.5}, {0, 0, 0});
            out.enumeration("type", "TYPE_VEHICLE");
            out.message("vehicle_classification", [&] {
                out.enumeration("type", type);
                if (light_state) out.message("light_state", [&] { light_state(out); });
            });
        });
    });
}

std::vector<BoxMark> of_look(const Picture& picture, Look look)
{
    auto boxes = boxes_of(picture, Category::moving_object);
    std::erase_if(boxes, [&](const BoxMark& box) { return box.look != look; });
    return boxes;
}

std::shared_ptr<const Picture> light(const char* color, const char* mode, Nanoseconds time)
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.time("timestamp", time);
        out.message("traffic_light", [&] {
            out.id("id", 5);
            write_base(out, {0.2, 0.2, 0.2}, {0, 0, 3});
            out.message("classification", [&] {
                out.enumeration("color", color);
                out.enumeration("mode", mode);
            });
        });
    });
}

void write_line(OsiWriter& out, std::initializer_list<double> xs, const char* dash = nullptr)
{
    for (const double x : xs) {
        out.message("boundary_line", [&] {
            out.vector("position", {x, 0, 0});
            out.real("width", 0.2);
            out.real("height", 0.5);
            if (dash != nullptr) out.enumeration("dash", dash);
        });
    }
}

std::shared_ptr<const Picture> boundary(const char* type, const char* color)
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("lane_boundary", [&] {
            out.id("id", 3);
            write_line(out, {0, 1, 2, 3, 4});
            out.message("classification", [&] {
                out.enumeration("type", type);
                out.enumeration("color", color);
            });
        });
    });
}

void write_points(OsiWriter& out, scene::FieldName field)
{
    for (const double x : {1.0, 2.0, 3.0}) out.message(field, [&] { out.vector("position", {x, 0, 0}); });
}

}  // namespace

TEST_CASE("vehicles look like what they are classified as")
{
    CHECK(vehicle("TYPE_HEAVY_TRUCK")->layers[0]->boxes[0].look == Look::truck);
    CHECK(vehicle("TYPE_BICYCLE")->layers[0]->boxes[0].look == Look::bicycle);
    CHECK(vehicle("TYPE_CAR")->layers[0]->things[0].label == "12 car");
    CHECK(vehicle("TYPE_HEAVY_TRUCK")->layers[0]->things[0].label == "12 heavy truck");
    CHECK(vehicle("TYPE_UNKNOWN")->layers[0]->things[0].label == "12 vehicle");
    for (const auto& [type, look] :
         {std::pair("TYPE_PEDESTRIAN", Look::pedestrian), std::pair("TYPE_ANIMAL", Look::animal)}) {
        const auto picture = picture_of(MessageType::ground_truth, [&, name = type](OsiWriter& out) {
            out.message("moving_object", [&] {
                write_base(out, {1, 1, 1}, {0, 0, 0});
                out.enumeration("type", name);
            });
        });
        CHECK(picture->layers[0]->boxes[0].look == look);
    }
}

TEST_CASE("brake lights are at the back, indicators on the side that blinks")
{
    const auto braking =
        vehicle("TYPE_CAR", [](OsiWriter& out) { out.enumeration("brake_light_state", "BRAKE_LIGHT_STATE_STRONG"); });
    const auto brakes = of_look(*braking, Look::brake_strong);
    REQUIRE(brakes.size() == 2);
    for (const auto& lamp : brakes) CHECK(lamp.centre[0] == Approx(-2));
    CHECK(of_look(*braking, Look::indicator_on).empty());

    const auto left =
        vehicle("TYPE_CAR", [](OsiWriter& out) { out.enumeration("indicator_state", "INDICATOR_STATE_LEFT"); });
    REQUIRE(of_look(*left, Look::indicator_on).size() == 2);
    for (const auto& lamp : of_look(*left, Look::indicator_on)) CHECK(lamp.centre[1] > 0.5F);
    for (const auto& lamp : of_look(*left, Look::indicator_off)) CHECK(lamp.centre[1] < -0.5F);
    CHECK(of_look(*left, Look::brake_off).empty());
    const auto warning =
        vehicle("TYPE_CAR", [](OsiWriter& out) { out.enumeration("indicator_state", "INDICATOR_STATE_WARNING"); });
    CHECK(of_look(*warning, Look::indicator_on).size() == 4);
}

TEST_CASE("a velocity is an arrow to where the thing is in a second, and standing things have none")
{
    const auto moving = [](double speed) {
        return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
            out.message("moving_object", [&] {
                out.message("base", [&] {
                    out.dimension("dimension", {4, 2, 1});
                    out.vector("position", {1, 2, 0.5});
                    out.vector("velocity", {speed, 0, 0});
                });
            });
        });
    };
    const auto picture = moving(10);
    const auto arrows = lines_of(*picture, Category::moving_object);
    REQUIRE(arrows.size() == 1);
    CHECK(arrows[0].arrow);
    CHECK(picture->layers[0]->points[arrows[0].first + 1] == Point{11, 2, 0.5F});
    CHECK(lines_of(*moving(0), Category::moving_object).empty());
}

TEST_CASE("a traffic light shows its colour as bright as its mode says, and flashes by the time of the frame")
{
    using namespace std::chrono_literals;
    const auto box = [](const char* color, const char* mode, Nanoseconds time) {
        return light(color, mode, time)->layers.at(0)->boxes.at(0);
    };
    CHECK(box("COLOR_RED", "MODE_CONSTANT", 0s).look == Look::light_red);
    CHECK(box("COLOR_RED", "MODE_CONSTANT", 0s).strength == 1);
    CHECK(box("COLOR_GREEN", "MODE_OFF", 0s).look == Look::light_green);
    CHECK(box("COLOR_GREEN", "MODE_OFF", 0s).strength == Approx(0.2));
    CHECK(box("COLOR_YELLOW", "MODE_FLASHING", 500ms).strength == 1);
    CHECK(box("COLOR_YELLOW", "MODE_FLASHING", 1500ms).strength == Approx(0.2));
    CHECK(box("COLOR_YELLOW", "MODE_FLASHING", 2500ms).strength == 1);
    CHECK(light("COLOR_RED", "MODE_OFF", 0s)->layers[0]->things[0].label == "5 red light, off");
}

TEST_CASE("lane boundaries have the colour, width, height and dashes that they are classified with")
{
    const auto solid = lines_of(*boundary("TYPE_SOLID_LINE", "COLOR_YELLOW"), Category::lane_boundary);
    REQUIRE(solid.size() == 1);
    CHECK(solid[0].look == Look::boundary_yellow);
    CHECK(solid[0].count == 5);
    CHECK(solid[0].width == 0.2F);
    CHECK(solid[0].height == 0.5F);
    const auto dashed = lines_of(*boundary("TYPE_DASHED_LINE", "COLOR_WHITE"), Category::lane_boundary);
    REQUIRE(dashed.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(dashed[i].strength == Approx(i % 2 == 0 ? 1 : 0.1));
    const auto none = lines_of(*boundary("TYPE_NO_LINE", "COLOR_NONE"), Category::lane_boundary);
    REQUIRE(none.size() == 1);
    CHECK(none[0].look == Look::boundary_none);
    CHECK(none[0].strength == Approx(0.1));
    CHECK(lines_of(*boundary("TYPE_GRASS_EDGE", "COLOR_NONE"), Category::lane_boundary)[0].look ==
          Look::boundary_road_edge);
    CHECK(lines_of(*boundary("TYPE_SOLID_LINE", "COLOR_NONE"), Category::lane_boundary)[0].look ==
          Look::boundary_black);
}

TEST_CASE("lane boundaries of one colour are told apart by their types")
{
    const auto dots = lines_of(*boundary("TYPE_BOTTS_DOTS", "COLOR_WHITE"), Category::lane_boundary);
    CHECK(dots.size() == 4);
    for (const auto& dot : dots) CHECK((dot.count == 2 && dot.look == Look::boundary_white && dot.strength == 1));
    CHECK(lines_of(*boundary("TYPE_ROAD_EDGE", "COLOR_WHITE"), Category::lane_boundary)[0].strength < 0.5F);
    const auto height_of = [](const char* type) {
        const auto flat = picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
            out.message("lane_boundary", [&] {
                for (const double x : {0.0, 5.0})
                    out.message("boundary_line", [&] { out.vector("position", {x, 0, 0}); });
                out.message("classification", [&] {
                    out.enumeration("type", type);
                    out.enumeration("color", "COLOR_WHITE");
                });
            });
        });
        return lines_of(*flat, Category::lane_boundary)[0].height;
    };
    CHECK(height_of("TYPE_SOLID_LINE") == 0);
    CHECK(height_of("TYPE_CURB") > 0);
    CHECK(height_of("TYPE_GUARD_RAIL") > height_of("TYPE_CURB"));
    CHECK(height_of("TYPE_SOUND_BARRIER") > height_of("TYPE_BARRIER"));
    CHECK(lines_of(*boundary("TYPE_GUARD_RAIL", "COLOR_WHITE"), Category::lane_boundary)[0].height ==
          0.5F);  // as its points say
}

TEST_CASE("messages of other types show what in them has a place")
{
    const auto update = picture_of(MessageType::traffic_update, [](OsiWriter& out) {
        out.message("update", [&] {
            out.id("id", 4);
            write_base(out, {4, 2, 1}, {5, 6, 0});
        });
    });
    REQUIRE(things_of(*update, Category::moving_object).size() == 1);
    CHECK(things_of(*update, Category::moving_object)[0].path == "update[0]");

    const auto host = picture_of(MessageType::host_vehicle_data, [](OsiWriter& out) {
        out.message("location", [&] { out.vector("position", {1001, 0, 0}); });
        out.id("host_vehicle_id", 9);
    });
    REQUIRE(host->host);
    CHECK(host->host->key == ThingKey{0, Category::host, 9});
    CHECK(host->origin == GlobalPoint{1000, 0, 0});
    CHECK(complaints(*host) == std::vector<std::string>{"1 host vehicle without a size is shown small"});

    const auto request = picture_of(MessageType::motion_request, [](OsiWriter& out) {
        out.message("desired_trajectory", [&] { write_points(out, "trajectory_point"); });
    });
    REQUIRE(lines_of(*request, Category::trajectory).size() == 1);
    CHECK(lines_of(*request, Category::trajectory)[0].count == 3);

    const auto command = picture_of(MessageType::traffic_command, [](OsiWriter& out) {
        out.id("traffic_participant_id", 8);
        out.message("action",
                    [&] { out.message("follow_trajectory_action", [&] { write_points(out, "trajectory_point"); }); });
        out.message("action", [&] { out.message("speed_action", [] {}); });
    });
    REQUIRE(things_of(*command, Category::trajectory).size() == 1);
    CHECK(things_of(*command, Category::trajectory)[0].path == "action[0].follow_trajectory_action");
    CHECK(complaints(*command) ==
          std::vector<std::string>{"1 action without a place (see the message tree) is not shown"});
}

TEST_CASE("a foreign channel, an empty message and no message say what they are")
{
    Channel foreign;
    foreign.type_name = "geometry_msgs/Pose";
    const Bytestring nothing;
    const auto frame = frame_of(nothing);
    const auto channel = channel_of(MessageType::traffic_command_update);
    const std::vector<PictureSource> sources{
        {.frame = &frame, .channel = &foreign}, {}, {.frame = &frame, .channel = &channel}};
    const auto picture = PictureMaker().make(sources);
    REQUIRE(picture->notes.size() == 2);
    CHECK(picture->notes[0].source == 0);
    CHECK(picture->notes[0].text == "messages of type 'geometry_msgs/Pose' are none of OSI's and have no place");
    CHECK(picture->notes[1].source == 2);
    CHECK(picture->notes[1].text == "this TrafficCommandUpdate has nothing with a place (see the message tree)");
}

TEST_CASE("the SensorView in a SensorData is not shown again beside the channel it came from")
{
    SceneOptions options;
    options.type = MessageType::sensor_data;
    const auto data = frame_of(Scene(options), 2);
    options.type = MessageType::sensor_view;
    const auto view = frame_of(Scene(options), 2);
    const auto data_channel = channel_of(MessageType::sensor_data), view_channel = channel_of(MessageType::sensor_view);
    const auto data_frame = frame_of(data), view_frame = frame_of(view);
    const std::vector<PictureSource> sources{{.frame = &data_frame, .channel = &data_channel},
                                             {.frame = &view_frame, .channel = &view_channel}};
    const auto picture = PictureMaker().make(sources);
    CHECK(things_of(*picture, Category::host).size() == 1);
    CHECK(things_of(*picture, Category::moving_object).size() == 12);
    CHECK(things_of(*picture, Category::host)[0].key.source == 1);
    CHECK(std::ranges::count_if(picture->clouds, [](const auto& cloud) {
              return cloud->key.category == Category::lidar_reflection;
          }) == 1);
    CHECK(std::ranges::count_if(picture->axes, [](const Axes& axes) { return axes.name == "lidar 2"; }) == 1);
}
