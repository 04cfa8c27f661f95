// SPDX-License-Identifier: MPL-2.0
// What one would write with the code that protoc and flatc generate.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <flatbuffers/flatbuffers.h>
#include <google/protobuf/message.h>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>

#include "app/bench/naive/opponent.hpp"

namespace ositrace::bench {

/// The generated conversions of a top-level message.
[[nodiscard]] const opponent::Row& generated_code_of(MessageType type);

/// The code of a careful user: message and builder are kept from frame to frame. It does not use reflection.
class NaiveConverter {
public:
    explicit NaiveConverter(MessageType type);

    /// Valid until the next call.
    [[nodiscard]] Bytes to_flat(Bytes protobuf);
    /// The buffer is trusted: verify() a buffer from an unknown source first.
    [[nodiscard]] Bytes to_protobuf(Bytes flat);
    /// Runs FlatBuffers' Verifier on a buffer; throws Error (malformed).
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

/// The usual loop: std::ifstream, length, payload. Calls visit(bytes) with every frame of a length-prefixed file.
template <class Visit>
void for_each_frame_of(const std::filesystem::path& file, Visit&& visit)
{
    std::ifstream in(file, std::ios::binary);
    std::string payload;
    for (std::uint32_t length = 0; in.read(reinterpret_cast<char*>(&length), sizeof length);) {
        payload.resize(length);
        if (!in.read(payload.data(), static_cast<std::streamsize>(length)))
            throw Error(Cause::truncated, {.file = file}, "ends within a frame");
        visit(bytes_of(payload));
    }
}

}  // namespace ositrace::bench
