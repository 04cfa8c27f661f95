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
    std::optional<int>
        level;  ///< of the compression: that of the file name (`.zst`, `.lz4`), in an MCAP that of the chunks
    std::optional<std::string> chunk_compression;  ///< MCAP: `none`, `lz4` (the default), `zstd`
    std::optional<std::size_t>
        chunk_bytes;  ///< MCAP: a chunk is closed when it holds this much (default 4 MiB); a message may be larger
    std::string extension;  ///< `.mcap`, `.osi.zst`: what is written, whatever the file's name; empty: as the name says
    unsigned threads = 1;   ///< compression threads; 0 = one per core
    bool sync = true;       ///< fsync before the output gets its name
    bool flush_frames = false;  ///< hand every frame on at once: for a pipe behind a live source
    /// Until close() the output is a visible `<name>.part`, which stays when the writer is destroyed without it or the
    /// process dies. Once a second what was gathered goes there; that makes chunks and blocks smaller.
    bool recording = false;
    bool keep_times = false;  ///< MCAP: publish times that frames come with stay, whatever their OSI timestamps say
    std::vector<std::filesystem::path> inputs;  ///< files that must not be the output, by device and inode
};

/// A version that a channel of the input states and that is no major.minor.patch, which OSI-MCAP wants.
struct ReplacedVersion {
    std::string topic;
    std::string key;  ///< of the channel's metadata
    std::string stated;
    std::string written;  ///< that of the data; empty: none is known
};

/// Messages of one channel state several OSI versions, of which a channel record holds one: those of another are a
/// channel of their own.
struct VersionChannel {
    std::string topic;  ///< of its own
    std::string version;
    std::string of_topic;
    std::string of_version;
    std::string type_name;  ///< of both
};

/// Writes a trace. The output appears under its name only at close(); a writer destroyed without it leaves nothing.
/// A pipe or a device is written in place. One thread at a time.
class OSITRACE_API TraceWriter {
public:
    virtual ~TraceWriter() = default;
    /// Takes a frame of a channel of the TraceInfo it was created with. Throws Error (io, limit) naming the output.
    virtual void write(const Frame& frame) = 0;
    /// A channel that appeared after the writer was created; its number is the next one. Throws Error (unsupported)
    /// where there is one only.
    virtual void add_channel(const Channel& channel);
    /// The container has metadata records and attachments.
    [[nodiscard]] virtual bool holds_records() const noexcept { return false; }
    /// Metadata and attachments beyond those of the TraceInfo. A container without such records throws Error
    /// (unsupported).
    virtual void add_metadata(const MetadataRecord& record);
    virtual void add_attachment(const Attachment& attachment);
    /// Fields written so far that the schema does not know and that the container therefore has no place for (text).
    [[nodiscard]] virtual std::uint64_t dropped_unknown_fields() const noexcept { return 0; }
    /// Topics of channels whose OSI version had to be taken from their schema, because their first message states none
    /// (MCAP).
    [[nodiscard]] virtual std::vector<std::string> assumed_versions() const { return {}; }
    /// Versions of channels that were not written as they were stated (MCAP).
    [[nodiscard]] virtual std::vector<ReplacedVersion> replaced_versions() const { return {}; }
    /// Channels that were made for messages of another OSI version than that of their channel (MCAP). Of messages that
    /// come out of an MCAP file the channel there knows.
    [[nodiscard]] virtual std::vector<VersionChannel> version_channels() const { return {}; }
    /// Topics of channels whose frames, without log times of their own or of a recording, were not written in the order
    /// of their times, by which this container is read (MCAP).
    [[nodiscard]] virtual std::vector<std::string> backward_times() const { return {}; }
    /// Messages whose OSI time was written in the place of the publish time they came with (MCAP, unless
    /// WriteOptions::keep_times).
    [[nodiscard]] virtual std::uint64_t replaced_publish_times() const noexcept { return 0; }
    /// Messages that could state a time and state none, nor came with one: each stands with the message in front of it,
    /// the first at 0 (MCAP).
    [[nodiscard]] virtual std::uint64_t untimed_messages() const noexcept { return 0; }
    /// Names, topics and metadata so far that are not UTF-8 and were written with U+FFFD in place of their other bytes
    /// (MCAP).
    [[nodiscard]] virtual std::uint64_t replaced_texts() const noexcept { return 0; }
    /// Puts what was gathered into the file without waiting for anybody; what is being compressed follows with the next
    /// call. For a recording behind whose last frame none comes: behind frames it happens once a second by itself.
    /// Throws Error (io).
    virtual void hand_on() {}
    /// Of a recording: destroyed without close() it leaves no `.part` either.
    virtual void discard() noexcept {}
    /// Flushes, syncs, publishes; returns the bytes written. Data is safe only when it has returned.
    virtual std::uint64_t close() = 0;
};

/// The extension that decides what is written: that of the options, else that of the name. Both must outlive the
/// result.
[[nodiscard]] OSITRACE_API std::optional<TraceExtension> output_extension(const std::filesystem::path& file,
                                                                          const WriteOptions& options) noexcept;

/// Throws Error (usage) when the output is one of the inputs, by device and inode; `-` among these is standard input.
OSITRACE_API void refuse_inputs(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs);

/// `-` is standard output. The container and the compression come from output_extension(): `.osi`, `.osifb`, `.txth`,
/// `.jsonl`, each with `.zst` or `.lz4`, and `.mcap`. Metadata and attachments of `info` are written where the
/// container has records for them, else left out. A pipe or device needs no extension. Throws Error: `exists` without
/// `overwrite`; `usage` for an extension that is unknown, only read, or of another encoding than the channel's, and
/// when the output is one of the inputs; `unsupported` for more channels than it holds.
[[nodiscard]] OSITRACE_API std::unique_ptr<TraceWriter> create_trace(const std::filesystem::path& file,
                                                                     const TraceInfo& info,
                                                                     const WriteOptions& options = {});

}  // namespace ositrace
