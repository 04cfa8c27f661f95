// SPDX-License-Identifier: MPL-2.0
// Bytes in, MCAP records out. Nothing is copied but lists; strings and bytes are borrowed. Every length is checked
// before it is followed. Errors (malformed, truncated) carry the offset from the start of what was passed in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ositrace/bytes.hpp>

#include "formats/mcap/records.hpp"

namespace ositrace::mcap {

/// A record in the bytes. Records of unknown opcodes are passed over.
struct RawRecord {
    Opcode opcode{};
    std::uint64_t offset = 0;  ///< of the opcode
    Bytes content;
    [[nodiscard]] std::uint64_t content_offset() const noexcept { return offset + record_prefix_bytes; }
    [[nodiscard]] std::uint64_t end() const noexcept { return content_offset() + content.size(); }
};

/// Opcode and length of a record; `front` has `record_prefix_bytes` or more.
struct RecordPrefix {
    Opcode opcode{};
    std::uint64_t length = 0;
};
[[nodiscard]] RecordPrefix prefix_at(Bytes front) noexcept;

/// To follow "record": `Chunk`; `of opcode 0x93` if it is not known.
[[nodiscard]] std::string name_of(Opcode opcode);

/// Of an application (0x80 and above) or of a later version: who does not know it passes it over.
[[nodiscard]] constexpr bool is_undefined(Opcode opcode) noexcept { return opcode > Opcode::data_end; }

/// Of a later version, or damaged: applications use 0x80 and above.
[[nodiscard]] constexpr bool is_reserved(Opcode opcode) noexcept
{
    return is_undefined(opcode) && static_cast<std::uint8_t>(opcode) < 0x80;
}

/// These hold messages, metadata and attachments, and are not part of the summary.
[[nodiscard]] constexpr bool holds_data(Opcode opcode) noexcept
{
    return opcode == Opcode::message || opcode == Opcode::chunk || opcode == Opcode::attachment ||
           opcode == Opcode::metadata;
}
/// These are found in the summary only.
[[nodiscard]] constexpr bool holds_summary(Opcode opcode) noexcept
{
    return opcode == Opcode::chunk_index || opcode == Opcode::attachment_index || opcode == Opcode::statistics ||
           opcode == Opcode::metadata_index || opcode == Opcode::summary_offset || opcode == Opcode::footer;
}
/// Of a record after DataEnd. Throws Error (malformed) if it holds data, which no reader expects there.
void check_after_data_end(Opcode opcode);

/// Throws Error (malformed) for 0, which no record has: else bytes that were overwritten with zeros would be many empty
/// records.
void check_opcode(Opcode opcode);

/// Walks the records of a summary, or of a chunk whatever it holds.
class RecordWalker {
public:
    explicit RecordWalker(Bytes bytes) noexcept : bytes_(bytes) {}
    /// False at the end. Throws Error (truncated, malformed).
    bool next(RawRecord& record);

private:
    Bytes bytes_;
    std::uint64_t position_ = 0;
};

/// Walks the records of a chunk, which are schemas, channels and messages. Those of an application are passed over and
/// counted.
class ChunkWalker {
public:
    explicit ChunkWalker(Bytes records) noexcept : records_(records) {}
    /// False at the end. Throws Error (truncated; malformed: another record, which would be lost without a word).
    bool next(RawRecord& record);
    [[nodiscard]] std::uint64_t application_records() const noexcept { return application_records_; }

private:
    RecordWalker records_;
    std::uint64_t application_records_ = 0;
};

/// The magic and the Header begin a file. Throws Error: malformed when the magic is another one, unsupported for
/// another version.
void check_magic(Bytes front);
[[nodiscard]] Header parse_header(Bytes content);
[[nodiscard]] Footer parse_footer(Bytes content);
[[nodiscard]] SchemaFields parse_schema(Bytes content);
[[nodiscard]] ChannelFields parse_channel(Bytes content);
[[nodiscard]] Message parse_message(Bytes content);
[[nodiscard]] Chunk parse_chunk(Bytes content);
/// From the first bytes of a Chunk. The records of the result are empty.
[[nodiscard]] Chunk parse_chunk_front(Bytes front);
/// Of a chunk whose length or end is damaged: the records are all bytes after its front.
[[nodiscard]] Chunk parse_damaged_chunk(Bytes content);
/// The length of the content that follows from the lengths inside of it. `front`: the beginning of the content;
/// nullopt: more of it is needed.
[[nodiscard]] std::optional<std::uint64_t> chunk_length(Bytes front);
/// What the same beginning announces of the unpacked records; 0 where that is not in it.
[[nodiscard]] std::uint64_t chunk_unpacked_bytes(Bytes front) noexcept;
[[nodiscard]] MessageIndex parse_message_index(Bytes content);
[[nodiscard]] ChunkIndex parse_chunk_index(Bytes content);
[[nodiscard]] AttachmentFields parse_attachment(Bytes content);
[[nodiscard]] AttachmentIndex parse_attachment_index(Bytes content);
[[nodiscard]] Statistics parse_statistics(Bytes content);
[[nodiscard]] Metadata parse_metadata(Bytes content);
[[nodiscard]] MetadataIndex parse_metadata_index(Bytes content);
[[nodiscard]] SummaryOffset parse_summary_offset(Bytes content);
[[nodiscard]] DataEnd parse_data_end(Bytes content);

/// An Attachment whose data need not be in memory.
struct AttachmentFront {
    AttachmentFields attachment;    ///< without data and crc
    std::uint64_t data_offset = 0;  ///< in the content
    std::uint64_t data_size = 0;    ///< unverified
};
/// `front`: the first bytes of the content; nullopt: more of them are needed.
[[nodiscard]] std::optional<AttachmentFront> parse_attachment_front(Bytes front);

/// Bytes of a Message before its data.
inline constexpr std::size_t message_front_bytes = 22;
/// Bytes of a MessageIndex with `n` messages: this and 16 n.
inline constexpr std::size_t message_index_front_bytes = 6;
inline constexpr std::size_t message_index_entry_bytes = 16;

}  // namespace ositrace::mcap
