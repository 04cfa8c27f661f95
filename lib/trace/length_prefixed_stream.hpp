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
#include "lib/trace/length_prefixed_reader.hpp"

namespace ositrace {

/// What was read of a stream to recognise it: the stream hands it out first.
struct FirstBatches {
    std::deque<FrameBatch> batches;
    std::exception_ptr failure;  ///< what stopped the looking; to be thrown behind the batches
};

/// The frames of length-prefixed records, read ahead on a thread that starts with the first read().
class LengthPrefixedStream final : public FrameSource {
public:
    /// `on_skip` is called by read().
    LengthPrefixedStream(std::unique_ptr<LengthPrefixedReader> reader, TraceInfo info, FirstBatches first,
                         std::function<void(const SkippedBytes&)> on_skip);

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return reader_->source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return reader_->source().bytes_total(); }

private:
    bool next_batch(const std::stop_token& stop);
    std::optional<FrameBatch> take(const std::stop_token& stop);

    TraceInfo info_;
    std::function<void(const SkippedBytes&)> on_skip_;
    FirstBatches first_;
    FrameBatch batch_;
    std::size_t place_ = 0;  ///< in batch_.records
    std::unique_ptr<LengthPrefixedReader> reader_;
    std::optional<ReadAhead<FrameBatch>> ahead_;  // behind reader_, which its thread uses
};

}  // namespace ositrace
