// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "lib/io/read_ahead.hpp"
#include "lib/mcap/mcap_reader.hpp"

namespace ositrace {

/// The messages of an MCAP file in the order of the file, read and unpacked ahead on a thread that starts with the
/// first read().
class McapStream final : public FrameSource {
public:
    /// Reads up to the first messages, so that the channels they belong to are known.
    McapStream(std::unique_ptr<McapReader> reader, std::string_view compression, const OpenOptions& options);

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return reader_->source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return reader_->source().bytes_total(); }

private:
    bool next_batch(const std::stop_token& stop);
    std::optional<McapBatch> take(const std::stop_token& stop);
    void learn(McapBatch& batch);

    TraceInfo info_;
    std::function<void(const SkippedBytes&)> on_skip_;
    McapBatch batch_;
    std::size_t place_ = 0;  ///< in batch_.frames
    std::unique_ptr<McapReader> reader_;
    std::optional<ReadAhead<McapBatch>> ahead_;  // behind reader_, which its thread uses
};

}  // namespace ositrace
