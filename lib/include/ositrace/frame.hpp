// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
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

using Nanoseconds = std::chrono::nanoseconds;  ///< int64: times reach 292 years; overflow is an error where a timestamp is read

/// One message of a trace. Cheap to move and copy; `owner` keeps the bytes alive, so a frame may outlive its reader.
struct Frame {
    Bytes bytes;                           ///< the payload, without its length prefix
    std::shared_ptr<const void> owner;     ///< of the bytes; may be null when the caller guarantees their life otherwise
    std::uint32_t channel = 0;             ///< place in TraceInfo::channels
    std::uint64_t index = 0;               ///< from 0, in file order over all channels
    std::uint64_t offset = 0;              ///< of the frame (its length prefix) in the uncompressed file
    std::optional<Nanoseconds> time;       ///< OSI timestamp, where somebody read it
    std::optional<Nanoseconds> log_time;   ///< containers that keep one
    std::optional<Nanoseconds> publish_time;
    std::uint32_t sequence = 0;
};

/// One stream of messages of one type.
struct Channel {
    std::string topic;
    std::optional<MessageType> type;       ///< empty for a foreign channel
    std::string type_name;                 ///< `osi3.SensorView`
    Format format;
    std::shared_ptr<const Schema> schema;  ///< of this channel's data
    const MessageTable* root = nullptr;    ///< in `schema`
    std::map<std::string, std::string> metadata;
};

/// What is known of a trace before its frames are read. A live source may add channels on the way.
struct TraceInfo {
    std::filesystem::path file;            ///< as it was opened, for messages; empty for a live source
    std::string container;                 ///< `length-prefixed`, `mcap`
    std::string compression;               ///< of the whole file: `none`, `zstd`, `lz4`, `gzip`, `xz`
    std::vector<Channel> channels;
    std::map<std::string, std::string> metadata;
};

}  // namespace ositrace
