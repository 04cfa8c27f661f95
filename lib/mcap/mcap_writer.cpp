// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_writer.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/utf8.hpp>
#include <ositrace/version.hpp>

#include "lib/mcap/osi_records.hpp"
#include "lib/trace/free_name.hpp"
#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

std::string library_name() { return "ositrace " + std::string(version()); }

mcap::FileOptions file_options(const std::filesystem::path& file, const WriteOptions& options)
try {
    mcap::FileOptions result;
    result.compression = &mcap::chunk_compression(options.chunk_compression.value_or("lz4"), options.level);
    result.level = options.level;
    if (options.chunk_bytes) result.chunk_bytes = *options.chunk_bytes;
    result.threads = options.threads;
    return result;
} catch (const Error& e) {
    throw e.within({.file = file});
}

mcap::StringPairs pairs_of(const std::map<std::string, std::string>& entries)
{
    return {entries.begin(), entries.end()};
}

std::uint64_t checked(Nanoseconds time, std::string_view what)
{
    if (time.count() >= 0) return static_cast<std::uint64_t>(time.count());
    throw Error(Cause::limit, "the " + std::string(what) + " is " + std::to_string(time.count()) +
                                  " ns, and an MCAP file holds no time before 0");
}

}  // namespace

McapWriter::McapWriter(const std::filesystem::path& file, const TraceInfo& info, const WriteOptions& options)
    : path_(file),
      file_(file, output_options(options)),
      records_(file_, {text(info.profile), library_name()}, file_options(file, options)),
      streams_([this](const auto& stream, Bytes first_payload) { return put_channel(stream, first_payload); }),
      keep_times_(options.keep_times),
      recording_(options.recording),
      flush_times_(options)
{
    for (const auto& channel : info.channels) McapWriter::add_channel(channel);
    for (const auto& record : info.metadata) McapWriter::add_metadata(record);
    for (const auto& attachment : info.attachments) McapWriter::add_attachment(attachment);
}

/// Readers refuse a file, or read nothing of a chunk, because of one string that is not UTF-8.
std::string McapWriter::text(const std::string& stated)
{
    if (is_utf8(stated)) return stated;
    ++replaced_texts_;
    return as_utf8(stated);
}

/// Keys that differ stay different.
std::map<std::string, std::string> McapWriter::texts(const std::map<std::string, std::string>& stated)
{
    std::map<std::string, std::string> result;
    for (const auto& [key, value] : stated) {
        const auto is_taken = [&, &key = key](const auto& name) {
            return name != key && (stated.contains(name) || result.contains(name));
        };
        auto name = free_name(text(key), is_taken);
        result.emplace(std::move(name), text(value));
    }
    return result;
}

void McapWriter::add_channel(const Channel& channel)
{
    auto own = channel;
    own.topic = text(channel.topic);
    own.message_encoding = text(channel.message_encoding);
    own.metadata = texts(channel.metadata);
    if (const auto& schema = channel.schema_record; schema && !(is_utf8(schema->name) && is_utf8(schema->encoding)))
        own.schema_record = std::make_shared<const SchemaRecord>(
            SchemaRecord{text(schema->name), text(schema->encoding), schema->data});
    try {
        streams_.add(std::move(own));
    } catch (const Error& e) {
        throw e.within({.file = path_});
    }
}

void McapWriter::add_metadata(const MetadataRecord& record)
{
    const MetadataRecord own{text(record.name), texts(record.entries)};
    if (own.name == osi_metadata::trace_record) return trace_record_.add(own);
    records_.write(mcap::Metadata{own.name, pairs_of(own.entries)});
}

void McapWriter::add_attachment(const Attachment& attachment)
{
    try {
        const auto name = text(attachment.name), media_type = text(attachment.media_type);
        records_.write({checked(attachment.log_time, "log time of an attachment"),
                        checked(attachment.create_time, "creation time of an attachment"),
                        name,
                        media_type,
                        {},
                        0},
                       attachment.bytes, attachment.read);
    } catch (const Error& e) {
        throw e.within({.file = path_});
    }
}

void McapWriter::write(const Frame& frame)
{
    try {
        if (frame.bytes.size() > max_encodable_bytes)
            throw Error(Cause::limit, "a message of " + std::to_string(frame.bytes.size()) +
                                          " bytes exceeds the limit of " + std::to_string(max_encodable_bytes) +
                                          " bytes");
        auto& stream = streams_.of(frame);
        const auto times = times_of(frame, stream.channel);
        stream.backward = stream.backward || ((recording_ || !frame.log_time) && times.log < stream.latest);
        stream.latest = std::max(stream.latest, times.log);
        records_.write(mcap::Message{stream.id, frame.sequence, times.log, times.publish, frame.bytes}, frame.owner);
    } catch (const Error& e) {
        throw e.within({.file = path_, .frame = frame.index});
    }
    flush_times_.after_frame(records_);
}

McapWriter::Times McapWriter::times_of(const Frame& frame, const Channel& channel)
{
    // A message that came with times is passed on even where its timestamp is broken.
    const auto timestamp = frame.time       ? frame.time
                           : frame.log_time ? readable_timestamp(frame.bytes, channel, {.frame = frame.index})
                                            : time_in_range_of(frame, channel);
    const auto log_time = frame.log_time ? frame.log_time : timestamp;
    if (log_time)
        last_time_ = checked(*log_time, "timestamp");
    else if (has_timestamp(channel))
        ++untimed_messages_;
    const auto publish_time = timestamp && !(keep_times_ && frame.publish_time) ? timestamp : frame.publish_time;
    if (frame.publish_time && *frame.publish_time != *publish_time) ++replaced_publish_times_;
    return {last_time_, publish_time ? checked(*publish_time, "publish time") : last_time_};
}

mcap::VersionStreams::Written McapWriter::put_channel(const mcap::VersionStreams::Stream& stream, Bytes first_payload)
{
    const auto& channel = stream.channel;
    auto metadata = mcap::metadata_of(channel, first_payload);
    const auto encoding = stated_encoding(channel);
    auto topic = unique_topic(channel);
    records_.write(mcap::ChannelFields{stream.id, put_schema(channel), topic, encoding, pairs_of(metadata.entries)});
    if (metadata.version_assumed && !first_payload.empty()) assumed_versions_.push_back(topic);
    for (auto each : metadata.replaced) {
        each.topic = topic;
        replaced_versions_.push_back(std::move(each));
    }
    if (channel.type || is_map_channel(channel)) trace_record_.cover(metadata.entries);
    return {std::move(topic), std::move(metadata.entries)};
}

/// A schema that the channel does not state is built once for all channels like it.
McapWriter::SchemaPointer McapWriter::schema_of(const Channel& channel)
{
    if (!channel.root || channel.schema_record) return stated_schema(channel);
    auto& built = built_schemas_[{channel.root, channel.type_name, channel.format.encoding, channel.format.layout}];
    if (!built) built = stated_schema(channel);
    return built;
}

std::uint16_t McapWriter::put_schema(const Channel& channel)
{
    const auto record = schema_of(channel);
    if (!record) return 0;
    const auto [known, is_new] = schemas_.emplace(record, static_cast<std::uint16_t>(schemas_.size() + 1));
    if (is_new) records_.write(mcap::SchemaFields{known->second, record->name, record->encoding, record->data});
    return known->second;
}

std::string McapWriter::unique_topic(const Channel& channel)
{
    const auto wanted = !channel.topic.empty() ? channel.topic
                        : channel.type         ? std::string(row_of(*channel.type).name)
                                               : "channel";
    return free_name(wanted, [&](const auto& name) { return !topics_.insert(name).second; });
}

std::uint64_t McapWriter::close()
{
    streams_.write_rest();
    records_.finish_chunks();
    if (trace_record_.wanted()) {
        const auto record = trace_record_.record();
        records_.write(mcap::Metadata{record.name, pairs_of(record.entries)});
    }
    records_.finish();
    return file_.close();
}

}  // namespace ositrace
