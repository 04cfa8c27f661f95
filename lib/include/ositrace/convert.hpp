// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace {

struct ConvertProgress {
    std::uint64_t frames = 0;                  ///< written
    std::uint64_t bytes_in = 0;                ///< payloads and prefixes
    std::uint64_t bytes_out = 0;               ///< payloads and prefixes
    std::uint64_t bytes_consumed = 0;          ///< of the source, as FrameSource::bytes_consumed()
    std::optional<std::uint64_t> bytes_total;  ///< of the source
};

struct ConvertOptions {
    std::optional<Format> to;      ///< of every frame that we can look into; empty: each stays as it is
    unsigned threads = 0;          ///< transcoding threads; 0 = one per core
    bool strict = false;           ///< refuse a frame with fields that cannot be kept
    bool verify = false;           ///< convert each frame back and compare: bytes, else field by field
    bool skip_bad_frames = false;  ///< leave out a frame that cannot be converted, instead of ending
    /// The source may wait for its frames (a file that grows): each is written as soon as it is read, and a stop ends
    /// the input, not the conversion.
    bool live = false;
    std::size_t max_message_bytes = default_max_message_bytes;  ///< of a converted frame
    /// Called in file order for every frame that was left out, from any thread but never from two at once.
    std::function<void(const SkippedBytes&)> on_skip = {};
    /// Called after frames were written, every 256 kB or oftener, from any thread but never from two at once. The
    /// source is being read meanwhile: do not ask it.
    std::function<void(const ConvertProgress&)> on_progress = {};
};

struct ConvertResult {
    std::uint64_t frames = 0;   ///< written
    std::uint64_t skipped = 0;  ///< frames left out
    std::uint64_t dropped_unknown_fields = 0;
    std::uint64_t other_wire_form = 0;  ///< verify: same content, other bytes (not canonical Protobuf)
    std::uint64_t left_out_metadata =
        0;  ///< records of the source, those of versions alone excepted, for which the output has no place
    std::uint64_t left_out_attachments = 0;
    std::uint64_t left_out_channel_metadata =
        0;  ///< keys that are not the standard's, of channels, for which the output has no place
    std::uint64_t left_out_application_records =
        0;                          ///< of an MCAP file: no writer can tell whether they would be right in another one
    std::uint64_t other_times = 0;  ///< messages whose log or publish time was not their OSI time, written without them
    std::uint64_t replaced_publish_times =
        0;  ///< messages whose OSI time took the place of the publish time they came with (MCAP)
    std::uint64_t replaced_texts =
        0;  ///< names, topics and metadata that are not UTF-8, written with U+FFFD in them (MCAP)
    /// The first message that was found to be of another type than its channel says. Few are looked into: of each
    /// channel number 0, 1, 2, 4, 8 ... and every 256th. It is written like any other.
    std::optional<Error> other_type = {};
    std::uint64_t bytes_in = 0;   ///< payloads and prefixes
    std::uint64_t bytes_out = 0;  ///< payloads and prefixes
};

/// Reads, transcodes on `threads` threads and writes in order until the source ends. The output does not depend on the
/// number of threads. Memory: one frame in and out per thread (of small frames a batch), of large frames no more than
/// 40 MB and one. Frames that are in the wanted format already are passed through untouched, and so are those of
/// foreign channels. Channels, metadata and attachments that appear on the way are handed to the writer, which must
/// have been created with what the source knew before this call. Does not close the writer. A stop ends with Error
/// (cancelled). A bad frame ends with the Error of the first bad frame in file order, all frames before it written and
/// none behind it.
[[nodiscard]] OSITRACE_API ConvertResult convert(FrameSource& from, TraceWriter& to, const ConvertOptions& options,
                                                 std::stop_token stop = {});

/// What create_trace() is to be given: the source with its channels as they are after a conversion to `to` (empty: as
/// they are).
[[nodiscard]] OSITRACE_API TraceInfo converted_info(const TraceInfo& from, std::optional<Format> to);
[[nodiscard]] OSITRACE_API Channel converted_channel(const Channel& from, std::optional<Format> to);

}  // namespace ositrace
