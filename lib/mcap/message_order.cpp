// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/message_order.hpp"

#include <algorithm>
#include <numeric>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// Keys in a window, where a cluster has more: then its indexes are read again for every window, but never more than
/// `max_passes` times while that does not take more than `max_window_keys`.
constexpr std::uint64_t least_window_keys = 65'536;
constexpr std::uint64_t max_window_keys = 2'000'000;
constexpr std::uint64_t max_passes = 16;

}  // namespace

SegmentOrder::SegmentOrder(const McapIndex& index) : by_start_(index.segments.size())
{
    const auto& segments = index.segments;
    std::iota(by_start_.begin(), by_start_.end(), 0u);
    std::stable_sort(by_start_.begin(), by_start_.end(),
                     [&](auto a, auto b) { return segments[a].start < segments[b].start; });
    // Of the same time, the message that stands first in the file comes first: so a cluster ends where time and place
    // both go on.
    std::vector<std::uint32_t> first_behind(by_start_.size() + 1, ~0u);
    for (auto i = by_start_.size(); i-- != 0;) first_behind[i] = std::min(first_behind[i + 1], by_start_[i]);
    std::uint64_t latest = 0;
    std::uint32_t last_place = 0;
    for (std::size_t i = 0; i != by_start_.size(); ++i) {
        const auto& segment = segments[by_start_[i]];
        if (i == 0 || latest < segment.start || (latest == segment.start && last_place < first_behind[i]))
            clusters_.push_back({i, i, segment.start, 0});
        clusters_.back().end = i + 1;
        clusters_.back().messages += segment.messages;
        latest = std::max(latest, segment.end);
        last_place = std::max(last_place, by_start_[i]);
    }
}

MessageOrder::MessageOrder(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader,
                           std::optional<std::uint32_t> channel)
    : index_(index), order_(order), loader_(loader), channel_(channel), first_of_cluster_{0}
{
    for (const auto& cluster : order.clusters()) {
        auto messages = cluster.messages;
        if (channel) {
            messages = 0;
            for (auto i = cluster.begin; i != cluster.end; ++i)
                messages += index.segments[order.by_start()[i]].count_of(*channel);
        }
        first_of_cluster_.push_back(first_of_cluster_.back() + messages);
    }
}

const MessageKey& MessageOrder::at(std::uint64_t i)
{
    const auto cluster =
        static_cast<std::size_t>(std::upper_bound(first_of_cluster_.begin(), first_of_cluster_.end(), i) -
                                 first_of_cluster_.begin()) -
        1;
    if (cluster != cluster_ || i < first_ || keys_.empty()) enter(cluster);
    while (!knows(i)) advance();
    return keys_[static_cast<std::size_t>(i - first_)];
}

std::uint64_t MessageOrder::count_before(const MessageKey& key)
{
    const auto& clusters = order_.clusters();
    const auto behind = std::partition_point(clusters.begin(), clusters.end(),
                                             [&](const auto& each) { return each.start <= key.log_time; });
    // Clusters of one time follow each other by their places in the file.
    for (auto cluster = static_cast<std::size_t>(behind - clusters.begin()); cluster-- != 0;) {
        const auto first = first_of_cluster_[cluster];
        const auto end = first_of_cluster_[cluster + 1];
        if (first == end || key < at(first)) continue;
        while (!keys_.empty() && keys_.back() < key && first_ + keys_.size() < end) advance();
        return first_ + static_cast<std::uint64_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }
    return 0;
}

void MessageOrder::enter(std::size_t cluster)
{
    cluster_ = cluster;
    first_ = first_of_cluster_[cluster];
    keys_.clear();
    advance();
}

/// The next window of the same cluster.
void MessageOrder::advance()
{
    const auto& cluster = order_.clusters()[cluster_];
    const bool first_window = keys_.empty();
    const auto last = first_window ? MessageKey{} : keys_.back();
    const auto limit = window_limit();
    first_ += keys_.size();
    keys_.clear();
    bool cut = false;  // then keys behind the cutoff are of a later window
    MessageKey cutoff;
    for (auto i = cluster.begin; i != cluster.end; ++i) {
        const auto place = order_.by_start()[i];
        const auto& segment = index_.segments[place];
        if (cut && segment.start > cutoff.log_time) break;
        if ((!first_window && segment.end < last.log_time) || (channel_ && segment.count_of(*channel_) == 0)) continue;
        for (const auto& key : loader_.keys(place)) {
            if ((channel_ && key.channel != *channel_) || (!first_window && !(last < key)) || (cut && cutoff < key))
                continue;
            keys_.push_back(key);
        }
        if (keys_.size() <= limit) continue;
        keep_first(keys_, limit);
        cutoff = keys_.back();
        cut = true;
    }
    std::sort(keys_.begin(), keys_.end());
    if (keys_.empty())
        throw Error(Cause::malformed, "the message indexes of this file announce more messages than they list");
}

std::size_t MessageOrder::window_limit() const noexcept
{
    const auto wanted = order_.clusters()[cluster_].messages / max_passes;
    return static_cast<std::size_t>(std::clamp(wanted, least_window_keys, max_window_keys));
}

/// Afterwards the last is the greatest.
void MessageOrder::keep_first(std::vector<MessageKey>& keys, std::size_t count) const
{
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count) - 1, keys.end());
    keys.resize(count);
}

}  // namespace ositrace
