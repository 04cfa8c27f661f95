// SPDX-License-Identifier: MPL-2.0
// How long a picture takes: frames of the sample scene, in both encodings. Processor time, so that a busy
// machine says nearly the same as an idle one. usage: ositrace-bench-picture [--quick] [PART OF A NAME]
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <time.h>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/picture_maker.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

using namespace ositrace;

namespace {

struct Case {
    const char* name;
    SceneOptions options;
};

double processor_ms()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

Frame frame_of(const ByteBuffer& buffer)
{
    auto bytes = std::make_shared<const std::vector<std::byte>>(buffer.bytes().begin(), buffer.bytes().end());
    Frame frame;
    frame.bytes = *bytes;
    frame.owner = std::move(bytes);
    return frame;
}

std::vector<Frame> frames_of(const Scene& scene, Channel& channel, Encoding encoding)
{
    channel = scene.info().channels.front();
    const Format from = channel.format;
    channel.format = {encoding, Layout::numbered};
    Transcoder transcoder(*channel.root, from, Format{Encoding::flatbuffers, Layout::numbered});
    std::vector<Frame> frames;
    ByteBuffer protobuf, flat;
    for (std::uint64_t i = 0; i < 4; ++i) {
        scene.frame(i, protobuf);
        if (encoding == Encoding::flatbuffers) transcoder.transcode(protobuf.bytes(), flat);
        frames.push_back(frame_of(encoding == Encoding::flatbuffers ? flat : protobuf));
    }
    return frames;
}

void measure(const Case& bench, Encoding encoding, int rounds)
{
    const Scene scene(bench.options);
    Channel channel;
    const auto frames = frames_of(scene, channel, encoding);
    PictureMaker maker;
    std::vector<double> times;
    std::shared_ptr<const Picture> picture;
    for (int round = 0; round < rounds; ++round) {
        const auto& frame = frames[static_cast<std::size_t>(round) % frames.size()];
        const PictureSource source{.frame = &frame, .channel = &channel};
        const double start = processor_ms();
        picture = maker.make({&source, 1});
        times.push_back(processor_ms() - start);
    }
    const double first = times.front();
    std::ranges::sort(times);
    std::size_t things = 0, points = 0;
    for (const auto& layer : picture->layers) things += layer->things.size();
    for (const auto& cloud : picture->clouds) points += cloud->points.size();
    std::printf(
        "%-44s %-11s first %7.2f  median %7.2f  fastest %7.2f ms   %5zu things %7zu points  frame %6.1f MB  picture "
        "%6.1f MB\n",
        bench.name, encoding == Encoding::protobuf ? "protobuf" : "flatbuffers", first, times[times.size() / 2],
        times.front(), things, points, static_cast<double>(frames[0].bytes.size()) / 1e6,
        static_cast<double>(picture->bytes()) / 1e6);
}

SceneOptions options_of(MessageType type, std::uint32_t objects, std::uint32_t reflections, int fields = 2,
                        bool directions = false)
{
    SceneOptions options;
    options.type = type;
    options.moving_objects = objects;
    options.reflections = reflections;
    options.reflection_fields = fields;
    options.ray_directions = directions;
    options.carry_input = false;
    return options;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const std::uint32_t full = quick ? 83'000 : 830'000;
    const std::vector<Case> cases{
        {"12 objects", options_of(MessageType::ground_truth, 12, 0)},
        {"500 objects", options_of(MessageType::ground_truth, 500, 0)},
        {"lidar, 2 fields", options_of(MessageType::sensor_view, 12, full)},
        {"lidar, 2 fields, directions", options_of(MessageType::sensor_view, 12, full, 2, true)},
        {"lidar, 5 fields", options_of(MessageType::sensor_view, 12, full, 5)},
        {"lidar detections of a SensorData", options_of(MessageType::sensor_data, 12, full)},
    };
    const std::string wanted = argc > 1 && !quick ? argv[1] : argc > 2 ? argv[2] : "";
    for (const auto& bench : cases)
        for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers})
            if (std::string(bench.name).find(wanted) != std::string::npos) measure(bench, encoding, quick ? 5 : 15);
}
