// SPDX-License-Identifier: MPL-2.0
// `.txth` and `.jsonl` as traces, with libprotobuf's parsers.
#include <ositrace/convert.hpp>
#include <ositrace/libprotobuf_text_parser.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/lib/open/same_trace.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;

namespace {

OpenOptions with_parser()
{
    auto options = sample::as_sensor_view();
    options.text_parser = libprotobuf_text_parser();
    return options;
}

void write_all(const std::filesystem::path& file, const std::vector<std::string>& payloads)
{
    TraceInfo info;
    Channel channel;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(MessageType::sensor_view);
    info.channels.push_back(channel);
    const auto writer = create_trace(file, info, {.sync = false});
    for (const auto& payload : payloads) {
        Frame frame;
        frame.bytes = bytes_of(payload);
        writer->write(frame);
    }
    writer->close();
}

std::string timestamp_only(std::int64_t seconds) { return sample::timestamp(seconds, 5); }
std::string version_only() { return sample::field(1, sample::field(1, 3)); }

}  // namespace

TEST_CASE("frames come back from text as they were, compressed too")
{
    const ScratchFolder folder;
    const std::vector<std::string> payloads{sample::sensor_view(0), sample::sensor_view(1), sample::sensor_view(2)};
    for (const auto* name : {"a.txth", "a.jsonl", "a.txth.zst", "a.jsonl.lz4"}) {
        write_all(folder / name, payloads);
        const auto walked = walk(folder / name, with_parser());
        CHECK(walked.error.empty());
        CHECK(walked.payloads == payloads);
    }
}

TEST_CASE("a text in memory opens as the file does")
{
    const ScratchFolder folder;
    const std::vector<std::string> payloads{sample::sensor_view(0), sample::sensor_view(1), sample::sensor_view(2)};
    const auto name = GENERATE("a.txth", "a.jsonl", "a.txth.zst");
    write_all(folder / name, payloads);
    check_same_in_memory(folder / name, with_parser());
}

TEST_CASE("frames that text cannot tell apart by itself are kept apart")
{
    const ScratchFolder folder;
    const std::vector<std::string> payloads{"",
                                            timestamp_only(1),
                                            version_only(),
                                            "",
                                            "",
                                            version_only() + timestamp_only(2),
                                            timestamp_only(3),
                                            version_only() + timestamp_only(4),
                                            ""};
    for (const auto* name : {"a.txth", "a.jsonl"}) {
        write_all(folder / name, payloads);
        CHECK(walk(folder / name, with_parser()).payloads == payloads);
    }
}

TEST_CASE("a text can be addressed")
{
    const ScratchFolder folder;
    std::vector<std::string> payloads;
    for (int i = 0; i < 50; ++i) payloads.push_back(sample::sensor_view(i));
    for (const auto* name : {"a.txth", "a.jsonl.zst"}) {
        write_all(folder / name, payloads);
        const auto trace = open_trace(folder / name, with_parser());
        CHECK(trace->frame_count() == 50);
        CHECK(text_of(trace->frame(0, 17).bytes) == payloads[17]);
        CHECK(trace->frame_at(0, std::chrono::seconds(30)) == 30u);
    }
}

TEST_CASE("memory for one message is bounded")
{
    auto options = with_parser();
    options.max_message_bytes = 1000;
    const File text("timestamp { seconds: 1 }\nhost_vehicle_id { # " + std::string(3'000'000, ' ') + "\n}\n", "a.txth");
    CHECK(text.error(options) ==
          "a.txth: frame 0 at byte 0: line 1, column 1: the text of a message exceeds the limit of 1000 bytes "
          "(--max-message raises it)");
    const File json("{\"timestamp\":{\"seconds\":1}}\n{\"host_vehicle_id\":{" + std::string(3'000'000, ' ') + "}}\n",
                    "a.jsonl");
    CHECK(json.error(options) ==
          "a.jsonl: frame 1 at byte 27: line 1, column 28: the text of a message exceeds the limit of 1000 bytes "
          "(--max-message raises it)");
}

TEST_CASE("nesting without end is an error")
{
    std::string text, json;
    for (int i = 0; i < 100'000; ++i) {
        text += "global_ground_truth {";
        json += "{\"a\":";
    }
    CHECK(!File("timestamp { }\n" + text, "a.txth").error(with_parser()).empty());
    CHECK(!File(json + "1" + std::string(100'000, '}'), "a.jsonl").error(with_parser()).empty());
}

TEST_CASE("bad messages can be passed over")
{
    auto options = with_parser();
    options.skip_bad_frames = true;
    std::vector<std::string> reasons;
    options.on_skip = [&](const SkippedBytes& skipped) { reasons.emplace_back(skipped.error.reason()); };
    const File text("timestamp { seconds: 1 }\ntimestamp { second: 2 }\ntimestamp { seconds: 3 }\n", "a.txth");
    CHECK(walk(text.path, options).payloads.size() == 2);
    REQUIRE(reasons.size() == 1);
    CHECK(reasons.front() == "line 2, column 19: Message type \"osi3.Timestamp\" has no field named \"second\".");
}

TEST_CASE("a brace that is missing costs its message alone")
{
    const ScratchFolder folder;
    constexpr std::size_t damaged = 2;
    std::vector<std::string> payloads;
    for (int i = 0; i < 6; ++i)
        payloads.push_back(version_only() + sample::timestamp(i, 5) +
                           sample::field(7, version_only() + sample::timestamp(i, 5)));
    write_all(folder / "a.txth", payloads);
    payloads.erase(payloads.begin() + damaged);
    const auto text = read_file(folder / "a.txth");
    std::vector<std::size_t> begins;
    for (auto at = text.find("version"); at != std::string::npos; at = text.find("\nversion", at + 1))
        begins.push_back(at == 0 ? at : at + 1);
    REQUIRE(begins.size() == 6);
    auto options = with_parser();
    options.skip_bad_frames = true;
    std::size_t tried = 0;
    for (auto at = text.find('}', begins[damaged]); at < begins[damaged + 1]; at = text.find('}', at + 1), ++tried) {
        std::uint64_t lost = 0;
        options.on_skip = [&](const SkippedBytes& skipped) { lost += skipped.bytes; };
        auto without = text;
        without.erase(at, 1);
        write_file(folder / "b.txth", without);
        INFO(without.substr(begins[damaged], begins[damaged + 1] - begins[damaged]));
        CHECK(walk(folder / "b.txth", options).payloads == payloads);
        CHECK(lost == begins[damaged + 1] - begins[damaged] - 1);
        // Lines that are not indented have fields of inner messages where messages begin.
        std::string flush_left;
        for (const char c : without)
            if (c != ' ' || !(flush_left.empty() || flush_left.back() == '\n')) flush_left += c;
        write_file(folder / "c.txth", flush_left);
        CHECK(walk(folder / "c.txth", options).payloads == payloads);
        options.skip_bad_frames = false;
        CHECK_FALSE(walk(folder / "b.txth", options).error.empty());
        options.skip_bad_frames = true;
    }
    CHECK(tried >= 5);
}

TEST_CASE("many missing braces cost time that grows with the size of the text")
{
    std::string text = "timestamp {\n  seconds: 1\n}\n";
    constexpr int count = 20'000;
    for (int i = 0; i < count; ++i) text += "timestamp {\n  seconds: 1\n";
    text += "}\ntimestamp {\n  seconds: 2\n}\n";
    auto options = with_parser();
    options.skip_bad_frames = true;
    int skipped = 0;
    options.on_skip = [&](const SkippedBytes&) { ++skipped; };
    CHECK(walk(File(text, "a.txth").path, options).payloads.size() == 3);
    CHECK(skipped == count - 1);
}

TEST_CASE("text that holds no field is no empty trace")
{
    for (const auto* const text : {"garbage", "}}} # nothing", "}}}\ntimestamp { }\n"})
        CHECK(!File(text, "a.txth").error(with_parser()).empty());
    CHECK(File("# only a comment", "a.txth").error(with_parser()).empty());
    auto options = with_parser();
    options.skip_bad_frames = true;
    std::size_t skipped = 0;
    options.on_skip = [&](const SkippedBytes&) { ++skipped; };
    const File text("}}}\ntimestamp { }\n", "a.txth");
    CHECK(walk(text.path, options).payloads.size() == 1);
    CHECK(skipped == 1);
}

TEST_CASE("FlatBuffers asked for and text found do not fit")
{
    auto options = with_parser();
    options.encoding = Encoding::flatbuffers;
    CHECK(File("timestamp { }\n", "a.txth").error(options) ==
          "a.txth: is text, which is read as protobuf; leave out --input-encoding");
}

TEST_CASE("a frame with unknown fields is written without them, counted, and refused when asked to")
{
    const ScratchFolder folder;
    write_file(folder / "a.osi", sample::frames(2, 10));
    const auto convert_to = [&](const std::string& name, bool strict) {
        const auto in = open_stream(folder / "a.osi", sample::as_sensor_view());
        const auto out = create_trace(folder / name, in->info(), {.sync = false});
        const auto result = convert(*in, *out, {.to = {}, .threads = 1, .strict = strict});
        out->close();
        return result.dropped_unknown_fields;
    };
    CHECK(convert_to("a.jsonl", false) == 2);
    CHECK(convert_to("a.txth", false) == 2);
    CHECK(error_of([&] {
              return convert_to("b.jsonl", true);
          }).ends_with("frame 0 at byte 0: the output cannot store fields that the schema does not define (found 1)"));
}
