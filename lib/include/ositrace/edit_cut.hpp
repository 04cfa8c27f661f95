// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/edit_static.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

struct CutOptions {
    std::optional<TimeRange> time;
    TimeExtent extent;  ///< of the source; without a start, that of the first frame with a time
    bool end_with_time =
        false;  ///< the first frame at or behind the end of `time` is the end: of a stream that may never have one
    FrameRange frames;
    std::uint64_t every = 1;  ///< of each channel, every so many frames of those that are in range
    std::optional<TopicPattern> topic;
    std::optional<std::uint32_t> channel;  ///< only this one, by its place
    /// A frame behind others that were left out gets the static part that they had and it lacks.
    bool carry_static = true;
    std::function<void(const CarriedPart&)> on_carry = {};
    /// Frames of the part that stand behind damage behind the part are not looked for: where times go backward there
    /// may be some.
    std::function<void(const Error&)> on_damage_behind = {};
    std::stop_token stop =
        {};  ///< ends the wait for a channel of the topic, which in an MCAP pipe may begin late: Error (cancelled)
};

/// A part of a trace. A frame without an OSI time is placed by its log time, one without either belongs to the frame in
/// front of it. Frames keep their numbers of the source; channels that are left out are not in info(). Metadata and
/// attachments stay. Damage behind the part is no error: frames are read up to its end, of `time` up to damage behind a
/// frame that lies behind it. An MCAP stream is read to its end in any case, where metadata may stand. Throws Error
/// (usage) when `time` cannot be resolved and when no topic has a match.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> cut(std::unique_ptr<FrameSource> from, CutOptions options);

/// The same of a trace that can be addressed. Without `carry_static` a trace of one channel is read from the first
/// frame wanted, else from its beginning, because any frame may bring what is sent once. In a length-prefixed file of
/// large frames (64 KiB on average) the times of all frames are looked at first, without their payloads; then nothing
/// behind the last frame wanted is read.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> cut(const Trace& from, CutOptions options);

}  // namespace ositrace
