// SPDX-License-Identifier: MPL-2.0
// The messages of an indexed file: where they are, and in which order they are delivered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

#include "lib/io/random_access.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_index.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

/// Where a message is. Ordered as messages are delivered: by log time, then as in the file.
struct MessageKey {
    std::uint64_t log_time = 0;
    std::uint32_t segment = 0;  ///< place in McapIndex::segments
    std::uint32_t channel = 0;  ///< place in the trace
    std::uint64_t offset = 0;   ///< of the Message record in the unpacked segment

    [[nodiscard]] friend bool operator<(const MessageKey& a, const MessageKey& b) noexcept
    {
        if (a.log_time != b.log_time) return a.log_time < b.log_time;
        if (a.segment != b.segment) return a.segment < b.segment;
        return a.offset < b.offset;
    }
};

/// Reads segments and keeps some of those last used. Thread-safe.
class SegmentLoader {
public:
    /// Unpacked bytes that are kept; the last segment is kept whatever its size.
    static constexpr std::size_t kept_bytes = std::size_t{48} << 20;
    /// Keys that are kept; those of the last segment are kept in any case.
    static constexpr std::size_t most_kept_keys = std::size_t{1} << 20;

    /// `index` must outlive the loader.
    SegmentLoader(std::shared_ptr<const RandomAccess> file, const McapIndex& index, std::size_t max_message_bytes);

    using Loaded = std::shared_ptr<const ChunkBytes>;

    /// The message at a key, without its index in the trace. Throws Error naming file and byte.
    [[nodiscard]] Frame message(const MessageKey& key) { return message(key, load(key.segment)); }
    /// The same of a segment that is at hand.
    [[nodiscard]] Frame message(const MessageKey& key, const Loaded& loaded) const;
    /// The first bytes of the data of a large message, where they are at hand sooner than its segment: unverified but
    /// for the record that contains them. Empty where they are not, and where something is wrong with them: message()
    /// says what.
    [[nodiscard]] std::vector<std::byte> data_front(const MessageKey& key, std::size_t count) noexcept;
    /// The bytes of a segment; where it has an index of its messages, its records of an application are counted, in all
    /// others they are counted in McapIndex. `once`: it is not kept, as it is not needed again soon. Throws Error
    /// naming file and byte.
    [[nodiscard]] Loaded load(std::uint32_t segment, bool once = false);
    /// The CRC of the Chunk record, where it was read; computed if the file states one of its data section.
    [[nodiscard]] std::optional<std::uint32_t> record_crc(std::uint32_t segment);
    /// What a chunk with an index of its messages declares, where it was read; else null.
    [[nodiscard]] std::shared_ptr<const ChunkDeclarations> declarations(std::uint32_t segment);
    /// The keys of all messages in a segment, from its MessageIndex records where it has some; sorted by channel, then
    /// as they are delivered.
    using Keys = std::shared_ptr<const std::vector<MessageKey>>;
    [[nodiscard]] Keys keys(std::uint32_t segment);

private:
    Loaded read(std::uint32_t segment);
    Loaded checked(ChunkBytes loaded, std::uint32_t place);
    [[nodiscard]] std::optional<std::uint32_t> place_of(const McapSegment& segment, std::uint16_t channel_id) const;
    void note_record_crc(std::uint32_t segment, std::uint32_t crc);
    [[nodiscard]] bool begins_large_segment(const MessageKey& key) const;
    std::vector<MessageKey> read_keys(std::uint32_t segment);
    std::vector<MessageKey> indexed_keys(std::uint32_t segment);
    std::vector<MessageKey> walked_keys(std::uint32_t segment);
    [[nodiscard]] Error located(const Error& error, const McapSegment& segment) const;

    std::shared_ptr<const RandomAccess> file_;
    const McapIndex& index_;
    McapLimits limits_;
    ChunkDecoder decoder_;

    /// The last used things first.
    template <class T>
    struct Kept {
        std::list<std::pair<std::uint32_t, T>> things;
        std::size_t size = 0;

        [[nodiscard]] T find(std::uint32_t segment)
        {
            const auto found = std::ranges::find(things, segment, &std::pair<std::uint32_t, T>::first);
            if (found != things.end()) things.splice(things.begin(), things, found);
            return found == things.end() ? nullptr : found->second;
        }
        void keep(std::uint32_t segment, const T& thing, std::size_t limit)
        {
            things.emplace_front(segment, thing);
            for (size += thing->size(); things.size() > 1 && size > limit; things.pop_back())
                size -= things.back().second->size();
        }
    };
    std::mutex mutex_;
    Kept<Loaded> segments_;
    Kept<Keys> keys_;
    bool wants_record_crcs_;
    std::vector<std::optional<std::uint32_t>> record_crcs_;               ///< by segment, where they are wanted
    std::vector<std::shared_ptr<const ChunkDeclarations>> declarations_;  ///< by segment
};

/// The order in which the segments of a file are delivered. Immutable.
class SegmentOrder {
public:
    explicit SegmentOrder(const McapIndex& index);

    /// Segments whose messages come before those of all later clusters: one, where chunks do not overlap in time.
    struct Cluster {
        std::size_t begin = 0;  ///< in by_start()
        std::size_t end = 0;
        std::uint64_t start = 0;  ///< the earliest log time
        std::uint64_t first = 0;  ///< number of its first message
        std::uint64_t messages = 0;
    };
    [[nodiscard]] const std::vector<Cluster>& clusters() const noexcept { return clusters_; }
    /// Places in McapIndex::segments by their earliest log time.
    [[nodiscard]] const std::vector<std::uint32_t>& by_start() const noexcept { return by_start_; }

    /// The same of the segments that hold messages of a channel.
    [[nodiscard]] std::span<const std::uint32_t> of_channel(std::uint32_t channel) const noexcept;
    [[nodiscard]] std::uint32_t cluster_of(std::uint32_t segment) const noexcept { return cluster_of_[segment]; }

private:
    std::vector<std::uint32_t> by_start_;
    std::vector<Cluster> clusters_;
    std::vector<std::uint32_t> cluster_of_;        ///< by segment: its cluster
    std::vector<std::uint32_t> by_channel_;        ///< segments, channel by channel
    std::vector<std::uint64_t> first_of_channel_;  ///< in by_channel_; one more than there are channels
};

/// All messages, or those of a channel, in the order of their log times, seen through a window of keys: memory does not
/// grow with the file, however its chunks overlap. One thread at a time.
class MessageOrder {
public:
    /// All messages. Borrows all three.
    MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader);
    /// Those of a channel. Cost: that of the segments that hold some.
    MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader, std::uint32_t channel);
    MessageOrder(MessageOrder&&) = default;

    [[nodiscard]] std::uint64_t size() const noexcept { return messages_; }
    /// `i` < size(). Throws Error naming the file when an index is broken.
    [[nodiscard]] const MessageKey& at(std::uint64_t i);
    /// How many come before this key, which need not be one of them.
    [[nodiscard]] std::uint64_t count_before(const MessageKey& key);
    /// The number of a message, in the order of all messages.
    [[nodiscard]] std::uint64_t number_of(const MessageKey& key);
    /// Is key `i` at hand without reading?
    [[nodiscard]] bool knows(std::uint64_t i) const noexcept { return i >= first_ && i - first_ < keys_.size(); }

private:
    void enter(std::size_t cluster);
    void advance();
    [[nodiscard]] std::uint64_t end_of(std::size_t cluster) const noexcept;

    const McapIndex& index_;
    const SegmentOrder& order_;
    SegmentLoader& loader_;
    std::optional<std::uint32_t> channel_;
    std::span<const std::uint32_t> segments_;  ///< that hold messages, by start
    std::span<const SegmentOrder::Cluster> clusters_;
    std::vector<SegmentOrder::Cluster> own_clusters_;  ///< of the channel
    std::uint64_t messages_ = 0;
    std::size_t cluster_ = 0;       ///< of the window
    std::uint64_t first_ = 0;       ///< number of keys_[0]
    std::vector<MessageKey> keys_;  ///< the window
};

}  // namespace ositrace
