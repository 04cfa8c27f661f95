// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/frame_converter.hpp"

#include <ositrace/equal_content.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/trace/osi_metadata.hpp"

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

void ConvertBatch::clear()
{
    additions = {};
    items.clear();
    bytes_in = 0;
    read_error = nullptr;
}

RoundTrip::RoundTrip(const Channel& channel, Format to)
    : root_(*channel.root), from_(channel.format), to_(to), back_(root_, to, from_)
{
}

bool RoundTrip::gives_equal_bytes(Bytes input, Bytes output)
{
    try {
        back_.transcode(output, scratch_);
    } catch (const Error& e) {
        throw Error(Cause::different, {.field = e.where().field},
                    "verification: converting back failed: " + e.reason());
    }
    if (text_of(scratch_.bytes()) == text_of(input)) return true;
    if (const auto found = first_difference({input, root_, from_}, {output, root_, to_}))
        throw Error(Cause::different, {.field = found->field}, "verification: input and output differ: " + found->text);
    return false;
}

ChannelConverter::ChannelConverter(Channel channel, const ConvertOptions& options)
    : channel_(std::move(channel)),
      declared_(is_declared(channel_.format) || (options.to && is_declared(*options.to))),
      never_empty_(channel_.root && channel_.format.encoding == Encoding::flatbuffers && !options.keep_empty)
{
    if (!channel_.root) return;
    if (!options.to || same_form(channel_.format, *options.to)) {
        if (options.read_copied) reader_.emplace(*channel_.root, channel_.format);
        return;
    }
    transcoder_.emplace(*channel_.root, channel_.format, *options.to, transcode_options(options));
    if (options.verify) round_trip_.emplace(channel_, *options.to);
}

ChannelConverter::Result ChannelConverter::convert(Bytes payload, ByteBuffer& scratch)
{
    if (payload.empty() && never_empty_) throw length_prefix::empty_flatbuffer();
    if (reader_ && !payload.empty()) reader_->read(payload, scratch);
    if (!transcoder_) return {payload};
    if (declared_) check_declared_release(payload);
    const auto dropped_before = transcoder_->dropped_unknown_fields();
    transcoder_->transcode(payload, scratch);
    Result result{scratch.bytes(), transcoder_->dropped_unknown_fields() - dropped_before};
    if (round_trip_) result.other_wire_form = !round_trip_->gives_equal_bytes(payload, result.bytes);
    return result;
}

void ChannelConverter::check_declared_release(Bytes payload) const
{
    const auto& of_schema = channel_.schema->osi_version();
    const auto of_payload = osi_version_of(payload, channel_);
    if (!of_schema || !of_payload || *of_schema == *of_payload) return;
    throw Error(Cause::mismatch, {.field = "version"},
                "found OSI " + of_payload->to_string() + ", expected OSI " + of_schema->to_string() +
                    " of the schema: the layout 'declared' differs between releases. Use --schema with the descriptor "
                    "set of OSI " +
                    of_payload->to_string() + ".");
}

void BatchConverter::add_channel(std::uint32_t index, const Channel& channel)
{
    const auto [place, is_new] = channels_.try_emplace(index);
    if (!is_new) return;
    const Kind kind{channel.root, channel.schema.get(), channel.format.encoding, channel.format.layout};
    place->second = &converters_.try_emplace(kind, channel, options_).first->second;
}

void BatchConverter::convert(ConvertBatch& batch)
{
    joined_.clear();
    joined_ends_.clear();
    for (auto& item : batch.items)
        if (!convert_item(item, batch.items.size() == 1) && !options_.skip_bad_frames) break;
    // The buffer moves while it grows: its frames get their bytes at the end.
    std::size_t begin = 0;
    for (const auto& [item, end] : joined_ends_) {
        item->frame.bytes = joined_.bytes().subspan(begin, end - begin);
        begin = end;
    }
}

bool BatchConverter::convert_item(ConvertBatch::Item& item, bool alone)
{
    auto& frame = item.frame;
    try {
        const auto converted = channels_.at(frame.channel)->convert(frame.bytes, scratch_);
        item.dropped_unknown_fields = converted.dropped_unknown_fields;
        item.other_wire_form = converted.other_wire_form;
        if (converted.bytes.data() == frame.bytes.data()) return true;
        frame.bytes = converted.bytes;
        frame.payload_offset.reset();
        frame.owner.reset();  // its memory can hold the next frame that is read
        if (alone) return true;
        joined_.append(frame.bytes);
        joined_ends_.emplace_back(&item, joined_.size());
        return true;
    } catch (...) {
        item.error = std::current_exception();
        return false;
    }
}

std::optional<Format> output_format(const std::filesystem::path& output, const WriteOptions& options,
                                    const TraceInfo& info)
{
    const auto extension = output_extension(output, options);
    if (!extension || !extension->encoding) return std::nullopt;
    for (const auto& channel : info.channels)
        if (channel.format.encoding == *extension->encoding) return std::nullopt;
    return Format{*extension->encoding, Layout::numbered};
}

TraceInfo converted_info(const TraceInfo& from, std::optional<Format> to)
{
    auto info = from;
    info.file.clear();
    info.container = {};
    info.compression.clear();
    for (auto& channel : info.channels) channel = converted_channel(channel, to);
    return info;
}

// Drops what describes the old form.
Channel converted_channel(const Channel& from, std::optional<Format> to)
{
    auto channel = from;
    if (!channel.root || !to || same_form(channel.format, *to)) return channel;
    channel.format = *to;
    channel.message_encoding.clear();
    channel.schema_record = nullptr;
    channel.metadata.erase(std::string(osi_metadata::channel_protobuf_version_key));
    return channel;
}

}  // namespace ositrace
