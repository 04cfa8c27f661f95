// SPDX-License-Identifier: MPL-2.0
// Traces by hand for the checks: good ones, to be broken in one place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>

#include "formats/mcap/record_output.hpp"
#include "tests/formats/wire_message.hpp"

namespace trace_by_hand {

using by_hand::Message;

inline std::string frame(const Message& message)
{
    return Message().raw_value(static_cast<std::uint32_t>(message.str().size())).raw(message.str()).str();
}

inline Message version(std::uint32_t major, std::uint32_t minor, std::uint32_t patch)
{
    return Message().varint(1, major).varint(2, minor).varint(3, patch);
}
inline Message time(std::uint64_t milliseconds)
{
    return Message().varint(1, milliseconds / 1000).varint(2, milliseconds % 1000 * 1'000'000);
}
inline Message id(std::uint64_t value) { return Message().varint(1, value); }
/// Anything that has an id in field 1.
inline Message thing(std::uint64_t value) { return Message().message(1, id(value)); }
inline Message head(std::uint64_t milliseconds)
{
    return Message().message(1, version(3, 8, 0)).message(2, time(milliseconds));
}

// GroundTruth
inline constexpr std::uint32_t host_vehicle = 3, stationary_object = 4, moving_object = 5, lane_boundary = 9, lane = 10,
                               logical_lane = 19;

/// A moving object and a lane: enough to tell it from other types.
inline Message truth(std::uint64_t milliseconds)
{
    return head(milliseconds).message(moving_object, thing(1)).message(lane, thing(50));
}

inline std::string ground_truths(std::uint64_t count, std::uint64_t from = 0)
{
    std::string bytes;
    for (std::uint64_t i = 0; i < count; ++i) bytes += frame(truth(from + 100 * i));
    return bytes;
}

/// An OpenDRIVE map: a lane of 3.5 m left of the x axis, 100 m long.
inline std::string road_map(const std::string& header = "<header/>")
{
    return "<OpenDRIVE>" + header +
           "<road id='7' length='100' junction='-1'><planView><geometry s='0' x='0' y='0' hdg='0' length='100'><line/>"
           "</geometry></planView><lanes><laneSection s='0'><left><lane id='1' type='driving'><width sOffset='0' "
           "a='3.5' b='0' c='0' d='0'/></lane></left><center><lane id='0' type='none'/></center></laneSection></lanes>"
           "</road></OpenDRIVE>";
}

/// An OSI-MCAP file with one channel and one chunk; every member can be broken.
struct McapFile {
    std::map<std::string, std::string> metadata{{"version", "3.8.0"},
                                                {"min_osi_version", "3.8.0"},
                                                {"max_osi_version", "3.8.0"},
                                                {"min_protobuf_version", "3.21.12"},
                                                {"max_protobuf_version", "3.21.12"},
                                                {"zero_time", "2021-08-18T15:05:42Z"},
                                                {"creation_time", "2021-08-18T15:05:42.5+02:00"},
                                                {"description", "a test"},
                                                {"authors", "us"},
                                                {"data_sources", "none"}};
    int metadata_records = 1;
    std::string metadata_name = "net.asam.osi.trace";
    std::string schema_name = "osi3.GroundTruth", schema_encoding = "protobuf";
    std::string schema_data{ositrace::text_of(ositrace::Schema::built_in()->descriptor_set())};
    std::uint16_t channel_schema = 1;
    std::vector<std::string> topics{"truth"};
    std::string message_encoding = "protobuf";
    std::map<std::string, std::string> channel_metadata{{"net.asam.osi.trace.channel.osi_version", "3.8.0"},
                                                        {"net.asam.osi.trace.channel.protobuf_version", "3.21.12"},
                                                        {"net.asam.osi.trace.channel.description", "a test"}};
    std::string compression;
    std::uint32_t data_crc = 0, summary_crc = 0;
    bool chunked = true, chunk_index = true, schema_in_summary = true, channel_in_summary = true;
    std::uint64_t log_delay = 0, publish_delay = 0;
    std::uint64_t wrong_end = 0;            ///< added to the last log time that chunk and chunk index state
    std::optional<std::uint64_t> indexed;   ///< a message index lists so many messages
    std::optional<std::uint64_t> counted;   ///< Statistics say so many messages
    std::string in_chunk, behind_data_end;  ///< records
    std::string repeated_key;               ///< of the metadata record, in front of the others
    std::vector<std::string> messages{truth(0).str(), truth(100).str()};
    std::vector<std::uint64_t> milliseconds;  ///< when they were published, else one every 100 ms

    [[nodiscard]] std::string bytes() const;
};

inline std::string McapFile::bytes() const
{
    using namespace ositrace;
    const auto pairs = [](const std::map<std::string, std::string>& map) {
        return mcap::StringPairs(map.begin(), map.end());
    };
    const auto append_schema = [&](ByteBuffer& to) {
        mcap::append(to, mcap::SchemaFields{1, schema_name, schema_encoding, bytes_of(schema_data)});
    };
    const auto append_channels = [&](ByteBuffer& to) {
        std::uint16_t number = 0;
        for (const auto& topic : topics)
            mcap::append(
                to, mcap::ChannelFields{++number, channel_schema, topic, message_encoding, pairs(channel_metadata)});
    };
    ByteBuffer records;
    append_schema(records);
    append_channels(records);
    records.append(bytes_of(in_chunk));
    mcap::MessageIndex index{1, {}};
    for (std::uint64_t i = 0; i < messages.size(); ++i) {
        const auto published = (milliseconds.empty() ? i * 100 : milliseconds[i]) * 1'000'000 + publish_delay;
        index.records.emplace_back(published + log_delay, records.size());
        mcap::append_front(records, mcap::Message{1, 0, published + log_delay, published, {}}, messages[i].size());
        records.append(bytes_of(messages[i]));
    }
    ByteBuffer out;
    out.append(bytes_of(mcap::magic));
    mcap::append(out, mcap::Header{"", "test"});
    auto entries = pairs(metadata);
    if (!repeated_key.empty()) entries.insert(entries.begin(), {repeated_key, "first"});
    for (int i = 0; i < metadata_records; ++i) mcap::append(out, mcap::Metadata{metadata_name, entries});
    const auto chunk = out.size();
    const auto [earliest, latest] = std::minmax_element(index.records.begin(), index.records.end());
    const auto first = earliest->first, last = latest->first + wrong_end;
    if (chunked) {
        mcap::append_front(out, mcap::Chunk{first, last, records.size(), 0, compression, {}}, records.size());
        out.append(records.bytes());
    } else {
        out.append(records.bytes());
    }
    const auto chunk_end = out.size();
    std::vector<std::pair<std::uint16_t, std::uint64_t>> index_places;
    if (indexed) {
        index.records.resize(*indexed);
        index_places.emplace_back(1, chunk_end);
        mcap::append(out, index);
    }
    const auto index_bytes = out.size() - chunk_end;
    mcap::append(out, mcap::DataEnd{data_crc});
    out.append(bytes_of(behind_data_end));
    const auto summary = out.size();
    if (schema_in_summary) append_schema(out);
    if (channel_in_summary) append_channels(out);
    if (chunked && chunk_index)
        mcap::append(out, mcap::ChunkIndex{first, last, chunk, chunk_end - chunk, index_places, index_bytes,
                                           compression, records.size(), records.size()});
    if (counted)
        mcap::append(out, mcap::Statistics{*counted,
                                           1,
                                           static_cast<std::uint32_t>(topics.size()),
                                           0,
                                           static_cast<std::uint32_t>(metadata_records),
                                           1,
                                           first,
                                           index.records.empty() ? first : last,
                                           {}});
    mcap::append(out, mcap::Footer{out.size() == summary ? 0 : summary, 0, summary_crc});
    out.append(bytes_of(mcap::magic));
    return std::string(text_of(out.bytes()));
}

/// Another chunk, of one message.
inline std::string chunk_record()
{
    using namespace ositrace;
    ByteBuffer records, out;
    mcap::append_front(records, mcap::Message{1, 0, 0, 0, {}}, 0);
    mcap::append_front(out, mcap::Chunk{0, 0, records.size(), 0, "", {}}, records.size());
    out.append(records.bytes());
    return std::string(text_of(out.bytes()));
}

}  // namespace trace_by_hand
