// SPDX-License-Identifier: MPL-2.0
#include "formats/transcode/payload_reader.hpp"

namespace ositrace {

PayloadReader::PayloadReader(const MessageTable& root, Format format)
{
    if (format.encoding == Encoding::protobuf)
        to_flat_.emplace(root, Layout::numbered, TranscodeOptions{}, Texts::checked);
    else
        to_protobuf_.emplace(root, format.layout, TranscodeOptions{}, Texts::checked);
}

void PayloadReader::read(Bytes payload, ByteBuffer& scratch)
{
    if (to_flat_)
        to_flat_->transcode(payload, scratch);
    else
        to_protobuf_->transcode(payload, scratch);
}

std::uint64_t PayloadReader::unknown_fields() const noexcept
{
    return to_flat_ ? to_flat_->unknown_fields() : to_protobuf_->unknown_fields();
}

}  // namespace ositrace
