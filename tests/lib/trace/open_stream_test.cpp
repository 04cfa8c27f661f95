// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/lib/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/trace/sample_frames.hpp"
#include "tests/lib/trace/sparse_trace.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::framed;
using sample::frames;
using sample::sensor_view;

namespace {

struct Walked {
    std::vector<std::string> payloads;
    std::vector<std::uint64_t> offsets;
    std::string error;
};

/// Everything a file gives, up to the Error it ends with.
Walked walk(const std::filesystem::path& file, const OpenOptions& options = as_sensor_view())
{
    Walked walked;
    walked.error = error_of([&] {
        const auto source = open_stream(file, options);
        Frame frame;
        while (source->read(frame)) {
            CHECK(frame.index == walked.payloads.size());
            walked.payloads.emplace_back(text_of(frame.bytes));
            walked.offsets.push_back(frame.offset);
        }
    });
    return walked;
}

/// A file in the scratch folder; errors start with its name, which is left out.
struct File {
    ScratchFolder folder;
    std::filesystem::path path;

    explicit File(const std::string& contents, const std::string& name = "run.osi") : path(folder / name)
    {
        write_file(path, contents);
    }
    [[nodiscard]] std::string without_folder(const std::string& error) const
    {
        const auto name = folder.path().string() + "/";
        return error.starts_with(name) ? error.substr(name.size()) : error;
    }
    [[nodiscard]] std::string error(const OpenOptions& options = as_sensor_view()) const
    {
        return without_folder(walk(path, options).error);
    }
};

}  // namespace

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
    const auto size = GENERATE(std::size_t{1} << 10, std::size_t{100'000}, std::size_t{131'000}, (std::size_t{1} << 20) - 30,
                               std::size_t{1} << 20, std::size_t{9} << 20);
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

TEST_CASE("what is no file is said in one line")
{
    CHECK(walk("/nowhere/run.osi").error == "/nowhere/run.osi: No such file or directory");
    CHECK(walk("/tmp").error == "/tmp: is a directory");
}

TEST_CASE("a length over the limit names frame, byte and limit")
{
    const File file(frames(2) + sample::prefix(2147483904u) + "rest");
    const auto offset = std::to_string(frames(2).size());
    CHECK(file.error() == "run.osi: frame 2 at byte " + offset +
                              ": length 2147483904 exceeds the limit of 536870912 bytes (--max-message raises it)");
}

TEST_CASE("a truncated last frame says how much of it is there")
{
    const File file(frames(2) + sample::prefix(350) + std::string(17, 'x'));
    const auto offset = std::to_string(frames(2).size());
    CHECK(file.error() == "run.osi: frame 2 at byte " + offset + ": 17 of 350 bytes before the end of the file");
}

TEST_CASE("a truncated length prefix says how much of it is there")
{
    const File file(frames(1) + std::string("\5\0\0", 3));
    const auto offset = std::to_string(frames(1).size());
    CHECK(file.error() == "run.osi: frame 1 at byte " + offset + ": 3 of 4 bytes of the length prefix before the end of the file");
}

TEST_CASE("the frames in front of a break are given first")
{
    const File file(frames(2) + "\1");
    CHECK(walk(file.path).payloads.size() == 2);
}

TEST_CASE("a zero length is an empty message")
{
    const std::string empty(4, '\0');
    SECTION("between others")
    {
        const File file(framed(sensor_view(0)) + empty + empty + empty + framed(sensor_view(1)));
        const auto walked = walk(file.path);
        const std::uint64_t first = framed(sensor_view(0)).size();
        CHECK(walked.error.empty());
        CHECK(walked.payloads == std::vector<std::string>{sensor_view(0), "", "", "", sensor_view(1)});
        CHECK(walked.offsets == std::vector<std::uint64_t>{0, first, first + 4, first + 8, first + 12});
    }
    SECTION("at the end")
    {
        const File file(framed(sensor_view(0)) + empty);
        const auto walked = walk(file.path);
        CHECK(walked.error.empty());
        CHECK(walked.payloads == std::vector<std::string>{sensor_view(0), ""});
    }
    SECTION("in front of a length whose first byte is zero")
    {
        const auto long_one = sensor_view(1, 256 - sensor_view(1, 256).size() % 256 + 256);
        REQUIRE(long_one.size() % 256 == 0);
        const File file(framed(sensor_view(0)) + empty + framed(long_one));
        CHECK(walk(file.path).payloads == std::vector<std::string>{sensor_view(0), "", long_one});
    }
    SECTION("a hundred thousand times")
    {
        const File file(framed(sensor_view(0)) + std::string(400'000, '\0') + framed(sensor_view(1)));
        CHECK(walk(file.path).payloads.size() == 100'002);
    }
}

TEST_CASE("a tail of zeros is one error, not many empty frames")
{
    const auto zeros = GENERATE(8u, 11u, 3'000'001u);
    const File file(frames(2) + std::string(zeros, '\0'));
    CHECK(file.error() == "run.osi: frame 2 at byte " + std::to_string(frames(2).size()) + ": " + std::to_string(zeros) +
                              " zero bytes up to the end of the file: preallocated and never written");
}

TEST_CASE("a preallocated tail of many megabytes is one error too")
{
    const File file(frames(2));
    std::filesystem::resize_file(file.path, std::uint64_t{1} << 26);
    CHECK(file.error() == "run.osi: frame 2 at byte " + std::to_string(frames(2).size()) + ": " +
                              std::to_string((std::uint64_t{1} << 26) - frames(2).size()) +
                              " zero bytes up to the end of the file: preallocated and never written");
}

TEST_CASE("an empty file is a trace without frames where type and encoding are known otherwise")
{
    CHECK(walk(File("").path).error.empty());
    const File by_name("", "20210818T150542Z_sv_370_2112_0_empty.osi");
    CHECK(walk(by_name.path, {}).error.empty());
    const File unknown("");
    CHECK(unknown.error({}) == "run.osi: there is no content to tell the message type by; say which by --type");
}

TEST_CASE("other containers are refused by name")
{
    using namespace std::string_literals;
    const auto [name, contents, expected] = GENERATE(table<std::string, std::string, std::string>(
        {{"a.mcap", "\x89MCAP0\r\n\0\0\0\0"s, "a.mcap: is an MCAP file, which this version does not read yet"},
         {"a.jsonl", "{\"timestamp\":{}}\n"s, "a.jsonl: is JSON, which this version does not read yet"},
         {"a.txth", "version {\n  version_major: 3\n}\n"s,
          "a.txth: is text (Protobuf text format?), which this version does not read yet"}}));
    CHECK(File(contents, name).error() == expected);
}

TEST_CASE("bad frames can be passed over")
{
    std::vector<std::string> skips;
    auto options = as_sensor_view();
    options.skip_bad_frames = true;
    std::vector<SkippedBytes> skipped;
    options.on_skip = [&](const SkippedBytes& bytes) { skipped.push_back(bytes); };
    const auto whole = frames(6);
    const auto begin = frames(2).size();

    SECTION("a broken length in the middle")
    {
        auto contents = whole;
        contents[begin + 3] = '\x7f';
        const File file(contents);
        const auto walked = walk(file.path, options);
        CHECK(walked.error.empty());
        CHECK(walked.payloads ==
              std::vector{sensor_view(0), sensor_view(1), sensor_view(3), sensor_view(4), sensor_view(5)});
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].frame == 2);
        CHECK(skipped[0].offset == begin);
        CHECK(skipped[0].bytes == framed(sensor_view(2)).size());
        CHECK(file.without_folder(skipped[0].error.what()) ==
              "run.osi: frame 2 at byte " + std::to_string(begin) + ": length " +
                  std::to_string((0x7fu << 24) + sensor_view(2).size()) +
                  " exceeds the limit of 536870912 bytes (--max-message raises it)");
    }
    SECTION("rubbish in between, more than a window of it")
    {
        const File file(frames(2) + std::string(3'000'000, '\xff') + whole.substr(begin));
        CHECK(walk(file.path, options).payloads.size() == 6);
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].bytes == 3'000'000);
    }
    SECTION("a truncated end")
    {
        const File file(whole.substr(0, whole.size() - 1));
        CHECK(walk(file.path, options).payloads.size() == 5);
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].frame == 5);
        CHECK(skipped[0].bytes == framed(sensor_view(5)).size() - 1);
    }
    SECTION("a tail of zeros")
    {
        const File file(whole + std::string(1000, '\0'));
        CHECK(walk(file.path, options).payloads.size() == 6);
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].bytes == 1000);
    }
    SECTION("rubbish in front")
    {
        const File file(std::string(100, '\xff') + whole);
        CHECK(walk(file.path, options).payloads.size() == 6);
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].offset == 0);
        CHECK(skipped[0].bytes == 100);
    }
}

TEST_CASE("a file that shrinks while it is read ends in an error")
{
    const File file(frames(100, 1'000'000));
    const auto source = open_stream(file.path, as_sensor_view());
    Frame frame;
    REQUIRE(source->read(frame));
    std::filesystem::resize_file(file.path, 30'000'000);
    const auto error = error_of([&] { while (source->read(frame)) {} });
    // The size is looked at before each frame is, so that the frame across the new end is truncated; a race may also find the end first.
    const bool said = error.find("before the end of the file") != std::string::npos || error.find("has shrunk") != std::string::npos;
    CHECK(said);
    INFO(error);
}

TEST_CASE("a followed file gives what is appended, whole frames only")
{
    const File file(frames(1));
    auto options = as_sensor_view();
    options.follow = true;
    const auto source = open_stream(file.path, options);
    std::stop_source stop;
    std::vector<std::string> payloads;
    std::thread reader([&] {
        Frame frame;
        while (source->read(frame, stop.get_token())) payloads.emplace_back(text_of(frame.bytes));
    });
    const auto append = [&](const std::string& bytes) {
        std::ofstream(file.path, std::ios::binary | std::ios::app) << bytes;
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
    };
    const auto second = framed(sensor_view(1));
    append(second.substr(0, 2));
    append(second.substr(2, 10));
    append(second.substr(12));
    append(framed(sensor_view(2)) + second.substr(0, 20));
    stop.request_stop();
    reader.join();
    CHECK(payloads == std::vector{sensor_view(0), sensor_view(1), sensor_view(2)});
}

TEST_CASE("a followed file that starts again is an error")
{
    const File file(frames(3));
    auto options = as_sensor_view();
    options.follow = true;
    const auto source = open_stream(file.path, options);
    Frame frame;
    for (int i = 0; i < 3; ++i) REQUIRE(source->read(frame));
    std::filesystem::resize_file(file.path, 10);
    const auto size = std::to_string(frames(3).size());
    CHECK(file.without_folder(error_of([&] { source->read(frame); })) ==
          "run.osi: byte " + size + ": the file has shrunk from " + size + " to 10 bytes while it was read");
}

namespace {

struct Pipe {
    std::array<int, 2> ends{};
    Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe()
    {
        ::close(ends[0]);
        close_writing();
    }
    void write(const std::string& bytes) const { REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == std::ssize(bytes)); }
    void close_writing()
    {
        if (ends[1] >= 0) ::close(ends[1]);
        ends[1] = -1;
    }
    [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends[0]); }
};

}  // namespace

TEST_CASE("a pipe gives a frame as soon as it is whole")
{
    Pipe pipe;
    pipe.write(framed(sensor_view(0)));
    const auto source = open_stream(pipe.path(), as_sensor_view());
    Frame frame;
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == sensor_view(0));
    pipe.write(framed(sensor_view(1)));
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == sensor_view(1));
    pipe.close_writing();
    CHECK_FALSE(source->read(frame));
    CHECK_FALSE(source->bytes_total());
}

TEST_CASE("a truncated frame on a pipe is an error of the same words")
{
    Pipe pipe;
    pipe.write(framed(sensor_view(0)) + sample::prefix(350) + std::string(17, 'x'));
    pipe.close_writing();
    CHECK(walk(pipe.path()).error == pipe.path() + ": frame 1 at byte " + std::to_string(framed(sensor_view(0)).size()) +
                                         ": 17 of 350 bytes before the end of the file");
}

TEST_CASE("waiting on a pipe ends with a stop, and loses nothing")
{
    Pipe pipe;
    pipe.write(framed(sensor_view(0)));
    const auto source = open_stream(pipe.path(), as_sensor_view());
    Frame frame;
    REQUIRE(source->read(frame));
    std::stop_source stop;
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    CHECK_FALSE(source->read(frame, stop.get_token()));
    stopper.join();
    pipe.write(framed(sensor_view(1)));
    REQUIRE(source->read(frame));
    CHECK(text_of(frame.bytes) == sensor_view(1));
}

TEST_CASE("a stream may go while its pipe is silent")
{
    Pipe pipe;
    pipe.write(framed(sensor_view(0)));
    const auto source = open_stream(pipe.path(), as_sensor_view());
    Frame frame;
    CHECK(source->read(frame));
}

TEST_CASE("opening a silent pipe ends with a stop")
{
    Pipe pipe;
    std::stop_source stop;
    auto options = as_sensor_view();
    options.stop = stop.get_token();
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    CHECK(walk(pipe.path(), options).error == pipe.path() + ": stopped while waiting for the first frame");
    stopper.join();
}

TEST_CASE("a named pipe waits for its writer")
{
    const ScratchFolder folder;
    REQUIRE(::mkfifo((folder / "live.osi").c_str(), 0600) == 0);
    std::thread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        write_file(folder / "live.osi", frames(3));
    });
    const auto walked = walk(folder / "live.osi");
    writer.join();
    CHECK(walked.error.empty());
    CHECK(walked.payloads.size() == 3);
}

TEST_CASE("progress counts the bytes of the file")
{
    const File file(frames(10));
    const auto source = open_stream(file.path, as_sensor_view());
    Frame frame;
    while (source->read(frame)) {}
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
        if (frame.offset != count * file.step() || frame.bytes.size() != 64u << 20) FAIL("frame " << count << " at " << frame.offset);
    CHECK(count == 70);
    CHECK(timestamp_of(frame.bytes, source->info().channels[0]) == std::chrono::seconds(69));
}
