// SPDX-License-Identifier: MPL-2.0
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

#include <ositrace/error.hpp>
#include <ositrace/schema_text.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_summary.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/mcap/mcap_file.hpp"
#include "tests/lib/mcap/read_both_ways.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
namespace by_hand = mcap_bytes;
using mcap_file::behind_name, mcap_file::streamed, mcap_file::through_index;

namespace {

const std::string a_channel = by_hand::channel(1, 0, "a");

}  // namespace

TEST_CASE("messages may stand in chunks and outside of them in one file")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file, by_hand::file(a_channel + by_hand::message(1, 5, "five") +
                                   by_hand::chunk(by_hand::message(1, 3, "three")) + by_hand::message(1, 4, "") +
                                   by_hand::record(mcap::Opcode(0x90), "private")));
    CHECK(streamed(file).lines == std::vector<std::string>{"a@5#0:five", "a@3#0:three", "a@4#0:"});
    CHECK(through_index(file).lines == std::vector<std::string>{"a@3#0:three", "a@4#0:", "a@5#0:five"});
}

TEST_CASE("a damaged chunk is an error of its place, or passed over where that is asked for")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto front = a_channel + by_hand::chunk(by_hand::message(1, 1, "one"));
    write_file(file, by_hand::file(front + by_hand::chunk(by_hand::message(1, 2, "two"), "", 34, 1) +
                                   by_hand::chunk(by_hand::message(1, 3, "three"))));
    const auto text = "frame 1 at byte " + std::to_string(by_hand::front().size() + front.size()) +
                      ": a chunk is damaged: the CRC of its bytes is " +
                      std::to_string(crc32(bytes_of(by_hand::message(1, 2, "two")))) + ", expected 1";
    CHECK(streamed(file).lines == std::vector<std::string>{"a@1#0:one"});
    CHECK(behind_name(streamed(file).error, file) == text);
    CHECK(through_index(file).lines == std::vector<std::string>{"a@1#0:one"});
    CHECK(behind_name(through_index(file).error, file) == text);
    CHECK(summarize(*open_trace(file)).damage == file.string() + ": " + text);

    OpenOptions options;
    options.skip_bad_frames = true;
    std::vector<std::uint64_t> skipped;
    options.on_skip = [&](const SkippedBytes& bytes) { skipped.push_back(bytes.bytes); };
    CHECK(streamed(file, options).lines == std::vector<std::string>{"a@1#0:one", "a@3#0:three"});
    CHECK(through_index(file, options).lines == std::vector<std::string>{"a@1#0:one", "a@3#0:three"});
    CHECK(skipped == std::vector<std::uint64_t>{83, 83});
}

TEST_CASE("schemas and channels of one id must agree")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(file, by_hand::file(a_channel + a_channel + by_hand::channel(1, 0, "b")));
    CHECK(behind_name(streamed(file).error, file) ==
          "frame 0 at byte 92: the channel 1 was 'a' and is declared again with other contents as 'b'");
    write_file(file, by_hand::file(by_hand::schema(1, "x", "y", "z") + by_hand::schema(1, "x", "y", "other")));
    CHECK(behind_name(streamed(file).error, file) ==
          "frame 0 at byte 58: the schema 1 was 'x' and is declared again with other contents as 'x'");
}

TEST_CASE(
    "a channel that stands in the summary alone is one of the trace, of a stream too, unless the summary is damaged")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto data = by_hand::front() + by_hand::chunk(a_channel + by_hand::message(1, 1, "one")) +
                      by_hand::record(mcap::Opcode::data_end, by_hand::u32(0));
    const auto write = [&](const std::string& summary, std::optional<std::uint32_t> crc) {
        const auto footer = by_hand::u64(data.size()) + by_hand::u64(0);
        const auto summed = summary + by_hand::record(mcap::Opcode::footer, footer + by_hand::u32(0)).substr(0, 25);
        write_file(file, data + summary +
                             by_hand::record(mcap::Opcode::footer,
                                             footer + by_hand::u32(crc.value_or(crc32(bytes_of(summed))))) +
                             std::string(mcap::magic));
    };
    const auto topics = [](const TraceInfo& info) {
        std::string all;
        for (const auto& channel : info.channels) all += channel.topic;
        return all;
    };
    const auto both = a_channel + by_hand::channel(2, 0, "b");
    for (const auto crc : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0)}) {
        write(both, crc);
        CHECK(topics(streamed(file).info) == "ab");
        CHECK(topics(through_index(file).info) == "ab");
    }
    write(both, 1);
    CHECK(topics(streamed(file).info) == "a");
    CHECK(streamed(file).error.empty());
    write(by_hand::channel(1, 0, "other") + by_hand::channel(2, 0, "b"), {});
    const auto twice = "the channel 1 was 'a' and is declared again with other contents as 'other'";
    CHECK(streamed(file).lines.size() == 1);
    CHECK_THAT(streamed(file).error, Catch::Matchers::EndsWith(twice));
    CHECK_THAT(through_index(file).error, Catch::Matchers::ContainsSubstring("is declared again with other contents"));
}

TEST_CASE("a time beyond 63 bits is an error of its message")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(
        file, by_hand::file(a_channel + by_hand::message(1, 1, "one") + by_hand::message(1, ~std::uint64_t{0}, "two")));
    CHECK(streamed(file).lines.size() == 1);
    CHECK(behind_name(streamed(file).error, file) ==
          "frame 1 at byte 96: log_time: 18446744073709551615 ns do not fit into a signed 64-bit number");
}

TEST_CASE("a channel of OSI is known by its schema, or by its name where the schema cannot be used")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto set = std::string(text_of(Schema::built_in()->descriptor_set()));
    write_file(file,
               by_hand::file(by_hand::schema(1, "osi3.GroundTruth", "protobuf", set) +
                             by_hand::channel(1, 1, "gt", "protobuf") +
                             by_hand::schema(2, "osi3.GroundTruth", "protobuf", "\xff\xff") +
                             by_hand::channel(2, 2, "bad", "protobuf") + by_hand::channel(3, 0, "none", "protobuf") +
                             by_hand::message(1, 7, ground_truth(3)) + by_hand::message(2, 8, ground_truth(4)) +
                             by_hand::message(3, 9, ground_truth(5))));
    std::vector<std::string> warnings;
    OpenOptions telling;
    telling.on_warning = [&](const Error& error) { warnings.push_back(behind_name(error.what(), file)); };
    const auto trace = open_trace(file, telling);
    const auto& channels = trace->info().channels;
    REQUIRE(channels.size() == 3);
    CHECK(channels[0].type == MessageType::ground_truth);
    CHECK(trace->frame(0, 0).time == std::chrono::seconds(3));
    CHECK(trace->frame_at(0, std::chrono::seconds(3)) == 0);
    CHECK(trace->frame_at(0, Nanoseconds(8)) == std::nullopt);
    CHECK(channels[1].type == MessageType::ground_truth);
    CHECK(channels[1].unviewable.empty());
    CHECK(trace->frame(1, 0).time == std::chrono::seconds(4));
    CHECK(std::ranges::count(warnings,
                             "the schema of the channel 'bad' cannot be used (not a descriptor set: a tag that the end "
                             "of the message cuts off): its messages are read with that of this program") == 1);
    CHECK(trace->frame(1, 0).bytes.size() == ground_truth(4).size());
    CHECK(!channels[2].type);

    OpenOptions options;
    options.type = MessageType::ground_truth;
    options.schema = Schema::built_in();
    const auto told = open_trace(file, options);
    for (std::uint32_t i = 0; i != 3; ++i) {
        CHECK(told->info().channels[i].type == MessageType::ground_truth);
        CHECK(told->info().channels[i].schema == Schema::built_in());
    }
    CHECK(told->frame(2, 0).time == std::chrono::seconds(5));
}

TEST_CASE("a reader seeks by OSI time, also where log times are other times")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto set = std::string(text_of(Schema::built_in()->descriptor_set()));
    auto records = by_hand::schema(1, "osi3.GroundTruth", "protobuf", set) + by_hand::channel(1, 1, "gt", "protobuf") +
                   by_hand::channel(2, 0, "b");
    for (std::uint8_t second = 0; second != 20; ++second)
        records += by_hand::chunk(by_hand::message(1, 1000u + second * 10u, ground_truth(second)) +
                                  by_hand::message(2, 1005u + second * 10u, "x"));
    write_file(file, by_hand::file(records));
    const auto trace = open_trace(file);
    const auto reader = trace->reader();
    Frame frame;
    for (const int second : {7, 0, 19, 8}) {
        reader->seek_time(std::chrono::seconds(second) + Nanoseconds(1));
        REQUIRE(reader->read(frame));
        CHECK(frame.time == std::chrono::seconds(second));
        CHECK(frame.index == 2u * static_cast<unsigned>(second));
        CHECK(trace->frame_at(0, std::chrono::seconds(second)) == second);
    }
}

TEST_CASE("a FlatBuffers channel has the type and layout of its binary schema's file identifier")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    SchemaTextOptions text;
    text.type = MessageType::ground_truth;
    text.layout = Layout::declared;
    const auto bfbs = flatbuffers_binary_schema(*Schema::built_in(), text);
    write_file(file,
               by_hand::file(by_hand::schema(1, "osi3_flat.GroundTruth", "flatbuffer", std::string(text_of(bfbs))) +
                             by_hand::channel(1, 1, "gt", "flatbuffer") +
                             by_hand::schema(2, "osi3_flat.SensorView", "flatbuffer", "") +
                             by_hand::channel(2, 2, "bad", "flatbuffer")));
    const auto read = through_index(file);
    CHECK(read.error.empty());
    REQUIRE(read.info.channels.size() == 2);
    CHECK(read.info.channels[0].type == MessageType::ground_truth);
    CHECK(read.info.channels[0].format == Format{Encoding::flatbuffers, Layout::declared});
    CHECK(read.info.channels[0].type_name == "osi3.GroundTruth");
    CHECK(read.info.channels[1].root == nullptr);
    CHECK(!read.info.channels[1].unviewable.empty());
}

TEST_CASE("attachments come out of a pipe, small and large, and a damaged one says so")
{
    const ScratchFolder folder;
    const auto pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const std::string large(300'000, 'm');
    auto damaged = by_hand::attachment("damaged", "abc");
    damaged[damaged.size() - 5] = 'X';
    const auto bytes = by_hand::file(by_hand::attachment("small", "abc") + a_channel +
                                     by_hand::attachment("large", large) + damaged + by_hand::message(1, 1, "one"));
    std::jthread writer([&] { write_file(pipe, bytes); });
    const auto read = streamed(pipe);
    CHECK(read.error.empty());
    CHECK(read.lines == std::vector<std::string>{"a@1#0:one"});
    REQUIRE(read.info.attachments.size() == 3);
    const auto contents = [&](std::size_t i) {
        std::string all;
        read.info.attachments[i].read([&](Bytes piece) { all += text_of(piece); });
        return all;
    };
    CHECK(contents(0) == "abc");
    CHECK(contents(1) == large);
    const auto place = std::to_string(bytes.find(damaged));
    CHECK(behind_name(error_of([&] { return contents(2); }), pipe)
              .starts_with("byte " + place + ": the attachment 'damaged' is damaged: the CRC of its bytes is "));
}

TEST_CASE("a chunk that announces other sizes than it has allocates nothing and says so")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto error = [&](const std::string& chunk) {
        write_file(file, by_hand::file(a_channel + chunk));
        CHECK(through_index(file).error == streamed(file).error);
        return behind_name(streamed(file).error, file);
    };
    CHECK(error(by_hand::chunk("abc", "", 4, 0)) == "frame 0 at byte 62: a chunk holds 3 bytes, expected 4");
    CHECK(error(by_hand::chunk("abc", "", ~std::uint64_t{0}, 0)) ==
          "frame 0 at byte 62: a chunk of 18446744073709551615 bytes exceeds the limit of 603979776 bytes");
    CHECK(error(by_hand::chunk("abc", "bz2", 4, 0)) ==
          "frame 0 at byte 62: found the chunk compression 'bz2', expected lz4, zstd or none");
    CHECK(error(by_hand::chunk("", "zstd", 400'000'000, 0)) ==
          "frame 0 at byte 62: a chunk unpacks to 0 bytes, expected 400000000");
}

TEST_CASE("behind a damaged record the next one is found, and what was passed over is reported")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    const auto front = by_hand::front() + a_channel + by_hand::message(1, 1, "one");
    const auto damaged = [&](const std::string& bad, const std::string& behind = by_hand::back()) {
        write_file(file, front + bad + by_hand::chunk(by_hand::message(1, 2, "two")) + by_hand::message(1, 3, "three") +
                             behind);
        OpenOptions options;
        options.skip_bad_frames = true;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> skipped;
        options.on_skip = [&](const SkippedBytes& bytes) {
            const bool is_unproven = bytes.bytes == 0 && bytes.error.cause() == Cause::malformed;
            if (!is_unproven) skipped.emplace_back(bytes.offset - front.size(), bytes.bytes);
        };
        const auto read = streamed(file, options);
        CHECK(read.error.empty());
        CHECK(read.lines == std::vector<std::string>{"a@1#0:one", "a@2#0:two", "a@3#0:three"});
        return skipped;
    };
    using Skipped = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    CHECK(damaged(std::string(1, '\x05') + by_hand::u64(1u << 20) + "lost") == Skipped{{0, 13}});
    CHECK(damaged(std::string(1, '\x06') + by_hand::u64(~std::uint64_t{0}) + "lost") == Skipped{{0, 13}});
    CHECK(damaged(std::string(1, '\x90') + by_hand::u64(1u << 20) + "lost") == Skipped{{0, 13}});
    CHECK(damaged(by_hand::message(9, 2, "of nobody")) == Skipped{{0, by_hand::message(9, 2, "of nobody").size()}});
    CHECK(damaged("", "").size() == 1);
    CHECK(damaged("", by_hand::back().substr(0, 20)).size() == 1);
}

TEST_CASE(
    "a wrong CRC of the data section is an error where all of it was read: the only one that messages outside of "
    "chunks have")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    auto bytes = mcap_file::write({{1, 5, "five"}, {1, 6, "six"}}, {.level = {}, .parts = {.chunks = false}});
    write_file(file, bytes);
    CHECK(streamed(file).error.empty());
    const auto place = bytes.find("five");
    bytes[place] = 'F';
    write_file(file, bytes);
    const auto damaged = streamed(file);
    CHECK(damaged.lines == std::vector<std::string>{"a@5#0:Five", "a@6#1:six"});
    CHECK_THAT(damaged.error,
               Catch::Matchers::ContainsSubstring("the data section is damaged: the CRC of its bytes is ") &&
                   Catch::Matchers::ContainsSubstring(", expected "));
    std::vector<std::string> skipped;
    OpenOptions options;
    options.skip_bad_frames = true;
    options.on_skip = [&](const SkippedBytes& bytes_skipped) { skipped.emplace_back(bytes_skipped.error.reason()); };
    CHECK(streamed(file, options).lines.size() == 2);
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].starts_with("the data section is damaged"));
}

TEST_CASE("schema records with equal contents share one copy")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    write_file(
        file, by_hand::file(by_hand::schema(1, "x", "y", "z") + by_hand::schema(2, "x", "y", "z") +
                            by_hand::schema(3, "x", "y", "other") + by_hand::channel(1, 1, "a") +
                            by_hand::channel(2, 2, "b") + by_hand::channel(3, 3, "c") + by_hand::message(1, 1, "one")));
    const auto trace = open_trace(file);
    const auto& channels = trace->info().channels;
    REQUIRE(channels.size() == 3);
    CHECK(channels[0].schema_record == channels[1].schema_record);
    CHECK(channels[0].schema_record != channels[2].schema_record);
    CHECK(text_of(channels[2].schema_record->data) == "other");
}
