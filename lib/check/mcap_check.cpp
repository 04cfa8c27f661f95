// SPDX-License-Identifier: MPL-2.0
#include "lib/check/mcap_check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <ositrace/calendar_time.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/trace_metadata.hpp>

#include "lib/open_drive/map_message.hpp"
#include "lib/trace/osi_metadata.hpp"

namespace ositrace {

namespace {

using namespace osi_metadata;

constexpr std::string_view protobuf = "protobuf";
constexpr std::string_view flatbuffer = "flatbuffer";
constexpr std::string_view channel_description_key = "net.asam.osi.trace.channel.description";

/// `SensorView` of `my.osi3.SensorView`
std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

const MessageTypeRow* type_called(std::string_view name)
{
    const auto rows = message_types();
    const auto found = std::ranges::find(rows, name, &MessageTypeRow::name);
    return found == rows.end() ? nullptr : &*found;
}

bool is_osi(std::string_view schema_name) { return message_type_by_full_name(schema_name).has_value(); }

bool is_reserved(std::string_view name) { return name.starts_with(reserved_prefix); }

constexpr std::array times{zero_time_key, creation_time_key};
constexpr std::array recommended{zero_time_key, creation_time_key, description_key, authors_key, data_sources_key};

/// A range that the metadata gives; versions of another form are findings already.
struct Range {
    std::optional<OsiVersion> low, high;

    Range(const TraceInfo& info, std::string_view low_key, std::string_view high_key)
        : low(value_of(info, low_key)), high(value_of(info, high_key))
    {
    }
    [[nodiscard]] bool spans(const OsiVersion& version) const
    {
        return (!low || *low <= version) && (!high || version <= *high);
    }
    [[nodiscard]] std::string text() const
    {
        return (low ? low->to_string() : std::string("?")) + " to " + (high ? high->to_string() : std::string("?"));
    }

private:
    static std::optional<OsiVersion> value_of(const TraceInfo& info, std::string_view key)
    {
        const auto stated = trace_entry(info, key);
        return stated ? release_in(*stated) : std::nullopt;
    }
};

void check_channels(const TraceInfo& info, std::string_view key, const Range& range, Kind kind, Findings& findings)
{
    for (const auto& channel : info.channels) {
        const auto found = channel.metadata.find(std::string(key));
        const auto version = found == channel.metadata.end() ? std::nullopt : release_in(found->second);
        if (version && !range.spans(*version))
            findings.add(kind, {{}, {}, {}, channel.topic},
                         [&] { return "found " + version->to_string() + " in the channel, expected " + range.text(); });
    }
}

}  // namespace

McapCheck::McapCheck(Findings& findings)
    : findings_(findings), index_([this](const Error& error) {
          const bool is_index = error.damage() != Damage::chunk_index;
          add(broken_by(error, true), error.where().offset,
              error.reason() + (is_index ? ". osiconvert recover writes a new index." : ""), {}, error.where().field);
      })
{
}

void McapCheck::begin(std::uint64_t first)
{
    has_begun_ = true;
    index_.begin(first);
    schemas_.clear();
    channels_.clear();
    topics_.clear();
    trace_records_ = 0;
}

void McapCheck::record(const mcap::RawRecord& record, bool in_summary)
{
    index_.record(record, in_summary);
    switch (record.opcode) {
    case mcap::Opcode::schema: return read_schema(mcap::parse_schema(record.content), record.offset, in_summary);
    case mcap::Opcode::channel: return read_channel(mcap::parse_channel(record.content), record.offset, in_summary);
    case mcap::Opcode::message:
        return add(Kind::mcap_message_in_chunk, record.offset, "found a message outside of a chunk");
    case mcap::Opcode::metadata: return read_metadata(mcap::parse_metadata(record.content), record.offset);
    default: return;
    }
}

void McapCheck::record_in_chunk(const mcap::RawRecord& record, std::uint64_t chunk)
{
    index_.record_in_chunk(record, chunk);
    if (record.opcode == mcap::Opcode::schema) read_schema(mcap::parse_schema(record.content), chunk, false);
    if (record.opcode == mcap::Opcode::channel) read_channel(mcap::parse_channel(record.content), chunk, false);
}

void McapCheck::finish()
{
    index_.finish();
    if (index_.has_no_chunk_index()) add(Kind::mcap_chunk_index, std::nullopt, "found no ChunkIndex in the summary");
    note_unchecked();
    check_summary();
    for (const auto& [id, channel] : channels_) check_channel(channel);
    if (trace_records_ == 0) add(Kind::mcap_metadata_is_set, std::nullopt, "found none");
}

void McapCheck::note_unchecked()
{
    const auto [chunks, messages] = index_.unchecked();
    if (chunks == 0) return;
    const std::string whose =
        chunks == 1 ? "1 chunk cannot be read: its " : std::to_string(chunks) + " chunks cannot be read: their ";
    findings_.note(whose +
                   (messages == 0   ? "messages were"
                    : messages == 1 ? "1 message was"
                                    : std::to_string(messages) + " messages were") +
                   " not checked");
}

void McapCheck::read_metadata(const mcap::Metadata& record, std::uint64_t offset)
{
    check_keys(record.entries, offset, {});
    if (record.name != osi_metadata::trace_record) {
        if (is_reserved(record.name))
            add(Kind::mcap_reserved_name, offset,
                "found a metadata record " + std::string(record.name) + ", which the standard does not define");
    } else if (++trace_records_ == 1) {
        check_trace_record(record, offset);
    } else {
        add(Kind::mcap_metadata_unique, offset, "found another record net.asam.osi.trace");
    }
}

void McapCheck::check_keys(const mcap::StringPairs& entries, std::uint64_t offset, std::string_view channel)
{
    std::map<std::string_view, std::string_view> known;
    for (const auto& [key, value] : entries)
        if (const auto [first, is_new] = known.emplace(key, value); !is_new)
            add(Kind::mcap_key_unique, offset,
                "found '" + std::string(value) + "' after '" + std::string(first->second) + "'", channel,
                std::string(key));
}

void McapCheck::read_schema(const mcap::SchemaFields& schema, std::uint64_t offset, bool in_summary)
{
    const auto [entry, is_new] = schemas_.try_emplace(schema.id, SchemaFacts{std::string(schema.name), false, offset});
    entry->second.in_summary = entry->second.in_summary || in_summary;
    if (is_new) check_schema(schema, offset);
}

void McapCheck::check_schema(const mcap::SchemaFields& schema, std::uint64_t offset)
{
    const std::string name(schema.name);
    if (schema.encoding == protobuf && !is_osi(name)) {
        const auto* const type = type_called(last_part(name));
        if (type != nullptr)
            add(Kind::mcap_schema_name, offset, "found " + name + ", expected " + std::string(type->full_name));
        else if (name.starts_with("osi3.") && name != map_message_type)
            add(Kind::mcap_schema_name, offset, "found " + name + ", expected the name of a top-level message");
    }
    if (!is_osi(name) || schema.encoding == flatbuffer) return;
    if (schema.encoding != protobuf)
        return add(Kind::mcap_schema_encoding, offset,
                   "found '" + std::string(schema.encoding) + "' for " + name + ", expected 'protobuf'");
    try {
        if (Schema::compile(schema.data)->find(name) == nullptr)
            add(Kind::mcap_schema_data, offset, "found no message " + name + " in the descriptor set");
    } catch (const Error& error) {
        add(Kind::mcap_schema_data, offset, "found invalid data for " + name + ": " + error.reason());
    }
}

void McapCheck::read_channel(const mcap::ChannelFields& channel, std::uint64_t offset, bool in_summary)
{
    const auto [entry, is_new] = channels_.try_emplace(channel.id);
    auto& facts = entry->second;
    facts.in_summary = facts.in_summary || in_summary;
    if (!is_new) return;
    facts.topic = channel.topic;
    facts.encoding = channel.message_encoding;
    facts.schema = channel.schema_id;
    facts.offset = offset;
    check_keys(channel.metadata, offset, channel.topic);
    for (const auto& [key, value] : channel.metadata) facts.metadata.insert_or_assign(std::string(key), value);
    const auto [other, first] = topics_.try_emplace(facts.topic, channel.id);
    if (!first)
        add(Kind::mcap_topic_unique, offset,
            "channels " + std::to_string(other->second) + " and " + std::to_string(channel.id) + " have the topic '" +
                facts.topic + "'");
}

void McapCheck::check_channel(const ChannelFacts& channel)
{
    const bool claims_osi = channel.metadata.contains(std::string(osi_metadata::channel_osi_version_key));
    const auto schema = schemas_.find(channel.schema);
    if (schema == schemas_.end()) {
        if (claims_osi)
            add(Kind::mcap_schema_id, channel.offset,
                "found schema id " + std::to_string(channel.schema) + ", expected the id of a schema in the file",
                channel.topic);
        return;
    }
    if (is_osi(schema->second.name) && channel.encoding != flatbuffer) check_osi_channel(channel);
}

void McapCheck::check_osi_channel(const ChannelFacts& channel)
{
    if (channel.encoding != protobuf)
        add(Kind::mcap_message_encoding, channel.offset, "found '" + channel.encoding + "', expected 'protobuf'",
            channel.topic);
    for (const auto key : {channel_osi_version_key, channel_protobuf_version_key}) {
        const auto found = channel.metadata.find(std::string(key));
        if (found == channel.metadata.end())
            add(Kind::mcap_channel_mandatory_key, channel.offset, "is missing", channel.topic, std::string(key));
        else if (!is_release(found->second))
            add(Kind::mcap_channel_version_format, channel.offset,
                "found '" + found->second + "', expected major.minor.patch", channel.topic, std::string(key));
    }
    if (!channel.metadata.contains(std::string(channel_description_key)))
        add(Kind::mcap_channel_recommended_key, channel.offset, "is missing", channel.topic,
            std::string(channel_description_key));
    for (const auto& [key, value] : channel.metadata)
        if (is_reserved(key) && key != channel_osi_version_key && key != channel_protobuf_version_key &&
            key != channel_description_key)
            add(Kind::mcap_reserved_name, channel.offset, "found a key that the standard does not define",
                channel.topic, key);
}

void McapCheck::check_summary()
{
    for (const auto& [id, schema] : schemas_)
        if (!schema.in_summary && is_osi(schema.name))
            add(Kind::mcap_schema_in_summary, schema.offset,
                "the summary has no schema " + schema.name + " (id " + std::to_string(id) + ")");
    for (const auto& [id, channel] : channels_)
        if (!channel.in_summary)
            add(Kind::mcap_channel_in_summary, channel.offset, "the summary has no channel " + std::to_string(id),
                channel.topic);
}

void McapCheck::add(Kind kind, std::optional<std::uint64_t> byte, const std::string& message, std::string_view channel,
                    std::string_view field)
{
    findings_.add(
        kind, {std::nullopt, std::nullopt, byte, channel}, [&] { return message; }, [&] { return std::string(field); });
}

void McapCheck::check_trace_record(const mcap::Metadata& record, std::uint64_t offset)
{
    std::map<std::string_view, std::string_view> entries;
    for (const auto& [key, value] : record.entries) entries.insert_or_assign(key, value);  // as every reader here
    const auto add_key = [&](Kind kind, std::string_view key, const std::string& message) {
        add(kind, offset, message, {}, key);
    };
    for (const auto key : version_keys) {
        const auto found = entries.find(key);
        if (found == entries.end())
            add_key(Kind::mcap_metadata_mandatory_key, key, "is missing");
        else if (!is_release(found->second))
            add_key(Kind::mcap_metadata_version_format, key,
                    "found '" + std::string(found->second) + "', expected major.minor.patch");
    }
    for (const auto key : times) {
        const auto found = entries.find(key);
        if (found != entries.end() && !is_date_time_stamp(found->second))
            add_key(Kind::mcap_metadata_time_format, key,
                    "found '" + std::string(found->second) +
                        "', expected a time with a time zone such as 2021-08-18T15:05:42Z");
    }
    for (const auto key : recommended)
        if (!entries.contains(key)) add_key(Kind::mcap_metadata_recommended_key, key, "is missing");
    for (const auto& [key, value] : entries)
        if (is_reserved(key)) add_key(Kind::mcap_reserved_name, key, "found a key that the standard does not define");
}

void check_version_ranges(const TraceInfo& info, const std::set<OsiVersion>& osi_versions, Findings& findings)
{
    const Range osi(info, min_osi_version_key, max_osi_version_key);
    const Range protobuf(info, min_protobuf_version_key, max_protobuf_version_key);
    for (const auto& version : osi_versions)
        if (!osi.spans(version))
            findings.add(Kind::mcap_osi_version_range, {},
                         [&] { return "found " + version.to_string() + " in messages, expected " + osi.text(); });
    check_channels(info, channel_osi_version_key, osi, Kind::mcap_osi_version_range, findings);
    check_channels(info, channel_protobuf_version_key, protobuf, Kind::mcap_protobuf_version_range, findings);
}

}  // namespace ositrace
