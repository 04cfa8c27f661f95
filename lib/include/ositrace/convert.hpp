// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
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
    std::optional<Format> to;      ///< of all OSI frames; empty: frames are copied unchanged
    unsigned threads = 0;          ///< transcoding threads; 0 = one per core
    bool strict = false;           ///< a frame with fields that the output cannot store is an error
    bool verify = false;           ///< convert each frame back and compare: bytes, else all fields
    bool skip_bad_frames = false;  ///< skip a frame that cannot be converted, instead of throwing
    bool read_copied = false;      ///< read frames that are copied unchanged, too: one that cannot be read is a bad one
    bool keep_empty = false;       ///< an empty FlatBuffer is passed through instead of being an error
    /// For a source that waits for frames (a growing file): each frame is written at once, and a stop ends the input,
    /// not the conversion.
    bool live = false;
    std::size_t max_message_bytes = default_max_message_bytes;  ///< of a converted frame
    /// Called in file order for every skipped frame, from any thread but never from two at once.
    std::function<void(const SkippedBytes&)> on_skip = {};
    /// Called after frames were written, at least every 256 kB, from any thread but never from two at once. Must not
    /// use the source, which another thread reads.
    std::function<void(const ConvertProgress&)> on_progress = {};
};

struct ConvertResult {
    std::uint64_t frames = 0;   ///< written
    std::uint64_t skipped = 0;  ///< frames that could not be converted
    std::uint64_t dropped_unknown_fields = 0;
    std::uint64_t other_wire_form = 0;  ///< verify: same content, other bytes (not canonical Protobuf)
    // Dropped, because the output format does not support it:
    std::uint64_t left_out_metadata = 0;  ///< records, except those that contain versions only
    std::uint64_t left_out_attachments = 0;
    /// Keys that the standard does not define; in any output those of TraceInfo::late_channel_keys.
    std::uint64_t left_out_channel_metadata = 0;
    std::uint64_t left_out_application_records = 0;  ///< of MCAP: they may be wrong in another file
    std::uint64_t lost_times = 0;                    ///< log times of messages that have no OSI time
    std::uint64_t other_times = 0;                   ///< log or publish times that were not the OSI time
    std::uint64_t replaced_publish_times = 0;        ///< MCAP: publish times that were replaced by the OSI time
    std::uint64_t replaced_texts = 0;  ///< MCAP: names, topics and metadata that were not UTF-8: now with U+FFFD
    /// The first message that does not have the type of its channel. Only a sample is checked: of each channel number
    /// 0, 1, 2, 4, 8 ... and every 256th. The message is written nevertheless.
    std::optional<Error> other_type = {};
    std::uint64_t bytes_in = 0;   ///< payloads and prefixes
    std::uint64_t bytes_out = 0;  ///< payloads and prefixes
};

/// Reads, converts on `threads` threads and writes in order until the source ends. The output does not depend on the
/// number of threads. Memory: one frame in and out per thread (a batch of small frames), but at most 40 MB and one
/// frame. Frames that have the requested format are copied unchanged, as are frames of channels without OSI messages.
/// Channels, metadata and attachments that the source adds while it is read are passed to the writer, which must have
/// been created with the source's info() of before this call. Does not close the writer. A stop throws Error
/// (cancelled). A bad frame throws its Error after all frames before it, and none after it, were written.
[[nodiscard]] OSITRACE_API ConvertResult convert(FrameSource& from, TraceWriter& to, const ConvertOptions& options,
                                                 std::stop_token stop = {});

/// The conversion that an output with this name needs: to the encoding of its extension. Empty: every channel keeps its
/// format, because the extension allows any, or because a channel has that encoding already.
[[nodiscard]] OSITRACE_API std::optional<Format> output_format(const std::filesystem::path& output,
                                                               const WriteOptions& options, const TraceInfo& info);

/// The argument for create_trace(): the source with its channels after a conversion to `to` (empty: unchanged).
[[nodiscard]] OSITRACE_API TraceInfo converted_info(const TraceInfo& from, std::optional<Format> to);
[[nodiscard]] OSITRACE_API Channel converted_channel(const Channel& from, std::optional<Format> to);

/// What becomes of the log and publish time of a frame where only the OSI time is kept.
enum class KeptTime : std::uint8_t {
    same,   ///< they are the OSI time, or there are none
    other,  ///< they differ from it
    none,   ///< there is no OSI time: the message has no time at all then
};
[[nodiscard]] OSITRACE_API KeptTime kept_time_of(const Frame& frame, const Channel& channel);

}  // namespace ositrace
