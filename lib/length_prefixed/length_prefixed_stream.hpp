// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "lib/io/read_ahead.hpp"
#include "lib/length_prefixed/length_prefixed_reader.hpp"
#include "lib/trace/frame_verifier.hpp"

namespace ositrace {

/// What was read of a stream to recognise it: the stream hands it out first.
struct FirstBatches {
    std::deque<FrameBatch> batches;
    std::exception_ptr failure;  ///< what ended the reading; to be thrown after the batches
};

/// The frames of length-prefixed records, read ahead on a thread that starts with the first read(), where there is a
/// processor for it.
class LengthPrefixedStream final : public FrameSource {
public:
    /// `allows_empty`: an empty message is no damage (as in Protobuf). `on_skip` is called by read(), and so is
    /// `on_unfinished`, where a stop leaves bytes after the last frame that it gave: for a file that grows.
    LengthPrefixedStream(std::unique_ptr<FrameBatchReader> reader, TraceInfo info, bool allows_empty,
                         FirstBatches first = {}, std::function<void(const SkippedBytes&)> on_skip = {},
                         std::function<void(const SkippedBytes&)> on_unfinished = {});

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return reader_->source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return reader_->source().bytes_total(); }

private:
    void check_holds_one(const FrameBatch::Record& record);
    bool next_batch(const std::stop_token& stop);
    std::optional<FrameBatch> read_batch(const std::stop_token& stop);
    std::optional<FrameBatch> read_here(const std::stop_token& stop);
    void report_unfinished();

    TraceInfo info_;
    bool allows_empty_;
    std::function<void(const SkippedBytes&)> on_skip_, on_unfinished_;
    std::uint64_t frames_ = 0, end_ = 0;  ///< of the last batch
    FirstBatches first_;
    FrameBatch batch_;
    std::size_t place_ = 0;                  ///< in batch_.records
    std::optional<FrameVerifier> verifier_;  ///< of frames whose length may be wrong
    std::unique_ptr<FrameBatchReader> reader_;
    bool on_this_thread_;
    std::optional<ReadAhead<FrameBatch>> ahead_;  // after reader_, which its thread uses
};

}  // namespace ositrace
