// SPDX-License-Identifier: MPL-2.0
// Reading traces: as a stream of frames, or seekable through an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// Bytes of a damaged file that were passed over to reach the next frame.
struct SkippedBytes {
    std::uint64_t frame = 0;   ///< index the bad frame would have had
    std::uint64_t offset = 0;  ///< of its length prefix
    std::uint64_t bytes = 0;   ///< passed over
    Error error;               ///< why
    std::uint64_t kept = 0;    ///< frames of a damaged MCAP chunk that OpenOptions::is_whole kept
};

/// Is a payload that no checksum vouches for a whole message of its channel? `searched`: it was found by a search,
/// where no record in front of it says that a message begins, or in a chunk whose checksum is wrong.
using IsWholeMessage = std::function<bool(const Channel& channel, Bytes payload, bool searched)>;

class TextParser;

struct OpenOptions {
    std::optional<MessageType> type;       ///< empty: recognised by content, the file name is a hint
    std::optional<Encoding> encoding;      ///< empty: recognised by content
    std::optional<Layout> layout;          ///< empty: recognised by content
    std::shared_ptr<const Schema> schema;  ///< null: the built-in one
    std::size_t max_message_bytes = default_max_message_bytes;
    bool follow = false;           ///< wait at the end of the file for more, until the stop token
    bool skip_bad_frames = false;  ///< resynchronise behind a bad frame, where the next can be found
    std::function<void(const SkippedBytes&)> on_skip = {};
    /// With skip_bad_frames, MCAP as a stream: frames of a damaged chunk of which this says yes are kept; null: none.
    /// It is also asked about messages outside of chunks and in chunks without a checksum. Called by the thread that
    /// reads ahead.
    IsWholeMessage is_whole = {};
    /// Called when the summary of an MCAP file is damaged, and the file is read from its beginning instead.
    std::function<void(const Error&)> on_warning = {};
    /// Called by open_trace() before it reads the whole file, as it must where that is compressed, text, or MCAP
    /// without a usable summary: the first frames of a regular file can be streamed and looked at meanwhile. May be
    /// called more than once for a file.
    std::function<void()> before_whole_read = {};
    std::stop_token stop;  ///< ends the wait for the first frames of a pipe: Error (cancelled)
    std::shared_ptr<const TextParser>
        text_parser;       ///< of `.txth` and JSON lines; null: such files are refused (see text_parser.hpp)
    unsigned threads = 0;  ///< that unpack the chunks of an MCAP file ahead of its reader; 0 = one per core, at most 8
    bool keep_index = true;  ///< load and store the index in the user's cache directory
};

/// A stream of frames: a file, a pipe, a socket. One thread at a time.
class OSITRACE_API FrameSource {
public:
    virtual ~FrameSource() = default;
    [[nodiscard]] virtual const TraceInfo& info() const noexcept = 0;
    /// The next frame; false at the end (or when a stop was requested). Throws Error with file, frame and byte.
    virtual bool read(Frame& frame, std::stop_token stop = {}) = 0;
    /// Bytes of the (compressed) input consumed so far, and its size where it is known: for progress.
    [[nodiscard]] virtual std::uint64_t bytes_consumed() const noexcept = 0;
    [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const noexcept = 0;
};

/// Payload lengths of the frames of a channel, in bytes; all zero without frames.
struct FrameSizes {
    std::uint64_t smallest = 0;
    std::uint64_t largest = 0;
    std::uint64_t total = 0;
    friend bool operator==(const FrameSizes&, const FrameSizes&) = default;
};

/// A trace that can be addressed: immutable bytes and an index that grows as it is needed. Thread-safe.
class OSITRACE_API Trace : public std::enable_shared_from_this<Trace> {
public:
    virtual ~Trace() = default;
    [[nodiscard]] virtual const TraceInfo& info() const noexcept = 0;
    /// Frames of a channel; walks the length prefixes to the end at the first call. Throws Error when the file breaks
    /// on the way.
    [[nodiscard]] virtual std::uint64_t frame_count(std::uint32_t channel = 0) const = 0;
    /// Frame `i` of a channel, with its time. Throws Error (usage) when there is none.
    [[nodiscard]] virtual Frame frame(std::uint32_t channel, std::uint64_t i) const = 0;
    /// The time of frame `i`, as frame() has it; of a large frame only the first bytes are read where the container
    /// allows that.
    [[nodiscard]] virtual std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const
    {
        return frame(channel, i).time;
    }
    /// The log time of frame `i`, empty in containers that keep none; from the index, without reading the frame.
    [[nodiscard]] virtual std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const
    {
        return frame(channel, i).log_time;
    }
    /// Length in bytes of frame `i`, from the index.
    [[nodiscard]] virtual std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const = 0;
    /// Of all frames of a channel, or of those before the place where the file breaks. From the index: costs what
    /// frame_count() costs. All zero in a container whose index does not know them (MCAP).
    [[nodiscard]] virtual FrameSizes frame_sizes(std::uint32_t channel = 0) const = 0;
    /// Bytes of the records that hold the messages of all channels, unpacked, as the index states them; empty in
    /// containers without records.
    [[nodiscard]] virtual std::optional<std::uint64_t> record_bytes() const { return std::nullopt; }
    /// The last frame of a channel with time <= t; nullopt before the first. Frames without a time are passed over.
    /// Times are read from the payload's first bytes at the first call. Meaningful on traces whose times do not go
    /// backward.
    [[nodiscard]] virtual std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const = 0;
    /// A cursor from frame 0 in file order; the reader keeps the trace alive.
    [[nodiscard]] virtual std::unique_ptr<class TraceReader> reader() const = 0;
};

/// A cursor on a trace.
class OSITRACE_API TraceReader : public FrameSource {
public:
    virtual void seek_frame(std::uint64_t i) = 0;
    virtual void seek_time(Nanoseconds t) = 0;
};

/// Opens a file for streaming; `-` is standard input. Reads the first frames to recognise encoding, layout and type.
/// Throws Error (io, malformed, ambiguous, mismatch). No seek is needed: pipes and compressed files do.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});

/// Opens a file for seeking. A compressed file without a seek table is unpacked into an unnamed temporary first.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> open_trace(const std::filesystem::path& file,
                                                                   const OpenOptions& options = {});

/// The trace where a file is read best by an index: MCAP, whose channels and log times are known in whole at its end
/// only. Null for other containers, for pipes, and for a file that is followed: open_stream() reads them. Throws Error
/// as open_trace() does.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> open_indexed(const std::filesystem::path& file,
                                                                     const OpenOptions& options = {});

/// The frames of a file in the order of their container: of an MCAP file all channels are known at once, and its
/// messages come by log time (the reader of open_indexed()); all else comes as open_stream() gives it.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> open_source(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});

/// The OSI timestamp of a payload; empty when it has none. Throws Error when it is broken: nanos >= 10^9, overflow of
/// int64 nanoseconds.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> timestamp_of(Bytes payload, const Channel& channel);
/// The OSI version a payload claims; empty when it claims none.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> osi_version_of(Bytes payload, const Channel& channel);

}  // namespace ositrace
