// SPDX-License-Identifier: MPL-2.0
// A drive with a sensor whose errors are known.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/messages/osi_writer.hpp"
#include "tests/lib/scratch_folder.hpp"

namespace ositrace::test {

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
        write(truth, MessageType::ground_truth, [](scene::OsiWriter& out, std::uint64_t i) {
            out.time("timestamp", period * static_cast<std::int64_t>(i));
            out.id("host_vehicle_id", 1);
            write_object(out, 1, {100, 50, 0.75});
            for (std::uint64_t id = 11; id <= 13; ++id) write_object(out, id, place_of(id, i));
        });
        write(detections, MessageType::sensor_data, [](scene::OsiWriter& out, std::uint64_t i) {
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
    template <class Write>
    static void write(const std::filesystem::path& file, MessageType type, const Write& write_message)
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
        for (std::uint64_t i = 0; i != messages; ++i) {
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
};

}  // namespace ositrace::test
