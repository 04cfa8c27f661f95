// SPDX-License-Identifier: MPL-2.0
// Reading traces: as a stream of frames, or seekable through an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/random_access.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// A damaged place of a file, and the loss.
struct SkippedBytes {
    std::optional<std::uint64_t> frame;  ///< number of the next frame that is read, where known
    std::uint64_t offset = 0;            ///< in the uncompressed input (see `compressed`): of a length prefix, a record
    std::uint64_t bytes = 0;             ///< lost; 0: a wrong length was corrected, or a checksum is wrong
    Error error;                         ///< why
    std::uint64_t kept = 0;    ///< frames of a damaged MCAP chunk or compressed frame that no checksum confirms
    std::uint64_t frames = 0;  ///< lost in these bytes, at most; 0: none, or unknown (MCAP, compressed)
    bool compressed = false;   ///< offset and bytes are those of the compressed file
    std::optional<Nanoseconds> after = {};   ///< OSI time of the last frame before it; of length-prefixed files
    std::optional<Nanoseconds> before = {};  ///< OSI time of the first frame after it

    /// Can a number of frames be lost that `frames` does not state?
    [[nodiscard]] bool may_lose_more() const noexcept
    {
        // A decompressor reports a wrong checksum after it has returned all bytes.
        return frames == 0 && (bytes != 0 || error.damage() == Damage::no_data_end ||
                               (compressed && error.damage() != Damage::bad_crc));
    }
};

/// Frames that are lost at several damaged places: unknown, or at most so many.
class LostFrames {
public:
    void add(const SkippedBytes& place) noexcept
    {
        counted_ += place.frames;
        if (place.may_lose_more()) known_ = false;
        // Then the file states how many frames it had: what was added is all that is lost.
        if (place.error.damage() == Damage::statistics && place.frames != 0) known_ = true;
    }
    [[nodiscard]] std::optional<std::uint64_t> count() const noexcept
    {
        return known_ ? std::optional(counted_) : std::nullopt;
    }

private:
    std::uint64_t counted_ = 0;
    bool known_ = true;
};

/// How far a program reads messages to find damage.
enum class DamageDepth : std::uint8_t {
    structure,  ///< a message that cannot be read is a frame
    content,    ///< a message that cannot be read from end to end is damage
};

class TextParser;
class McapObserver;

/// How far a line of an OpenDRIVE map may be from its curve, in metres: what OSI allows.
inline constexpr double default_map_deviation = 0.05;

struct OpenOptions {
    std::optional<MessageType> type;       ///< empty: recognised by content, the file name is a hint
    std::optional<Encoding> encoding;      ///< empty: recognised by content
    std::optional<Layout> layout;          ///< empty: recognised by content
    std::shared_ptr<const Schema> schema;  ///< null: the built-in one
    std::size_t max_message_bytes = default_max_message_bytes;
    double map_deviation = default_map_deviation;  ///< of an OpenDRIVE file, see MapOptions::max_deviation
    bool follow = false;  ///< wait at the end of the file for more bytes, until a stop is requested
    /// Skip damage and continue at the next frame that is found. A pipe is copied to an unnamed temporary file first,
    /// so that it is read as a file is, unless `follow` or `live`.
    bool skip_bad_frames = false;
    bool live = false;                         ///< frames of a pipe are read when they arrive
    DamageDepth depth = DamageDepth::content;  ///< with skip_bad_frames, in length-prefixed files
    /// Empty messages that count as damage are messages: those at the end of a length-prefixed file, 128 or more in a
    /// row, and those of FlatBuffers.
    bool keep_empty = false;
    /// The frames of a length-prefixed file are SensorDataSeries: open_stream() returns each SensorData in them as a
    /// frame.
    bool unpack_series = false;
    std::function<void(const SkippedBytes&)> on_skip = {};  ///< kept by an opened MCAP trace, for its readers
    /// Called when the summary of an MCAP file is damaged, and the file is read from its beginning instead; once for
    /// each schema or channel of an MCAP file that is declared again with other data or metadata; and once for each
    /// kind of unusual time: nanos of 10^9 or more, a message without a timestamp that has its time elsewhere, a time
    /// that cannot be read. Any thread, until the trace and its readers have gone.
    std::function<void(const Error&)> on_warning = {};
    /// Called by open_trace() before it reads the whole file, which it must where the file is compressed, text, or MCAP
    /// without a usable summary: a program can stream the first frames of a regular file meanwhile. May be called more
    /// than once for a file.
    std::function<void()> before_whole_read = {};
    std::stop_token stop;  ///< ends the wait for the first frames of a pipe: Error (cancelled)
    /// Of `.txth` and JSON lines; null: such files are refused (see text_parser.hpp).
    std::shared_ptr<const TextParser> text_parser;
    /// That unpack the chunks of an MCAP file ahead of its reader; 0 = one per processor, at most 8. None where the
    /// process may use a single processor.
    unsigned threads = 0;
    bool keep_index = true;  ///< load and store the index in the user's cache directory
    /// Private to the library: sees every record of an MCAP stream. Outlives the source. May be null.
    McapObserver* mcap_observer = nullptr;
};

/// A stream of frames: a file, a pipe, a socket. One thread at a time.
class OSITRACE_API FrameSource {
public:
    virtual ~FrameSource() = default;
    [[nodiscard]] virtual const TraceInfo& info() const noexcept = 0;
    /// The next frame; false at the end (or when a stop was requested). Throws Error with file, frame and byte. What
    /// `frame` held is given up in each case, so that its memory can serve the next one.
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

/// The earliest and the latest time of some frames.
struct TimeBounds {
    Nanoseconds first{};
    Nanoseconds last{};
    friend bool operator==(const TimeBounds&, const TimeBounds&) = default;
};

/// A place where a program can begin to read: a frame, or a chunk.
struct TracePlace {
    std::optional<std::uint64_t> frame;  ///< its number; empty for a chunk
    std::uint64_t offset = 0;            ///< in the file
    std::optional<Nanoseconds> time;     ///< of the frame; the earliest log time in the chunk
    friend bool operator==(const TracePlace&, const TracePlace&) = default;
};

/// A map that is not in the messages of a trace.
struct MapBeside {
    Frame frame;            ///< with its road, signs, markings and objects
    std::string name;       ///< for people: `town.xodr`
    bool replaces = false;  ///< it was chosen by the user: it is shown instead of what the messages have
};

/// A trace whose frames are read by number: immutable bytes and an index that is built on demand. Thread-safe.
class OSITRACE_API Trace : public std::enable_shared_from_this<Trace> {
public:
    virtual ~Trace() = default;
    [[nodiscard]] virtual const TraceInfo& info() const noexcept = 0;
    /// Number of frames of a channel. The first call reads the length prefixes up to the end. Throws Error when one is
    /// damaged.
    [[nodiscard]] virtual std::uint64_t frame_count(std::uint32_t channel = 0) const = 0;
    /// Number of the first frame of a channel that can be read: 0, except in a trace that drops its oldest frames (see
    /// live_trace.hpp).
    [[nodiscard]] virtual std::uint64_t first_frame(std::uint32_t channel) const
    {
        static_cast<void>(channel);
        return 0;
    }
    /// Where a trace knows it without a search: the last frame up to `i` that has a road (else: any part of the map)
    /// and can be read, also if it lies before first_frame().
    [[nodiscard]] virtual std::optional<std::uint64_t> kept_map(std::uint32_t channel, std::uint64_t i,
                                                                bool with_road) const
    {
        static_cast<void>(channel), static_cast<void>(i), static_cast<void>(with_road);
        return std::nullopt;
    }
    /// Frame `i` of a channel, with its time. Throws Error (usage) when the channel has fewer frames.
    [[nodiscard]] virtual Frame frame(std::uint32_t channel, std::uint64_t i) const = 0;
    /// The time of frame `i`, as frame() returns it. Where the container allows it, only the first bytes of a large
    /// frame are read.
    [[nodiscard]] virtual std::optional<Nanoseconds> frame_time(std::uint32_t channel, std::uint64_t i) const
    {
        return frame(channel, i).time;
    }
    /// The log time of frame `i` from the index, without reading the frame; empty in containers without log times.
    [[nodiscard]] virtual std::optional<Nanoseconds> log_time(std::uint32_t channel, std::uint64_t i) const
    {
        return frame(channel, i).log_time;
    }
    /// Length in bytes of frame `i`, from the index.
    [[nodiscard]] virtual std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const = 0;
    /// Of all frames of a channel, or of those before the first damage. Costs what frame_count() costs. All zero where
    /// the index has no sizes (MCAP).
    [[nodiscard]] virtual FrameSizes frame_sizes(std::uint32_t channel = 0) const = 0;
    /// Uncompressed bytes of the records with the messages of all channels, as the index states them; empty in
    /// containers without records.
    [[nodiscard]] virtual std::optional<std::uint64_t> record_bytes() const { return std::nullopt; }
    /// The last frame of a channel with time <= t; nullopt before the first. Frames without a time are ignored. Reads
    /// times from the first bytes of payloads. Undefined where times go backward.
    [[nodiscard]] virtual std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const = 0;
    /// The log times of a channel as an index states them, without reading a frame: where chunks hold several channels,
    /// of all chunks that hold this one. Empty where no index states times, and for a channel without frames.
    [[nodiscard]] virtual std::optional<TimeBounds> indexed_times(std::uint32_t channel) const
    {
        static_cast<void>(channel);
        return std::nullopt;
    }
    /// Places about every `apart` bytes of the file, ascending, the first frame or chunk among them: for programs that
    /// share a file among them. Costs what frame_count() costs, and the time of each frame. Empty where a file must be
    /// read from its beginning.
    [[nodiscard]] virtual std::vector<TracePlace> places(std::uint64_t apart) const
    {
        static_cast<void>(apart);
        return {};
    }
    /// A cursor at frame 0, in the order of the container; it keeps the trace alive.
    [[nodiscard]] virtual std::unique_ptr<class TraceReader> reader() const = 0;
    /// The map beside the trace as a message of a channel (see trace_map.hpp).
    [[nodiscard]] virtual std::optional<MapBeside> map_beside(std::uint32_t channel) const
    {
        static_cast<void>(channel);
        return std::nullopt;
    }
};

/// A cursor on a trace.
class OSITRACE_API TraceReader : public FrameSource {
public:
    virtual void seek_frame(std::uint64_t i) = 0;
    virtual void seek_time(Nanoseconds t) = 0;
};

/// Opens a file as a stream; `-` is standard input. Pipes and compressed files need no seek. Reads the first frames to
/// recognise encoding, layout and type. Throws Error (missing, io, cancelled, malformed, truncated, limit, ambiguous,
/// mismatch, unsupported).
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});

/// Opens a file whose frames are read by number. A compressed file is unpacked into an unnamed temporary file first.
/// Throws Error as open_stream() does.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> open_trace(const std::filesystem::path& file,
                                                                   const OpenOptions& options = {});

/// As above, of bytes in memory, an object in a store, or anything else that is read at offsets.
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> open_stream(std::shared_ptr<const RandomAccess> bytes,
                                                                    const OpenOptions& options = {});
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> open_trace(std::shared_ptr<const RandomAccess> bytes,
                                                                   const OpenOptions& options = {});

/// As open_trace(), where the container has an index (ContainerTraits::index: MCAP). Null for other containers, for
/// pipes, and for a file that is followed: open_stream() reads them. Throws Error as open_trace() does.
[[nodiscard]] OSITRACE_API std::shared_ptr<const Trace> open_indexed(const std::filesystem::path& file,
                                                                     const OpenOptions& options = {});

/// The frames of a file in the order of its container: those of open_indexed(), in the order of log times and with all
/// channels known at once, or where that is null those of open_stream().
[[nodiscard]] OSITRACE_API std::unique_ptr<FrameSource> open_source(const std::filesystem::path& file,
                                                                    const OpenOptions& options = {});

/// The OSI time of a payload: the sum of seconds and nanos of its timestamp. A SensorView without one has the time of
/// its global_ground_truth; a SensorData its last_measurement_time, else the time of its first sensor_view. Empty when
/// there is none. Throws Error: limit (more than 64 bits of nanoseconds), malformed.
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> timestamp_of(Bytes payload, const Channel& channel);
/// As timestamp_of(), but a message with a time beyond 64 bits of nanoseconds counts as one without a time, and a
/// warning names the first one. Throws Error (malformed).
[[nodiscard]] OSITRACE_API std::optional<Nanoseconds> time_in_range_of(const Frame& frame, const Channel& channel);
/// Do messages of this channel have a timestamp?
[[nodiscard]] OSITRACE_API bool has_timestamp(const Channel& channel) noexcept;
/// The OSI version that a payload states; empty when it states none.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> osi_version_of(Bytes payload, const Channel& channel);
/// The same, else that of the first GroundTruth in it that states one; empty when none does, or when the payload is
/// damaged.
[[nodiscard]] OSITRACE_API std::optional<OsiVersion> claimed_osi_version(Bytes payload,
                                                                         const Channel& channel) noexcept;

}  // namespace ositrace
