// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// The Protobuf form of the messages of one channel, for edits on the wire: Protobuf as it is, FlatBuffers transcoded
/// there and back. Fields that the schema does not know are refused on that way, Error (lossy). One thread at a time.
class ProtobufForm {
public:
    /// Can the messages of this channel be looked into?
    [[nodiscard]] static bool exists(const Channel& channel) noexcept { return channel.root != nullptr; }
    /// Of a channel for which it exists. Keeps the channel's schema.
    explicit ProtobufForm(const Channel& channel) : ProtobufForm(channel, channel) {}
    /// For an edit that makes messages of another type: `to` is the channel of the output, in the same format. Keeps
    /// both schemas.
    ProtobufForm(const Channel& from, const Channel& to);

    /// The Protobuf form; lives until the next call, or as long as the payload where it is the payload.
    [[nodiscard]] Bytes of(Bytes payload);
    /// Gives an edited frame its new payload, in the encoding of `to`; `protobuf` is empty afterwards.
    void replace(Frame& frame, ByteBuffer& protobuf);

private:
    std::shared_ptr<const Schema> schema_from_;
    std::shared_ptr<const Schema> schema_to_;
    std::optional<Transcoder> there_;
    std::optional<Transcoder> back_;
    ByteBuffer scratch_;
};

}  // namespace ositrace
