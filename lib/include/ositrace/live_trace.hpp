// SPDX-License-Identifier: MPL-2.0
// A trace in memory that grows while it is read: what a live source sends, or what a model returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// What a LiveTrace keeps: when one limit is reached, the oldest frames are dropped.
struct LiveLimits {
    static constexpr std::size_t bytes_per_frame = 256;  ///< a Frame, its number, and the heads of its memory

    std::size_t bytes = std::size_t{256} << 20;  ///< payloads, and bytes_per_frame for each frame
    std::uint64_t frames = std::uint64_t{1} << 20;
};

struct LiveCounts {
    std::uint64_t received = 0;  ///< frames of all channels so far
    std::uint64_t kept = 0;
    std::size_t bytes = 0;  ///< of those that are kept, as LiveLimits counts them
};

struct LiveTimes {
    std::uint64_t first = 0;  ///< number of the first frame that is kept
    std::uint64_t from = 0;   ///< number of the frame of the first time
    std::vector<std::optional<Nanoseconds>> times;
};

/// Frames keep their numbers: where old ones were dropped, a channel begins with first_frame(). Two frames of a channel
/// stay beyond the limits: the last one, and the last dropped one with a map (see kept_map()), because a sender may
/// send its map once. append() and close() are called by one thread, all other functions by any.
class OSITRACE_API LiveTrace final : public Trace {
public:
    explicit LiveTrace(TraceInfo info, LiveLimits limits = {});
    ~LiveTrace() override;

    /// Adds a copy of the frame, as the next one of its channel. Its time is `frame.time`, else that of the message.
    /// Throws Error (usage) for a channel that does not exist.
    void append(const Frame& frame);
    /// The same frames, with more channels in its info: those of `info` must begin with the present ones. The two
    /// share what is appended to either.
    [[nodiscard]] std::shared_ptr<LiveTrace> with_channels(TraceInfo info) const;
    /// Was one made by with_channels() of the other?
    [[nodiscard]] bool has_frames_of(const LiveTrace& other) const noexcept { return store_ == other.store_; }
    /// States that nothing will be appended, and ends all waits.
    void close();

    [[nodiscard]] LiveCounts counts() const;
    /// The times of the frames of a channel from number `from` on, or from the first one that is kept: OSI times, else
    /// log times.
    [[nodiscard]] LiveTimes times(std::uint32_t channel, std::uint64_t from) const;
    /// Waits until more than `received` frames were received. False: it was closed first, or a stop was requested.
    [[nodiscard]] bool wait(std::uint64_t received, std::stop_token stop) const;

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    /// One more than the number of the last frame, also where the first ones were dropped.
    [[nodiscard]] std::uint64_t frame_count(std::uint32_t channel = 0) const override;
    [[nodiscard]] std::uint64_t first_frame(std::uint32_t channel) const override;
    [[nodiscard]] std::optional<std::uint64_t> kept_map(std::uint32_t channel, std::uint64_t i,
                                                        bool with_road) const override;
    [[nodiscard]] Frame frame(std::uint32_t channel, std::uint64_t i) const override;
    [[nodiscard]] std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override;
    [[nodiscard]] FrameSizes frame_sizes(std::uint32_t channel = 0) const override;
    [[nodiscard]] std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override;
    /// In the order of arrival. read() returns the kept frames and does not wait: after false, it continues when more
    /// frames have arrived. Frames that are dropped before they are read are skipped.
    [[nodiscard]] std::unique_ptr<TraceReader> reader() const override;

private:
    struct Store;
    class Cursor;
    LiveTrace(TraceInfo info, std::shared_ptr<Store> store);

    TraceInfo info_;
    std::shared_ptr<Store> store_;
};

/// The trace as one that grows. Null: it does not.
[[nodiscard]] OSITRACE_API const LiveTrace* as_live(const Trace& trace) noexcept;

/// Waits until a channel has received frame `i`. False: it never will, as in a trace that does not grow, or a stop was
/// requested.
[[nodiscard]] OSITRACE_API bool wait_for_frame(const Trace& trace, std::uint32_t channel, std::uint64_t i,
                                               const std::stop_token& stop);

}  // namespace ositrace
