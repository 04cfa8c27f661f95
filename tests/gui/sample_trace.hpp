// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::test {

/// The sample scene as a file; its container is what the name says.
inline std::filesystem::path write_sample(const std::filesystem::path& file, const SceneOptions& options = {})
{
    SceneSource scene(options, 1);
    const auto writer = create_trace(file, scene.info());
    Frame frame;
    while (scene.read(frame)) writer->write(frame);
    writer->close();
    return file;
}

/// Few reflections, so that it is quickly written.
inline SceneOptions small_scene(std::uint64_t frames, Nanoseconds period = std::chrono::milliseconds(100))
{
    SceneOptions options;
    options.frames = frames;
    options.period = period;
    options.reflections = 50;
    return options;
}

/// The sample scene, its last message first.
inline std::filesystem::path write_backward(const std::filesystem::path& file, const SceneOptions& options)
{
    SceneSource scene(options, 1);
    std::vector<Frame> frames;
    for (Frame frame; scene.read(frame); frame = {}) frames.push_back(frame);
    const auto writer = create_trace(file, scene.info());
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) writer->write(*frame);
    writer->close();
    return file;
}

/// An MCAP file that must be read to its end: ground truths, then sensor views, then the zero time.
inline std::filesystem::path write_without_summary(const std::filesystem::path& file)
{
    auto options = small_scene(80);
    options.type = MessageType::ground_truth;
    SceneSource early(options, 1);
    options.type = MessageType::sensor_view;
    SceneSource late(options, 1);
    const auto writer = create_trace(file, early.info(), {.chunk_bytes = 1000});
    Frame frame;
    while (early.read(frame)) writer->write(frame);
    writer->add_channel(late.info().channels.front());
    while (late.read(frame)) {
        frame.channel = 1;
        writer->write(frame);
    }
    writer->add_metadata({"net.asam.osi.trace", {{"zero_time", "2021-08-18T15:05:42Z"}}});
    writer->close();
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 30);
    return file;
}

}  // namespace ositrace::test
