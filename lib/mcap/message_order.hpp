// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/mcap/mcap_index.hpp"
#include "lib/mcap/segment_loader.hpp"

namespace ositrace {

/// The order in which the segments of a file are delivered. Immutable.
class SegmentOrder {
public:
    explicit SegmentOrder(const McapIndex& index);

    /// Segments whose messages come before those of all later clusters: one, where chunks do not overlap in time.
    struct Cluster {
        std::size_t begin = 0;  ///< in by_start()
        std::size_t end = 0;
        std::uint64_t start = 0;  ///< the earliest log time
        std::uint64_t messages = 0;
    };
    [[nodiscard]] const std::vector<Cluster>& clusters() const noexcept { return clusters_; }
    /// Places in McapIndex::segments by their earliest log time.
    [[nodiscard]] const std::vector<std::uint32_t>& by_start() const noexcept { return by_start_; }

private:
    std::vector<std::uint32_t> by_start_;
    std::vector<Cluster> clusters_;
};

/// All messages, or those of a channel, in the order of their log times, seen through a window of keys: memory does not
/// grow with the file, however its chunks overlap. One thread at a time.
class MessageOrder {
public:
    /// Borrows all three. `channel`: empty = all.
    MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader,
                 std::optional<std::uint32_t> channel);

    [[nodiscard]] std::uint64_t size() const noexcept { return first_of_cluster_.back(); }
    /// `i` < size(). Throws Error naming the file when an index is broken.
    [[nodiscard]] const MessageKey& at(std::uint64_t i);
    /// How many stand before this key, be it one of them or not.
    [[nodiscard]] std::uint64_t count_before(const MessageKey& key);
    /// Is key `i` at hand without reading?
    [[nodiscard]] bool knows(std::uint64_t i) const noexcept { return i >= first_ && i - first_ < keys_.size(); }

private:
    void enter(std::size_t cluster);
    void advance();
    [[nodiscard]] std::size_t window_limit() const noexcept;
    void keep_first(std::vector<MessageKey>& keys, std::size_t count) const;

    const McapIndex& index_;
    const SegmentOrder& order_;
    SegmentLoader& loader_;
    std::optional<std::uint32_t> channel_;
    std::vector<std::uint64_t> first_of_cluster_;  ///< number of the first message; one more than there are clusters
    std::size_t cluster_ = 0;                      ///< of the window
    std::uint64_t first_ = 0;                      ///< number of keys_[0]
    std::vector<MessageKey> keys_;                 ///< the window
};

}  // namespace ositrace
