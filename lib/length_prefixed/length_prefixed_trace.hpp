// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "lib/io/buffer_pool.hpp"
#include "lib/io/random_access.hpp"
#include "lib/length_prefixed/trace_index.hpp"

namespace ositrace {

/// Where an index is stored, and from what cost on.
struct IndexKeeping {
    std::filesystem::path directory;  ///< empty: not stored
    std::chrono::nanoseconds least_walk = std::chrono::seconds(1);
    std::uint64_t least_file_bytes = std::uint64_t{64}
                                     << 20;  ///< a smaller file is walked sooner than its cache is checked
};

struct LengthPrefixedTraceOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool keep_empty = false;  ///< see OpenOptions
    IndexKeeping keeping;
};

/// A length-prefixed file that can be addressed.
class LengthPrefixedTrace final : public Trace {
public:
    LengthPrefixedTrace(std::shared_ptr<const RandomAccess> file, TraceInfo info, LengthPrefixedTraceOptions options);
    /// Of a damaged file: its frames are those of `salvaged`, which is read as far as the index needs it.
    LengthPrefixedTrace(std::shared_ptr<const RandomAccess> file, std::unique_ptr<FrameSource> salvaged,
                        std::size_t max_message_bytes);

    const TraceInfo& info() const noexcept override { return info_; }
    std::uint64_t frame_count(std::uint32_t channel) const override;
    Frame frame(std::uint32_t channel, std::uint64_t i) const override;
    std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const override;
    std::optional<Nanoseconds> log_time(std::uint32_t, std::uint64_t) const override { return std::nullopt; }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override;
    FrameSizes frame_sizes(std::uint32_t channel) const override;
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override;
    std::vector<TracePlace> places(std::uint64_t apart) const override;
    std::unique_ptr<TraceReader> reader() const override;

private:
    class Cursor;
    void check_channel(std::uint32_t channel) const;
    [[nodiscard]] FramePlace place_of(std::uint32_t channel, std::uint64_t i) const;
    void check_holds_one(const Frame& frame) const;
    [[nodiscard]] Frame read_frame(const FramePlace& place) const;
    [[nodiscard]] std::optional<Nanoseconds> time_of(std::uint64_t i) const;

    std::shared_ptr<const RandomAccess> file_;
    TraceInfo info_;
    LengthPrefixedTraceOptions options_;
    bool salvaged_;
    mutable TraceIndex index_;    // thread-safe
    mutable BufferPool buffers_;  // thread-safe
};

}  // namespace ositrace
