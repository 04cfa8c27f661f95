// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

class MessageView;

/// Limits of one conversion. A larger output is Error (limit).
struct TranscodeLimits {
    std::size_t max_output_bytes = max_encodable_bytes;  ///< no more than max_encodable_bytes, whatever is set
};

struct TranscodeOptions {
    TranscodeLimits limits;
    /// Refuse a message with fields that the schema does not know, instead of counting them.
    bool strict = false;
    /// Uses the fast paths for elements of equal structure. The output is the same without them; false is for tests and
    /// benchmarks.
    bool shapes = true;
};

/// Converts messages of one type from one encoding into the other without building objects.
/// The output depends on the input and the schema alone, not on what was converted before.
/// Keeps scratch memory and learned shapes: use one per thread and reuse it. The schema must outlive it.
class OSITRACE_API Transcoder {
public:
    /// Throws Error (usage) for equal formats: there is nothing to convert. A change of the FlatBuffers layout is a
    /// conversion.
    Transcoder(const MessageTable& root, Format from, Format to, TranscodeOptions options = {});
    Transcoder(Transcoder&&) noexcept;
    Transcoder& operator=(Transcoder&&) noexcept;
    ~Transcoder();

    /// Replaces the contents of `out` by the other form of `in`. Protobuf is written canonically (fields by number); a
    /// FlatBuffer is plain, finished, aligned from its own first byte. Throws Error with offset and field path
    /// (malformed, limit, lossy); the contents of `out` are then undefined.
    void transcode(Bytes in, ByteBuffer& out);

    /// Protobuf fields met since construction that the schema does not know: they cannot be stored in a FlatBuffer.
    /// For FlatBuffers input: table slots in use that the schema does not know.
    [[nodiscard]] std::uint64_t dropped_unknown_fields() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// Replaces the contents of `out` by a message in Protobuf, which may be a part of a payload: the bytes of a Protobuf
/// message as they are, of a FlatBuffers table its other form, without what the schema does not know. Throws as
/// Transcoder::transcode().
OSITRACE_API void write_protobuf(const MessageView& message, ByteBuffer& out);

}  // namespace ositrace
