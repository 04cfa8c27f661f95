// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/edit/static.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

struct CutOptions {
    std::optional<TimeRange> time;
    TimeExtent extent;           ///< of the source; without a start, that of the first frame with a time
    bool end_with_time = false;  ///< the first frame at or after the end of `time` is the end, for an endless stream
    FrameRange frames;
    std::uint64_t every = 1;  ///< keep every n-th frame of each channel, of those in range
    std::optional<TopicPattern> topic;
    std::optional<std::uint32_t> channel;  ///< keep only this one, by its index
    /// Insert static data of dropped frames into the next frame that is kept, if it lacks them, and write the first
    /// message of a map channel before the first frame.
    bool carry_static = true;
    std::function<void(const CarriedPart&)> on_carry = {};
    /// Called for damage after the requested range. If times decrease, frames of the range may follow the damage; they
    /// are not searched for.
    std::function<void(const Error&)> on_damage_after = {};
    /// Ends the wait for a channel with the topic, which an MCAP pipe may contain late: Error (cancelled).
    std::stop_token stop = {};
};

/// A part of a trace. A frame without an OSI time is selected by its log time, a frame with neither like the previous
/// frame. Frames keep the numbers of the source; dropped channels are not in info(). Metadata and attachments are kept.
/// Damage after the requested range is no error: frames are read up to the end of the range, with `time` up to the
/// first damage after a frame past its end. An MCAP stream is always read to its end, which may contain metadata.
/// Throws Error (usage) if `time` cannot be resolved or no topic matches.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> cut(std::unique_ptr<FrameSource> from, CutOptions options);

/// The same for a seekable trace. Without `carry_static` a trace with one channel is read from the first requested
/// frame, else from its beginning, because any frame may contain static data. In a length-prefixed file of large frames
/// (64 KiB on average) the times of all frames are read first, without the payloads; then nothing after the last
/// requested frame is read.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> cut(const Trace& from, CutOptions options);

}  // namespace ositrace
