// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace_name.hpp>

namespace ositrace {

struct WriteOptions {
    bool overwrite = false;
    std::optional<int> level;  ///< of the compression of the file (`.zst`, `.lz4`) or, in an MCAP, of the chunks
    std::optional<std::string> chunk_compression;  ///< MCAP: `none`, `lz4` (the default), `zstd`
    /// MCAP: a chunk is closed when it holds this much (default 4 MiB); a message may be larger.
    std::optional<std::size_t> chunk_bytes;
    std::string extension;      ///< `.mcap`, `.osi.zst`: overrides that of the file name; empty: the name decides
    unsigned threads = 1;       ///< compression threads; 0 = one per core
    bool sync = true;           ///< fsync before the output gets its name
    bool flush_frames = false;  ///< flush every frame at once: for a pipe that a live source feeds
    /// Until close() the output is a visible file `<name>.part`, which remains when the process dies or the writer is
    /// destroyed without close(). Buffered data is written to it once a second, which makes chunks and blocks smaller.
    bool recording = false;
    bool keep_empty = false;  ///< write empty messages also where OpenOptions::keep_empty is needed to read them
    bool keep_times = false;  ///< MCAP: keep the publish times of frames, whatever their OSI timestamps say
    std::vector<std::filesystem::path> inputs;  ///< files that must not be the output, by device and inode
};

/// A version that a channel of the input states and that is not major.minor.patch, the form that OSI-MCAP requires.
struct ReplacedVersion {
    std::string topic;
    std::string key;  ///< of the channel's metadata
    std::string stated;
    std::string written;  ///< that of the data; empty: none is known
};

/// A channel for messages whose OSI version differs from that of their channel: a channel record states one version.
struct VersionChannel {
    std::string topic;  ///< of the new channel
    std::string version;
    std::string of_topic;
    std::string of_version;
    std::string type_name;  ///< of both
};

/// Writes a trace. The output gets its name at close(); a writer that is destroyed without close() leaves no file.
/// A pipe or a device is written in place. One thread at a time.
class OSITRACE_API TraceWriter {
public:
    virtual ~TraceWriter() = default;
    /// Writes a frame. Its channel is an index in TraceInfo::channels, followed by the channels that were added. Throws
    /// Error (io, limit) naming the output.
    virtual void write(const Frame& frame) = 0;
    /// Adds a channel under the next index. Throws Error (unsupported) where the container holds one channel.
    virtual void add_channel(const Channel& channel);
    /// ContainerTraits::metadata
    [[nodiscard]] virtual bool holds_records() const noexcept { return false; }
    /// Adds metadata and attachments to those of the TraceInfo. Throws Error (unsupported) in a container without them.
    virtual void add_metadata(const MetadataRecord& record);
    virtual void add_attachment(const Attachment& attachment);
    /// Number of fields dropped so far because the schema does not define them (text).
    [[nodiscard]] virtual std::uint64_t dropped_unknown_fields() const noexcept { return 0; }
    /// Topics of channels whose OSI version is that of their schema, because their first message states none (MCAP).
    [[nodiscard]] virtual std::vector<std::string> assumed_versions() const { return {}; }
    /// Versions of channels that were replaced (MCAP).
    [[nodiscard]] virtual std::vector<ReplacedVersion> replaced_versions() const { return {}; }
    /// Channels that were added for messages of another OSI version than that of their channel (MCAP). Messages from an
    /// MCAP file keep their channel.
    [[nodiscard]] virtual std::vector<VersionChannel> version_channels() const { return {}; }
    /// Topics of channels whose frames were not written in the order of their times, although the container is read in
    /// that order (MCAP). Frames with log times and frames of a recording do not count.
    [[nodiscard]] virtual std::vector<std::string> backward_times() const { return {}; }
    /// Number of messages whose OSI time replaced their publish time (MCAP, unless WriteOptions::keep_times).
    [[nodiscard]] virtual std::uint64_t replaced_publish_times() const noexcept { return 0; }
    /// Number of messages without a time although their type has one: each has the time of the message before it, the
    /// first one 0 (MCAP).
    [[nodiscard]] virtual std::uint64_t untimed_messages() const noexcept { return 0; }
    /// Number of names, topics and metadata so far whose invalid UTF-8 was replaced by U+FFFD (MCAP).
    [[nodiscard]] virtual std::uint64_t replaced_texts() const noexcept { return 0; }
    /// Writes buffered data to the file without waiting; blocks that are being compressed follow with the next call. A
    /// recording does this once a second when frames are written; call it when no frame follows. Throws Error (io).
    virtual void hand_on() {}
    /// Of a recording: remove the `.part` file when the writer is destroyed without close().
    virtual void discard() noexcept {}
    /// Flushes, syncs and renames; returns the number of bytes written. Data is safe only after it has returned.
    virtual std::uint64_t close() = 0;
};

/// The extension that decides what is written: that of the options, else that of the name. Both must outlive the
/// result.
[[nodiscard]] OSITRACE_API std::optional<TraceExtension> output_extension(const std::filesystem::path& file,
                                                                          const WriteOptions& options) noexcept;

/// Throws Error (usage) when the output is one of the inputs, by device and inode; `-` among these is standard input.
OSITRACE_API void refuse_inputs(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs);

/// Creates a writer; `-` is standard output. output_extension() decides container and compression: `.osi`, `.osifb`,
/// `.txth`, `.jsonl`, each also with `.zst` or `.lz4`, and `.mcap`; a pipe or device needs no extension. Metadata and
/// attachments of `info` are dropped where the container does not support them. Throws Error: `exists` without
/// `overwrite`; `usage` for an extension that is unknown, read only, or of another encoding than that of a channel, and
/// when the output is one of the inputs; `unsupported` for more channels than the container holds.
[[nodiscard]] OSITRACE_API std::unique_ptr<TraceWriter> create_trace(const std::filesystem::path& file,
                                                                     const TraceInfo& info,
                                                                     const WriteOptions& options = {});

}  // namespace ositrace
