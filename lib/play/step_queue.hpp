// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <stop_token>
#include <vector>

#include "lib/io/read_ahead.hpp"
#include "lib/play/moment_reader.hpp"

namespace ositrace {

/// Due steps, read ahead on a thread of their own.
class StepQueue {
public:
    /// `live`: each step is handed over as soon as it is read; else small ones come many at once. The reader must
    /// outlive it.
    StepQueue(StepReader& reader, std::size_t prefetched_bytes, bool live);

    /// The next step; nullopt at the end, or when a stop was requested. Throws what the reader threw, behind all steps
    /// before.
    std::optional<DueStep> take(const std::stop_token& stop);
    /// The i-th one behind it, if it is there already and no more than the prefetched bytes are looked at.
    [[nodiscard]] const DueStep* look_ahead(std::size_t i);
    /// The same, but it is waited for; null, too, at the end, when a stop was requested, and when it cannot be read.
    [[nodiscard]] const DueStep* wait_ahead(std::size_t i, const std::stop_token& stop);
    /// Waits until no more is read ahead, `longest` at most.
    void fill(Nanoseconds longest, const std::stop_token& stop) { ahead_->wait_until_full(longest, stop); }
    void seek(Moment moment);

private:
    using Batch = std::vector<DueStep>;
    void begin();
    std::optional<Batch> read(const std::stop_token& stop);
    void put(Batch batch);

    StepReader& reader_;
    std::size_t prefetched_bytes_;
    bool live_;
    std::size_t batch_steps_ = 1;  // of the thread
    std::exception_ptr failure_;   // of the thread: behind the steps before it
    std::deque<DueStep> taken_;    ///< out of ahead_, and not yet by the player
    std::size_t taken_bytes_ = 0;
    std::optional<ReadAhead<Batch>> ahead_;  // last: its thread uses the above
};

}  // namespace ositrace
