// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/segments_ahead.hpp"

#include <algorithm>

namespace ositrace {

SegmentsAhead::SegmentsAhead(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader, unsigned threads)
    : index_(index),
      order_(order),
      loader_(loader),
      threads_(threads),
      places_(index.segments.size()),
      alone_(index.segments.size()),
      workers_(std::make_unique<OrderedWorkers<SegmentLoader::Loaded>>(threads))
{
    for (std::size_t place = 0; place != order.by_start().size(); ++place) places_[order.by_start()[place]] = place;
    for (const auto& cluster : order.clusters())
        if (cluster.end - cluster.begin == 1) alone_[order.by_start()[cluster.begin]] = true;
}

const SegmentLoader::Loaded& SegmentsAhead::at(std::uint32_t segment)
{
    if (segment == current_segment_) return current_;
    current_segment_ = ~0u;
    current_ = nullptr;  // its memory is free for the next
    if (std::ranges::find(begun_, segment) != begun_.end()) {
        take_until(segment);
    } else {
        // Where segments overlap in time, the cursor comes back to some; the loader keeps those last used.
        if (begun_.empty()) next_ = std::max(next_, places_[segment] + 1);
        begin_following();
        current_ = loader_.load(segment, alone_[segment]);
    }
    current_segment_ = segment;
    begin_following();
    return current_;
}

/// What stands in front of it is left to the loader, which keeps it for a while.
void SegmentsAhead::take_until(std::uint32_t segment)
{
    for (bool found = false; !found;) {
        found = begun_.front() == segment;
        begun_bytes_ -= bytes_of(begun_.front());
        begun_.pop_front();
        try {
            current_ = workers_->take();
        } catch (...) {
            if (found) throw;  // the others are not asked for yet
        }
    }
}

std::uint64_t SegmentsAhead::bytes_of(std::uint32_t segment) const
{
    const auto& known = index_.segments[segment];
    return std::max(known.length, std::min(known.unpacked, enough_bytes));  // it may announce anything
}

void SegmentsAhead::begin_following()
{
    const auto& by_start = order_.by_start();
    while (next_ != by_start.size() && begun_.size() <= threads_ && begun_bytes_ < enough_bytes) {
        const auto segment = by_start[next_++];
        begun_.push_back(segment);
        begun_bytes_ += bytes_of(segment);
        workers_->add(
            [&loader = loader_, segment, once = bool(alone_[segment])] { return loader.load(segment, once); });
    }
}

}  // namespace ositrace
