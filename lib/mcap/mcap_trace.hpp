// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <ositrace/trace.hpp>

#include "lib/io/random_access.hpp"
#include "lib/mcap/mcap_index.hpp"
#include "lib/mcap/message_order.hpp"

namespace ositrace {

/// An MCAP file that can be addressed. Frames are numbered in the order of their log times.
class McapTrace final : public Trace {
public:
    McapTrace(std::shared_ptr<const RandomAccess> file, McapIndex index, std::string_view compression,
              const OpenOptions& options);

    const TraceInfo& info() const noexcept override { return info_; }
    std::uint64_t frame_count(std::uint32_t channel) const override;
    Frame frame(std::uint32_t channel, std::uint64_t i) const override;
    std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const override;
    std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const override;
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override;
    FrameSizes frame_sizes(std::uint32_t channel) const override;
    std::optional<std::uint64_t> record_bytes() const override;
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override;
    std::optional<TimeBounds> indexed_times(std::uint32_t channel) const override;
    std::vector<TracePlace> places(std::uint64_t apart) const override;
    std::unique_ptr<TraceReader> reader() const override;

    /// An order of all messages, for a reader of its own.
    [[nodiscard]] MessageOrder order_of_all() const { return {index_, order_, loader_}; }
    /// The message at a key, of its segment, with its time.
    [[nodiscard]] Frame read(const MessageKey& key, const SegmentLoader::Loaded& loaded) const;
    [[nodiscard]] const McapIndex& index() const noexcept { return index_; }
    [[nodiscard]] const SegmentOrder& segment_order() const noexcept { return order_; }
    [[nodiscard]] SegmentLoader& loader() const noexcept { return loader_; }
    [[nodiscard]] const OpenOptions& options() const noexcept { return options_; }
    /// Threads of each cursor that load segments.
    [[nodiscard]] unsigned threads() const noexcept { return threads_; }
    [[nodiscard]] std::uint64_t file_bytes() const noexcept { return file_->size(); }
    /// After all messages were read through the index: is the rest of the file right, too? Throws Error as a stream
    /// does.
    void check_rest(const std::stop_token& stop) const;
    /// The log time of the frame that frame_at() gives for the first channel that has one.
    [[nodiscard]] std::optional<std::uint64_t> log_time_at(Nanoseconds t) const;

private:
    [[nodiscard]] Frame read(const MessageKey& key) const { return read(key, loader_.load(key.segment)); }
    void check_channel(std::uint32_t channel) const;
    void check_holds_one(const Frame& frame) const;
    [[nodiscard]] std::uint64_t count_of(std::uint32_t channel) const noexcept { return counts_[channel]; }
    [[nodiscard]] MessageKey key_of(std::uint32_t channel, std::uint64_t i) const;
    [[nodiscard]] std::optional<std::uint64_t> frame_by_log_time(std::uint32_t channel, Nanoseconds t) const;
    MessageOrder& order_of(std::uint32_t channel) const;

    std::shared_ptr<const RandomAccess> file_;
    OpenOptions options_;
    McapIndex index_;
    TraceInfo info_;
    SegmentOrder order_;
    mutable SegmentLoader loader_;  // thread-safe
    unsigned threads_;
    std::vector<std::uint64_t> counts_;  ///< frames by channel

    mutable std::mutex mutex_;                                   // guards the windows
    mutable std::vector<std::unique_ptr<MessageOrder>> orders_;  ///< by channel, built on first use
    mutable std::unique_ptr<MessageOrder> all_;
};

/// A cursor on all messages, which reads and unpacks ahead on threads.
[[nodiscard]] std::unique_ptr<TraceReader> mcap_cursor(std::shared_ptr<const McapTrace> trace);

}  // namespace ositrace
