// SPDX-License-Identifier: MPL-2.0
// What stands in an OSI-MCAP file of ours, as our reader sees it.
#include <algorithm>

#include <ositrace/attach.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/merge.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>
#include <ositrace/utf8.hpp>

#include "lib/mcap/osi_records.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/convert/fake_trace.hpp"
#include "tests/lib/mcap/foreign_channel.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

const std::string osi_version_key = "net.asam.osi.trace.channel.osi_version";
const std::string protobuf_version_key = "net.asam.osi.trace.channel.protobuf_version";

Frame frame_of(const std::string& payload, std::uint32_t channel = 0)
{
    Frame frame;
    frame.bytes = bytes_of(payload);
    frame.channel = channel;
    return frame;
}

/// Writes the payloads to channel 0 of a file with these channels and gives the trace.
std::shared_ptr<const Trace> written(const ScratchFolder& folder, const TraceInfo& info,
                                     const std::vector<std::string>& payloads, WriteOptions options = {})
{
    const auto file = folder / "out.mcap";
    options.overwrite = true;
    const auto writer = create_trace(file, info, options);
    for (const auto& payload : payloads) writer->write(frame_of(payload));
    writer->close();
    return open_trace(file);
}

/// A length-delimited field that no schema knows, of bytes that compress a little.
std::string large_unknown_field(std::uint32_t bytes)
{
    std::string field = "\xfa\xff\xff\xff\x0f";  // number 2^29 - 1
    for (auto rest = bytes; rest != 0; rest >>= 7) field += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    std::uint32_t state = 1;
    for (std::uint32_t i = 0; i != bytes; ++i) {
        state = state * 1664525 + 1013904223;
        field += static_cast<char>(state >> 28);
    }
    return field;
}

std::map<std::string, std::string> trace_record_of(const TraceInfo& info)
{
    for (const auto& record : info.metadata)
        if (record.name == "net.asam.osi.trace") return record.entries;
    return {};
}

}  // namespace

TEST_CASE("a file is the same whoever owns its large messages, and however many threads compress")
{
    const ScratchFolder folder;
    const auto compression = GENERATE("none", "lz4", "zstd");
    const auto payload = std::make_shared<const std::string>(ground_truth(3) + large_unknown_field(5'000'000));
    const auto file = [&](unsigned threads, bool owned) {
        const auto path = folder / "large.mcap";
        const auto writer = create_trace(path, ground_truth_info(),
                                         {.overwrite = true, .chunk_compression = compression, .threads = threads});
        auto frame = frame_of(*payload);
        if (owned) frame.owner = payload;
        for (int i = 0; i != 3; ++i) writer->write(frame);
        writer->close();
        return read_file(path);
    };
    const auto expected = file(1, true);
    CHECK(file(1, false) == expected);
    CHECK(file(3, true) == expected);
    CHECK(file(3, false) == expected);
    CHECK(open_trace(folder / "large.mcap")->frame(0, 2).bytes.size() == payload->size());
}

TEST_CASE("log time and publish time of a message are its OSI timestamp")
{
    const ScratchFolder folder;
    const auto trace = written(folder, ground_truth_info(), {ground_truth(3), ground_truth(5)});
    CHECK(trace->frame(0, 1).log_time == std::chrono::seconds(5));
    CHECK(trace->frame(0, 1).publish_time == std::chrono::seconds(5));
    CHECK(text_of(trace->frame(0, 0).bytes) == ground_truth(3));
}

TEST_CASE("a message without timestamp stands with the message in front of it")
{
    const ScratchFolder folder;
    const auto trace = written(folder, ground_truth_info(), {ground_truth(3), ""});
    CHECK(trace->frame(0, 1).log_time == std::chrono::seconds(3));
}

TEST_CASE("a message keeps the log time that it came with, and its publish time is made its timestamp")
{
    const ScratchFolder folder;
    const auto payload = ground_truth(3);
    auto frame = frame_of(payload);
    frame.log_time = frame.publish_time = std::chrono::seconds(100);
    const auto writer = create_trace(folder / "a.mcap", ground_truth_info());
    writer->write(frame);
    writer->close();
    const auto found = open_trace(folder / "a.mcap")->frame(0, 0);
    CHECK(found.log_time == std::chrono::seconds(100));
    CHECK(found.publish_time == std::chrono::seconds(3));
}

TEST_CASE("a channel states the versions of its data, and the file the smallest and the largest")
{
    const ScratchFolder folder;
    auto info = ground_truth_info();
    info.channels.push_back(info.channels.front());
    info.channels.back().metadata = {{osi_version_key, "3.10.0"}, {protobuf_version_key, "3.9.1"}};
    info.metadata.push_back(
        {"net.asam.osi.trace", {{"version", "3.7.0"}, {"min_osi_version", "1.0.0"}, {"authors", "us"}}});
    const auto trace = written(folder, info, {ground_truth_of_release(3, 5, 0)});
    // A channel without messages is written last.
    CHECK(trace->info().channels[0].metadata.at(osi_version_key) == "3.5.0");
    CHECK(trace->info().channels[0].metadata.at(protobuf_version_key) == "3.21.12");
    const std::map<std::string, std::string> expected{{"version", "3.7.0"},
                                                      {"min_osi_version", "3.5.0"},
                                                      {"max_osi_version", "3.10.0"},
                                                      {"min_protobuf_version", "3.9.1"},
                                                      {"max_protobuf_version", "3.21.12"},
                                                      {"authors", "us"}};
    CHECK(trace_record_of(trace->info()) == expected);
}

TEST_CASE("a version that is no release gives way to that of the data, and is told")
{
    const ScratchFolder folder;
    auto info = ground_truth_info();
    info.channels.front().metadata = {{osi_version_key, "3.8.0-rc1"}, {protobuf_version_key, "x"}};
    const auto writer = create_trace(folder / "a.mcap", info);
    const auto payload = ground_truth_of_release(3, 5, 0);
    writer->write(frame_of(payload));
    const auto replaced = writer->replaced_versions();
    writer->close();
    REQUIRE(replaced.size() == 2);
    CHECK(replaced[0].key == osi_version_key);
    CHECK(replaced[0].stated == "3.8.0-rc1");
    CHECK(replaced[0].written == "3.5.0");
    CHECK(replaced[1].stated == "x");
    CHECK(replaced[1].written == "3.21.12");
    const auto trace = open_trace(folder / "a.mcap");
    CHECK(trace->info().channels[0].metadata.at(osi_version_key) == "3.5.0");
    CHECK(trace_record_of(trace->info()).at("min_osi_version") == "3.5.0");
    CHECK(trace_record_of(trace->info()).at("max_protobuf_version") == "3.21.12");
}

TEST_CASE(
    "every string of an MCAP file is UTF-8: what is none is replaced and counted, and names that differ stay different")
{
    const ScratchFolder folder;
    const auto odd = folder / "odd.bin";
    write_file(odd, "x");
    auto info = ground_truth_info();
    info.profile = "p\xff";
    info.metadata.push_back(
        {"m\xff", {{"k\xfe", "1"}, {"k\xff", "2\xc3"}, {"k\xef\xbf\xbd", "3"}, {"plain", "\xc3\xa4"}}});
    info.attachments.push_back(attachment_of(odd));
    info.attachments.back().name = "a\xc0\x80";
    info.attachments.back().media_type = "t\xed\xa0\x80";
    Channel foreign;
    foreign.topic = "t\xfe";
    foreign.message_encoding = "e\xff";
    foreign.metadata = {{"\xff", "\xff"}};
    foreign.schema_record = std::make_shared<const SchemaRecord>(SchemaRecord{"s\xff", "n\xff", {}});
    info.channels.push_back(foreign);
    const auto writer = create_trace(folder / "a.mcap", info);
    foreign.topic = "t\xff";
    writer->add_channel(foreign);
    CHECK(writer->replaced_texts() == 19);
    writer->close();
    const auto written = open_trace(folder / "a.mcap")->info();
    CHECK(written.profile == "p\xef\xbf\xbd");
    CHECK(written.channels.at(1).topic == "t\xef\xbf\xbd");
    CHECK(written.channels.at(2).topic == "t\xef\xbf\xbd_2");
    CHECK(written.channels.at(2).message_encoding == "e\xef\xbf\xbd");
    CHECK(written.channels.at(2).schema_record->name == "s\xef\xbf\xbd");
    CHECK(written.channels.at(2).schema_record->encoding == "n\xef\xbf\xbd");
    CHECK(written.channels.at(2).metadata.at("\xef\xbf\xbd") == "\xef\xbf\xbd");
    const std::map<std::string, std::string> entries{
        {"k\xef\xbf\xbd", "3"}, {"k\xef\xbf\xbd_2", "1"}, {"k\xef\xbf\xbd_3", "2\xef\xbf\xbd"}, {"plain", "\xc3\xa4"}};
    CHECK(std::ranges::count(written.metadata, MetadataRecord{"m\xef\xbf\xbd", entries}) == 1);
    CHECK(written.attachments.at(0).name == "a\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(is_utf8(written.attachments.at(0).media_type));
}

TEST_CASE("topics are unique")
{
    const ScratchFolder folder;
    auto info = ground_truth_info();
    info.channels.push_back(info.channels.front());
    info.channels.front().topic = info.channels.back().topic = "lidar";
    const auto trace = written(folder, info, {ground_truth(1)});
    CHECK(trace->info().channels[0].topic == "lidar");
    CHECK(trace->info().channels[1].topic == "lidar_2");
}

TEST_CASE("one schema record stands for all channels that share it, another for another schema")
{
    auto protobuf = ground_truth_info().channels.front();
    auto flat = ground_truth_info({Encoding::flatbuffers, Layout::numbered}).channels.front();
    const auto record = stated_schema(protobuf);
    CHECK(record->name == "osi3.GroundTruth");
    CHECK(record->encoding == "protobuf");
    const auto schema = Schema::compile(record->data);  // it stands on its own
    CHECK(schema->find("google.protobuf.FileOptions") != nullptr);
    CHECK(schema->find("osi3.Lane") != nullptr);
    CHECK(schema->find("osi3.SensorView") == nullptr);  // what GroundTruth does not import
    CHECK(stated_schema(flat)->name == "osi3_flat.GroundTruth");
    CHECK(stated_schema(flat)->encoding == "flatbuffer");
    protobuf.schema_record = record;
    CHECK(stated_schema(protobuf) == record);
}

TEST_CASE("a foreign channel keeps message encoding, schema and metadata")
{
    const ScratchFolder folder;
    TraceInfo info;
    info.channels.push_back(foreign_channel());
    info.channels.front().metadata = {{"own", "entry"}};
    const auto file = folder / "a.mcap";
    const auto writer = create_trace(file, info);
    const std::string text = "{}";
    writer->write(frame_of(text));
    writer->close();
    const auto trace = open_trace(file);
    const auto& channel = trace->info().channels.front();
    CHECK(channel.topic == "speed");
    CHECK(channel.message_encoding == "json");
    REQUIRE(channel.schema_record);
    CHECK(channel.schema_record->encoding == "jsonschema");
    CHECK(channel.metadata == std::map<std::string, std::string>{{"own", "entry"}});
    CHECK(trace->info().metadata.empty());  // no OSI channel, no record of the standard
}

TEST_CASE("an attachment of another length than it says is refused, naming both")
{
    const ScratchFolder folder;
    const auto writer = create_trace(folder / "a.mcap", ground_truth_info());
    Attachment attachment;
    attachment.name = "map";
    attachment.bytes = 5;
    attachment.read = [](const auto& take) { take(bytes_of("four")); };
    CHECK(error_of([&] {
              writer->add_attachment(attachment);
              return 0;
          }) == (folder / "a.mcap").string() + ": attachment 'map': found 4 bytes, expected 5");
}

TEST_CASE("the output does not depend on the number of compression threads, and large messages come back")
{
    const ScratchFolder folder;
    std::vector<std::string> payloads;
    for (std::uint8_t i = 0; i != 40; ++i) payloads.push_back(ground_truth(i, i % 7 == 0 ? 200'000 : 3000));
    for (const auto* compression : {"none", "lz4", "zstd"}) {
        const WriteOptions options{.chunk_compression = compression, .chunk_bytes = 100'000};
        written(folder, ground_truth_info(), payloads, options);
        const auto expected = read_file(folder / "out.mcap");
        for (const unsigned threads : {2u, 5u}) {
            auto more = options;
            more.threads = threads;
            const auto trace = written(folder, ground_truth_info(), payloads, more);
            CHECK(read_file(folder / "out.mcap") == expected);
            for (std::size_t i = 0; i != payloads.size(); ++i) CHECK(text_of(trace->frame(0, i).bytes) == payloads[i]);
        }
    }
}

TEST_CASE("the lists of several trace records are joined, of everything else the first is kept")
{
    mcap::TraceRecord record;
    record.add({"net.asam.osi.trace", {{"authors", "a, b"}, {"description", "first"}}});
    record.add(
        {"net.asam.osi.trace", {{"authors", "b,c"}, {"description", "second"}, {"zero_time", "2021-08-18T15:05:42Z"}}});
    const auto entries = record.record().entries;
    CHECK(entries.at("authors") == "a, b, c");
    CHECK(entries.at("description") == "first");
    CHECK(entries.at("zero_time") == "2021-08-18T15:05:42Z");
}
