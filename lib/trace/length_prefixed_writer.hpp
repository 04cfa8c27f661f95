// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/trace_writer.hpp>

#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/trace/output_options.hpp"

namespace ositrace {

/// `.osi` and `.osifb`: { uint32 little-endian length, payload } repeated; one channel, no header.
class LengthPrefixedWriter final : public TraceWriter {
public:
    /// `compression`: null = none.
    LengthPrefixedWriter(const std::filesystem::path& file, const CompressorRow* compression,
                         const WriteOptions& options);

    void write(const Frame& frame) override;
    void add_channel(const Channel& channel) override;
    void hand_on() override { sink_->hand_on(); }
    void discard() noexcept override { file_.discard(); }
    /// Throws Error (unsupported), too, when so many empty messages stand at the end that they would be read as a
    /// preallocated tail.
    std::uint64_t close() override;

private:
    std::filesystem::path path_;
    OutputFile file_;
    std::unique_ptr<Compressor> compressor_;  ///< writes to file_
    ByteSink* sink_;                          ///< one of the two
    FlushTimes flush_times_;
    std::uint64_t empty_at_end_ = 0;  ///< frames
};

}  // namespace ositrace
