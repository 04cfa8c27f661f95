// SPDX-License-Identifier: MPL-2.0
// Snapshots for tests, without a session.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::test {

using namespace gui;

/// A snapshot of these channels, at the time of the first.
inline std::shared_ptr<Snapshot> snapshot_of(std::vector<ShownFrame> channels,
                                             std::shared_ptr<const Picture> picture = nullptr)
{
    auto snapshot = std::make_shared<Snapshot>();
    if (!channels.empty()) snapshot->time = channels.front().time;
    snapshot->channels = std::move(channels);
    snapshot->picture = picture ? std::move(picture) : std::make_shared<const Picture>();
    return snapshot;
}

/// One channel whose messages a test writes itself.
class HandMadeChannel {
public:
    explicit HandMadeChannel(MessageType type, Format format = {})
    {
        auto channel = std::make_shared<Channel>();
        channel->topic = "hand made";
        channel->type = type;
        channel->type_name = row_of(type).full_name;
        channel->format = format;
        channel->schema = Schema::built_in();
        channel->root = &channel->schema->root(type);
        channel_ = std::move(channel);
    }

    [[nodiscard]] const std::shared_ptr<const Channel>& channel() const { return channel_; }

    [[nodiscard]] ShownFrame shown(std::string_view payload, std::uint64_t number = 0) const
    {
        const auto owner = std::make_shared<const std::string>(payload);
        Frame frame;
        frame.bytes = bytes_of(*owner);
        frame.owner = owner;
        frame.index = number;
        return {channel_, frame, number,         std::chrono::milliseconds(100) * static_cast<std::int64_t>(number),
                false,    {},    channel_->topic};
    }

private:
    std::shared_ptr<const Channel> channel_;
};

/// The sample scene in either encoding, as a channel.
class SceneChannel {
public:
    explicit SceneChannel(const SceneOptions& options, Encoding encoding = Encoding::protobuf)
        : scene_(options), encoding_(encoding), channel_(options.type, {encoding, Layout::numbered})
    {
    }

    [[nodiscard]] ShownFrame shown(std::uint64_t number) const
    {
        ByteBuffer bytes;
        scene_.frame(number, bytes);
        if (encoding_ == Encoding::protobuf) return channel_.shown(text_of(bytes.bytes()), number);
        ByteBuffer flat;
        Transcoder(*channel_.channel()->root, {Encoding::protobuf}, {encoding_}).transcode(bytes.bytes(), flat);
        return channel_.shown(text_of(flat.bytes()), number);
    }

    [[nodiscard]] std::shared_ptr<Snapshot> snapshot(std::uint64_t number) const
    {
        return snapshot_of({shown(number)});
    }

private:
    Scene scene_;
    Encoding encoding_;
    HandMadeChannel channel_;
};

inline SceneOptions small_scene(MessageType type = MessageType::ground_truth)
{
    return {.type = type, .frames = 10, .moving_objects = 3, .reflections = 50};
}

inline std::shared_ptr<const OpenChannels> list_of(OpenChannels channels)
{
    return std::make_shared<const OpenChannels>(std::move(channels));
}

/// A picture with these things, at the origin.
inline std::shared_ptr<const Picture> picture_of_things(std::vector<Thing> things)
{
    auto picture = std::make_shared<Picture>();
    for (const auto& thing : things)
        if (thing.key.category == Category::host) picture->host = thing;
    auto layer = std::make_shared<Layer>();
    layer->things = std::move(things);
    picture->layers.push_back(std::move(layer));
    return picture;
}

}  // namespace ositrace::test
