// SPDX-License-Identifier: MPL-2.0
#include "formats/mcap/record_output.hpp"

#include <concepts>
#include <limits>
#include <string>

#include <ositrace/error.hpp>

namespace ositrace::mcap {

namespace {

constexpr std::size_t crc_bytes = 4;

/// Appends one record; its length is put in when everything is there.
class RecordOutput {
public:
    RecordOutput(ByteBuffer& out, Opcode opcode) : out_(out), start_(out.size())
    {
        number(static_cast<std::uint8_t>(opcode));
        number(std::uint64_t{0});
    }

    template <std::unsigned_integral T>
    RecordOutput& number(T value)
    {
        store(out_.reserve_back(sizeof value), value);
        out_.commit_back(sizeof value);
        return *this;
    }

    RecordOutput& text(std::string_view text)
    {
        number(length_of(text.size()));
        out_.append(bytes_of(text));
        return *this;
    }

    RecordOutput& bytes(Bytes bytes)
    {
        number(length_of(bytes.size()));
        out_.append(bytes);
        return *this;
    }

    RecordOutput& pairs(const StringPairs& pairs)
    {
        return list([&] {
            for (const auto& [key, value] : pairs) text(key).text(value);
        });
    }

    template <class Key, class Value>
    RecordOutput& pairs(const std::vector<std::pair<Key, Value>>& pairs)
    {
        return list([&] {
            for (const auto& [key, value] : pairs) number(key).number(value);
        });
    }

    /// `after`: bytes of the content that the caller appends.
    void end(std::uint64_t after = 0)
    {
        store_le64(out_.data() + start_ + 1, out_.size() - start_ - record_prefix_bytes + after);
    }

private:
    static std::uint32_t length_of(std::size_t bytes)
    {
        if (bytes <= std::numeric_limits<std::uint32_t>::max()) return static_cast<std::uint32_t>(bytes);
        throw Error(Cause::limit, "a field of " + std::to_string(bytes) +
                                      " bytes exceeds the limit of 4294967295 bytes in an MCAP record");
    }

    /// What `put` appends, with its length in bytes in front.
    template <class Put>
    RecordOutput& list(Put put)
    {
        const auto at = out_.size();
        number(std::uint32_t{0});
        put();
        store_le32(out_.data() + at, length_of(out_.size() - at - sizeof(std::uint32_t)));
        return *this;
    }

    ByteBuffer& out_;
    std::size_t start_;
};

}  // namespace

void append(ByteBuffer& out, const Header& record)
{
    RecordOutput(out, Opcode::header).text(record.profile).text(record.library).end();
}

void append(ByteBuffer& out, const Footer& record)
{
    RecordOutput(out, Opcode::footer)
        .number(record.summary_start)
        .number(record.summary_offset_start)
        .number(record.summary_crc)
        .end();
}

void append(ByteBuffer& out, const SchemaFields& record)
{
    RecordOutput(out, Opcode::schema)
        .number(record.id)
        .text(record.name)
        .text(record.encoding)
        .bytes(record.data)
        .end();
}

void append(ByteBuffer& out, const ChannelFields& record)
{
    RecordOutput(out, Opcode::channel)
        .number(record.id)
        .number(record.schema_id)
        .text(record.topic)
        .text(record.message_encoding)
        .pairs(record.metadata)
        .end();
}

void append(ByteBuffer& out, const MessageIndex& record)
{
    RecordOutput(out, Opcode::message_index).number(record.channel_id).pairs(record.records).end();
}

void append(ByteBuffer& out, const ChunkIndex& record)
{
    RecordOutput(out, Opcode::chunk_index)
        .number(record.message_start_time)
        .number(record.message_end_time)
        .number(record.chunk_start_offset)
        .number(record.chunk_length)
        .pairs(record.message_index_offsets)
        .number(record.message_index_length)
        .text(record.compression)
        .number(record.compressed_size)
        .number(record.uncompressed_size)
        .end();
}

void append(ByteBuffer& out, const AttachmentIndex& record)
{
    RecordOutput(out, Opcode::attachment_index)
        .number(record.offset)
        .number(record.length)
        .number(record.log_time)
        .number(record.create_time)
        .number(record.data_size)
        .text(record.name)
        .text(record.media_type)
        .end();
}

void append(ByteBuffer& out, const Statistics& record)
{
    RecordOutput(out, Opcode::statistics)
        .number(record.message_count)
        .number(record.schema_count)
        .number(record.channel_count)
        .number(record.attachment_count)
        .number(record.metadata_count)
        .number(record.chunk_count)
        .number(record.message_start_time)
        .number(record.message_end_time)
        .pairs(record.channel_message_counts)
        .end();
}

void append(ByteBuffer& out, const Metadata& record)
{
    RecordOutput(out, Opcode::metadata).text(record.name).pairs(record.entries).end();
}

void append(ByteBuffer& out, const MetadataIndex& record)
{
    RecordOutput(out, Opcode::metadata_index).number(record.offset).number(record.length).text(record.name).end();
}

void append(ByteBuffer& out, const SummaryOffset& record)
{
    RecordOutput(out, Opcode::summary_offset)
        .number(static_cast<std::uint8_t>(record.group))
        .number(record.group_start)
        .number(record.group_length)
        .end();
}

void append(ByteBuffer& out, const DataEnd& record)
{
    RecordOutput(out, Opcode::data_end).number(record.data_section_crc).end();
}

void append_front(ByteBuffer& out, const Message& record, std::uint64_t data_bytes)
{
    RecordOutput(out, Opcode::message)
        .number(record.channel_id)
        .number(record.sequence)
        .number(record.log_time)
        .number(record.publish_time)
        .end(data_bytes);
}

void append_front(ByteBuffer& out, const Chunk& record, std::uint64_t records_bytes)
{
    RecordOutput(out, Opcode::chunk)
        .number(record.message_start_time)
        .number(record.message_end_time)
        .number(record.uncompressed_size)
        .number(record.uncompressed_crc)
        .text(record.compression)
        .number(records_bytes)
        .end(records_bytes);
}

void append_front(ByteBuffer& out, const AttachmentFields& record, std::uint64_t data_bytes)
{
    RecordOutput(out, Opcode::attachment)
        .number(record.log_time)
        .number(record.create_time)
        .text(record.name)
        .text(record.media_type)
        .number(data_bytes)
        .end(data_bytes + crc_bytes);
}

}  // namespace ositrace::mcap
