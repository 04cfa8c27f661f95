// SPDX-License-Identifier: MPL-2.0
#include "tests/bench/samples.hpp"

#include <ositrace/scene.hpp>

#include "tests/oracle/trace_frames.hpp"

namespace bench {

using namespace ositrace;

namespace {

std::vector<std::byte> first_frame(const SceneOptions& options)
{
    ByteBuffer frame;
    Scene(options).frame(0, frame);
    return {frame.bytes().begin(), frame.bytes().end()};
}

}  // namespace

Sample reflections(std::uint32_t count, int fields)
{
    SceneOptions options;
    options.reflections = count;
    options.reflection_fields = fields;
    return {std::to_string(count) + " reflections, " + std::to_string(fields) + " fields", "osi3.SensorView", {first_frame(options)}, count,
            "reflection"};
}

Sample moving_objects(std::uint32_t count)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = count;
    options.reflections = 0;
    options.static_data = StaticData::never;
    return {std::to_string(count) + " moving objects", "osi3.GroundTruth", {first_frame(options)}, count, "object"};
}

std::vector<Sample> real_traces()
{
    std::vector<Sample> samples;
    for (auto& trace : oracle::real_traces()) {
        const auto frames = trace.frames.size();
        samples.push_back({std::string(trace.name), trace.type, std::move(trace.frames), frames, "frame"});
    }
    return samples;
}

}  // namespace bench
