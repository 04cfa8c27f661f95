// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/container.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Nanoseconds in 64 bits: up to 292 years. A timestamp that does not fit is an error when it is read.
using Nanoseconds = std::chrono::nanoseconds;

/// One message of a trace. Cheap to move and copy; `owner` keeps the bytes alive, so a frame may outlive its reader.
struct Frame {
    Bytes bytes;                        ///< the payload, without its length prefix
    std::shared_ptr<const void> owner;  ///< of the bytes; null: the caller keeps them alive
    std::uint32_t channel = 0;          ///< index in TraceInfo::channels
    std::uint64_t index = 0;            ///< from 0, in file order over all channels
    std::uint64_t offset = 0;           ///< of the frame (its length prefix) in the uncompressed file
    /// Offset of `bytes` in the uncompressed file; empty where the file does not hold them verbatim.
    std::optional<std::uint64_t> payload_offset;
    std::optional<Nanoseconds> time;      ///< OSI timestamp; empty also where it was not read
    std::optional<Nanoseconds> log_time;  ///< empty in containers without log times
    std::optional<Nanoseconds> publish_time;
    std::uint32_t sequence = 0;
    std::size_t owner_bytes = 0;  ///< size of what the owner keeps alive, such as a chunk; 0: unknown

    /// The time that orders the frame: the OSI timestamp if it was read, else the log time.
    [[nodiscard]] std::optional<Nanoseconds> known_time() const noexcept { return time ? time : log_time; }
};

/// A schema as a container stores it, also of a foreign encoding, so that an edit keeps it.
struct SchemaRecord {
    std::string name;      ///< `osi3.SensorView`
    std::string encoding;  ///< `protobuf`: a FileDescriptorSet; `flatbuffer`: a .bfbs; others are foreign
    std::vector<std::byte> data;
    friend bool operator==(const SchemaRecord&, const SchemaRecord&) = default;
};

class TimeNotes;

/// A sequence of messages of one type.
struct Channel {
    std::string topic;
    std::optional<MessageType> type;  ///< empty for a foreign channel
    std::string type_name;            ///< `osi3.SensorView`
    Format format;
    std::shared_ptr<const Schema> schema;  ///< of this channel's data
    const MessageTable* root = nullptr;    ///< in `schema`; null for a channel whose messages cannot be parsed
    std::map<std::string, std::string> metadata;
    /// The encoding that the container states (`protobuf`, `json`, ...); empty: that of `format`.
    std::string message_encoding;
    /// The schema that the container states; null: a writer that needs one derives it from `schema`.
    std::shared_ptr<const SchemaRecord> schema_record;
    std::string unviewable;       ///< why `root` is null although the channel seems to be OSI
    std::string replaced_schema;  ///< why its own schema is not used, but that of this program; empty: it is used
    std::shared_ptr<const TimeNotes>
        time_notes;  ///< private to the library: calls OpenOptions::on_warning; may be null
};

/// `protobuf`, `flatbuffers`; of messages that cannot be parsed what the container states.
[[nodiscard]] inline std::string_view encoding_name(const Channel& channel)
{
    return channel.root || channel.message_encoding.empty() ? row_of(channel.format.encoding).name
                                                            : std::string_view(channel.message_encoding);
}

/// Named key-value pairs that belong to the whole trace. The record of the OSI standard is `net.asam.osi.trace`.
struct MetadataRecord {
    std::string name;
    std::map<std::string, std::string> entries;
    friend bool operator==(const MetadataRecord&, const MetadataRecord&) = default;
};

/// A file inside a trace, such as a map or a calibration. A handle: its bytes are read on demand.
struct Attachment {
    std::string name;
    std::string media_type;
    Nanoseconds log_time{};
    Nanoseconds create_time{};
    std::uint64_t bytes = 0;
    /// Passes the contents in order, piece by piece. May outlive the trace; any thread. Throws Error (io, malformed).
    std::function<void(const std::function<void(Bytes)>& consume)> read;
};

/// What is known of a trace before its frames are read. Where `may_grow` is set, reading a frame may append channels,
/// metadata and attachments; existing ones never change.
struct TraceInfo {
    std::filesystem::path file;  ///< as it was opened, for messages; empty for a live source
    ContainerTraits container;   ///< of a source that is no file only its name
    std::string compression;     ///< of the whole file: `none`, `zstd`, `lz4`, `gzip`, `xz`
    std::string profile;         ///< MCAP: of the header
    std::string library;         ///< MCAP: of the header, the program that wrote the file
    /// MCAP: of the chunks read so far: `none`, `lz4`, `lz4, zstd`; empty without chunks.
    std::string chunk_compression;
    std::vector<Channel> channels;
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    /// MCAP: number of records with an opcode of an application, in the chunks read so far and outside of chunks.
    std::uint64_t application_records = 0;
    /// MCAP, read in one pass: keys of the metadata of channels for which the summary, which was read last, has another
    /// value than `channels`, or none.
    std::vector<std::string> late_channel_keys;
    bool may_grow = false;

    /// The whole file.
    [[nodiscard]] bool is_compressed() const noexcept { return compression != not_compressed; }
};

}  // namespace ositrace
