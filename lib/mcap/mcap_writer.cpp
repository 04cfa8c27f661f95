// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_writer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <ositrace/limits.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/utf8.hpp>
#include <ositrace/version.hpp>

#include "lib/mcap/osi_records.hpp"
#include "lib/trace/free_name.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/osi_metadata.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

constexpr std::size_t max_records = std::numeric_limits<std::uint16_t>::max();  // ids have 16 bits, and 0 is reserved

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
    streams_.push_back({.channel = std::move(own), .id = next_id()});
}

std::uint16_t McapWriter::next_id() const
{
    const auto used = streams_.size() + other_versions_.size();
    if (used == max_records)
        throw Error(Cause::limit, {.file = path_},
                    "an MCAP file holds at most " + std::to_string(max_records) + " channels");
    return static_cast<std::uint16_t>(used + 1);
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
        auto& stream = stream_of(frame);
        const auto times = times_of(frame, stream.channel);
        stream.backward = stream.backward || ((recording_ || !frame.log_time) && times.log < stream.latest);
        stream.latest = std::max(stream.latest, times.log);
        records_.write(mcap::Message{stream.id, frame.sequence, times.log, times.publish, frame.bytes}, frame.owner);
    } catch (const Error& e) {
        throw e.within({.file = path_, .frame = frame.index});
    }
    flush_times_.after_frame(records_);
}

/// The channel's, unless the message states another OSI version than the channel has. (A message that comes with a log
/// time was in an MCAP file: what the channel there states, it states here.)
McapWriter::Stream& McapWriter::stream_of(const Frame& frame)
{
    auto& stream = streams_.at(frame.channel);
    if (!stream.written) put_channel(stream, frame.bytes);
    if ((frame.log_time && stream.version_stated) || stream.version.empty() ||
        !may_state_another_version(frame.bytes, stream.channel, stream.leading_version))
        return stream;
    const auto version = claimed_osi_version(frame.bytes, stream.channel);
    if (!version || version->to_string() == stream.version) return stream;
    return of_other_version(stream, *version);
}

McapWriter::Stream& McapWriter::of_other_version(Stream& stream, const OsiVersion& version)
{
    if (const auto known = stream.others.find(version); known != stream.others.end())
        return other_versions_[known->second];
    auto& other = other_versions_.emplace_back(Stream{.channel = stream.channel, .id = next_id()});
    stream.others.emplace(version, other_versions_.size() - 1);
    other.channel.metadata.insert_or_assign(std::string(osi_metadata::channel_osi_version_key), version.to_string());
    put_channel(other, {});
    version_channels_.push_back({other.topic, other.version, stream.topic, stream.version, stream.channel.type_name});
    return other;
}

McapWriter::Times McapWriter::times_of(const Frame& frame, const Channel& channel)
{
    // A message that came with times is passed on even where its timestamp is broken.
    const auto timestamp = frame.time       ? frame.time
                           : frame.log_time ? readable_timestamp(frame.bytes, channel)
                                            : timestamp_of(frame.bytes, channel);
    const auto log_time = frame.log_time ? frame.log_time : timestamp;
    if (log_time)
        last_time_ = checked(*log_time, "timestamp");
    else if (has_timestamp(channel))
        ++untimed_messages_;
    const auto publish_time = timestamp && !(keep_times_ && frame.publish_time) ? timestamp : frame.publish_time;
    if (frame.publish_time && *frame.publish_time != *publish_time) ++replaced_publish_times_;
    return {last_time_, publish_time ? checked(*publish_time, "publish time") : last_time_};
}

void McapWriter::put_channel(Stream& stream, Bytes first_payload)
{
    const auto& channel = stream.channel;
    const auto metadata = mcap::metadata_of(channel, first_payload);
    const auto encoding = stated_encoding(channel);
    const auto topic = unique_topic(channel);
    records_.write(mcap::ChannelFields{stream.id, put_schema(channel), topic, encoding, pairs_of(metadata.entries)});
    stream.written = true;
    stream.topic = topic;
    if (const auto version = metadata.entries.find(std::string(osi_metadata::channel_osi_version_key));
        channel.root && version != metadata.entries.end())
        stream.version = version->second;
    const auto stated = channel.metadata.find(std::string(osi_metadata::channel_osi_version_key));
    stream.version_stated = stated != channel.metadata.end() && stated->second == stream.version;
    const auto leading = leading_version(first_payload);
    stream.leading_version.assign(leading.begin(), leading.end());
    if (metadata.version_assumed && !first_payload.empty()) assumed_versions_.push_back(topic);
    for (auto each : metadata.replaced) {
        each.topic = topic;
        replaced_versions_.push_back(std::move(each));
    }
    if (channel.type) trace_record_.cover(metadata.entries);
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

std::vector<std::string> McapWriter::backward_times() const
{
    std::vector<std::string> topics;
    for (const auto& stream : streams_)
        if (stream.backward) topics.push_back(stream.topic);
    return topics;
}

std::uint64_t McapWriter::close()
{
    for (auto& stream : streams_)
        if (!stream.written) put_channel(stream, {});
    records_.finish_chunks();
    if (trace_record_.wanted()) {
        const auto record = trace_record_.record();
        records_.write(mcap::Metadata{record.name, pairs_of(record.entries)});
    }
    records_.finish();
    return file_.close();
}

}  // namespace ositrace
