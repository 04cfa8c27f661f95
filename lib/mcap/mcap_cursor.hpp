// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lib/io/read_ahead.hpp"
#include "lib/mcap/mcap_trace.hpp"

namespace ositrace {

/// A cursor on an MCAP file in the order of log times, which reads and unpacks ahead on threads; it begins anew at
/// every seek.
class McapCursor final : public TraceReader {
public:
    explicit McapCursor(std::shared_ptr<const McapTrace> trace);

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return consumed_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return trace_->file_bytes(); }
    void seek_frame(std::uint64_t i) override;
    void seek_time(Nanoseconds t) override;

private:
    struct Batch {
        std::vector<Frame> frames;
        std::size_t bytes = 0;
        std::uint64_t place = 0;                                                   ///< in the file, for progress
        std::vector<std::pair<std::uint32_t, std::uint64_t>> application_records;  ///< by segment, where it has some

        void note(std::uint32_t segment, const ChunkBytes& loaded)
        {
            const bool noted = !application_records.empty() && application_records.back().first == segment;
            if (loaded.application_records != 0 && !noted)
                application_records.emplace_back(segment, loaded.application_records);
        }
    };
    std::optional<Batch> next_batch(const std::stop_token& stop);
    void read_on(Batch& batch, const std::stop_token& stop);
    [[nodiscard]] bool scattered();
    bool gather(Batch& batch);
    void begin_at(std::uint64_t i);

    std::shared_ptr<const McapTrace> trace_;
    TraceInfo info_;
    MessageOrder order_;                     // of the thread while it runs
    std::optional<SegmentsAhead> segments_;  // of the thread
    std::uint64_t ahead_of_ = 0;             ///< the next message that the thread reads
    std::exception_ptr failure_;             // of the thread: behind the frames before it
    std::size_t gathered_ = 512;             ///< messages that gather() takes at once
    std::set<std::uint32_t> counted_;        ///< segments whose records of an application are
    std::uint64_t next_ = 0;                 ///< the next frame to be delivered
    Batch batch_;
    std::size_t place_ = 0;  ///< in batch_.frames
    std::uint64_t consumed_ = 0;
    std::optional<ReadAhead<Batch>> ahead_;  // last: its thread uses the above
};

}  // namespace ositrace
