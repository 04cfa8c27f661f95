// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <stop_token>
#include <vector>

#include "lib/io/read_ahead.hpp"
#include "lib/play/step_reader.hpp"

namespace ositrace {

/// Steps that are read ahead on a thread.
class StepQueue {
public:
    /// `live`: passes on each step as soon as it is read; else small steps in groups. The reader must outlive it.
    StepQueue(StepReader& reader, std::size_t prefetched_bytes, bool live);

    /// The next step; nullopt at the end, or when a stop was requested. Throws what the reader threw, after all
    /// steps before the error.
    std::optional<DueStep> take(const std::stop_token& stop);
    /// The i-th step after it, if it has been read and lies within the prefetched bytes; else null.
    [[nodiscard]] const DueStep* look_ahead(std::size_t i);
    /// The same, but waits for it; null also at the end, after a stop request, and if it cannot be read.
    [[nodiscard]] const DueStep* wait_ahead(std::size_t i, const std::stop_token& stop);
    /// Waits until the queue is full, at most `longest`.
    void fill(Nanoseconds longest, const std::stop_token& stop) { ahead_->wait_until_full(longest, stop); }
    void seek(Moment moment);

private:
    using Steps = std::vector<DueStep>;
    void begin();
    std::optional<Steps> read(const std::stop_token& stop);
    void put(Steps steps);

    StepReader& reader_;
    std::size_t prefetched_bytes_;
    bool live_;
    std::size_t batch_steps_ = 1;  // of the thread
    std::exception_ptr failure_;   // of the thread: thrown after the steps before it
    std::deque<DueStep> ready_;    ///< read from ahead_, not yet delivered
    std::size_t ready_bytes_ = 0;
    std::optional<ReadAhead<Steps>> ahead_;  // last: its thread uses the above
};

}  // namespace ositrace
