// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/picture/samples.hpp"

#include <array>
#include <cmath>

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

}  // namespace ositrace::test
