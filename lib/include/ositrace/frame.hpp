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
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

using Nanoseconds =
    std::chrono::nanoseconds;  ///< int64: times reach 292 years; overflow is an error where a timestamp is read

/// One message of a trace. Cheap to move and copy; `owner` keeps the bytes alive, so a frame may outlive its reader.
struct Frame {
    Bytes bytes;                        ///< the payload, without its length prefix
    std::shared_ptr<const void> owner;  ///< of the bytes; may be null when the caller guarantees their life otherwise
    std::uint32_t channel = 0;          ///< place in TraceInfo::channels
    std::uint64_t index = 0;            ///< from 0, in file order over all channels
    std::uint64_t offset = 0;           ///< of the frame (its length prefix) in the uncompressed file
    std::optional<std::uint64_t> payload_offset;  ///< of `bytes` there; empty where they do not stand there as they are
    std::optional<Nanoseconds> time;              ///< OSI timestamp, where somebody read it
    std::optional<Nanoseconds> log_time;          ///< containers that keep one
    std::optional<Nanoseconds> publish_time;
    std::uint32_t sequence = 0;
    std::size_t owner_bytes = 0;  ///< that the owner holds, as those of a chunk; 0: nobody counted them
};

/// A schema as a container keeps it: of a foreign encoding too, so that it survives an edit.
struct SchemaRecord {
    std::string name;      ///< `osi3.SensorView`
    std::string encoding;  ///< `protobuf`: a FileDescriptorSet; `flatbuffer`: a .bfbs; others are foreign
    std::vector<std::byte> data;
    friend bool operator==(const SchemaRecord&, const SchemaRecord&) = default;
};

/// One stream of messages of one type.
struct Channel {
    std::string topic;
    std::optional<MessageType> type;  ///< empty for a foreign channel
    std::string type_name;            ///< `osi3.SensorView`
    Format format;
    std::shared_ptr<const Schema> schema;  ///< of this channel's data
    const MessageTable* root = nullptr;    ///< in `schema`; null for a channel whose messages cannot be looked into
    std::map<std::string, std::string> metadata;
    std::string message_encoding;  ///< as the container says (`protobuf`, `json`, ...); empty: that of `format`
    std::shared_ptr<const SchemaRecord>
        schema_record;       ///< as the container says; null: made from `schema` where one is written
    std::string unviewable;  ///< why `root` is null, where the channel seems to be OSI all the same
};

/// Named key-value pairs that belong to the whole trace. The standard's record is named `net.asam.osi.trace`.
struct MetadataRecord {
    std::string name;
    std::map<std::string, std::string> entries;
    friend bool operator==(const MetadataRecord&, const MetadataRecord&) = default;
};

/// A file that travels inside a trace: a map, a calibration. A handle; the bytes stay where they are.
struct Attachment {
    std::string name;
    std::string media_type;
    Nanoseconds log_time{};
    Nanoseconds create_time{};
    std::uint64_t bytes = 0;
    /// Hands the contents over in order, piece by piece. May outlive the trace; any thread. Throws Error (io,
    /// malformed).
    std::function<void(const std::function<void(Bytes)>& take)> read;
};

/// What is known of a trace before its frames are read. A stream may add channels, metadata and attachments on the way:
/// they are appended, what is there never changes.
struct TraceInfo {
    std::filesystem::path file;  ///< as it was opened, for messages; empty for a live source
    std::string container;       ///< `length-prefixed`, `mcap`
    std::string compression;     ///< of the whole file: `none`, `zstd`, `lz4`, `gzip`, `xz`
    std::string profile;         ///< MCAP: of the header
    std::string library;         ///< MCAP: what wrote it, of the header
    std::string
        chunk_compression;  ///< MCAP: of the chunks seen so far, `none`, `lz4`, `lz4, zstd`; empty without chunks
    std::vector<Channel> channels;
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::uint64_t application_records =
        0;  ///< MCAP: those that only their application understands, in the chunks read so far and outside of chunks
};

}  // namespace ositrace
