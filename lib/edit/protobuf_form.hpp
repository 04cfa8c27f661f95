// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// The Protobuf form of the messages of one channel, for edits on the wire: Protobuf as it is, FlatBuffers transcoded there and back.
/// Fields that the schema does not know are refused on that way, Error (lossy). One thread at a time.
class ProtobufForm {
public:
    /// Can the messages of this channel be looked into?
    [[nodiscard]] static bool exists(const Channel& channel) noexcept { return channel.root != nullptr; }
    /// Of a channel for which it exists. Keeps the channel's schema.
    explicit ProtobufForm(const Channel& channel);

    /// The Protobuf form; lives until the next call, or as long as the payload where it is the payload.
    [[nodiscard]] Bytes of(Bytes payload);
    /// Gives an edited frame its new payload, in the channel's encoding.
    void replace(Frame& frame, Bytes protobuf);

private:
    std::shared_ptr<const Schema> schema_;
    std::optional<Transcoder> there_;
    std::optional<Transcoder> back_;
    ByteBuffer scratch_;
};

}  // namespace ositrace
