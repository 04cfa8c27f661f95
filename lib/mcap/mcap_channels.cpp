// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_channels.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/flatbuffers/table.hpp"
#include "formats/recognize/identifier.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

namespace {

/// Of all schemas and channels of a file; hundreds of OSI releases fit.
constexpr std::size_t max_declared_bytes = std::size_t{256} << 20;

constexpr std::string_view protobuf = "protobuf";
constexpr std::string_view flatbuffer = "flatbuffer";

bool same(const SchemaRecord& known, const mcap::SchemaFields& record)
{
    return known.name == record.name && known.encoding == record.encoding &&
           std::ranges::equal(known.data, record.data);
}

std::map<std::string, std::string> map_of(const mcap::StringPairs& pairs)
{
    std::map<std::string, std::string> result;
    for (const auto& [key, value] : pairs) result.insert_or_assign(std::string(key), std::string(value));
    return result;
}

Error declared_twice(const std::string& what, std::uint16_t id, const std::string& known, std::string_view name)
{
    return {Cause::malformed,
            {},
            "the " + what + " " + std::to_string(id) + " was '" + known +
                "' and is declared again with other contents as '" + std::string(name) + "'",
            Damage::declared_twice};
}

std::string text_after_dots(std::string_view name) { return std::string(name.substr(name.rfind('.') + 1)); }

/// What a binary schema (reflection.fbs, table Schema) states about its root: the identifier of the buffers.
std::optional<Recognition> claimed_by_schema(Bytes bfbs)
{
    constexpr std::uint32_t file_ident_slot = 2;
    const flat::Buffer buffer(bfbs);
    const auto root = flat::root_of(buffer);
    const auto offset = flat::vtable_of(buffer, root).offset(buffer, file_ident_slot);
    if (offset == 0) return std::nullopt;
    buffer.check(root + offset, 4, "an offset leaves the buffer");
    const auto identifier = flat::vector_at(buffer, buffer.follow(root + offset), 1);
    if (identifier.count != 4) return std::nullopt;
    std::array<std::byte, identifier_end> front{};
    std::copy_n(buffer.at(identifier.first), 4, front.begin() + 4);
    return claimed_by_identifier(front);
}

/// `osi3_flat.SensorView` or another name space of the user's own.
std::optional<MessageType> type_of_table(std::string_view name)
{
    return message_type_by_full_name("osi3." + text_after_dots(name));
}

}  // namespace

void McapChannels::count(std::size_t bytes)
{
    bytes_ += bytes;
    if (bytes_ > max_declared_bytes)
        throw Error(Cause::limit, "the schemas and channels of this file take more than " +
                                      std::to_string(max_declared_bytes) + " bytes");
}

bool McapChannels::knows(const mcap::SchemaFields& record) const
{
    const auto known = schemas_.find(record.id);
    if (known == schemas_.end()) return false;
    if (same(*known->second, record) || fallback_schemas_.contains(record.id)) return true;
    throw declared_twice("schema", record.id, known->second->name, record.name);
}

bool McapChannels::knows(const mcap::ChannelFields& record) const
{
    const auto place = place_of(record.id);
    if (!place) return false;
    const auto& known = all()[*place];
    if (fallback_channels_.contains(record.id) ||
        (known.topic == record.topic && known.message_encoding == record.message_encoding &&
         ids_[*place].schema == record.schema_id && known.metadata == map_of(record.metadata)))
        return true;
    throw declared_twice("channel", record.id, known.topic, record.topic);
}

void McapChannels::add(const mcap::SchemaFields& record)
{
    if (knows(record)) return;
    count(record.name.size() + record.encoding.size() + record.data.size() + sizeof(SchemaRecord));
    auto schema = std::make_shared<SchemaRecord>();
    schema->name = record.name;
    schema->encoding = record.encoding;
    schema->data.assign(record.data.begin(), record.data.end());
    schemas_.emplace(record.id, *different_schemas_.insert(std::move(schema)).first);
}

void McapChannels::add(const mcap::ChannelFields& record)
{
    if (knows(record)) return;
    std::size_t bytes = sizeof(Channel) + record.topic.size() + record.message_encoding.size();
    for (const auto& [key, value] : record.metadata) bytes += 2 * sizeof(std::string) + key.size() + value.size();
    count(bytes);
    channels_.push_back(make(record));
    ids_.push_back({record.id, record.schema_id});
    places_.emplace(record.id, static_cast<std::uint32_t>(channels_.size() - 1));
}

std::optional<std::uint32_t> McapChannels::place_of(std::uint16_t id) const noexcept
{
    const auto found = places_.find(id);
    if (found == places_.end()) return std::nullopt;
    return found->second;
}

std::optional<std::uint32_t> McapChannels::find(std::uint16_t id)
{
    const auto place = place_of(id);
    if (place || !fallback_) return place;
    const auto there = fallback_->place_of(id);
    if (!there) return std::nullopt;
    const auto& channel = fallback_->all()[*there];
    add(mcap::ChannelFields{id,
                            fallback_->ids_of(*there).schema,
                            channel.topic,
                            channel.message_encoding,
                            {channel.metadata.begin(), channel.metadata.end()}});
    fallback_channels_.insert(id);
    return place_of(id);
}

std::shared_ptr<const SchemaRecord> McapChannels::schema_record(std::uint16_t id)
{
    if (const auto found = schemas_.find(id); found != schemas_.end()) return found->second;
    if (!fallback_) return nullptr;
    const auto there = fallback_->schemas_.find(id);
    if (there == fallback_->schemas_.end()) return nullptr;
    schemas_.insert(*there);
    fallback_schemas_.insert(id);
    return there->second;
}

Channel McapChannels::make(const mcap::ChannelFields& record)
{
    Channel channel;
    channel.topic = record.topic;
    channel.message_encoding = record.message_encoding;
    channel.metadata = map_of(record.metadata);
    if (record.schema_id != 0) {
        const auto schema = schema_record(record.schema_id);
        if (!schema)
            throw Error(Cause::malformed, "the channel '" + channel.topic + "' has the schema " +
                                              std::to_string(record.schema_id) + ", which was not declared before");
        channel.schema_record = schema;
        channel.type_name = schema->name;
    }
    try {
        look_inside(channel);
    } catch (const Error& error) {
        channel.unviewable = error.what();
    }
    if (channel.root == nullptr) {
        channel.schema.reset();
        channel.type.reset();
    }
    return channel;
}

void McapChannels::look_inside(Channel& channel)
{
    if (channel.message_encoding == protobuf) look_inside_protobuf(channel);
    if (channel.message_encoding == flatbuffer) look_inside_flatbuffer(channel);
}

void McapChannels::look_inside_protobuf(Channel& channel)
{
    if (!channel.schema_record) {
        if (!type_) return;
        channel.type_name = row_of(*type_).full_name;  // that is what --type is for
    }
    channel.type = message_type_by_full_name(channel.type_name);
    if (!channel.type) return;
    channel.schema = schema_ != nullptr || !channel.schema_record ? schema_ : compiled(channel.schema_record);
    if (!channel.schema) channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(*channel.type);
}

void McapChannels::look_inside_flatbuffer(Channel& channel) const
{
    channel.format = {Encoding::flatbuffers, layout_.value_or(Layout::numbered)};
    const auto claimed = channel.schema_record ? claimed_by_schema(channel.schema_record->data) : std::nullopt;
    channel.type = claimed                 ? std::optional(claimed->type)
                   : channel.schema_record ? type_of_table(channel.type_name)
                                           : type_;
    if (!channel.type) return;
    if (claimed && !layout_) channel.format = claimed->format;
    channel.type_name = row_of(*channel.type).full_name;
    channel.schema = schema_ ? schema_ : Schema::built_in();
    channel.root = &channel.schema->root(*channel.type);
}

std::shared_ptr<const Schema> McapChannels::compiled(const std::shared_ptr<const SchemaRecord>& record)
{
    if (record->encoding != protobuf)
        throw Error(Cause::mismatch, "its schema is encoded as '" + record->encoding + "', its messages are protobuf");
    const auto data = text_of(record->data);
    if (const auto found = compiled_.find(data); found != compiled_.end()) return found->second;
    auto schema = Schema::compile(record->data);
    compiled_.emplace(data, schema);
    return schema;
}

Nanoseconds mcap_time(std::uint64_t time, std::string_view field)
{
    if (time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(Cause::limit, {.field = std::string(field)},
                    std::to_string(time) + " ns do not fit into a signed 64-bit number");
    return Nanoseconds(static_cast<std::int64_t>(time));
}

MetadataRecord mcap_metadata(const mcap::Metadata& record)
{
    return {std::string(record.name), map_of(record.entries)};
}

std::uint32_t declared_place(std::optional<std::uint32_t> place, std::uint16_t channel_id)
{
    if (place) return *place;
    throw Error(Cause::malformed, {.offset = 0},
                "a message of the channel " + std::to_string(channel_id) + ", which was not declared before");
}

Frame mcap_frame(const mcap::Message& message, std::optional<std::uint32_t> channel, std::uint64_t max_message_bytes)
{
    const auto place = declared_place(channel, message.channel_id);
    if (message.data.size() > max_message_bytes) throw too_long("a message", message.data.size(), max_message_bytes);
    Frame frame;
    frame.bytes = message.data;
    frame.channel = place;
    frame.log_time = mcap_time(message.log_time, "log_time");
    frame.publish_time = mcap_time(message.publish_time, "publish_time");
    frame.sequence = message.sequence;
    return frame;
}

}  // namespace ositrace
