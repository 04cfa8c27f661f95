// SPDX-License-Identifier: MPL-2.0
// What things look like, and messages of other types.
#include <algorithm>

#include "tests/catch.hpp"
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

std::shared_ptr<const Picture> light(const char* color, const char* mode, const char* icon = "ICON_NONE")
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("traffic_light", [&] {
            out.id("id", 5);
            write_base(out, {0.2, 0.2, 0.2}, {0, 0, 3});
            out.message("classification", [&] {
                out.enumeration("color", color);
                out.enumeration("icon", icon);
                out.enumeration("mode", mode);
            });
        });
    });
}

std::vector<StripMark> strips_with(const Picture& picture, Look look)
{
    std::vector<StripMark> found;
    for (const auto& strip : picture.layers.at(0)->strips)
        if (strip.look == look) found.push_back(strip);
    return found;
}

std::shared_ptr<const Picture> sign(const char* type, double value = 0)
{
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        out.message("traffic_sign", [&] {
            out.id("id", 6);
            out.message("main_sign", [&] {
                write_base(out, {0.02, 0.6, 0.6}, {0, 0, 3});
                out.message("classification", [&] {
                    out.enumeration("type", type);
                    if (value > 0)
                        out.message("value", [&] {
                            out.real("value", value);
                            out.enumeration("value_unit", "UNIT_KILOMETER_PER_HOUR");
                        });
                });
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

TEST_CASE("road users have the shape of their kind, and detected ones that of their box")
{
    const auto shape_of = [](const char* type) { return vehicle(type)->layers[0]->boxes[0].shape; };
    CHECK(shape_of("TYPE_CAR") == BodyShape::car);
    CHECK(shape_of("TYPE_DELIVERY_VAN") == BodyShape::van);
    CHECK(shape_of("TYPE_SEMITRACTOR") == BodyShape::tractor);
    CHECK(shape_of("TYPE_TRAM") == BodyShape::train);
    CHECK(shape_of("TYPE_STANDUP_SCOOTER") == BodyShape::scooter);
    CHECK(shape_of("TYPE_UNKNOWN") == BodyShape::box);
    CHECK(shape_of("TYPE_LAND_VEHICLE") == BodyShape::box);
    const auto host = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.id("host_vehicle_id", 1);
        out.message("moving_object", [&] {
            out.id("id", 1);
            write_base(out, {4, 2, 1}, {0, 0, 0});
            out.enumeration("type", "TYPE_VEHICLE");
            out.message("vehicle_attributes", [&] {
                for (const auto& [axle, yaw] : {std::pair(1, 0.7), std::pair(0, 0.25)})
                    out.message("wheel_data", [&, axle = axle, yaw = yaw] {
                        out.unsigned_integer("axle", static_cast<std::uint64_t>(axle));
                        out.orientation("orientation", {0, 0, yaw});
                    });
            });
            out.message("vehicle_classification", [&] { out.enumeration("type", "TYPE_BUS"); });
        });
    });
    const auto& box = host->layers.at(0)->boxes.at(0);
    CHECK(box.look == Look::host);
    CHECK(box.shape == BodyShape::bus);
    CHECK(box.steering == Approx(0.25));
}

TEST_CASE("head lights, reversing lights and blue lights are shown while they are on")
{
    const auto lit = [](scene::FieldName field, const char* state) {
        return vehicle("TYPE_CAR", [&](OsiWriter& out) { out.enumeration(field, state); });
    };
    for (const auto& lamp : of_look(*lit("head_light", "GENERIC_LIGHT_STATE_ON"), Look::light_white))
        CHECK(lamp.centre[0] > 1.9F);
    CHECK(of_look(*lit("head_light", "GENERIC_LIGHT_STATE_ON"), Look::light_white).size() == 2);
    CHECK(of_look(*lit("head_light", "GENERIC_LIGHT_STATE_OFF"), Look::light_white).empty());
    for (const auto& lamp : of_look(*lit("reversing_light", "GENERIC_LIGHT_STATE_ON"), Look::light_white))
        CHECK(lamp.centre[0] < -1.9F);
    CHECK(
        of_look(*lit("emergency_vehicle_illumination", "GENERIC_LIGHT_STATE_FLASHING_BLUE"), Look::light_blue).size() ==
        2);
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

TEST_CASE("a traffic light is a bulb in a housing, as bright as its mode, and glows if it is lit")
{
    const auto lit = light("COLOR_RED", "MODE_CONSTANT");
    const auto housing = lit->layers.at(0)->boxes;
    REQUIRE(housing.size() == 1);
    CHECK(housing[0].look == Look::light_housing);
    const auto red = strips_with(*lit, Look::light_red);
    REQUIRE(red.size() == 3);  // a disc, and light: upright and level
    CHECK((red[0].strength == 1 && !red[0].fading && red[1].fading && red[2].fading));
    const auto& layer = *lit->layers[0];
    for (std::uint32_t i = 0; i < red[0].count; ++i) {
        const auto& [x, y, z] = layer.points[red[0].first + i];
        CHECK(x == Approx(0.104));  // before the housing
        CHECK(std::hypot(y, z - 3) == Approx(0.085));
    }
    const auto off = strips_with(*light("COLOR_GREEN", "MODE_OFF"), Look::light_green);
    REQUIRE(off.size() == 1);
    CHECK(off[0].strength == Approx(0.2));
    CHECK(light("COLOR_RED", "MODE_OFF")->layers[0]->things[0].label == "5 red light, off");
    CHECK(light("COLOR_RED", "MODE_OFF")->layers[0]->things[0].look == Look::light_red);
    CHECK(light("COLOR_RED", "MODE_OFF")->layers[0]->things[0].is_off);
    CHECK(!lit->layers[0]->things[0].is_off);
}

TEST_CASE("a zebra crossing has bars of half a metre across the way of those who walk on it")
{
    const auto marking = [](const char* type, double width) {
        return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
            out.message("road_marking", [&] {
                out.message("base", [&] {
                    out.dimension("dimension", {0.01, width, 3});
                    out.vector("position", {20, 10, 0});
                    out.orientation("orientation", {0, -scene::pi / 2, 0});
                });
                out.message("classification", [&] { out.enumeration("traffic_main_sign_type", type); });
            });
        });
    };
    const auto crossing = marking("TYPE_ZEBRA_CROSSING", 6);
    const auto& layer = *crossing->layers.at(0);
    REQUIRE(layer.strips.size() == 6);
    for (std::size_t bar = 0; bar < 6; ++bar) {
        const auto& strip = layer.strips[bar];
        REQUIRE(strip.count == 4);
        Point least = layer.points[strip.first], most = least;
        for (std::uint32_t i = 1; i < 4; ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                least[axis] = std::min(least[axis], layer.points[strip.first + i][axis]);
                most[axis] = std::max(most[axis], layer.points[strip.first + i][axis]);
            }
        CHECK(most[0] - least[0] == Approx(3));
        CHECK(most[1] - least[1] == Approx(0.5));
        CHECK(static_cast<double>(least[1]) + crossing->origin[1] == Approx(7.25 + static_cast<double>(bar)));
    }
    CHECK(marking("TYPE_STOP", 6)->layers.at(0)->strips.size() == 1);
    CHECK(marking("TYPE_ZEBRA_CROSSING", 1)->layers.at(0)->strips.size() == 3);
    CHECK(marking("TYPE_ZEBRA_CROSSING", 300)->layers.at(0)->strips.size() == 1);
}

TEST_CASE("a flashing light is a lit one with a ring, whenever it is looked at")
{
    const auto flashing = light("COLOR_YELLOW", "MODE_FLASHING");
    CHECK(strips_with(*flashing, Look::light_yellow).size() == 4);  // disc, core, light
    CHECK(strips_with(*flashing, Look::light_housing).size() == 1);
}

TEST_CASE("the icon of a traffic light is an arrow in its direction")
{
    const auto tip = [](const char* icon) {
        const auto picture = light("COLOR_GREEN", "MODE_CONSTANT", icon);
        const auto head = strips_with(*picture, Look::light_green).at(0);
        REQUIRE(head.count == 3);
        return picture->layers[0]->points[head.first + 1];  // 0, 2, 1 of the corners
    };
    const auto reach = Approx(0.1 * 0.85 * 0.9);
    CHECK(tip("ICON_ARROW_STRAIGHT_AHEAD")[2] - 3 == reach);
    CHECK(-tip("ICON_ARROW_LEFT")[1] == reach);  // a spectator in front of it has its left on the right
    CHECK(tip("ICON_ARROW_RIGHT")[1] == reach);
}

TEST_CASE("a sign has the pictogram of its type, another one a plain board")
{
    const auto limit = sign("TYPE_SPEED_LIMIT_BEGIN", 50);
    REQUIRE(strips_with(*limit, Look::sign_red).size() == 1);
    CHECK(strips_with(*limit, Look::sign).size() == 1);
    CHECK(strips_with(*limit, Look::sign_black).size() == 5 + 4);  // strokes of 5 and 0
    CHECK(strips_with(*sign("TYPE_SPEED_LIMIT_BEGIN"), Look::sign_black).empty());
    CHECK(limit->layers[0]->boxes.at(0).look == Look::sign_back);
    CHECK(limit->layers[0]->things[0].size == std::array<float, 3>{0.02F, 0.6F, 0.6F});
    CHECK(strips_with(*sign("TYPE_STOP"), Look::sign_red).at(0).count == 8);
    CHECK(strips_with(*sign("TYPE_GIVE_WAY"), Look::sign_red).at(0).count == 3);
    CHECK(strips_with(*sign("TYPE_RIGHT_OF_WAY_BEGIN"), Look::sign_yellow).at(0).count == 4);
    CHECK(strips_with(*sign("TYPE_DO_NOT_ENTER"), Look::sign).size() == 2);
    const auto plain = sign("TYPE_HOTEL");
    CHECK(plain->layers[0]->strips.empty());
    CHECK(plain->layers[0]->boxes.at(0).look == Look::sign);
}

TEST_CASE("road users have the names of their scenario")
{
    const auto named = [](const char* identifier) {
        const auto picture = picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
            out.message("moving_object", [&] {
                out.id("id", 12);
                write_base(out, {4, 2, 1}, {5, 6, 0});
                out.enumeration("type", "TYPE_PEDESTRIAN");
                if (identifier != nullptr) out.message("source_reference", [&] { out.text("identifier", identifier); });
            });
        });
        const auto thing = things_of(*picture, Category::moving_object).at(0);
        return std::pair(thing.name, thing.label);
    };
    CHECK(named("entity_name:Ego") == std::pair<std::string, std::string>("Ego", "Ego pedestrian"));
    CHECK(named(nullptr) == std::pair<std::string, std::string>("", "12 pedestrian"));
    const std::string long_one(31, 'x');
    CHECK(named(("entity_name:" + long_one + "\u00e4\u00e4").c_str()).first == long_one);
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
    REQUIRE(dashed.size() == 2);
    for (const auto& dash : dashed) CHECK((dash.count == 2 && dash.strength == 1));
    const auto none = lines_of(*boundary("TYPE_NO_LINE", "COLOR_NONE"), Category::lane_boundary);
    REQUIRE(none.size() == 1);
    CHECK(none[0].look == Look::boundary_none);
    CHECK(none[0].strength == Approx(0.1));
    for (const auto& [type, look] : {std::pair{"TYPE_ROAD_EDGE", Look::boundary_road_edge},
                                     {"TYPE_SNOW_EDGE", Look::boundary_snow_edge},
                                     {"TYPE_GRASS_EDGE", Look::boundary_grass_edge},
                                     {"TYPE_GRAVEL_EDGE", Look::boundary_gravel_edge},
                                     {"TYPE_SOIL_EDGE", Look::boundary_soil_edge},
                                     {"TYPE_CURB", Look::boundary_grey},
                                     {"TYPE_UNKNOWN", Look::boundary_other}})
        CHECK(lines_of(*boundary(type, "COLOR_NONE"), Category::lane_boundary).at(0).look == look);
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
    CHECK(lines_of(*boundary("TYPE_BARRIER", "COLOR_WHITE"), Category::lane_boundary)[0].height ==
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
          std::vector<std::string>{"1 action without a position (see the message tree) is not shown"});
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

TEST_CASE("of ground truths of the same time without a host those with the same objects are shown once")
{
    const auto truth_at = [](double x) {
        return written(MessageType::ground_truth, [&](OsiWriter& out) {
            out.time("timestamp", std::chrono::seconds(1));
            for (const double y : {0.0, 8.0})
                out.message("moving_object", [&] {
                    out.id("id", y > 0 ? 2 : 1);
                    write_base(out, {4, 2, 1.5}, {x, y, 0});
                });
        });
    };
    const auto first = truth_at(0), other = truth_at(5000), broken = Bytestring(first.begin(), first.end() - 3);
    const auto flat = to_flat(first, MessageType::ground_truth);
    const auto channel = channel_of(MessageType::ground_truth),
               flat_channel = channel_of(MessageType::ground_truth, Encoding::flatbuffers);
    const auto first_frame = frame_of(first), other_frame = frame_of(other), broken_frame = frame_of(broken),
               flat_frame = frame_of(flat);
    const auto shown = [&](const Frame& frame, const Channel& of) {
        const std::vector<PictureSource> sources{{.frame = &first_frame, .channel = &channel},
                                                 {.frame = &frame, .channel = &of}};
        return PictureMaker().make(sources);
    };
    CHECK(things_of(*shown(other_frame, channel), Category::moving_object).size() == 4);
    CHECK(shown(other_frame, channel)->notes.empty());
    const auto once = shown(flat_frame, flat_channel);
    CHECK(things_of(*once, Category::moving_object).size() == 2);
    REQUIRE(once->notes.size() == 1);
    CHECK(once->notes[0].text ==
          "the same time and moving objects as another ground truth: its objects are not shown again");
    const std::vector<PictureSource> after_broken{{.frame = &broken_frame, .channel = &channel},
                                                  {.frame = &first_frame, .channel = &channel}};
    const auto picture = PictureMaker().make(after_broken);
    CHECK(std::ranges::count(things_of(*picture, Category::moving_object), std::uint32_t{1},
                             [](const Thing& thing) { return thing.key.source; }) == 2);
}
