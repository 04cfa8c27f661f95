// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_channels.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/schema/same_messages.hpp"
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

/// Of names and values from the file.
std::string shortened(std::string_view text)
{
    constexpr std::size_t longest = 100;
    if (text.size() <= longest) return std::string(text);
    std::size_t end = longest;
    while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // inside of a UTF-8 character
    return std::string(text.substr(0, end)) + "...";
}

/// `topic`: may be unknown.
Error undeclared_schema(std::string_view topic, std::uint16_t id)
{
    const auto name = topic.empty() ? std::string() : " '" + shortened(topic) + "'";
    return {Cause::malformed, (name.empty() ? "a" : "the") + std::string(" channel") + name + " has the schema " +
                                  std::to_string(id) + ", which was not declared before"};
}

using Metadata = std::map<std::string, std::string>;

std::string value_text(const Metadata& metadata, const std::string& key)
{
    const auto found = metadata.find(key);
    return found == metadata.end() ? "not set" : "'" + shortened(found->second) + "'";
}

std::set<std::string> differing_keys(const Metadata& one, const Metadata& other)
{
    std::set<std::string> keys;
    for (const auto& [from, to] : {std::pair{&one, &other}, {&other, &one}})
        for (const auto& [key, value] : *from)
            if (const auto found = to->find(key); found == to->end() || found->second != value) keys.insert(key);
    return keys;
}

Error other_metadata(std::string_view topic, const Metadata& used, const Metadata& other)
{
    constexpr std::size_t most_listed = 8;
    const auto keys = differing_keys(used, other);
    std::string text = "the channel '" + shortened(topic) + "' is declared again with other metadata: ";
    std::size_t listed = 0;
    for (const auto& key : keys) {
        if (listed == most_listed) break;
        text += (listed++ == 0 ? "" : ", ") + shortened(key) + " is " + value_text(used, key) + " (elsewhere " +
                value_text(other, key) + ")";
    }
    if (keys.size() > listed) text += " and " + std::to_string(keys.size() - listed) + " more";
    return {Cause::malformed, {}, text, Damage::declared_twice};
}

}  // namespace

std::map<std::string, std::string> map_of(const mcap::StringPairs& pairs)
{
    std::map<std::string, std::string> result;
    for (const auto& [key, value] : pairs) result.insert_or_assign(std::string(key), std::string(value));
    return result;
}

/// Of the known records, each compiled once. Any thread.
class McapChannels::CompiledSchemas {
public:
    /// Does the record describe the messages that the known record of its id and name describes?
    bool describe_same(const SchemaRecord& known, const mcap::SchemaFields& record)
    try {
        if (known.name != record.name || known.encoding != record.encoding || record.encoding != "protobuf")
            return false;
        const auto other = Schema::compile(record.data);
        const std::scoped_lock lock(mutex_);
        auto& schema = by_id_[record.id];
        if (!schema) schema = Schema::compile(known.data);
        const auto *const one = schema->find(record.name), *const two = other->find(record.name);
        return one != nullptr && two != nullptr && schema->osi_version() == other->osi_version() &&
               same_messages(*one, *two);
    } catch (const Error&) {
        return false;
    }

private:
    std::mutex mutex_;
    std::map<std::uint16_t, std::shared_ptr<const Schema>> by_id_;
};

McapChannels::McapChannels(const OpenOptions& options)
    : reader_({options.type, options.layout, options.schema, options.on_warning}),
      on_warning_(options.on_warning),
      compiled_(std::make_shared<CompiledSchemas>())
{
}

void McapChannels::count(std::size_t bytes)
{
    bytes_ += bytes;
    if (bytes_ > max_declared_bytes)
        throw Error(Cause::limit, "the size of the schemas and channels" + exceeds(max_declared_bytes, "bytes"));
}

bool McapChannels::knows(const mcap::SchemaFields& record) const
{
    const auto known = schemas_.find(record.id);
    if (known == schemas_.end()) return false;
    if (same(*known->second, record) || fallback_schemas_.contains(record.id)) return true;
    if (compiled_->describe_same(*known->second, record)) return false;
    throw declared_twice("schema", record.id, known->second->name, record.name);
}

bool McapChannels::knows(const mcap::ChannelFields& record) const
{
    const auto place = place_of(record.id);
    if (!place) return false;
    const auto& known = all()[*place];
    if (fallback_channels_.contains(record.id)) return true;
    if (known.topic == record.topic && known.message_encoding == record.message_encoding &&
        ids_[*place].schema == record.schema_id)
        return known.metadata == map_of(record.metadata);
    throw declared_twice("channel", record.id, known.topic, record.topic);
}

void McapChannels::compare(const mcap::SchemaFields& record) const
{
    if (knows(record) || !schemas_.contains(record.id) || !on_warning_) return;
    on_warning_(Error(
        Cause::malformed, {},
        "the schema '" + shortened(record.name) + "' is declared again with other data that describe the same messages",
        Damage::declared_twice));
}

void McapChannels::compare(const mcap::ChannelFields& record) const
{
    const bool known = knows(record);
    if (const auto place = place_of(record.id); !known && place && on_warning_)
        on_warning_(other_metadata(record.topic, all()[*place].metadata, map_of(record.metadata)));
}

void McapChannels::add(const mcap::SchemaFields& record)
{
    if (expects_) declared_schemas_.insert(record.id);
    if (schemas_.contains(record.id)) return compare(record);
    count(record.name.size() + record.encoding.size() + record.data.size() + sizeof(SchemaRecord));
    auto schema = std::make_shared<SchemaRecord>();
    schema->name = record.name;
    schema->encoding = record.encoding;
    schema->data.assign(record.data.begin(), record.data.end());
    schemas_.emplace(record.id, *different_schemas_.insert(std::move(schema)).first);
}

void McapChannels::note_declared(const mcap::ChannelFields& record)
{
    if (!expects_ || in_summary_) return;
    if (record.schema_id != 0 && !declared_schemas_.contains(record.schema_id))
        throw undeclared_schema(record.topic, record.schema_id);
    declared_channels_.insert(record.id);
}

void McapChannels::pass(const ChunkDeclarations& chunk)
{
    if (!expects_) return;
    for (const auto id : chunk.needed_schemas)
        if (!declared_schemas_.contains(id)) throw undeclared_schema({}, id);
    for (const auto id : chunk.needed_channels)
        if (!declared_channels_.contains(id)) throw undeclared_channel(id);
    declared_schemas_.insert(chunk.schemas.begin(), chunk.schemas.end());
    declared_channels_.insert(chunk.channels.begin(), chunk.channels.end());
}

void McapChannels::add(const mcap::ChannelFields& record)
{
    note_declared(record);
    if (checks_only_ && record.schema_id != 0 && !schemas_.contains(record.schema_id)) return;
    if (const auto place = place_of(record.id)) {
        compare(record);
        if (!in_summary_) return;
        const auto late = differing_keys(all()[*place].metadata, map_of(record.metadata));
        late_keys_.insert(late_keys_.end(), late.begin(), late.end());
        return;
    }
    if (const auto stated = preferred_.find(record.id);
        stated != preferred_.end() && stated->second.schema == record.schema_id &&
        stated->second.topic == record.topic && stated->second.message_encoding == record.message_encoding) {
        const auto& metadata = stated->second.metadata;
        auto used = record;
        used.metadata.assign(metadata.begin(), metadata.end());
        add_new(used);
        return compare(record);
    }
    add_new(record);
}

void McapChannels::add_new(const mcap::ChannelFields& record)
{
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
    preferred_.clear();
    declared_schemas_.clear();
    declared_channels_.clear();
    in_summary_ = false;
    compiled_ = std::make_shared<CompiledSchemas>();
    before_this_file_ = static_cast<std::uint32_t>(channels_.size());
}

std::optional<std::uint32_t> McapChannels::place_of(std::uint16_t id) const noexcept
{
    const auto found = places_.find(id);
    if (found == places_.end()) return std::nullopt;
    return found->second;
}

bool McapChannels::could_restore(std::uint16_t id) const noexcept
{
    if (!fallback_) return false;
    const auto found = fallback_->channels.find(id);
    if (found == fallback_->channels.end()) return false;
    const auto schema = found->second.schema;
    return schema == 0 || schemas_.contains(schema) || fallback_->schemas.contains(schema);
}

std::optional<std::uint32_t> McapChannels::find(std::uint16_t id)
{
    const auto place = place_of(id);
    if (place && !is_declared(id)) return std::nullopt;
    if (place || !could_restore(id)) return place;
    const auto& channel = fallback_->channels.at(id);
    add(mcap::ChannelFields{id,
                            channel.schema,
                            channel.topic,
                            channel.message_encoding,
                            {channel.metadata.begin(), channel.metadata.end()}});
    fallback_channels_.insert(id);
    restored_.push_back("the channel '" + shortened(channel.topic) + "' (id " + std::to_string(id) + ")");
    return place_of(id);
}

std::shared_ptr<const SchemaRecord> McapChannels::schema_record(std::uint16_t id)
{
    if (const auto found = schemas_.find(id); found != schemas_.end()) return found->second;
    if (!fallback_) return nullptr;
    const auto there = fallback_->schemas.find(id);
    if (there == fallback_->schemas.end()) return nullptr;
    schemas_.insert(*there);
    fallback_schemas_.insert(id);
    restored_.push_back("the schema '" + shortened(there->second->name) + "' (id " + std::to_string(id) + ")");
    return there->second;
}

Channel McapChannels::make(const mcap::ChannelFields& record)
{
    StatedChannel stated{std::string(record.topic), std::string(record.message_encoding), nullptr,
                         map_of(record.metadata)};
    if (record.schema_id != 0) {
        stated.schema = schema_record(record.schema_id);
        if (!stated.schema) throw undeclared_schema(record.topic, record.schema_id);
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

Error undeclared_channel(std::uint16_t channel_id)
{
    return {Cause::malformed,
            {.offset = 0},
            "a message of the channel " + std::to_string(channel_id) + ", which was not declared before"};
}

std::uint32_t declared_place(std::optional<std::uint32_t> place, std::uint16_t channel_id)
{
    if (place) return *place;
    throw undeclared_channel(channel_id);
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
