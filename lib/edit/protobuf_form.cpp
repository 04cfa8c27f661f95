// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/protobuf_form.hpp"

#include <utility>

namespace ositrace {

ProtobufForm::ProtobufForm(const Channel& from, const Channel& to) : schema_from_(from.schema), schema_to_(to.schema)
{
    if (from.format.encoding == Encoding::protobuf) return;
    const TranscodeOptions strict{.limits = {}, .strict = true, .shapes = true};
    there_.emplace(*from.root, from.format, Format{}, strict);
    back_.emplace(*to.root, Format{}, to.format, strict);
}

Bytes ProtobufForm::of(Bytes payload)
{
    if (!there_) return payload;
    there_->transcode(payload, scratch_);
    return scratch_.bytes();
}

void ProtobufForm::replace(Frame& frame, ByteBuffer& protobuf)
{
    const auto buffer = std::make_shared<ByteBuffer>();
    if (back_)
        back_->transcode(protobuf.bytes(), *buffer);
    else
        *buffer = std::move(protobuf);  // a frame may have many megabytes: no copy
    protobuf.clear();
    frame.bytes = buffer->bytes();
    frame.owner = buffer;
    frame.payload_offset.reset();
}

}  // namespace ositrace
