// SPDX-License-Identifier: MPL-2.0
#include "formats/mcap/record_parser.hpp"

#include <algorithm>
#include <array>

#include <ositrace/error.hpp>

#include "formats/core/too_few_bytes.hpp"

namespace ositrace::mcap {

/// Reads the fields of one record in order. Throws Error (malformed) that names record and field.
class FieldCursor {
public:
    FieldCursor(Bytes content, Opcode record) noexcept : bytes_(content), record_(record) {}

    template <class T>
    [[nodiscard]] T number(std::string_view field)
    {
        return load<T>(take(sizeof(T), field).data());
    }
    [[nodiscard]] std::uint16_t u16(std::string_view field) { return number<std::uint16_t>(field); }
    [[nodiscard]] std::uint32_t u32(std::string_view field) { return number<std::uint32_t>(field); }
    [[nodiscard]] std::uint64_t u64(std::string_view field) { return number<std::uint64_t>(field); }
    /// A length of 4 bytes and a text.
    [[nodiscard]] std::string_view text(std::string_view field) { return text_of(take(u32(field), field)); }
    [[nodiscard]] Bytes bytes(std::uint64_t length, std::string_view field) { return take(length, field); }
    [[nodiscard]] Bytes rest() noexcept { return bytes_.subspan(position_); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }

    /// A list after its length in bytes; `element(cursor)` reads an element.
    template <class Element>
    void list(std::string_view field, Element&& element)
    {
        const auto length = u32(field);
        const auto start = position_;
        FieldCursor inside(bytes_.first(start + take(length, field).size()), record_);
        inside.position_ = start;
        while (inside.position_ != inside.bytes_.size()) element(inside);
    }

private:
    Bytes take(std::uint64_t count, std::string_view field)
    {
        if (count > bytes_.size() - position_) fail(count, field);
        const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
        position_ += taken.size();
        return taken;
    }
    [[noreturn]] void fail(std::uint64_t count, std::string_view field) const;

    Bytes bytes_;
    std::size_t position_ = 0;
    Opcode record_;
};

namespace {

constexpr std::array<std::string_view, 16> names{"",           "Header",        "Footer",          "Schema",
                                                 "Channel",    "Message",       "Chunk",           "MessageIndex",
                                                 "ChunkIndex", "Attachment",    "AttachmentIndex", "Statistics",
                                                 "Metadata",   "MetadataIndex", "SummaryOffset",   "DataEnd"};

constexpr bool is_of_application(Opcode opcode) noexcept { return static_cast<std::uint8_t>(opcode) >= 0x80; }

constexpr std::size_t version_place = 5;  // in the magic

StringPairs string_pairs(FieldCursor& cursor, std::string_view field)
{
    StringPairs pairs;
    cursor.list(field, [&](FieldCursor& inside) {
        const auto key = inside.text(field);
        pairs.emplace_back(key, inside.text(field));
    });
    return pairs;
}

Chunk chunk_front(FieldCursor& cursor)
{
    Chunk chunk;
    chunk.message_start_time = cursor.u64("message_start_time");
    chunk.message_end_time = cursor.u64("message_end_time");
    chunk.uncompressed_size = cursor.u64("uncompressed_size");
    chunk.uncompressed_crc = cursor.u32("uncompressed_crc");
    chunk.compression = cursor.text("compression");
    return chunk;
}

AttachmentFields attachment_front(FieldCursor& cursor)
{
    AttachmentFields attachment;
    attachment.log_time = cursor.u64("log_time");
    attachment.create_time = cursor.u64("create_time");
    attachment.name = cursor.text("name");
    attachment.media_type = cursor.text("media_type");
    return attachment;
}

}  // namespace

void FieldCursor::fail(std::uint64_t count, std::string_view field) const
{
    throw Error(Cause::malformed, {.offset = position_},
                "the " + name_of(record_) + " record is too short for its field " + std::string(field) + ": it needs " +
                    too_few_bytes(count, bytes_.size() - position_));
}

RecordPrefix prefix_at(Bytes front) noexcept
{
    return {static_cast<Opcode>(std::to_integer<std::uint8_t>(front[0])), load_le64(front.data() + 1)};
}

std::string name_of(Opcode opcode)
{
    const auto number = static_cast<std::uint8_t>(opcode);
    if (number != 0 && number < names.size()) return std::string(names[number]);
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string("of opcode 0x") + digits[number >> 4] + digits[number & 15];
}

void check_opcode(Opcode opcode)
{
    if (opcode == Opcode{}) throw Error(Cause::malformed, "a record begins with the invalid opcode 0x00");
}

void check_after_data_end(Opcode opcode)
{
    if (holds_data(opcode))
        throw Error(Cause::malformed, {},
                    "a record " + name_of(opcode) +
                        " follows the DataEnd record, expected the summary (osiconvert recover saves it)",
                    Damage::after_data_end);
}

bool RecordWalker::next(RawRecord& record)
{
    const auto left = bytes_.subspan(position_);
    if (left.empty()) return false;
    if (left.size() < record_prefix_bytes)
        throw Error(
            Cause::truncated, {.offset = position_},
            "a record begins " + byte_count(left.size()) + " before the end, expected 9 bytes of opcode and length");
    const auto [opcode, length] = prefix_at(left);
    if (length > left.size() - record_prefix_bytes)
        throw Error(
            Cause::truncated, {.offset = position_},
            "the record " + name_of(opcode) + " announces " + too_few_bytes(length, left.size() - record_prefix_bytes));
    check_opcode(opcode);
    record = {opcode, position_, left.subspan(record_prefix_bytes, static_cast<std::size_t>(length))};
    position_ = record.end();
    return true;
}

bool ChunkWalker::next(RawRecord& record)
{
    while (records_.next(record)) {
        if (record.opcode == Opcode::schema || record.opcode == Opcode::channel || record.opcode == Opcode::message)
            return true;
        if (is_of_application(record.opcode)) {
            ++application_records_;
            continue;
        }
        throw Error(Cause::malformed, {.offset = record.offset},
                    "a chunk holds a record " + name_of(record.opcode) + " at byte " + std::to_string(record.offset) +
                        " of its records, expected Schema, Channel or Message (osiconvert recover saves the messages)",
                    Damage::record_in_chunk);
    }
    return false;
}

void check_magic(Bytes front)
{
    const auto found = text_of(front.first(std::min(front.size(), magic.size())));
    if (found == magic) return;
    if (found.size() == magic.size() && found.substr(0, version_place) == magic.substr(0, version_place) &&
        found.substr(version_place + 1) == magic.substr(version_place + 1))
        throw Error(Cause::unsupported, {.offset = 0},
                    std::string("MCAP version '") + found[version_place] + "', this program reads version '0'");
    throw Error(found.size() < magic.size() ? Cause::truncated : Cause::malformed, {.offset = 0},
                "does not begin with the magic of MCAP");
}

Header parse_header(Bytes content)
{
    FieldCursor cursor(content, Opcode::header);
    Header header;
    header.profile = cursor.text("profile");
    header.library = cursor.text("library");
    return header;
}

Footer parse_footer(Bytes content)
{
    FieldCursor cursor(content, Opcode::footer);
    Footer footer;
    footer.summary_start = cursor.u64("summary_start");
    footer.summary_offset_start = cursor.u64("summary_offset_start");
    footer.summary_crc = cursor.u32("summary_crc");
    return footer;
}

SchemaFields parse_schema(Bytes content)
{
    FieldCursor cursor(content, Opcode::schema);
    SchemaFields schema;
    schema.id = cursor.u16("id");
    schema.name = cursor.text("name");
    schema.encoding = cursor.text("encoding");
    schema.data = cursor.bytes(cursor.u32("data"), "data");
    if (schema.id == 0)
        throw Error(Cause::malformed, {.offset = 0}, "a Schema record has the id 0, expected 1 to 65535");
    return schema;
}

ChannelFields parse_channel(Bytes content)
{
    FieldCursor cursor(content, Opcode::channel);
    ChannelFields channel;
    channel.id = cursor.u16("id");
    channel.schema_id = cursor.u16("schema_id");
    channel.topic = cursor.text("topic");
    channel.message_encoding = cursor.text("message_encoding");
    channel.metadata = string_pairs(cursor, "metadata");
    return channel;
}

Message parse_message(Bytes content)
{
    FieldCursor cursor(content, Opcode::message);
    Message message;
    message.channel_id = cursor.u16("channel_id");
    message.sequence = cursor.u32("sequence");
    message.log_time = cursor.u64("log_time");
    message.publish_time = cursor.u64("publish_time");
    message.data = cursor.rest();
    return message;
}

Chunk parse_chunk(Bytes content)
{
    FieldCursor cursor(content, Opcode::chunk);
    auto chunk = chunk_front(cursor);
    chunk.records = cursor.bytes(cursor.u64("records"), "records");
    return chunk;
}

Chunk parse_chunk_front(Bytes front)
{
    FieldCursor cursor(front, Opcode::chunk);
    return chunk_front(cursor);
}

Chunk parse_damaged_chunk(Bytes content)
{
    FieldCursor cursor(content, Opcode::chunk);
    auto chunk = chunk_front(cursor);
    static_cast<void>(cursor.u64("records"));
    chunk.records = cursor.rest();
    return chunk;
}

std::optional<std::uint64_t> chunk_length(Bytes front)
try {
    FieldCursor cursor(front, Opcode::chunk);
    static_cast<void>(chunk_front(cursor));
    const auto records = cursor.u64("records");
    return records <= ~std::uint64_t{0} - cursor.position() ? std::optional(cursor.position() + records) : std::nullopt;
} catch (const Error&) {
    return std::nullopt;
}

std::uint64_t chunk_unpacked_bytes(Bytes front) noexcept
{
    constexpr std::size_t offset = 2 * sizeof(std::uint64_t);  // after two times
    return front.size() < offset + sizeof(std::uint64_t) ? 0 : load_le64(front.data() + offset);
}

MessageIndex parse_message_index(Bytes content)
{
    FieldCursor cursor(content, Opcode::message_index);
    MessageIndex index;
    index.channel_id = cursor.u16("channel_id");
    const auto entries = cursor.bytes(cursor.u32("records"), "records");
    if (entries.size() % message_index_entry_bytes != 0)
        throw Error(Cause::malformed, {.offset = message_index_front_bytes},
                    "the list of a MessageIndex record has " + std::to_string(entries.size()) +
                        " bytes, expected a multiple of 16");
    index.records.reserve(entries.size() / message_index_entry_bytes);
    for (std::size_t at = 0; at != entries.size(); at += message_index_entry_bytes)
        index.records.emplace_back(load_le64(entries.data() + at), load_le64(entries.data() + at + 8));
    return index;
}

ChunkIndex parse_chunk_index(Bytes content)
{
    FieldCursor cursor(content, Opcode::chunk_index);
    ChunkIndex index;
    index.message_start_time = cursor.u64("message_start_time");
    index.message_end_time = cursor.u64("message_end_time");
    index.chunk_start_offset = cursor.u64("chunk_start_offset");
    index.chunk_length = cursor.u64("chunk_length");
    cursor.list("message_index_offsets", [&](FieldCursor& inside) {
        const auto channel = inside.u16("message_index_offsets");
        index.message_index_offsets.emplace_back(channel, inside.u64("message_index_offsets"));
    });
    index.message_index_length = cursor.u64("message_index_length");
    index.compression = cursor.text("compression");
    index.compressed_size = cursor.u64("compressed_size");
    index.uncompressed_size = cursor.u64("uncompressed_size");
    return index;
}

AttachmentFields parse_attachment(Bytes content)
{
    FieldCursor cursor(content, Opcode::attachment);
    auto attachment = attachment_front(cursor);
    attachment.data = cursor.bytes(cursor.u64("data"), "data");
    attachment.crc = cursor.u32("crc");
    return attachment;
}

std::optional<AttachmentFront> parse_attachment_front(Bytes front)
try {
    FieldCursor cursor(front, Opcode::attachment);
    AttachmentFront result;
    result.attachment = attachment_front(cursor);
    result.data_size = cursor.u64("data");
    result.data_offset = cursor.position();
    return result;
} catch (const Error&) {
    return std::nullopt;
}

AttachmentIndex parse_attachment_index(Bytes content)
{
    FieldCursor cursor(content, Opcode::attachment_index);
    AttachmentIndex index;
    index.offset = cursor.u64("offset");
    index.length = cursor.u64("length");
    index.log_time = cursor.u64("log_time");
    index.create_time = cursor.u64("create_time");
    index.data_size = cursor.u64("data_size");
    index.name = cursor.text("name");
    index.media_type = cursor.text("media_type");
    return index;
}

Statistics parse_statistics(Bytes content)
{
    FieldCursor cursor(content, Opcode::statistics);
    Statistics statistics;
    statistics.message_count = cursor.u64("message_count");
    statistics.schema_count = cursor.u16("schema_count");
    statistics.channel_count = cursor.u32("channel_count");
    statistics.attachment_count = cursor.u32("attachment_count");
    statistics.metadata_count = cursor.u32("metadata_count");
    statistics.chunk_count = cursor.u32("chunk_count");
    statistics.message_start_time = cursor.u64("message_start_time");
    statistics.message_end_time = cursor.u64("message_end_time");
    cursor.list("channel_message_counts", [&](FieldCursor& inside) {
        const auto channel = inside.u16("channel_message_counts");
        statistics.channel_message_counts.emplace_back(channel, inside.u64("channel_message_counts"));
    });
    return statistics;
}

Metadata parse_metadata(Bytes content)
{
    FieldCursor cursor(content, Opcode::metadata);
    Metadata metadata;
    metadata.name = cursor.text("name");
    metadata.entries = string_pairs(cursor, "metadata");
    return metadata;
}

MetadataIndex parse_metadata_index(Bytes content)
{
    FieldCursor cursor(content, Opcode::metadata_index);
    MetadataIndex index;
    index.offset = cursor.u64("offset");
    index.length = cursor.u64("length");
    index.name = cursor.text("name");
    return index;
}

SummaryOffset parse_summary_offset(Bytes content)
{
    FieldCursor cursor(content, Opcode::summary_offset);
    SummaryOffset offset;
    offset.group = static_cast<Opcode>(cursor.number<std::uint8_t>("group_opcode"));
    offset.group_start = cursor.u64("group_start");
    offset.group_length = cursor.u64("group_length");
    return offset;
}

DataEnd parse_data_end(Bytes content)
{
    FieldCursor cursor(content, Opcode::data_end);
    return {cursor.u32("data_section_crc")};
}

}  // namespace ositrace::mcap
