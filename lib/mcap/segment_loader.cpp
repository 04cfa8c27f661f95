// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/segment_loader.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/file_records.hpp"
#include "lib/mcap/mcap_frame.hpp"
#include "lib/mcap/mcap_walk.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

constexpr std::string_view what_to_do = " (osiconvert recover writes the index anew)";

/// The Message record at an offset that an index gave.
Bytes message_at(Bytes records, std::uint64_t offset)
{
    if (offset > records.size() || records.size() - offset < record_prefix_bytes)
        throw Error(Cause::malformed, "a message index points to byte " + std::to_string(offset) + " of a chunk of " +
                                          std::to_string(records.size()) + " bytes" + std::string(what_to_do));
    const auto at = records.subspan(static_cast<std::size_t>(offset));
    const auto [opcode, length] = mcap::prefix_at(at);
    if (opcode != Opcode::message || length > at.size() - record_prefix_bytes)
        throw Error(Cause::malformed, "a message index points to byte " + std::to_string(offset) +
                                          " of a chunk, where no message stands" + std::string(what_to_do));
    return at.subspan(record_prefix_bytes, static_cast<std::size_t>(length));
}

/// Messages that no index lists would be lost without a word, and those of a channel that the summary calls otherwise
/// be those of another. Returns how many records of an application there are beside them.
std::uint64_t check_records(Bytes records, const McapChannels& channels, std::uint64_t announced)
{
    std::uint64_t messages = 0;
    mcap::ChunkWalker walker(records);
    for (mcap::RawRecord record; walker.next(record);) {
        messages += record.opcode == Opcode::message ? 1 : 0;
        if (record.opcode == Opcode::schema) static_cast<void>(channels.knows(mcap::parse_schema(record.content)));
        if (record.opcode == Opcode::channel) static_cast<void>(channels.knows(mcap::parse_channel(record.content)));
    }
    if (messages != announced)
        throw Error(Cause::malformed, "a chunk holds " + std::to_string(messages) +
                                          " messages, its message index lists " + std::to_string(announced) +
                                          std::string(what_to_do));
    return walker.application_records();
}

/// As writers list them: channel by channel, in the order of the chunk.
bool are_ascending(const std::vector<MessageKey>& keys)
{
    std::set<std::uint32_t> channels;
    const MessageKey* last = nullptr;
    for (const auto& key : keys) {
        const bool begins = last == nullptr || last->channel != key.channel;
        if (begins ? !channels.insert(key.channel).second : key.offset <= last->offset) return false;
        last = &key;
    }
    return true;
}

/// A message that is listed twice is listed in the place of another one. (Not by two channels: one of them is not its
/// own.)
void check_distinct(const std::vector<MessageKey>& keys)
{
    if (are_ascending(keys)) return;
    std::vector<std::uint64_t> offsets(keys.size());
    std::ranges::transform(keys, offsets.begin(), &MessageKey::offset);
    std::ranges::sort(offsets);
    if (const auto twice = std::ranges::adjacent_find(offsets); twice != offsets.end())
        throw Error(Cause::malformed, "a message index lists the message at byte " + std::to_string(*twice) +
                                          " of a chunk twice" + std::string(what_to_do));
}

}  // namespace

SegmentLoader::SegmentLoader(std::shared_ptr<const SeekableFile> file, const McapIndex& index,
                             std::size_t max_message_bytes)
    : file_(std::move(file)),
      index_(index),
      max_message_bytes_(max_message_bytes),
      decoders_(max_chunk_bytes(max_message_bytes))
{
}

Error SegmentLoader::located(const Error& error, const McapSegment& segment) const
{
    if (!error.where().file.empty()) return error;
    return {
        error.cause(), {.file = file_->name(), .offset = segment.offset, .field = error.where().field}, error.reason()};
}

Frame SegmentLoader::message(const MessageKey& key, const Loaded& loaded) const
{
    const auto& segment = index_.segments.at(key.segment);
    try {
        const auto message = mcap::parse_message(message_at(loaded->bytes, key.offset));
        auto frame = mcap_frame(message, index_.channels.place_of(message.channel_id), max_message_bytes_);
        if (frame.channel != key.channel || static_cast<std::uint64_t>(frame.log_time->count()) != key.log_time)
            throw Error(Cause::malformed,
                        "a message index and its message disagree: channel or log_time" + std::string(what_to_do));
        frame.owner = loaded->owner;
        frame.owner_bytes = loaded->bytes.size();
        // In a compressed chunk a message has no place of its own in the file.
        const auto* const file_front = segment.chunk ? nullptr : loaded->bytes.data();
        frame.offset = file_front == nullptr ? segment.offset : segment.offset + key.offset;
        return frame;
    } catch (const Error& error) {
        throw located(error, segment);
    }
}

std::vector<MessageKey> SegmentLoader::keys(std::uint32_t segment)
{
    const auto& known = index_.segments.at(segment);
    try {
        auto keys = known.index_length == 0 ? walked_keys(segment) : indexed_keys(segment);
        if (keys.size() != known.messages)
            throw Error(Cause::malformed, "a chunk holds " + std::to_string(keys.size()) +
                                              " messages, its index announces " + std::to_string(known.messages) +
                                              std::string(what_to_do));
        check_distinct(keys);
        for (const auto& key : keys)
            if (key.log_time < known.start || key.log_time > known.end)
                throw Error(Cause::malformed, "a chunk holds a message of log_time " + std::to_string(key.log_time) +
                                                  ", its index announces " + std::to_string(known.start) + " to " +
                                                  std::to_string(known.end) + std::string(what_to_do));
        return keys;
    } catch (const Error& error) {
        throw located(error, known);
    }
}

std::vector<MessageKey> SegmentLoader::indexed_keys(std::uint32_t segment)
{
    const auto& known = index_.segments.at(segment);
    std::vector<std::byte> bytes(static_cast<std::size_t>(known.index_length));
    read_exactly(*file_, known.index_offset, bytes);
    std::vector<MessageKey> keys;
    keys.reserve(static_cast<std::size_t>(
        std::min<std::uint64_t>(known.messages, bytes.size() / mcap::message_index_entry_bytes)));
    mcap::RecordWalker walker(bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        if (mcap::holds_data(record.opcode))
            throw Error(Cause::malformed, "a record " + name_of(record.opcode) +
                                              " stands where the index of chunks has the message index of this one" +
                                              std::string(what_to_do));
        if (record.opcode != Opcode::message_index) continue;
        const auto index = mcap::parse_message_index(record.content);
        if (index.records.empty()) continue;
        const auto channel = index_.channels.place_of(index.channel_id);
        if (!channel)
            throw Error(Cause::malformed, "a message index of the channel " + std::to_string(index.channel_id) +
                                              ", which was not declared");
        for (const auto& [time, offset] : index.records) keys.push_back({time, segment, *channel, offset});
    }
    return keys;
}

std::vector<MessageKey> SegmentLoader::walked_keys(std::uint32_t segment)
{
    const auto loaded = load(segment);
    std::vector<MessageKey> keys;
    mcap::ChunkWalker walker(loaded->bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        if (record.opcode != Opcode::message) continue;
        const auto message = mcap::parse_message(record.content);
        const auto channel = index_.channels.place_of(message.channel_id);
        if (!channel)
            throw Error(Cause::malformed,
                        "a message of the channel " + std::to_string(message.channel_id) + ", which was not declared");
        keys.push_back({message.log_time, segment, *channel, record.offset});
    }
    return keys;
}

/// Behind what else stands in front of a message, as the schemas and channels that some writers repeat in every chunk.
bool SegmentLoader::begins_large_segment(const MessageKey& key) const
{
    constexpr std::uint64_t large_message = std::uint64_t{1} << 20;
    constexpr std::uint64_t most_in_front = std::uint64_t{64} << 10;
    const auto& known = index_.segments.at(key.segment);
    return known.chunk && known.messages != 0 && known.unpacked / known.messages >= large_message &&
           key.offset <= most_in_front;
}

std::vector<std::byte> SegmentLoader::data_front(const MessageKey& key, std::size_t count) noexcept
try {
    if (!begins_large_segment(key) || kept(key.segment)) return {};
    constexpr std::size_t enough = std::size_t{320} << 10;  // for a block of 256 KiB of LZ4, or of 128 KiB of zstd
    const auto& known = index_.segments.at(key.segment);
    std::vector<std::byte> stored(static_cast<std::size_t>(std::min<std::uint64_t>(known.length, enough)));
    read_exactly(*file_, known.offset, stored);
    if (stored.size() < record_prefix_bytes || mcap::prefix_at(stored).opcode != Opcode::chunk) return {};
    const auto chunk = mcap::parse_damaged_chunk(Bytes(stored).subspan(record_prefix_bytes));  // it is cut
    constexpr auto in_front = record_prefix_bytes + mcap::message_front_bytes;
    const auto records = unpacked_front(chunk, static_cast<std::size_t>(key.offset) + in_front + count);
    if (records.size() < key.offset + in_front) return {};
    const auto record = Bytes(records).subspan(static_cast<std::size_t>(key.offset));
    const auto [opcode, length] = mcap::prefix_at(record);
    if (opcode != Opcode::message || length > known.unpacked) return {};
    const auto content = record.subspan(record_prefix_bytes);
    const auto message = mcap::parse_message(content.first(std::min(content.size(), static_cast<std::size_t>(length))));
    if (message.log_time != key.log_time || index_.channels.place_of(message.channel_id) != key.channel) return {};
    return {message.data.begin(), message.data.end()};
} catch (const std::exception&) {
    return {};
}

SegmentLoader::Loaded SegmentLoader::kept(std::uint32_t segment)
{
    const std::scoped_lock lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& each) { return each.first == segment; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return found->second;
}

SegmentLoader::Loaded SegmentLoader::load(std::uint32_t segment, bool once)
{
    if (auto at_hand = kept(segment)) return at_hand;
    const auto& known = index_.segments.at(segment);
    try {
        auto loaded = read(known);
        if (!once) keep(segment, loaded);
        return loaded;
    } catch (const Error& error) {
        throw located(error, known);
    }
}

SegmentLoader::Loaded SegmentLoader::read(const McapSegment& segment)
{
    check_segment_length(segment.length, max_message_bytes_);
    auto block = decoders_.pool().take(static_cast<std::size_t>(segment.length));
    const std::span<std::byte> bytes(block->data(), static_cast<std::size_t>(segment.length));
    read_exactly(*file_, segment.offset, bytes);
    if (!segment.chunk) return std::make_shared<const ChunkBytes>(ChunkBytes{bytes, std::move(block)});
    const auto prefix = mcap::prefix_at(bytes);
    if (prefix.opcode != Opcode::chunk || prefix.length != bytes.size() - record_prefix_bytes)
        throw Error(Cause::malformed, "the index of chunks points here, where no chunk of " +
                                          std::to_string(bytes.size()) + " bytes begins");
    auto loaded = decoders_.decode(mcap::parse_chunk(Bytes(bytes).subspan(record_prefix_bytes)), std::move(block));
    if (segment.index_length != 0)
        loaded.application_records = check_records(loaded.bytes, index_.channels, segment.messages);
    return std::make_shared<const ChunkBytes>(std::move(loaded));
}

void SegmentLoader::keep(std::uint32_t segment, const Loaded& loaded)
{
    std::list<std::pair<std::uint32_t, Loaded>> dropped;  // freed behind the lock
    const std::scoped_lock lock(mutex_);
    kept_.emplace_front(segment, loaded);
    bytes_ += loaded->bytes.size();
    while (kept_.size() > 1 && bytes_ > kept_bytes) {
        bytes_ -= kept_.back().second->bytes.size();
        dropped.splice(dropped.begin(), kept_, std::prev(kept_.end()));
    }
}

}  // namespace ositrace
