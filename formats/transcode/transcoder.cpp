// SPDX-License-Identifier: MPL-2.0
#include <ositrace/transcoder.hpp>

#include <optional>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "formats/transcode/to_flat.hpp"
#include "formats/transcode/to_protobuf.hpp"
#include "formats/view/flat_access.hpp"

namespace ositrace {

/// One of the two directions; a change of layout is one after the other.
struct Transcoder::Implementation {
    std::optional<ToProtobuf> to_protobuf;
    std::optional<ToFlat> to_flat;
    ByteBuffer between;
};

Transcoder::Transcoder(const MessageTable& root, Format from, Format to, TranscodeOptions options)
    : implementation_(std::make_unique<Implementation>())
{
    if (from.encoding == to.encoding && (from.encoding == Encoding::protobuf || from.layout == to.layout))
        throw Error(Cause::usage, "both sides have the same encoding: there is nothing to transcode");
    if (from.encoding == Encoding::flatbuffers) implementation_->to_protobuf.emplace(root, from.layout, options);
    if (to.encoding == Encoding::flatbuffers) implementation_->to_flat.emplace(root, to.layout, options);
}

Transcoder::Transcoder(Transcoder&&) noexcept = default;
Transcoder& Transcoder::operator=(Transcoder&&) noexcept = default;
Transcoder::~Transcoder() = default;

void Transcoder::transcode(Bytes in, ByteBuffer& out)
{
    auto& [to_protobuf, to_flat, between] = *implementation_;
    if (!to_protobuf) return to_flat->transcode(in, out);
    if (!to_flat) return to_protobuf->transcode(in, out);
    to_protobuf->transcode(in, between);
    to_flat->transcode(between.bytes(), out);
}

std::uint64_t Transcoder::dropped_unknown_fields() const noexcept
{
    const auto& [to_protobuf, to_flat, between] = *implementation_;
    return (to_protobuf ? to_protobuf->unknown_fields() : 0) + (to_flat ? to_flat->unknown_fields() : 0);
}

void write_protobuf(const MessageView& message, ByteBuffer& out)
{
    if (const auto bytes = message.wire_bytes()) {
        out.clear();
        out.append(*bytes);
        return;
    }
    ByteBuffer flat;
    FlatAccess::copy_rooted(message, flat);
    Transcoder(message.table(), message.format(), Format{}).transcode(flat.bytes(), out);
}

}  // namespace ositrace
