// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include <flatbuffers/flatbuffers.h>
#include <google/protobuf/message.h>

#include <ositrace/bytes.hpp>
#include <ositrace/message_type.hpp>

#include "app/bench/naive/opponent.hpp"

namespace ositrace::bench {

/// The generated conversions of a top-level message.
[[nodiscard]] const opponent::Row& generated_code_of(MessageType type);

/// What a careful user writes: message and builder are kept from frame to frame. Nothing here uses reflection.
class NaiveConverter {
public:
    explicit NaiveConverter(MessageType type);

    /// Until the next call.
    [[nodiscard]] Bytes to_flat(Bytes protobuf);
    /// The buffer is trusted: verify() it first where it comes from somebody else.
    [[nodiscard]] Bytes to_protobuf(Bytes flat);
    /// FlatBuffers' own check of a buffer; throws Error (malformed).
    void verify(Bytes flat) const;
    /// Throws Error (malformed).
    const google::protobuf::Message& parse(Bytes protobuf);

private:
    const opponent::Row& code_;
    std::string identifier_;
    std::unique_ptr<google::protobuf::Message> message_;
    flatbuffers::FlatBufferBuilder builder_;
    std::string serialized_;
};

}  // namespace ositrace::bench
