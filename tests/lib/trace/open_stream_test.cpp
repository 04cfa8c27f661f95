// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/trace/sparse_trace.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::framed;
using sample::frames;
using sample::sensor_view;

TEST_CASE("a stream gives every frame with its index and the offset of its prefix")
{
    const File file(frames(3));
    const auto walked = walk(file.path);
    const std::uint64_t step = framed(sensor_view(1)).size();
    CHECK(walked.error.empty());
    CHECK(walked.payloads == std::vector{sensor_view(0), sensor_view(1), sensor_view(2)});
    CHECK(walked.offsets == std::vector<std::uint64_t>{0, step, 2 * step});
}

TEST_CASE("frames of every size come through, in and across windows")
{
    // Windows hold 1 MiB, and above an eighth of that a frame has a block of its own.
    const auto size = GENERATE(std::size_t{1} << 10, std::size_t{100'000}, std::size_t{131'000},
                               (std::size_t{1} << 20) - 30, std::size_t{1} << 20, std::size_t{9} << 20);
    std::string contents;
    std::vector<std::string> expected;
    for (int i = 0; i < 5; ++i)
        for (const auto& payload : {sensor_view(i, size), sensor_view(i, 10)}) {
            contents += framed(payload);
            expected.push_back(payload);
        }
    const File file(contents);
    const auto walked = walk(file.path);
    CHECK(walked.error.empty());
    CHECK((walked.payloads == expected));
}

TEST_CASE("a frame outlives its stream")
{
    Frame frame;
    {
        const File file(frames(1));
        const auto source = open_stream(file.path, as_sensor_view());
        REQUIRE(source->read(frame));
    }
    CHECK(text_of(frame.bytes) == sensor_view(0));
}

TEST_CASE("frames that are kept stay as they are while others are read")
{
    const File file(frames(300, 50'000));
    const auto source = open_stream(file.path, as_sensor_view());
    std::vector<Frame> kept;
    Frame frame;
    while (source->read(frame)) kept.push_back(frame);
    REQUIRE(kept.size() == 300);
    for (int i = 0; i < 300; ++i) CHECK((text_of(kept[static_cast<std::size_t>(i)].bytes) == sensor_view(i, 50'000)));
}

TEST_CASE("an empty file is a trace without frames where type and encoding are known otherwise")
{
    CHECK(walk(File("").path).error.empty());
    const File by_name("", "20210818T150542Z_sv_370_2112_0_empty.osi");
    CHECK(walk(by_name.path, {}).error.empty());
    const File unknown("");
    CHECK(unknown.error({}) == "run.osi: is empty: nothing shows the message type. Select it with --type.");
}

TEST_CASE("text is refused without a parser, with the way out")
{
    using namespace std::string_literals;
    static const auto no_parser = "is text, which is not read here: 'osiconvert convert' writes it as .osi or .mcap"s;
    const auto [name, contents, expected] = GENERATE(table<std::string, std::string, std::string>(
        {{"a.jsonl", "{\"timestamp\":{}}\n"s, "a.jsonl: " + no_parser},
         {"a.txth", "version {\n  version_major: 3\n}\n"s, "a.txth: " + no_parser}}));
    CHECK(File(contents, name).error() == expected);
}

TEST_CASE("progress counts the bytes of the file")
{
    const File file(frames(10));
    const auto source = open_stream(file.path, as_sensor_view());
    Frame frame;
    while (source->read(frame)) {
    }
    CHECK(source->bytes_consumed() == frames(10).size());
    CHECK(source->bytes_total() == frames(10).size());
}

TEST_CASE("a stream goes on beyond 4 GiB")
{
    const SparseTrace file(70, 64u << 20);
    const auto source = open_stream(file.path(), as_sensor_view());
    Frame frame;
    std::uint64_t count = 0;
    for (; source->read(frame); ++count)
        if (frame.offset != count * file.step() || frame.bytes.size() != 64u << 20)
            FAIL("frame " << count << " at " << frame.offset);
    CHECK(count == 70);
    CHECK(timestamp_of(frame.bytes, source->info().channels[0]) == std::chrono::seconds(69));
}
