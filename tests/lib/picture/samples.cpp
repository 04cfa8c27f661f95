// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/picture/samples.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace ositrace::test {

namespace {

void write_mounting(OsiWriter& out) { out.mounting_position("mounting_position", {0, 0, 1}, {}); }

void write_car(OsiWriter& out, std::uint64_t id, double y, const char* indicator, const char* brake)
{
    out.message("moving_object", [&] {
        out.id("id", id);
        write_base(out, {4.4, 1.8, 1.5}, {0, y, 0.75});
        out.enumeration("type", "TYPE_VEHICLE");
        out.message("vehicle_classification", [&] {
            out.enumeration("type", "TYPE_CAR");
            out.message("light_state", [&] {
                out.enumeration("indicator_state", indicator);
                out.enumeration("brake_light_state", brake);
            });
        });
    });
}

void write_section(OsiWriter& out, scene::Vector size, scene::Vector position)
{
    out.message("bounding_box_section", [&] {
        out.dimension("dimension", size);
        out.vector("position", position);
    });
}

void write_shape(OsiWriter& out, scene::Vector size, scene::Vector position,
                 std::initializer_list<std::array<double, 2>> corners)
{
    out.message("base", [&] {
        out.dimension("dimension", size);
        out.vector("position", position);
        for (const auto& [x, y] : corners) out.vector2d("base_polygon", x, y);
    });
}

}  // namespace

std::shared_ptr<const Picture> ultrasonic_sample()
{
    return picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        write_mounting(out);
        out.message("feature_data", [&] {
            out.message("ultrasonic_sensor", [&] {
                for (const double distance : {1.0, 2.0, 3.0, 4.0})
                    out.message("detection", [&] { out.real("distance", distance); });
            });
        });
    });
}

std::shared_ptr<const Picture> camera_sample()
{
    return picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        write_mounting(out);
        out.message("feature_data", [&] {
            out.message("camera_sensor", [&] {
                for (int row = -2; row <= 2; ++row) {
                    for (int column = -4; column <= 4; ++column) {
                        const double y = 0.5 * column, z = 0.4 * row, distance = std::sqrt(100 + y * y + z * z);
                        out.message("point", [&] {
                            out.real("existence_probability", 0.5 + 0.05 * column);
                            out.spherical("point", distance, std::atan2(y, 10), std::asin(z / distance));
                        });
                    }
                }
            });
        });
    });
}

std::shared_ptr<const Picture> logical_sample()
{
    return picture_of(MessageType::sensor_data, [](OsiWriter& out) {
        write_mounting(out);
        out.message("logical_detection_data", [&] {
            for (int i = 0; i < 36; ++i) {
                out.message("logical_detection", [&] {
                    out.vector("position", {6 * std::cos(i * 0.1745), 6 * std::sin(i * 0.1745), 0});
                    out.real("intensity", i);
                });
            }
        });
    });
}

std::shared_ptr<const Picture> radar_sample()
{
    constexpr double speed_of_light = 299'792'458;
    return picture_of(MessageType::sensor_view, [&](OsiWriter& out) {
        out.message("radar_sensor_view", [&] {
            out.message("view_configuration", [&] {
                write_mounting(out);
                out.real("field_of_view_horizontal", 2);
            });
            for (int i = -10; i <= 10; ++i) {
                out.message("reflection", [&] {
                    out.real("signal_strength", -90 + i);
                    out.real("time_of_flight", 2 * 12 / speed_of_light);
                    out.real("doppler_shift", 10 * i);
                    out.real("source_horizontal_angle", 0.1 * i);
                });
            }
        });
    });
}

std::shared_ptr<const Picture> trajectory_sample()
{
    return picture_of(MessageType::traffic_command, [](OsiWriter& out) {
        out.id("traffic_participant_id", 7);
        out.message("action", [&] {
            out.message("follow_trajectory_action", [&] {
                for (int i = 0; i <= 20; ++i)
                    out.message("trajectory_point",
                                [&] { out.vector("position", {static_cast<double>(i), 2 * std::sin(i * 0.31), 0}); });
            });
        });
    });
}

std::shared_ptr<const Picture> bodies_sample()
{
    return picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.message("stationary_object", [&] {
            out.id("id", 3);
            write_shape(out, {8, 8, 3}, {6, 9, 1.5},
                        {{4, 4}, {-4, 4}, {-4, -4}, {4, -4}, {4, -2}, {-1, -2}, {-1, 2}, {4, 2}});
        });
        out.message("moving_object", [&] {
            out.id("id", 1);
            out.message("base", [&] {
                out.dimension("dimension", {12, 2.5, 3.6});
                out.vector("position", {0, 0, 1.8});
                write_section(out, {2.4, 2.5, 3}, {4.8, 0, 1.5});
                write_section(out, {9, 2.5, 3}, {-1.5, 0, 2.1});
            });
            out.enumeration("type", "TYPE_VEHICLE");
            out.message("vehicle_classification", [&] { out.enumeration("type", "TYPE_HEAVY_TRUCK"); });
        });
        out.message("moving_object", [&] {
            out.id("id", 2);
            write_shape(out, {5, 2, 2}, {2, -4, 1},
                        {{2.5, 0}, {1.8, 0.8}, {1, 1}, {-2.5, 1}, {-2.5, -1}, {1, -1}, {1.8, -0.8}});
            out.enumeration("type", "TYPE_VEHICLE");
            out.message("vehicle_classification", [&] { out.enumeration("type", "TYPE_CAR"); });
        });
    });
}

std::shared_ptr<const Picture> lamps_sample()
{
    return picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        write_car(out, 1, 3.5, "INDICATOR_STATE_LEFT", "BRAKE_LIGHT_STATE_STRONG");
        write_car(out, 2, 0, "INDICATOR_STATE_WARNING", "BRAKE_LIGHT_STATE_NORMAL");
        write_car(out, 3, -3.5, "INDICATOR_STATE_OFF", "BRAKE_LIGHT_STATE_OFF");
    });
}

std::shared_ptr<const Picture> signs_sample()
{
    struct Row {
        const char* type;
        double value;
    };
    constexpr std::array signs{Row{"TYPE_STOP", 0},
                               Row{"TYPE_GIVE_WAY", 0},
                               Row{"TYPE_RIGHT_OF_WAY_BEGIN", 0},
                               Row{"TYPE_DO_NOT_ENTER", 0},
                               Row{"TYPE_SPEED_LIMIT_BEGIN", 80},
                               Row{"TYPE_SPEED_LIMIT_BEGIN", 120},
                               Row{"TYPE_SPEED_LIMIT_ZONE_BEGIN", 30},
                               Row{"TYPE_SPEED_LIMIT_END", 60},
                               Row{"TYPE_DANGER_SPOT", 0},
                               Row{"TYPE_PRESCRIBED_RIGHT_TURN", 0},
                               Row{"TYPE_NO_STOPPING", 0},
                               Row{"TYPE_OVERTAKING_BAN_BEGIN", 0},
                               Row{"TYPE_CAR_PARKING", 0},
                               Row{"TYPE_TOWN_END", 0},
                               Row{"TYPE_HOTEL", 0}};
    struct Bulb {
        const char *color, *icon, *mode;
    };
    constexpr std::array bulbs{
        Bulb{"COLOR_RED", "ICON_NONE", "MODE_CONSTANT"}, Bulb{"COLOR_YELLOW", "ICON_NONE", "MODE_FLASHING"},
        Bulb{"COLOR_GREEN", "ICON_ARROW_LEFT", "MODE_CONSTANT"}, Bulb{"COLOR_RED", "ICON_NONE", "MODE_OFF"},
        Bulb{"COLOR_GREEN", "ICON_ARROW_STRAIGHT_AHEAD_RIGHT", "MODE_OFF"}};
    return picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        for (std::size_t i = 0; i < signs.size(); ++i) {
            out.message("traffic_sign", [&] {
                out.id("id", i);
                out.message("main_sign", [&] {
                    write_base(out, {0.03, 0.7, 0.7},
                               {0, static_cast<double>(i % 5) - 2, 3 - static_cast<double>(i / 5)});
                    out.message("classification", [&] {
                        out.enumeration("type", signs[i].type);
                        if (signs[i].value > 0) out.message("value", [&] { out.real("value", signs[i].value); });
                    });
                });
            });
        }
        for (std::size_t i = 0; i < bulbs.size(); ++i) {
            out.message("traffic_light", [&] {
                out.id("id", i);
                write_base(out, {0.2, 0.5, 0.5}, {0, static_cast<double>(i) - 2, 0});
                out.message("classification", [&] {
                    out.enumeration("color", bulbs[i].color);
                    out.enumeration("icon", bulbs[i].icon);
                    out.enumeration("mode", bulbs[i].mode);
                });
            });
        }
    });
}

namespace {

struct RoadLine {
    std::uint64_t id;
    double y;
    const char *type, *color;
};

constexpr std::array road_lines{
    RoadLine{1, 4, "TYPE_GUARD_RAIL", "COLOR_OTHER"},     RoadLine{2, 3.5, "TYPE_SOLID_LINE", "COLOR_WHITE"},
    RoadLine{3, 0.15, "TYPE_SOLID_LINE", "COLOR_YELLOW"}, RoadLine{4, -0.15, "TYPE_DASHED_LINE", "COLOR_YELLOW"},
    RoadLine{5, -3.5, "TYPE_BOTTS_DOTS", "COLOR_WHITE"},  RoadLine{6, -5, "TYPE_CURB", "COLOR_OTHER"},
    RoadLine{7, -7, "TYPE_GRASS_EDGE", "COLOR_NONE"}};

void write_corner(OsiWriter& out, std::uint64_t id, scene::Vector from, scene::Vector to)
{
    out.message("lane_boundary", [&] {
        out.id("id", id);
        for (const auto& place : {from, to}) out.message("boundary_line", [&] { out.vector("position", place); });
        out.message("classification", [&] { out.enumeration("type", "TYPE_CURB"); });
    });
}

void write_road_lane(OsiWriter& out, std::uint64_t id, std::pair<const char*, const char*> type, std::uint64_t left,
                     std::uint64_t right)
{
    out.message("lane", [&] {
        out.id("id", id);
        out.message("classification", [&] {
            out.enumeration("type", type.first);
            out.id("right_lane_boundary_id", right);
            out.id("left_lane_boundary_id", left);
            out.enumeration("subtype", type.second);
        });
    });
}

}  // namespace

std::shared_ptr<const Picture> road_sample()
{
    return picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        for (const auto& line : road_lines) {
            out.message("lane_boundary", [&] {
                out.id("id", line.id);
                for (const double x : {-20.0, 40.0})
                    out.message("boundary_line", [&] { out.vector("position", {x, line.y, 0}); });
                out.message("classification", [&] {
                    out.enumeration("type", line.type);
                    out.enumeration("color", line.color);
                });
            });
        }
        write_corner(out, 11, {40, 3.5, 0}, {43, 8, 0});
        write_corner(out, 12, {50, 8, 0}, {53, 3.5, 0});
        write_corner(out, 13, {53, -3.5, 0}, {50, -8, 0});
        write_corner(out, 14, {43, -8, 0}, {40, -3.5, 0});
        write_road_lane(out, 21, {"TYPE_NONDRIVING", "SUBTYPE_SHOULDER"}, 1, 2);
        write_road_lane(out, 22, {"TYPE_DRIVING", "SUBTYPE_NORMAL"}, 2, 3);
        write_road_lane(out, 23, {"TYPE_DRIVING", "SUBTYPE_NORMAL"}, 4, 5);
        write_road_lane(out, 24, {"TYPE_NONDRIVING", "SUBTYPE_BIKING"}, 5, 6);
        write_road_lane(out, 25, {"TYPE_NONDRIVING", "SUBTYPE_SIDEWALK"}, 6, 7);
        out.message("lane", [&] {
            out.id("id", 26);
            out.message("classification", [&] {
                out.enumeration("type", "TYPE_INTERSECTION");
                for (const std::uint64_t id : {11, 12, 13, 14}) out.id("free_lane_boundary_id", id);
            });
        });
    });
}

}  // namespace ositrace::test
