// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lib/trace/length_prefixed_stream.hpp"
#include "lib/trace/length_prefixed_trace.hpp"

namespace ositrace {

/// A cursor on a length-prefixed trace: a stream that begins anew at every seek. Frames carry their time where it can
/// be read.
class TraceCursor final : public TraceReader {
public:
    explicit TraceCursor(std::shared_ptr<const LengthPrefixedTrace> trace) : trace_(std::move(trace)) {}

    const TraceInfo& info() const noexcept override { return trace_->info(); }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return stream_ ? stream_->bytes_consumed() : 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override;
    void seek_frame(std::uint64_t i) override;
    void seek_time(Nanoseconds t) override;

private:
    std::shared_ptr<const LengthPrefixedTrace> trace_;
    std::uint64_t next_ = 0;
    std::unique_ptr<LengthPrefixedStream> stream_;  ///< from next_ on; made by read()
};

}  // namespace ositrace
