// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "lib/io/ordered_workers.hpp"
#include "lib/mcap/message_order.hpp"
#include "lib/mcap/segment_loader.hpp"

namespace ositrace {

/// Loads segments on threads before a cursor comes to them, in the order of their earliest log times. One thread at a
/// time.
class SegmentsAhead {
public:
    /// Bytes of segments that are being loaded or wait; one more may be, whatever its size.
    static constexpr std::uint64_t enough_bytes = std::uint64_t{40} << 20;

    /// Borrows the first three.
    SegmentsAhead(const McapIndex& index, const SegmentOrder& order, SegmentLoader& loader, unsigned threads);

    /// The segment, which stays until the next call; the following ones are begun. Throws Error naming file and byte.
    const SegmentLoader::Loaded& at(std::uint32_t segment);

private:
    void take_until(std::uint32_t segment);
    void begin_following();
    [[nodiscard]] std::uint64_t bytes_of(std::uint32_t segment) const;

    const McapIndex& index_;
    const SegmentOrder& order_;
    SegmentLoader& loader_;
    unsigned threads_;
    std::vector<std::size_t> places_;  ///< by segment: its place in order_.by_start()
    std::vector<bool> alone_;          ///< by segment: it overlaps no other in time, so that a cursor comes to it once
    std::size_t next_ = 0;             ///< place of the segment to be begun next
    std::deque<std::uint32_t> begun_;
    std::uint64_t begun_bytes_ = 0;
    std::uint32_t current_segment_ = ~0u;
    SegmentLoader::Loaded current_;
    std::unique_ptr<OrderedWorkers<SegmentLoader::Loaded>> workers_;  // last: its threads use the loader
};

}  // namespace ositrace
