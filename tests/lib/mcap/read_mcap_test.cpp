// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/mcap/mcap_file.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

/// Times that go forward and backward, so that small chunks overlap.
std::vector<mcap_file::Message> disordered(std::size_t count)
{
    std::vector<mcap_file::Message> messages;
    for (std::size_t i = 0; i != count; ++i)
        messages.push_back(
            {static_cast<std::uint16_t>(1 + i % 3 % 2), (i * 7919) % count / 2, std::string(i % 5, 'x')});
    return messages;
}

std::vector<mcap_file::Message> ordered(std::size_t count)
{
    std::vector<mcap_file::Message> messages;
    for (std::size_t i = 0; i != count; ++i)
        messages.push_back({static_cast<std::uint16_t>(1 + i % 3 % 2), i * 10, std::to_string(i)});
    return messages;
}

std::string line_of(const mcap_file::Message& message, std::size_t sequence)
{
    return std::string(message.channel == 1 ? "a" : "b") + '@' + std::to_string(message.log_time) + '#' +
           std::to_string(sequence) + ':' + message.data;
}

std::vector<std::string> in_file_order(const std::vector<mcap_file::Message>& messages)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i != messages.size(); ++i) lines.push_back(line_of(messages[i], i));
    return lines;
}

std::vector<std::string> in_time_order(const std::vector<mcap_file::Message>& messages)
{
    std::vector<std::size_t> order(messages.size());
    for (std::size_t i = 0; i != order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return messages[a].log_time < messages[b].log_time; });
    std::vector<std::string> lines;
    for (const auto i : order) lines.push_back(line_of(messages[i], i));
    return lines;
}

std::vector<mcap::FileOptions> variants()
{
    std::vector<mcap::FileOptions> variants;
    for (const auto& compression : mcap::chunk_compressions())
        variants.push_back({.compression = &compression, .level = {}, .chunk_bytes = 200, .parts = {}});
    const auto without = [&](bool mcap::Parts::* part) {
        variants.push_back({.level = {}, .chunk_bytes = 200, .parts = {}});
        variants.back().parts.*part = false;
    };
    without(&mcap::Parts::chunks);
    without(&mcap::Parts::message_index);
    without(&mcap::Parts::statistics);
    without(&mcap::Parts::repeated_schemas);
    without(&mcap::Parts::repeated_channels);
    without(&mcap::Parts::attachment_index);
    without(&mcap::Parts::metadata_index);
    without(&mcap::Parts::chunk_index);
    return variants;
}

std::string contents_of(const Attachment& attachment)
{
    std::string contents;
    attachment.read([&](Bytes bytes) { contents += text_of(bytes); });
    return contents;
}

void check_info(const TraceInfo& info)
{
    CHECK(info.container.name == "mcap");
    CHECK(info.profile == "profile");
    CHECK(info.library == "library");
    REQUIRE(info.channels.size() == 2);
    CHECK(info.channels[0].topic == "a");
    CHECK(info.channels[0].message_encoding == "json");
    CHECK(!info.channels[0].type);
    CHECK(info.channels[0].root == nullptr);
    REQUIRE(info.channels[0].schema_record);
    CHECK(info.channels[0].schema_record->name == "Thing");
    CHECK(!info.channels[1].schema_record);
    REQUIRE(info.metadata.size() == 1);
    CHECK(info.metadata[0] == MetadataRecord{"m", {{"key", "value"}}});
    REQUIRE(info.attachments.size() == 1);
    CHECK(info.attachments[0].bytes == 4);
    CHECK(contents_of(info.attachments[0]) == "road");
}

}  // namespace

TEST_CASE(
    "a stream gives the messages of an MCAP in the order of the file, a trace in that of their log times, whatever "
    "parts it has")
{
    const ScratchFolder folder;
    const auto messages = disordered(200);
    for (const auto& options : variants()) {
        write_file(folder / "a.mcap", mcap_file::write(messages, options));
        const auto stream = open_stream(folder / "a.mcap");
        CHECK(mcap_file::lines_of(*stream) == in_file_order(messages));
        check_info(stream->info());
        const auto trace = open_trace(folder / "a.mcap");
        check_info(trace->info());
        CHECK(mcap_file::lines_of(*trace->reader()) == in_time_order(messages));
    }
}

TEST_CASE("frames of an MCAP are addressed by channel in the order of their log times")
{
    const ScratchFolder folder;
    for (const auto& messages : {disordered(150), ordered(150)}) {
        write_file(folder / "a.mcap", mcap_file::write(messages, {.level = {}, .chunk_bytes = 300, .parts = {}}));
        const auto trace = open_trace(folder / "a.mcap");
        const auto all = in_time_order(messages);
        std::vector<std::uint64_t> next(2);
        CHECK(trace->frame_count(0) + trace->frame_count(1) == all.size());
        for (std::size_t i = 0; i != all.size(); ++i) {
            const std::uint32_t channel = all[i][0] == 'a' ? 0 : 1;
            const auto frame = trace->frame(channel, next[channel]++);
            CHECK(mcap_file::line_of(frame, trace->info()) == all[i]);
            CHECK(frame.index == i);
        }
        CHECK(error_of([&] { return trace->frame(0, next[0]); }) ==
              (folder / "a.mcap").string() + ": there is no frame " + std::to_string(next[0]) + ", the channel has " +
                  std::to_string(next[0]));
    }
}

TEST_CASE("a reader of an MCAP seeks by number, a trace finds frames by log time where payloads have none")
{
    const ScratchFolder folder;
    const auto messages = ordered(100);
    write_file(folder / "a.mcap", mcap_file::write(messages, {.level = {}, .chunk_bytes = 300, .parts = {}}));
    const auto trace = open_trace(folder / "a.mcap");
    const auto reader = trace->reader();
    const auto all = in_time_order(messages);
    Frame frame;
    for (const auto i : {50u, 0u, 99u, 51u, 52u}) {
        reader->seek_frame(i);
        REQUIRE(reader->read(frame));
        CHECK(mcap_file::line_of(frame, trace->info()) == all[i]);
        CHECK(frame.index == i);
    }
    reader->seek_frame(100);
    CHECK(!reader->read(frame));
    CHECK(trace->frame_at(0, Nanoseconds(-1)) == std::nullopt);
    CHECK(trace->frame_at(0, Nanoseconds(0)) == 0);
    CHECK(trace->frame_at(0, Nanoseconds(29)) == 1);
    CHECK(trace->frame_at(0, Nanoseconds(30)) == 2);
    CHECK(trace->frame_at(0, Nanoseconds(1'000'000)) == trace->frame_count(0) - 1);
}

TEST_CASE("an MCAP that is cut off anywhere gives the messages in front of the cut, then an error of its place")
{
    const ScratchFolder folder;
    const auto messages = ordered(12);
    const auto all = in_file_order(messages);
    for (const bool chunks : {true, false}) {
        mcap::FileOptions options{.level = {}, .chunk_bytes = 150, .parts = {}};
        options.parts.chunks = chunks;
        const auto whole = mcap_file::write(messages, options);
        for (std::size_t size = 8; size < whole.size(); size += test::stride) {
            write_file(folder / "a.mcap", whole.substr(0, size));
            std::vector<std::string> streamed, walked;
            const auto stream_error = error_of([&] {
                const auto stream = open_stream(folder / "a.mcap");
                for (Frame frame; stream->read(frame);) streamed.push_back(mcap_file::line_of(frame, stream->info()));
                return 0;
            });
            const auto trace_error = error_of([&] {
                const auto trace = open_trace(folder / "a.mcap");
                const auto reader = trace->reader();
                for (Frame frame; reader->read(frame);) walked.push_back(mcap_file::line_of(frame, trace->info()));
                return 0;
            });
            INFO(size << " of " << whole.size() << ": " << stream_error << " / " << trace_error);
            CHECK(std::equal(streamed.begin(), streamed.end(), all.begin()));
            CHECK(streamed == walked);
            CHECK((streamed.size() == all.size() || stream_error.starts_with((folder / "a.mcap").string() + ": ")));
            CHECK((walked.size() == all.size() || trace_error.starts_with((folder / "a.mcap").string() + ": ")));
        }
    }
}

TEST_CASE("an MCAP with any bit flipped gives messages or an error of its place, never anything else")
{
    const ScratchFolder folder;
    const auto whole = mcap_file::write(ordered(6), {.level = {}, .chunk_bytes = 100, .parts = {}});
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3 * test::stride) {
        auto flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        write_file(folder / "a.mcap", flipped);
        OpenOptions options;
        options.type = MessageType::sensor_view;
        options.encoding = Encoding::protobuf;  // where the magic is hit
        const auto check = [&](const std::string& error) {
            CHECK((error.empty() || error.starts_with((folder / "a.mcap").string() + ": ")));
        };
        check(error_of([&] { return mcap_file::lines_of(*open_stream(folder / "a.mcap", options)).size(); }));
        check(error_of([&] { return mcap_file::lines_of(*open_trace(folder / "a.mcap", options)->reader()).size(); }));
    }
}
