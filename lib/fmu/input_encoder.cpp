// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/input_encoder.hpp"

#include <ositrace/error.hpp>

namespace ositrace::fmu {

InputEncoder::InputEncoder(const Channel& channel, const Format& wanted) : schema_(channel.schema)
{
    if (channel.format == wanted) return;
    if (channel.root == nullptr)
        throw Error(Cause::unsupported, "wants another encoding than the topic '" + channel.topic +
                                            "' has, whose messages cannot be looked into");
    transcoder_.emplace(*channel.root, channel.format, wanted);
}

Bytes InputEncoder::encode(Bytes message)
{
    if (!transcoder_ || message.empty()) return message;
    transcoder_->transcode(message, converted_);
    return converted_.bytes();
}

}  // namespace ositrace::fmu
