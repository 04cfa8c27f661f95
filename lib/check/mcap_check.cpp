// SPDX-License-Identifier: MPL-2.0
#include "lib/check/mcap_check.hpp"

#include <algorithm>
#include <array>

#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

#include "lib/check/mcap_metadata_check.hpp"
#include "lib/mcap/osi_names.hpp"
#include "lib/mcap/range_crc.hpp"
#include "lib/mcap/release_text.hpp"

namespace ositrace {

namespace {

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

bool is_reserved(std::string_view name) { return name.starts_with("net.asam.osi"); }

/// Records that the summary does not repeat.
bool is_of_data(mcap::Opcode opcode) { return mcap::holds_data(opcode) || opcode == mcap::Opcode::message_index; }

}  // namespace

McapCheck::McapCheck(const SeekableFile& file, std::size_t max_message_bytes, Findings& findings)
    : file_(file),
      max_message_bytes_(max_message_bytes),
      findings_(findings),
      decoder_(max_chunk_bytes(max_message_bytes)),
      index_(findings)
{
}

std::optional<Error> McapCheck::run(const std::stop_token& stop)
try {
    stop_ = stop;
    const auto magic = mcap::magic.size();
    FileRecords records(file_, magic, file_.size() < 2 * magic ? file_.size() : file_.size() - magic);
    bool footer = false;
    while (!footer && records.next()) {
        look_at_stop();
        visit(records);
        footer = records.opcode() == mcap::Opcode::footer;
    }
    index_.finish(schemas_.size(), channels_.size());
    note_unchecked();
    check_summary();
    for (const auto& [id, channel] : channels_) check_channel(channel);
    if (trace_records_ == 0) add(Kind::mcap_no_metadata, std::nullopt, "found none");
    if (!footer)
        return Error(Cause::truncated, {.file = {}, .frame = {}, .offset = file_.size(), .field = {}},
                     "the file ends before its Footer record");
    return broken_chunk_;
} catch (const Error& error) {
    if (error.cause() == Cause::cancelled) throw;
    return error;
}

void McapCheck::look_at_stop() const
{
    if (stop_.stop_requested()) throw Error(Cause::cancelled, {.file = file_.name()}, "stopped");
}

void McapCheck::visit(FileRecords& records)
{
    using enum mcap::Opcode;
    const auto content = [&] { return records.content(max_message_bytes_); };
    const auto at = records.offset();
    if (in_summary_ && is_of_data(records.opcode()))
        return add(Kind::mcap_behind_data_end, at,
                   "found a record " + name_of(records.opcode()) + ", which no reader looks at");
    switch (records.opcode()) {
    case schema: return take_schema(mcap::parse_schema(content()), at);
    case channel: return take_channel(mcap::parse_channel(content()), at);
    case chunk: return visit_chunk(records);
    case message:
        index_.message_outside(mcap::parse_message(records.front(mcap::message_front_bytes)));
        return add(Kind::mcap_message_outside_chunk, at, "found a message outside of a chunk");
    case message_index: return index_.message_index(mcap::parse_message_index(content()), at, records.end());
    case attachment: return index_.attachment();
    case metadata: return visit_metadata(mcap::parse_metadata(content()), at);
    case chunk_index: return index_.chunk_index(mcap::parse_chunk_index(content()), at);
    case statistics: return index_.statistics(mcap::parse_statistics(content()), at);
    case data_end:
        in_summary_ = true;
        return check_crc(Kind::mcap_data_crc, 0, at, mcap::parse_data_end(content()).data_section_crc, at);
    case footer: {
        const auto record = mcap::parse_footer(content());
        const auto end = at + mcap::record_prefix_bytes + mcap::footer_bytes - sizeof record.summary_crc;
        return check_crc(Kind::mcap_summary_crc, record.summary_start == 0 ? at : record.summary_start, end,
                         record.summary_crc, at);
    }
    default: return;
    }
}

void McapCheck::visit_chunk(FileRecords& records)
{
    const auto at = records.offset();
    const auto chunk = mcap::parse_chunk(records.content(max_chunk_bytes(max_message_bytes_)));
    index_.begin_chunk(chunk, at, records.end());
    if (!chunk.compression.empty() && chunk.compression != "lz4" && chunk.compression != "zstd") {
        index_.pass_over_messages();
        return add(Kind::mcap_compression, at, "found '" + std::string(chunk.compression) + "'");
    }
    try {
        visit_messages(chunk, at);
    } catch (const Error& error) {
        if (error.cause() == Cause::cancelled || error.cause() == Cause::io) throw;
        index_.pass_over_messages();  // the others are still worth a look
        if (!broken_chunk_) broken_chunk_ = error.within({.file = {}, .frame = {}, .offset = at, .field = {}});
    }
}

void McapCheck::visit_messages(const mcap::Chunk& chunk, std::uint64_t at)
{
    const auto unpacked = decoder_.decode(chunk, nullptr);
    mcap::RecordWalker walker(unpacked.bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        look_at_stop();
        switch (record.opcode) {
        case mcap::Opcode::schema: take_schema(mcap::parse_schema(record.content), at); break;
        case mcap::Opcode::channel: take_channel(mcap::parse_channel(record.content), at); break;
        case mcap::Opcode::message: index_.message_in_chunk(mcap::parse_message(record.content), record.offset); break;
        default:
            add(Kind::mcap_record_in_chunk, at,
                "found a record " + name_of(record.opcode) + ", which no reader looks at");
        }
    }
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

void McapCheck::visit_metadata(const mcap::Metadata& record, std::uint64_t offset)
{
    index_.metadata();
    check_keys(record.entries, offset, {});
    if (record.name != mcap::osi::trace_record) {
        if (is_reserved(record.name))
            add(Kind::mcap_reserved_name, offset, "the standard knows no metadata record " + std::string(record.name));
    } else if (++trace_records_ == 1) {
        check_trace_metadata(record, offset, findings_);
    } else {
        add(Kind::mcap_metadata_repeated, offset, "found another one");
    }
}

void McapCheck::check_keys(const mcap::StringPairs& entries, std::uint64_t offset, std::string_view channel)
{
    std::map<std::string_view, std::string_view> known;
    for (const auto& [key, value] : entries)
        if (const auto [first, is_new] = known.emplace(key, value); !is_new)
            add(Kind::mcap_key_repeated, offset,
                "found '" + std::string(value) + "' behind '" + std::string(first->second) + "'", channel,
                std::string(key));
}

void McapCheck::take_schema(const mcap::Schema& schema, std::uint64_t offset)
{
    const auto [entry, is_new] = schemas_.try_emplace(
        schema.id, SchemaFacts{std::string(schema.name), std::string(schema.encoding), false, offset});
    entry->second.in_summary = entry->second.in_summary || in_summary_;
    if (is_new) check_schema(schema, offset);
}

void McapCheck::check_schema(const mcap::Schema& schema, std::uint64_t offset)
{
    const std::string name(schema.name);
    if (schema.encoding == protobuf && !is_osi(name)) {
        const auto* const type = type_called(last_part(name));
        if (type != nullptr)
            add(Kind::mcap_schema_name, offset, "found " + name + ", expected " + std::string(type->full_name));
        else if (name.starts_with("osi3."))
            add(Kind::mcap_schema_name, offset, "found " + name + ", which is no top-level message");
    }
    if (!is_osi(name) || schema.encoding == flatbuffer) return;
    if (schema.encoding != protobuf)
        return add(Kind::mcap_schema_encoding, offset,
                   "the schema " + name + " has the encoding '" + std::string(schema.encoding) + "'");
    try {
        if (Schema::compile(schema.data)->find(name) == nullptr)
            add(Kind::mcap_schema_data, offset, "the data do not describe " + name);
    } catch (const Error& error) {
        add(Kind::mcap_schema_data, offset, "the data of " + name + " are no descriptor set: " + error.reason());
    }
}

void McapCheck::take_channel(const mcap::Channel& channel, std::uint64_t offset)
{
    const auto [entry, is_new] = channels_.try_emplace(channel.id);
    auto& facts = entry->second;
    facts.in_summary = facts.in_summary || in_summary_;
    if (!is_new) return;
    facts.topic = channel.topic;
    facts.encoding = channel.message_encoding;
    facts.schema = channel.schema_id;
    facts.offset = offset;
    check_keys(channel.metadata, offset, channel.topic);
    for (const auto& [key, value] : channel.metadata) facts.metadata.insert_or_assign(std::string(key), value);
    const auto [other, first] = topics_.try_emplace(facts.topic, channel.id);
    if (!first)
        add(Kind::mcap_topic_repeated, offset,
            "channels " + std::to_string(other->second) + " and " + std::to_string(channel.id) + " have the topic '" +
                facts.topic + "'");
}

void McapCheck::check_channel(const ChannelFacts& channel)
{
    const bool says_osi = channel.metadata.contains(std::string(mcap::osi::channel_osi_version_key));
    const auto schema = schemas_.find(channel.schema);
    if (schema == schemas_.end()) {
        if (says_osi)
            add(Kind::mcap_schema_id, channel.offset,
                "found schema id " + std::to_string(channel.schema) + ", which no schema has", channel.topic);
        return;
    }
    if (is_osi(schema->second.name) && channel.encoding != flatbuffer) check_osi_channel(channel, schema->second);
}

void McapCheck::check_osi_channel(const ChannelFacts& channel, const SchemaFacts&)
{
    using namespace mcap::osi;
    if (channel.encoding != protobuf)
        add(Kind::mcap_message_encoding, channel.offset, "found '" + channel.encoding + "'", channel.topic);
    for (const auto key : {channel_osi_version_key, channel_protobuf_version_key}) {
        const auto found = channel.metadata.find(std::string(key));
        if (found == channel.metadata.end())
            add(Kind::mcap_channel_version, channel.offset, "is missing", channel.topic, std::string(key));
        else if (!is_release(found->second))
            add(Kind::mcap_channel_version, channel.offset, "found '" + found->second + "', expected major.minor.patch",
                channel.topic, std::string(key));
    }
    if (!channel.metadata.contains(std::string(channel_description_key)))
        add(Kind::mcap_channel_description, channel.offset, "is missing", channel.topic,
            std::string(channel_description_key));
    for (const auto& [key, value] : channel.metadata)
        if (is_reserved(key) && key != channel_osi_version_key && key != channel_protobuf_version_key &&
            key != channel_description_key)
            add(Kind::mcap_reserved_name, channel.offset, "the standard knows no such key", channel.topic, key);
}

/// Of [from, end). The file is in the page cache by now, and the CRC of a gigabyte takes a fraction of a second.
void McapCheck::check_crc(Kind kind, std::uint64_t from, std::uint64_t end, std::uint32_t stated, std::uint64_t at)
{
    if (stated == 0 || from > end) return;
    if (range_crc(file_, from, end, stop_) != stated)
        add(kind, at, "stated is " + std::to_string(stated) + ", which is not that of the bytes it covers");
}

void McapCheck::check_summary()
{
    for (const auto& [id, schema] : schemas_)
        if (!schema.in_summary && is_osi(schema.name))
            add(Kind::mcap_schema_in_summary, schema.offset,
                schema.name + " (id " + std::to_string(id) + ") is missing there");
    for (const auto& [id, channel] : channels_)
        if (!channel.in_summary)
            add(Kind::mcap_channel_in_summary, channel.offset, "channel " + std::to_string(id) + " is missing there",
                channel.topic);
}

void McapCheck::add(Kind kind, std::optional<std::uint64_t> byte, const std::string& message, std::string_view channel,
                    std::string field)
{
    findings_.add(kind, {std::nullopt, std::nullopt, byte, channel}, [&] { return message; }, [&] { return field; });
}

}  // namespace ositrace
