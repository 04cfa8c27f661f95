// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/channel_converter.hpp"

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

bool is_declared(Format format)
{
    return format.encoding == Encoding::flatbuffers && format.layout == Layout::declared;
}

TranscodeOptions transcode_options(const ConvertOptions& options)
{
    TranscodeOptions result;
    result.limits.max_output_bytes = options.max_message_bytes;
    result.strict = options.strict;
    return result;
}

}  // namespace

ChannelConverter::ChannelConverter(Channel channel, const ConvertOptions& options)
    : channel_(std::move(channel)), declared_(is_declared(channel_.format) || (options.to && is_declared(*options.to)))
{
    if (!channel_.root || !options.to || same_form(channel_.format, *options.to)) return;
    transcoder_.emplace(*channel_.root, channel_.format, *options.to, transcode_options(options));
    if (options.verify) round_trip_.emplace(channel_, *options.to);
}

Converted ChannelConverter::convert(Bytes payload, ByteBuffer& scratch)
{
    if (!transcoder_) return {payload};
    if (declared_) check_declared_release(payload);
    const auto dropped_before = transcoder_->dropped_unknown_fields();
    transcoder_->transcode(payload, scratch);
    Converted result{scratch.bytes(), transcoder_->dropped_unknown_fields() - dropped_before};
    if (round_trip_) result.other_wire_form = !round_trip_->gives_equal_bytes(payload, result.bytes);
    return result;
}

void ChannelConverter::check_declared_release(Bytes payload) const
{
    const auto& of_schema = channel_.schema->osi_version();
    const auto of_payload = osi_version_of(payload, channel_);
    if (!of_schema || !of_payload || *of_schema == *of_payload) return;
    throw Error(Cause::mismatch, {.field = "version"},
                "OSI " + of_payload->to_string() + " under a schema of OSI " + of_schema->to_string() +
                    ": layout 'declared' means another thing in every release; give the descriptor set of this one");
}

}  // namespace ositrace
