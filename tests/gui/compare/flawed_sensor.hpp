// SPDX-License-Identifier: MPL-2.0
// Drives with a sensor whose errors are known.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/messages/osi_writer.hpp"
#include "tests/lib/scratch_folder.hpp"

namespace ositrace::test {

/// A trace with one channel: `write_message` writes the message of a number.
template <class Write>
void write_messages(const std::filesystem::path& file, MessageType type, std::uint64_t count, Nanoseconds period,
                    const Write& write_message)
{
    Channel channel;
    channel.topic = std::string(row_of(type).full_name);
    channel.type = type;
    channel.type_name = channel.topic;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(type);
    TraceInfo info;
    info.channels.push_back(channel);
    const auto writer = create_trace(file, info);
    for (std::uint64_t i = 0; i != count; ++i) {
        ByteBuffer bytes;
        scene::OsiWriter out(bytes, *channel.root);
        write_message(out, i);
        Frame frame;
        frame.bytes = bytes.bytes();
        frame.index = i;
        frame.time = period * static_cast<std::int64_t>(i);
        writer->write(frame);
    }
    writer->close();
}

/// 40 messages, one every 100 ms. The host (id 1) stands at (100, 50), looks to +y, and carries the sensor 1 m ahead of
/// its centre. 11, 12 and 13 drive ahead of it. The sensor sees
/// - 11 farther away by 1 cm per message,
/// - 12 exactly, but not at all in the messages 5 to 7,
/// - 13 turned by 0.1 rad,
/// - and a ghost (tracking id 99) in message 9.
struct FlawedSensor {
    static constexpr std::uint64_t messages = 40;
    static constexpr auto period = std::chrono::milliseconds(100);

    std::filesystem::path truth, detections;

    explicit FlawedSensor(const ScratchFolder& scratch, const std::string& container = ".osi")
        : truth(scratch / ("truth" + container)), detections(scratch / ("detections" + container))
    {
        write_messages(truth, MessageType::ground_truth, messages, period, [](scene::OsiWriter& out, std::uint64_t i) {
            out.time("timestamp", period * static_cast<std::int64_t>(i));
            out.id("host_vehicle_id", 1);
            write_object(out, 1, {100, 50, 0.75});
            for (std::uint64_t id = 11; id <= 13; ++id) write_object(out, id, place_of(id, i));
        });
        write_messages(detections, MessageType::sensor_data, messages, period,
                       [](scene::OsiWriter& out, std::uint64_t i) {
                           out.time("timestamp", period * static_cast<std::int64_t>(i));
                           out.mounting_position("mounting_position", {1, 0, 0}, {0, 0, 0});
                           write_detection(out, 11, i, 0.01 * static_cast<double>(i), 0);
                           if (i < 5 || i > 7) write_detection(out, 12, i, 0, 0);
                           write_detection(out, 13, i, 0, 0.1);
                           if (i == 9) write_detection(out, 99, i, 0, 0);
                       });
    }

private:
    static constexpr double quarter = 1.5707963267948966;

    static scene::Vector place_of(std::uint64_t id, std::uint64_t i)
    {
        return {90 + 5 * static_cast<double>(id - 10), 70 + 0.5 * static_cast<double>(i), 0.75};
    }
    static void write_object(scene::OsiWriter& out, std::uint64_t id, scene::Vector place)
    {
        out.message("moving_object", [&] {
            out.id("id", id);
            out.message("base", [&] {
                out.dimension("dimension", {4, 2, 1.5});
                out.vector("position", place);
                out.orientation("orientation", {0, 0, quarter});
                out.vector("velocity", {0, id == 1 ? 0.0 : 5.0, 0});
            });
            out.enumeration("type", "TYPE_VEHICLE");
        });
    }
    static void write_detection(scene::OsiWriter& out, std::uint64_t id, std::uint64_t i, double farther, double turned)
    {
        // The sensor is at (100, 51) and looks to +y: its x is y - 51, its y is 100 - x.
        const auto place = id == 99 ? scene::Vector{80, 80, 0.75} : place_of(id, i);
        out.message("moving_object", [&] {
            out.message("header", [&] {
                out.id("tracking_id", id == 99 ? id : id + 500);
                if (id != 99) out.id("ground_truth_id", id);
            });
            out.message("base", [&] {
                out.dimension("dimension", {4, 2, 1.5});
                out.vector("position", {place.y - 51 + farther, 100 - place.x, 0});
                out.orientation("orientation", {0, 0, turned});
                out.vector("velocity", {5, 0, 0});
            });
        });
    }
};

/// 20 messages, one every 100 ms. The host (id 1) stands as that of FlawedSensor, between the lane boundaries 50, 2 m
/// to its left, and 51, 2 m to its right; 11 stands ahead. The sensor sees no object, but of the boundaries
/// - tracking id 3: from 5 to 45 m ahead, at the end by 1 cm per message to the left of 50,
/// - tracking id 4: 51, 5 cm to the right, but in the messages 5 to 7 8 m to the right, where there is none,
/// - tracking id 9: 50 without an error, in message 9 alone.
struct FlawedLanes {
    static constexpr std::uint64_t messages = 20;
    static constexpr auto period = std::chrono::milliseconds(100);

    std::filesystem::path truth, detections;

    explicit FlawedLanes(const ScratchFolder& scratch)
        : truth(scratch / "lane_truth.osi"), detections(scratch / "lane_detections.osi")
    {
        write_messages(truth, MessageType::ground_truth, messages, period, [](scene::OsiWriter& out, std::uint64_t i) {
            out.time("timestamp", period * static_cast<std::int64_t>(i));
            out.id("host_vehicle_id", 1);
            for (const std::uint64_t id : {1, 11})
                out.message("moving_object", [&] {
                    out.id("id", id);
                    out.message("base", [&] {
                        out.dimension("dimension", {4, 2, 1.5});
                        out.vector("position", {100, id == 1 ? 50.0 : 80.0, 0.75});
                        out.orientation("orientation", {0, 0, 1.5707963267948966});
                    });
                });
            write_boundary(out, false, 50, {98, 40, 0}, {98, 150, 0});
            write_boundary(out, false, 51, {102, 40, 0}, {102, 150, 0});
        });
        const auto write = [](scene::OsiWriter& out, std::uint64_t i) {
            out.time("timestamp", period * static_cast<std::int64_t>(i));
            out.mounting_position("mounting_position", {1, 0, 0}, {0, 0, 0});
            write_boundary(out, true, 3, {5, 2, 0}, {45, 2 + 0.01 * static_cast<double>(i), 0});
            const double right = i < 5 || i > 7 ? -2.05 : -10;
            write_boundary(out, true, 4, {5, right, 0}, {45, right, 0});
            if (i == 9) write_boundary(out, true, 9, {5, 2, 0}, {45, 2, 0});
        };
        write_messages(detections, MessageType::sensor_data, messages, period, write);
    }

private:
    static void write_boundary(scene::OsiWriter& out, bool is_detected, std::uint64_t id, scene::Vector from,
                               scene::Vector to)
    {
        out.message("lane_boundary", [&] {
            if (is_detected)
                out.message("header", [&] { out.id("tracking_id", id); });
            else
                out.id("id", id);
            for (const auto& each : {from, to}) out.message("boundary_line", [&] { out.vector("position", each); });
        });
    }
};

}  // namespace ositrace::test
