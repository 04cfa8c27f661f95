// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_channels.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

namespace {

/// Of all schemas and channels of a file; hundreds of OSI releases fit.
constexpr std::size_t max_declared_bytes = std::size_t{256} << 20;

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

bool is_same(const Channel& a, const Channel& b)
{
    const bool same_schema =
        a.schema_record && b.schema_record ? *a.schema_record == *b.schema_record : a.schema_record == b.schema_record;
    return same_schema && a.topic == b.topic && a.message_encoding == b.message_encoding && a.metadata == b.metadata;
}

Error declared_twice(const std::string& what, std::uint16_t id, const std::string& known, std::string_view name)
{
    return {Cause::malformed,
            {},
            "the " + what + " " + std::to_string(id) + " was '" + known +
                "' and is declared again with other contents as '" + std::string(name) + "'",
            Damage::declared_twice};
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
    auto channel = make(record);
    for (std::uint32_t place = 0; place != before_this_file_; ++place)
        if (is_same(channels_[place], channel)) {
            places_.emplace(record.id, place);
            return;
        }
    channels_.push_back(std::move(channel));
    ids_.push_back({record.id, record.schema_id});
    places_.emplace(record.id, static_cast<std::uint32_t>(channels_.size() - 1));
}

void McapChannels::begin_file()
{
    schemas_.clear();
    places_.clear();
    before_this_file_ = static_cast<std::uint32_t>(channels_.size());
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
    StatedChannel stated{std::string(record.topic), std::string(record.message_encoding), nullptr,
                         map_of(record.metadata)};
    if (record.schema_id != 0) {
        stated.schema = schema_record(record.schema_id);
        if (!stated.schema)
            throw Error(Cause::malformed, "the channel '" + stated.topic + "' has the schema " +
                                              std::to_string(record.schema_id) + ", which was not declared before");
    }
    return reader_.read(std::move(stated));
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
