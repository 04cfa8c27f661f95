// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/channel_records.hpp"

#include <ositrace/schema_text.hpp>

#include "formats/schema/descriptor_files.hpp"
#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/release_text.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::string_view flat_namespace = "osi3_flat.";

/// Channels that we can look into are written as what they are now, all others as they came.
bool is_known(const ositrace::Channel& channel) { return channel.root != nullptr; }

SchemaRecord made_for(const ositrace::Channel& channel)
{
    SchemaRecord record{channel.type_name, "protobuf", {}};
    if (channel.format.encoding == Encoding::protobuf) {
        record.data = with_imports(channel.schema->descriptor_set(), channel.root->file);
        return record;
    }
    record.encoding = row_of(Encoding::flatbuffers).mcap_name;
    record.name = flat_namespace;
    record.name += row_of(*channel.type).name;
    record.data = flatbuffers_binary_schema(*channel.schema, {.layout = channel.format.layout, .type = channel.type});
    return record;
}

}  // namespace

std::string message_encoding_of(const ositrace::Channel& channel)
{
    if (is_known(channel) || channel.message_encoding.empty())
        return std::string(row_of(channel.format.encoding).mcap_name);
    return channel.message_encoding;
}

std::shared_ptr<const SchemaRecord> schema_record_of(const ositrace::Channel& channel)
{
    if (!is_known(channel) ||
        (channel.schema_record && channel.schema_record->encoding == message_encoding_of(channel)))
        return channel.schema_record;
    return channel.type ? std::make_shared<const SchemaRecord>(made_for(channel)) : nullptr;
}

ChannelMetadata metadata_of(const ositrace::Channel& channel, Bytes first_payload)
{
    ChannelMetadata result{channel.metadata, false, {}};
    if (!channel.type || !is_known(channel)) return result;
    for (const auto key : {osi::channel_osi_version_key, osi::channel_protobuf_version_key}) {
        const auto found = result.entries.find(std::string(key));
        if (found == result.entries.end() || release_in(found->second)) continue;
        result.replaced.push_back({{}, found->first, found->second, {}});
        result.entries.erase(found);
    }
    if (const std::string key(osi::channel_osi_version_key); !result.entries.contains(key)) {
        const auto stated = claimed_osi_version(first_payload, channel);
        const auto version = stated ? stated : channel.schema->osi_version();
        if (version) result.entries.emplace(key, version->to_string());
        result.version_assumed = !stated;
    }
    if (channel.format.encoding == Encoding::protobuf)
        result.entries.emplace(osi::channel_protobuf_version_key, osi::canonical_protobuf_version);
    for (auto& each : result.replaced)
        if (const auto found = result.entries.find(each.key); found != result.entries.end())
            each.written = found->second;
    return result;
}

}  // namespace ositrace::mcap
