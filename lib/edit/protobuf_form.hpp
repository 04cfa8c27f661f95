// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// The Protobuf form of the messages of one channel, for edits of the wire format: Protobuf unchanged, FlatBuffers
/// converted to Protobuf and back. Fields that the schema does not define are then an Error (lossy). One thread at a
/// time.
class ProtobufForm {
public:
    /// Is the type of the messages known?
    [[nodiscard]] static bool exists(const Channel& channel) noexcept { return channel.root != nullptr; }
    /// For a channel for which it exists. Keeps the channel's schema.
    explicit ProtobufForm(const Channel& channel) : ProtobufForm(channel, channel) {}
    /// For an edit that changes the type: `to` is the channel of the output, in the same format. Keeps both schemas.
    ProtobufForm(const Channel& from, const Channel& to);

    /// The Protobuf form; lives until the next call, and no longer than the payload.
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
