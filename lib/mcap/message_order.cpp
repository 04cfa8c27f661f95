// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/message_order.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/unpacked_rest.hpp"
#include "lib/mcap/record_cursor.hpp"
#include "lib/mcap/stated_messages.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

Error bad_index(const std::string& what)
{
    return {Cause::malformed, what + " (osiconvert recover writes the index anew)"};
}

/// The Message record at an offset that an index gave.
Bytes message_at(Bytes records, std::uint64_t offset)
{
    if (offset > records.size() || records.size() - offset < record_prefix_bytes)
        throw bad_index("a message index points to byte " + std::to_string(offset) + " of a chunk of " +
                        std::to_string(records.size()) + " bytes");
    const auto at = records.subspan(static_cast<std::size_t>(offset));
    const auto [opcode, length] = mcap::prefix_at(at);
    if (opcode != Opcode::message || length > at.size() - record_prefix_bytes)
        throw bad_index("a message index points to byte " + std::to_string(offset) +
                        " of a chunk, where no message begins");
    return at.subspan(record_prefix_bytes, static_cast<std::size_t>(length));
}

/// Whether an id is new in a list of few.
bool add_id(std::vector<std::uint16_t>& ids, std::uint16_t id)
{
    if (std::ranges::find(ids, id) != ids.end()) return false;
    ids.push_back(id);
    return true;
}

/// Messages that no index lists would be lost without a word, and those of a channel that the summary calls otherwise
/// be those of another.
class RecordCheck {
public:
    explicit RecordCheck(const McapChannels& channels) : channels_(channels) {}

    /// Throws Error (malformed). Returns how many records of an application there are beside them.
    std::uint64_t run(Bytes records, std::uint64_t announced)
    {
        std::uint64_t messages = 0;
        mcap::ChunkWalker walker(records);
        for (mcap::RawRecord record; walker.next(record);) {
            if (record.opcode == Opcode::schema) read(mcap::parse_schema(record.content));
            if (record.opcode == Opcode::channel) read(mcap::parse_channel(record.content));
            if (record.opcode != Opcode::message) continue;
            ++messages;
            if (record.content.size() >= mcap::message_front_bytes) need(load<std::uint16_t>(record.content.data()));
        }
        if (messages != announced) throw bad_index(contradicts_index(messages, announced).reason());
        return walker.application_records();
    }
    [[nodiscard]] std::shared_ptr<const ChunkDeclarations> declarations()
    {
        return std::make_shared<const ChunkDeclarations>(std::move(found_));
    }

private:
    void read(const mcap::SchemaFields& schema)
    {
        channels_.compare(schema);
        add_id(found_.schemas, schema.id);
    }
    void read(const mcap::ChannelFields& channel)
    {
        channels_.compare(channel);
        if (channel.schema_id != 0 && std::ranges::find(found_.schemas, channel.schema_id) == found_.schemas.end())
            add_id(found_.needed_schemas, channel.schema_id);
        add_id(found_.channels, channel.id);
        last_ = std::nullopt;
    }
    void need(std::uint16_t channel)
    {
        if (last_ == channel) return;
        last_ = channel;
        if (std::ranges::find(found_.channels, channel) == found_.channels.end())
            add_id(found_.needed_channels, channel);
    }

    const McapChannels& channels_;
    ChunkDeclarations found_;
    std::optional<std::uint16_t> last_;  ///< of the last message
};

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
        throw bad_index("a message index lists the message at byte " + std::to_string(*twice) + " of a chunk twice");
}

/// Keys in a window, where a cluster has more: then its indexes are read again for every window, but never more than
/// `max_passes` times while that does not take more than `max_window_keys`.
constexpr std::uint64_t least_window_keys = 65'536;
constexpr std::uint64_t max_window_keys = 2'000'000;
constexpr std::uint64_t max_passes = 16;

}  // namespace

SegmentLoader::SegmentLoader(std::shared_ptr<const RandomAccess> file, const McapIndex& index,
                             std::size_t max_message_bytes)
    : file_(std::move(file)),
      index_(index),
      limits_(max_message_bytes),
      decoder_(limits_.chunk_bytes),
      wants_record_crcs_(file_->is_local() && may_state_data_crc(*file_)),
      record_crcs_(wants_record_crcs_ ? index.segments.size() : 0),
      declarations_(index.segments.size())
{
}

std::optional<std::uint32_t> SegmentLoader::place_of(const McapSegment& segment, std::uint16_t channel_id) const
{
    return segment.saved_at ? channel_id : index_.channels.place_of(channel_id);
}

std::optional<std::uint32_t> SegmentLoader::record_crc(std::uint32_t segment)
{
    const std::scoped_lock lock(mutex_);
    return wants_record_crcs_ ? record_crcs_.at(segment) : std::nullopt;
}

std::shared_ptr<const ChunkDeclarations> SegmentLoader::declarations(std::uint32_t segment)
{
    const std::scoped_lock lock(mutex_);
    return declarations_.at(segment);
}

void SegmentLoader::note_record_crc(std::uint32_t segment, std::uint32_t crc)
{
    const std::scoped_lock lock(mutex_);
    record_crcs_.at(segment) = crc;
}

Error SegmentLoader::located(const Error& error, const McapSegment& segment) const
{
    const auto& where = error.where();
    const Location place{.file = file_->name(), .offset = segment.offset, .field = where.field};
    return where.file.empty() ? error.moved_to(place) : error;
}

Frame SegmentLoader::message(const MessageKey& key, const Loaded& loaded) const
{
    const auto& segment = index_.segments.at(key.segment);
    try {
        const auto message = mcap::parse_message(message_at(loaded->bytes, key.offset));
        auto frame = mcap_frame(message, place_of(segment, message.channel_id), limits_.message_bytes);
        if (frame.channel != key.channel || static_cast<std::uint64_t>(frame.log_time->count()) != key.log_time)
            throw bad_index("a message index and its message disagree: channel or log_time");
        if (key.log_time < loaded->start || key.log_time > loaded->end)
            throw outside_of_chunk(key.log_time, key.log_time, loaded->start, loaded->end);
        frame.owner = loaded->owner;
        frame.owner_bytes = loaded->bytes.size();
        // In a chunk a message may have no place of its own in the file.
        frame.offset = segment.chunk || segment.saved_at ? segment.offset : segment.offset + key.offset;
        return frame;
    } catch (const Error& error) {
        throw located(error, segment);
    }
}

SegmentLoader::Keys SegmentLoader::keys(std::uint32_t segment)
{
    {
        const std::scoped_lock lock(mutex_);
        if (auto kept = keys_.find(segment)) return kept;
    }
    auto sorted = read_keys(segment);
    std::ranges::sort(
        sorted, [](const auto& a, const auto& b) { return a.channel != b.channel ? a.channel < b.channel : a < b; });
    const auto keys = std::make_shared<const std::vector<MessageKey>>(std::move(sorted));
    const std::scoped_lock lock(mutex_);
    keys_.keep(segment, keys, most_kept_keys);
    return keys;
}

std::vector<MessageKey> SegmentLoader::read_keys(std::uint32_t segment)
{
    const auto& known = index_.segments.at(segment);
    try {
        auto keys = known.index_length == 0 ? walked_keys(segment) : indexed_keys(segment);
        if (keys.size() != known.messages)
            throw bad_index("number of messages in a chunk: found " + std::to_string(keys.size()) +
                            ", its index announces " + std::to_string(known.messages));
        check_distinct(keys);
        for (const auto& key : keys)
            if (key.log_time < known.start || key.log_time > known.end)
                throw bad_index("a chunk holds a message of log_time " + std::to_string(key.log_time) +
                                ", its index announces " + std::to_string(known.start) + " to " +
                                std::to_string(known.end));
        return keys;
    } catch (const Error& error) {
        throw located(error, known);
    }
}

std::vector<MessageKey> SegmentLoader::indexed_keys(std::uint32_t segment)
{
    const auto& known = index_.segments.at(segment);
    if (known.length <= kept_bytes) file_->expect(known.offset, known.length + known.index_length);
    std::vector<std::byte> bytes(static_cast<std::size_t>(known.index_length));
    read_exactly(*file_, known.index_offset, bytes);
    std::vector<MessageKey> keys;
    keys.reserve(static_cast<std::size_t>(
        std::min<std::uint64_t>(known.messages, bytes.size() / mcap::message_index_entry_bytes)));
    mcap::RecordWalker walker(bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        if (mcap::holds_data(record.opcode))
            throw bad_index("a record " + name_of(record.opcode) +
                            " is where the chunk index expects the message index of this chunk");
        if (record.opcode != Opcode::message_index) continue;
        const auto index = mcap::parse_message_index(record.content);
        if (index.records.empty()) continue;
        const auto channel = declared_place(index_.channels.place_of(index.channel_id), index.channel_id);
        for (const auto& [time, offset] : index.records) keys.push_back({time, segment, channel, offset});
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
        const auto channel =
            declared_place(place_of(index_.segments.at(segment), message.channel_id), message.channel_id);
        keys.push_back({message.log_time, segment, channel, record.offset});
    }
    return keys;
}

/// Schemas and channels, which some writers repeat in every chunk, may precede the message.
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
    if (!begins_large_segment(key)) return {};
    {
        const std::scoped_lock lock(mutex_);
        if (segments_.find(key.segment)) return {};
    }
    constexpr std::size_t enough = std::size_t{320} << 10;  // for a block of 256 KiB of LZ4, or of 128 KiB of zstd
    const auto& known = index_.segments.at(key.segment);
    std::vector<std::byte> stored(static_cast<std::size_t>(std::min<std::uint64_t>(known.length, enough)));
    read_exactly(*file_, known.offset, stored);
    if (stored.size() < record_prefix_bytes || mcap::prefix_at(stored).opcode != Opcode::chunk) return {};
    const auto chunk = mcap::parse_damaged_chunk(Bytes(stored).subspan(record_prefix_bytes));  // it is cut
    constexpr auto in_front = record_prefix_bytes + mcap::message_front_bytes;
    const auto records =
        unpack_rest(chunk.records, chunk.compression, static_cast<std::size_t>(key.offset) + in_front + count).bytes;
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

SegmentLoader::Loaded SegmentLoader::load(std::uint32_t segment, bool once)
{
    {
        const std::scoped_lock lock(mutex_);
        if (auto kept = segments_.find(segment)) return kept;
    }
    const auto& known = index_.segments.at(segment);
    try {
        auto loaded = read(segment);
        if (once) return loaded;
        const std::scoped_lock lock(mutex_);
        segments_.keep(segment, loaded, kept_bytes);
        return loaded;
    } catch (const Error& error) {
        throw located(error, known);
    }
}

SegmentLoader::Loaded SegmentLoader::read(std::uint32_t place)
{
    const auto& segment = index_.segments.at(place);
    limits_.check({Opcode::chunk, segment.length});
    if (auto decoded = segment.chunk ? decoder_.decode(*file_, segment.offset, segment.length, wants_record_crcs_)
                                     : std::nullopt) {
        if (decoded->record_crc) note_record_crc(place, *decoded->record_crc);
        return checked(std::move(decoded->records), place);
    }
    auto block = decoder_.pool().take(static_cast<std::size_t>(segment.length));
    const std::span<std::byte> bytes(block->data(), static_cast<std::size_t>(segment.length));
    read_exactly(segment.saved_at ? *index_.saved : *file_, segment.saved_at.value_or(segment.offset), bytes);
    if (!segment.chunk)
        return std::make_shared<const ChunkBytes>(
            ChunkBytes{bytes, std::move(block), 0, wants_record_crcs_ || segment.saved_at});
    const auto prefix = mcap::prefix_at(bytes);
    if (prefix.opcode != Opcode::chunk || prefix.length != bytes.size() - record_prefix_bytes)
        throw Error(Cause::malformed, "the index of chunks points here, where no chunk of " +
                                          std::to_string(bytes.size()) + " bytes begins");
    auto records = decoder_.decode(mcap::parse_chunk(Bytes(bytes).subspan(record_prefix_bytes)), block);
    if (wants_record_crcs_) note_record_crc(place, chunk_record_crc(bytes));
    return checked(std::move(records), place);
}

SegmentLoader::Loaded SegmentLoader::checked(ChunkBytes loaded, std::uint32_t place)
{
    const auto& segment = index_.segments.at(place);
    if (segment.index_length != 0) {
        RecordCheck check(index_.channels);
        loaded.application_records = check.run(loaded.bytes, segment.messages);
        auto declared = check.declarations();
        const std::scoped_lock lock(mutex_);
        declarations_.at(place) = std::move(declared);
    }
    loaded.confirmed = loaded.confirmed || wants_record_crcs_;
    return std::make_shared<const ChunkBytes>(std::move(loaded));
}

SegmentOrder::SegmentOrder(const McapIndex& index)
    : by_start_(index.segments.size()),
      cluster_of_(index.segments.size()),
      first_of_channel_(index.channels.all().size() + 1)
{
    const auto& segments = index.segments;
    std::iota(by_start_.begin(), by_start_.end(), 0u);
    std::stable_sort(by_start_.begin(), by_start_.end(),
                     [&](auto a, auto b) { return segments[a].start < segments[b].start; });
    // Of the same time, the message that is first in the file comes first: so a cluster ends where time and place
    // both go on.
    std::vector<std::uint32_t> first_after(by_start_.size() + 1, ~0u);
    for (auto i = by_start_.size(); i-- != 0;) first_after[i] = std::min(first_after[i + 1], by_start_[i]);
    std::uint64_t latest = 0;
    std::uint32_t last_place = 0;
    for (std::size_t i = 0; i != by_start_.size(); ++i) {
        const auto& segment = segments[by_start_[i]];
        if (i == 0 || latest < segment.start || (latest == segment.start && last_place < first_after[i]))
            clusters_.push_back(
                {i, i, segment.start, clusters_.empty() ? 0 : clusters_.back().first + clusters_.back().messages, 0});
        clusters_.back().end = i + 1;
        clusters_.back().messages += segment.messages;
        cluster_of_[by_start_[i]] = static_cast<std::uint32_t>(clusters_.size() - 1);
        latest = std::max(latest, segment.end);
        last_place = std::max(last_place, by_start_[i]);
    }
    for (const auto& segment : segments)
        for (const auto& [channel, count] : segment.counts) ++first_of_channel_[channel + 1];
    std::partial_sum(first_of_channel_.begin(), first_of_channel_.end(), first_of_channel_.begin());
    by_channel_.resize(first_of_channel_.back());
    auto next = first_of_channel_;
    for (const auto place : by_start_)
        for (const auto& [channel, count] : segments[place].counts) by_channel_[next[channel]++] = place;
}

std::span<const std::uint32_t> SegmentOrder::of_channel(std::uint32_t channel) const noexcept
{
    const auto first = first_of_channel_[channel];
    return std::span(by_channel_).subspan(first, first_of_channel_[channel + 1] - first);
}

MessageOrder::MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader)
    : index_(index), order_(order), loader_(loader), segments_(order.by_start()), clusters_(order.clusters())
{
    if (!clusters_.empty()) messages_ = end_of(clusters_.size() - 1);
}

MessageOrder::MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader,
                           std::uint32_t channel)
    : index_(index), order_(order), loader_(loader), channel_(channel), segments_(order.of_channel(channel))
{
    std::optional<std::uint32_t> last;
    for (std::size_t i = 0; i != segments_.size(); ++i) {
        if (const auto cluster = order.cluster_of(segments_[i]); cluster != last) {
            own_clusters_.push_back({i, i, index.segments[segments_[i]].start, messages_, 0});
            last = cluster;
        }
        const auto count = index.segments[segments_[i]].count_of(channel);
        own_clusters_.back().end = i + 1;
        own_clusters_.back().messages += count;
        messages_ += count;
    }
    clusters_ = own_clusters_;
}

std::uint64_t MessageOrder::end_of(std::size_t cluster) const noexcept
{
    return clusters_[cluster].first + clusters_[cluster].messages;
}

const MessageKey& MessageOrder::at(std::uint64_t i)
{
    const auto after = std::ranges::upper_bound(clusters_, i, {}, &SegmentOrder::Cluster::first);
    const auto cluster = static_cast<std::size_t>(after - clusters_.begin()) - 1;
    if (cluster != cluster_ || i < first_ || keys_.empty()) enter(cluster);
    while (!knows(i)) advance();
    return keys_[static_cast<std::size_t>(i - first_)];
}

std::uint64_t MessageOrder::count_before(const MessageKey& key)
{
    const auto after = std::ranges::upper_bound(clusters_, key.log_time, {}, &SegmentOrder::Cluster::start);
    // Clusters of one time follow each other by their places in the file.
    for (auto cluster = static_cast<std::size_t>(after - clusters_.begin()); cluster-- != 0;) {
        const auto first = clusters_[cluster].first, end = end_of(cluster);
        if (first == end || key < at(first)) continue;
        while (!keys_.empty() && keys_.back() < key && first_ + keys_.size() < end) advance();
        return first_ + static_cast<std::uint64_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }
    return 0;
}

std::uint64_t MessageOrder::number_of(const MessageKey& key)
{
    const std::size_t cluster = order_.cluster_of(key.segment);
    if (cluster != cluster_ || keys_.empty() || key < keys_.front()) enter(cluster);
    while (keys_.back() < key) advance();
    return first_ + static_cast<std::uint64_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
}

void MessageOrder::enter(std::size_t cluster)
{
    cluster_ = cluster;
    first_ = clusters_[cluster].first;
    keys_.clear();
    advance();
}

/// The next window of the same cluster.
void MessageOrder::advance()
{
    const auto& cluster = clusters_[cluster_];
    const bool first_window = keys_.empty();
    const auto last = first_window ? MessageKey{} : keys_.back();
    const auto wanted = cluster.messages / max_passes;
    const auto limit = static_cast<std::size_t>(std::clamp(wanted, least_window_keys, max_window_keys));
    first_ += keys_.size();
    keys_.clear();
    bool cut = false;  // then keys after the cutoff belong to a later window
    MessageKey cutoff;
    for (auto i = cluster.begin; i != cluster.end; ++i) {
        const auto place = segments_[i];
        const auto& segment = index_.segments[place];
        if (cut && segment.start > cutoff.log_time) break;
        if (!first_window && segment.end < last.log_time) continue;
        const auto known = loader_.keys(place);
        std::span<const MessageKey> keys(*known);
        if (channel_) {
            const auto begin = std::ranges::lower_bound(keys, *channel_, {}, &MessageKey::channel);
            keys = {begin, std::ranges::upper_bound(begin, keys.end(), *channel_, {}, &MessageKey::channel)};
        }
        for (const auto& key : keys)
            if ((first_window || last < key) && !(cut && cutoff < key)) keys_.push_back(key);
        if (keys_.size() <= limit) continue;
        std::nth_element(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(limit) - 1, keys_.end());
        keys_.resize(limit);
        cutoff = keys_.back();
        cut = true;
    }
    std::sort(keys_.begin(), keys_.end());
    if (keys_.empty())
        throw Error(Cause::malformed, "the message indexes of this file announce more messages than they list");
}

}  // namespace ositrace
