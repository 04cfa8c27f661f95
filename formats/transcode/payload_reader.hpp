// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/encoding.hpp>

#include "formats/transcode/to_flat.hpp"
#include "formats/transcode/to_protobuf.hpp"

namespace ositrace {

/// Reads messages of one type from end to end, as a conversion reads them, and keeps nothing of them. One per thread.
class PayloadReader {
public:
    PayloadReader(const MessageTable& root, Format format);
    /// Throws Error with offset and field path (malformed, limit). Long texts take no memory in `scratch`.
    void read(Bytes payload, ByteBuffer& scratch);
    /// Fields (FlatBuffers: slots) that the schema does not define, of all payloads so far.
    [[nodiscard]] std::uint64_t unknown_fields() const noexcept;

private:
    std::optional<ToFlat> to_flat_;
    std::optional<ToProtobuf> to_protobuf_;
};

}  // namespace ositrace
