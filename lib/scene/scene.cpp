// SPDX-License-Identifier: MPL-2.0
#include <ositrace/scene.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "lib/scene/write_scene.hpp"

namespace ositrace {

namespace {

// This many fit into a message of 2^31 - 1 bytes with a margin.
constexpr std::uint32_t max_reflections = 15'000'000;
constexpr std::uint32_t max_moving_objects = 1'000'000;

void refuse(const std::string& why) { throw Error(Cause::usage, why); }

SceneOptions checked(SceneOptions options)
{
    const auto type = options.type;
    if (type != MessageType::sensor_view && type != MessageType::ground_truth && type != MessageType::sensor_data) {
        refuse("a scene of type " + std::string(row_of(type).name) +
               " cannot be generated (known: SensorView, GroundTruth, SensorData)");
    }
    const int fields = options.reflection_fields;
    if (fields != 2 && fields != 3 && fields != 5)
        refuse("a reflection has 2, 3 or 5 fields, not " + std::to_string(fields));
    if (options.reflections > max_reflections)
        refuse("more than " + std::to_string(max_reflections) + " reflections per frame");
    if (options.moving_objects > max_moving_objects)
        refuse("more than " + std::to_string(max_moving_objects) + " moving objects");
    if (options.period.count() <= 0) refuse("the period of a scene must be positive");
    constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (options.frames > longest / static_cast<std::uint64_t>(options.period.count()))
        refuse("the scene lasts longer than 292 years");
    if (options.schema == nullptr) options.schema = Schema::built_in();
    return options;
}

TraceInfo info_of(const SceneOptions& options)
{
    const auto& type = row_of(options.type);
    Channel channel;
    channel.topic = std::string(type.name);
    channel.type = options.type;
    channel.type_name = std::string(type.full_name);
    channel.schema = options.schema;
    channel.root = &options.schema->root(options.type);
    TraceInfo info;
    info.container.name = "generated";
    info.compression = "none";
    info.channels.push_back(std::move(channel));
    return info;
}

}  // namespace

struct Scene::Implementation {
    explicit Implementation(const SceneOptions& options)
        : world(checked(options)), blocks(world, *world.options.schema), info(info_of(world.options))
    {
    }
    void write(std::uint64_t frame, ByteBuffer& out) const;

    scene::World world;
    scene::StaticBlocks blocks;
    TraceInfo info;
};

void Scene::Implementation::write(std::uint64_t frame, ByteBuffer& out) const
{
    const scene::WorldState moment(world, frame);
    out.clear(scene::expected_bytes(world));
    scene::OsiWriter writer(out, *info.channels.front().root);
    switch (world.options.type) {
    case MessageType::ground_truth: scene::write_ground_truth(writer, world, moment, blocks); break;
    case MessageType::sensor_data: scene::write_sensor_data(writer, world, moment, blocks); break;
    default: scene::write_sensor_view(writer, world, moment, blocks); break;
    }
}

Scene::Scene(const SceneOptions& options) : implementation_(std::make_unique<Implementation>(options))
{
    // Writes a small frame, so that the constructor refuses a schema that lacks a field.
    auto small = this->options();
    small.moving_objects = std::min<std::uint32_t>(small.moving_objects, 12);
    small.reflections = std::min<std::uint32_t>(small.reflections, 1);
    ByteBuffer probe;
    Implementation(small).write(0, probe);
}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

void Scene::frame(std::uint64_t i, ByteBuffer& out) const
{
    implementation_->write(i, out);
    if (out.size() > max_encodable_bytes) {
        throw Error(Cause::limit, {.file = {}, .frame = i, .offset = {}, .field = {}},
                    "a message of " + std::to_string(out.size()) + " bytes exceeds the limit of " +
                        std::to_string(max_encodable_bytes) + " bytes");
    }
}

Nanoseconds Scene::time(std::uint64_t i) const noexcept { return options().period * static_cast<std::int64_t>(i); }
const SceneOptions& Scene::options() const noexcept { return implementation_->world.options; }
const TraceInfo& Scene::info() const noexcept { return implementation_->info; }
const RayGrid& Scene::lidar_grid() const noexcept { return implementation_->world.lidar_grid; }

}  // namespace ositrace
