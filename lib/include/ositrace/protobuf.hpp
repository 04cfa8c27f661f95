// SPDX-License-Identifier: MPL-2.0
// Traces and protoc's generated classes. Templates over any class that looks like one of libprotobuf's: this library
// links no libprotobuf and includes none of its headers, so every release of it works and the caller's is the only one
// in the process.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace_writer.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// What protoc generates, with or without LITE_RUNTIME: `osi3::SensorView`.
template <class T>
concept ProtobufMessage =
    std::default_initializable<T> && requires(const T& message, T& target, const void* from, void* to, int size) {
        { target.ParseFromArray(from, size) } -> std::same_as<bool>;
        { message.ByteSizeLong() } -> std::convertible_to<std::size_t>;
        { message.SerializeToArray(to, size) } -> std::same_as<bool>;
        { message.GetTypeName() } -> std::convertible_to<std::string_view>;
    };

/// The full name of a generated class: `osi3.SensorView`.
template <ProtobufMessage Message>
[[nodiscard]] std::string type_name_of()
{
    return std::string(Message().GetTypeName());
}

/// Parses a Protobuf payload and replaces the contents of `message`. Throws Error (limit, malformed).
template <ProtobufMessage Message>
void read_message(Bytes payload, Message& message)
{
    if (payload.size() > max_encodable_bytes)
        throw Error(Cause::limit,
                    "a message of " + std::to_string(payload.size()) + " bytes exceeds the limit of 2147483647 bytes");
    if (!message.ParseFromArray(payload.data(), static_cast<int>(payload.size())))
        throw Error(Cause::malformed, "libprotobuf cannot parse these " + std::to_string(payload.size()) +
                                          " bytes as " + std::string(message.GetTypeName()));
}

/// Replaces the contents of `out` by the Protobuf form of a message. Throws Error (limit).
template <ProtobufMessage Message>
void write_message(const Message& message, ByteBuffer& out)
{
    const std::size_t size = message.ByteSizeLong();
    if (size > max_encodable_bytes)
        throw Error(Cause::limit,
                    "a message of " + std::to_string(size) + " bytes exceeds the limit of 2147483647 bytes");
    out.clear(size);
    if (!message.SerializeToArray(out.reserve_back(size), static_cast<int>(size)))
        throw Error(Cause::malformed, "libprotobuf cannot serialize this " + std::string(message.GetTypeName()));
    out.commit_back(size);
}

/// Reads the frames of one channel into messages of one class, whatever the channel's encoding.
/// Borrows the channel's schema. One thread at a time.
template <ProtobufMessage Message>
class MessageReader {
public:
    /// Throws Error (mismatch) when the channel has messages of another type.
    explicit MessageReader(const Channel& channel)
    {
        if (const auto name = type_name_of<Message>(); channel.type_name != name)
            throw Error(Cause::mismatch, "the channel '" + channel.topic + "' has messages of type " +
                                             channel.type_name + ", not " + name);
        if (channel.format.encoding != Encoding::protobuf)
            transcoder_ = std::make_unique<Transcoder>(*channel.root, channel.format, Format{});
    }
    /// Reuse `message`: libprotobuf keeps its memory. Throws Error (malformed, limit) with the frame's place.
    void read(const Frame& frame, Message& message)
    try {
        if (transcoder_ == nullptr) return read_message(frame.bytes, message);
        transcoder_->transcode(frame.bytes, buffer_);
        read_message(buffer_.bytes(), message);
    } catch (const Error& error) {
        throw within_frame(error, frame, {});
    }

private:
    std::unique_ptr<Transcoder> transcoder_;
    ByteBuffer buffer_;
};

/// The argument of create_trace() for messages of one class: one channel of a top-level type of the built-in
/// schema. Throws Error (mismatch) when the schema has no such message.
template <ProtobufMessage Message>
[[nodiscard]] TraceInfo trace_info_of(Format format = {}, std::string topic = {})
{
    Channel channel;
    channel.type_name = type_name_of<Message>();
    channel.type = message_type_by_full_name(channel.type_name);
    channel.topic = std::move(topic);
    channel.format = format;
    channel.schema = Schema::built_in();
    channel.root = channel.schema->find(channel.type_name);
    if (channel.root == nullptr) throw Error(Cause::mismatch, "the schema has no message " + channel.type_name);
    TraceInfo info;
    info.channels.push_back(std::move(channel));
    return info;
}

/// Writes messages of one class to one channel of a trace, in the channel's encoding.
/// Borrows the writer and the channel's schema. One thread at a time.
template <ProtobufMessage Message>
class MessageWriter {
public:
    /// `info` is what `to` was created with. Throws Error (mismatch) when the channel is of another type.
    MessageWriter(TraceWriter& to, const TraceInfo& info, std::uint32_t channel = 0) : to_(to)
    {
        const auto& target = info.channels.at(channel);
        if (const auto name = type_name_of<Message>(); target.type_name != name)
            throw Error(Cause::mismatch, "the channel '" + target.topic + "' takes messages of type " +
                                             target.type_name + ", not " + name);
        frame_.channel = channel;
        if (target.format.encoding != Encoding::protobuf)
            transcoder_ = std::make_unique<Transcoder>(*target.root, Format{}, target.format);
    }
    /// Appends a frame. Throws Error (io, limit).
    void write(const Message& message)
    {
        write_message(message, proto_);
        frame_.bytes = proto_.bytes();
        if (transcoder_ != nullptr) {
            transcoder_->transcode(proto_.bytes(), flat_);
            frame_.bytes = flat_.bytes();
        }
        to_.write(frame_);
        ++frame_.index;
    }

private:
    TraceWriter& to_;
    Frame frame_;
    std::unique_ptr<Transcoder> transcoder_;
    ByteBuffer proto_, flat_;
};

}  // namespace ositrace
