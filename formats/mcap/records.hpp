// SPDX-License-Identifier: MPL-2.0
// The records of an MCAP file. Source: the MCAP format specification, version 0 (mcap.dev/spec).
// A file: magic, Header, data section (Schema, Channel, Message, Chunk, MessageIndex, Attachment, Metadata), DataEnd,
// summary section (Schema, Channel, Statistics, ChunkIndex, AttachmentIndex, MetadataIndex), summary offsets
// (SummaryOffset), Footer, magic. A record: opcode (1 byte), length (8 bytes), content. Content may be longer than the
// fields known here: the rest is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::mcap {

inline constexpr std::string_view magic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t record_prefix_bytes = 9;  ///< opcode and length
inline constexpr std::size_t footer_bytes = 20;        ///< content of the Footer

enum class Opcode : std::uint8_t {
    header = 0x01,
    footer = 0x02,
    schema = 0x03,
    channel = 0x04,
    message = 0x05,
    chunk = 0x06,
    message_index = 0x07,
    chunk_index = 0x08,
    attachment = 0x09,
    attachment_index = 0x0a,
    statistics = 0x0b,
    metadata = 0x0c,
    metadata_index = 0x0d,
    summary_offset = 0x0e,
    data_end = 0x0f,
};

/// Key-value pairs in the order of the file, which need not be sorted.
using StringPairs = std::vector<std::pair<std::string_view, std::string_view>>;

// Strings and bytes are borrowed from what was parsed. Times are nanoseconds since the zero time of the trace; offsets
// count from the start of the file; CRCs are CRC-32 (IEEE 802.3), 0 = not computed.

struct Header {
    std::string_view profile, library;
};
struct Footer {
    std::uint64_t summary_start = 0, summary_offset_start = 0;
    std::uint32_t summary_crc = 0;
};
struct SchemaFields {
    std::uint16_t id = 0;
    std::string_view name, encoding;
    Bytes data;
};
/// schema_id 0: the messages have none.
struct ChannelFields {
    std::uint16_t id = 0, schema_id = 0;
    std::string_view topic, message_encoding;
    StringPairs metadata;
};
struct Message {
    std::uint16_t channel_id = 0;
    std::uint32_t sequence = 0;
    std::uint64_t log_time = 0, publish_time = 0;
    Bytes data;
};
/// `records`: compressed as named by `compression` (`""`, `lz4`, `zstd`).
struct Chunk {
    std::uint64_t message_start_time = 0, message_end_time = 0, uncompressed_size = 0;
    std::uint32_t uncompressed_crc = 0;
    std::string_view compression;
    Bytes records;
};
/// Pairs of log time and offset in the uncompressed chunk.
struct MessageIndex {
    std::uint16_t channel_id = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> records;
};
struct ChunkIndex {
    std::uint64_t message_start_time = 0, message_end_time = 0, chunk_start_offset = 0, chunk_length = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>>
        message_index_offsets;  ///< channel id, offset of its MessageIndex
    std::uint64_t message_index_length = 0;
    std::string_view compression;
    std::uint64_t compressed_size = 0, uncompressed_size = 0;
};
/// `crc` covers the content before it.
struct AttachmentFields {
    std::uint64_t log_time = 0, create_time = 0;
    std::string_view name, media_type;
    Bytes data;
    std::uint32_t crc = 0;
};
struct AttachmentIndex {
    std::uint64_t offset = 0, length = 0, log_time = 0, create_time = 0, data_size = 0;
    std::string_view name, media_type;
};
struct Statistics {
    std::uint64_t message_count = 0;
    std::uint16_t schema_count = 0;
    std::uint32_t channel_count = 0, attachment_count = 0, metadata_count = 0, chunk_count = 0;
    std::uint64_t message_start_time = 0, message_end_time = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> channel_message_counts;
};
struct Metadata {
    std::string_view name;
    StringPairs entries;
};
struct MetadataIndex {
    std::uint64_t offset = 0, length = 0;
    std::string_view name;
};
struct SummaryOffset {
    Opcode group{};
    std::uint64_t group_start = 0, group_length = 0;
};
/// 0 = not computed; else of everything before this record, the magic included.
struct DataEnd {
    std::uint32_t data_section_crc = 0;
};

}  // namespace ositrace::mcap
