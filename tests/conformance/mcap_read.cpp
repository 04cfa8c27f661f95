// SPDX-License-Identifier: MPL-2.0
// The two readers of the MCAP conformance suite. usage: mcap_read streamed|indexed FILE
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/input_file.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_trace.hpp"

namespace {

using namespace ositrace;
using mcap::Opcode;

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }
std::string json(std::string_view text) { return in_quotes(text); }
template <std::integral T>
std::string json(T number)
{
    return in_quotes(std::to_string(number));
}
std::string json(Bytes bytes)
{
    std::string text;
    for (const auto byte : bytes)
        text += (text.empty() ? "" : ",") + in_quotes(std::to_string(std::to_integer<int>(byte)));
    return '[' + text + ']';
}
template <class Key, class Value>
std::string json(const std::vector<std::pair<Key, Value>>& pairs)
{
    std::string text;
    for (const auto& [key, value] : pairs)
        text += (text.empty() ? "" : ",") + (std::is_integral_v<Key> ? json(key) : json(key)) + ':' + json(value);
    return '{' + text + '}';
}
std::string json(const std::map<std::string, std::string>& pairs)
{
    return json(std::vector<std::pair<std::string_view, std::string_view>>(pairs.begin(), pairs.end()));
}

/// A record with its fields sorted by name.
class Record {
public:
    explicit Record(std::string_view type) : type_(type) {}
    template <class T>
    Record& field(const std::string& name, const T& value)
    {
        fields_[name] = json(value);
        return *this;
    }
    std::string text() const
    {
        std::string fields;
        for (const auto& [name, value] : fields_)
            fields += (fields.empty() ? "" : ",") + ("[" + in_quotes(name) + ',' + value + ']');
        return "{\"type\":" + in_quotes(type_) + ",\"fields\":[" + fields + "]}";
    }

private:
    std::string type_;
    std::map<std::string, std::string> fields_;
};

std::string schema(std::uint16_t id, std::string_view name, std::string_view encoding, Bytes data)
{
    return Record("Schema").field("id", id).field("name", name).field("encoding", encoding).field("data", data).text();
}

template <class Metadata>
std::string channel(std::uint16_t id, std::uint16_t schema_id, std::string_view topic, std::string_view encoding,
                    const Metadata& metadata)
{
    return Record("Channel")
        .field("id", id)
        .field("schema_id", schema_id)
        .field("topic", topic)
        .field("message_encoding", encoding)
        .field("metadata", metadata)
        .text();
}

std::string message(std::uint16_t channel_id, std::uint32_t sequence, std::uint64_t log_time,
                    std::uint64_t publish_time, Bytes data)
{
    return Record("Message")
        .field("channel_id", channel_id)
        .field("sequence", sequence)
        .field("log_time", log_time)
        .field("publish_time", publish_time)
        .field("data", data)
        .text();
}

std::string statistics(const mcap::Statistics& s)
{
    return Record("Statistics")
        .field("message_count", s.message_count)
        .field("schema_count", s.schema_count)
        .field("channel_count", s.channel_count)
        .field("attachment_count", s.attachment_count)
        .field("metadata_count", s.metadata_count)
        .field("chunk_count", s.chunk_count)
        .field("message_start_time", s.message_start_time)
        .field("message_end_time", s.message_end_time)
        .field("channel_message_counts", s.channel_message_counts)
        .text();
}

std::string text_of_record(const mcap::RawRecord& record)
{
    const auto& content = record.content;
    switch (record.opcode) {
    case Opcode::header: {
        const auto r = mcap::parse_header(content);
        return Record("Header").field("library", r.library).field("profile", r.profile).text();
    }
    case Opcode::footer: {
        const auto r = mcap::parse_footer(content);
        return Record("Footer")
            .field("summary_start", r.summary_start)
            .field("summary_offset_start", r.summary_offset_start)
            .field("summary_crc", r.summary_crc)
            .text();
    }
    case Opcode::schema: {
        const auto r = mcap::parse_schema(content);
        return schema(r.id, r.name, r.encoding, r.data);
    }
    case Opcode::channel: {
        const auto r = mcap::parse_channel(content);
        return channel(r.id, r.schema_id, r.topic, r.message_encoding, r.metadata);
    }
    case Opcode::message: {
        const auto r = mcap::parse_message(content);
        return message(r.channel_id, r.sequence, r.log_time, r.publish_time, r.data);
    }
    case Opcode::chunk_index: {
        const auto r = mcap::parse_chunk_index(content);
        return Record("ChunkIndex")
            .field("message_start_time", r.message_start_time)
            .field("message_end_time", r.message_end_time)
            .field("chunk_start_offset", r.chunk_start_offset)
            .field("chunk_length", r.chunk_length)
            .field("message_index_offsets", r.message_index_offsets)
            .field("message_index_length", r.message_index_length)
            .field("compression", r.compression)
            .field("compressed_size", r.compressed_size)
            .field("uncompressed_size", r.uncompressed_size)
            .text();
    }
    case Opcode::attachment: {
        const auto r = mcap::parse_attachment(content);
        return Record("Attachment")
            .field("log_time", r.log_time)
            .field("create_time", r.create_time)
            .field("name", r.name)
            .field("media_type", r.media_type)
            .field("data", r.data)
            .text();
    }
    case Opcode::attachment_index: {
        const auto r = mcap::parse_attachment_index(content);
        return Record("AttachmentIndex")
            .field("offset", r.offset)
            .field("length", r.length)
            .field("log_time", r.log_time)
            .field("create_time", r.create_time)
            .field("data_size", r.data_size)
            .field("name", r.name)
            .field("media_type", r.media_type)
            .text();
    }
    case Opcode::statistics: return statistics(mcap::parse_statistics(content));
    case Opcode::metadata: {
        const auto r = mcap::parse_metadata(content);
        return Record("Metadata").field("name", r.name).field("metadata", r.entries).text();
    }
    case Opcode::metadata_index: {
        const auto r = mcap::parse_metadata_index(content);
        return Record("MetadataIndex").field("offset", r.offset).field("length", r.length).field("name", r.name).text();
    }
    case Opcode::summary_offset: {
        const auto r = mcap::parse_summary_offset(content);
        return Record("SummaryOffset")
            .field("group_opcode", static_cast<unsigned>(r.group))
            .field("group_start", r.group_start)
            .field("group_length", r.group_length)
            .text();
    }
    case Opcode::data_end:
        return Record("DataEnd").field("data_section_crc", mcap::parse_data_end(content).data_section_crc).text();
    default: return {};
    }
}

std::string listed(const std::vector<std::string>& texts)
{
    std::string list;
    for (const auto& text : texts) list += (list.empty() ? "" : ",\n") + text;
    return '[' + list + ']';
}

void walk(Bytes bytes, std::vector<std::string>& records)
{
    mcap::RecordWalker walker(bytes);
    for (mcap::RawRecord record; walker.next(record);) {
        if (record.opcode == Opcode::chunk)
            walk(ChunkDecoder(1 << 20).decode(mcap::parse_chunk(record.content), nullptr).bytes, records);
        else if (auto text = text_of_record(record); !text.empty())
            records.push_back(std::move(text));
    }
}

/// The frames of the library's stream must be the messages among the records.
void check_stream(const std::string& file, const std::vector<std::string>& records)
{
    const auto stream = open_stream(file);
    std::vector<std::string> payloads;
    for (Frame frame; stream->read(frame);) payloads.push_back("[\"data\"," + json(frame.bytes) + ']');
    std::size_t messages = 0;
    for (const auto& record : records) {
        if (!record.starts_with("{\"type\":\"Message\"")) continue;
        if (messages == payloads.size() || record.find(payloads[messages]) == std::string::npos)
            throw Error(Cause::different, "the stream lacks a message");
        ++messages;
    }
    if (messages != payloads.size()) throw Error(Cause::different, "the stream has a message too many");
}

std::string streamed(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(in), {});
    mcap::check_magic(bytes_of(all));
    std::vector<std::string> records;
    walk(bytes_of(all).subspan(mcap::magic.size(), all.size() - 2 * mcap::magic.size()), records);
    check_stream(file, records);
    return "{\"records\":" + listed(records) + '}';
}

std::string indexed(const std::string& file)
{
    const auto opened = std::make_shared<const FileAccess>(open_for_reading(file), file);
    const auto summary = read_mcap_summary(opened, {});
    if (!summary || (summary->index.statistics && !summary->complete))
        throw Error(Cause::malformed, "the summary is not complete");
    auto index = read_mcap_index(opened, {});
    std::vector<std::string> schemas, channels, messages, statistic;
    const auto known = index.channels;
    for (const auto& [id, record] : known.schemas())
        schemas.push_back(schema(id, record->name, record->encoding, record->data));
    for (std::uint32_t i = 0; i != known.all().size(); ++i) {
        const auto& each = known.all()[i];
        channels.push_back(
            channel(known.ids_of(i).channel, known.ids_of(i).schema, each.topic, each.message_encoding, each.metadata));
    }
    if (index.statistics) statistic.push_back(statistics(*index.statistics));
    const auto trace = std::make_shared<McapTrace>(opened, std::move(index), "none", OpenOptions{});
    const auto reader = trace->reader();
    for (Frame frame; reader->read(frame);)
        messages.push_back(message(known.ids_of(frame.channel).channel, frame.sequence,
                                   static_cast<std::uint64_t>(frame.log_time->count()),
                                   static_cast<std::uint64_t>(frame.publish_time->count()), frame.bytes));
    return "{\"schemas\":" + listed(schemas) + ",\"channels\":" + listed(channels) +
           ",\"messages\":" + listed(messages) + ",\"statistics\":" + listed(statistic) + '}';
}

}  // namespace

int main(int count, char** words)
try {
    if (count != 3) return 2;
    std::cout << (words[1] == std::string_view("streamed") ? streamed(words[2]) : indexed(words[2])) << '\n';
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
