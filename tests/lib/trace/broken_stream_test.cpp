// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::framed;
using sample::frames;
using sample::sensor_view;

TEST_CASE("what is no file is said in one line")
{
    CHECK(walk("/nowhere/run.osi").error == "/nowhere/run.osi: No such file or directory");
    CHECK(walk("/tmp").error == "/tmp: is a folder");
}

TEST_CASE("a length over the limit names frame, byte and limit")
{
    const File file(frames(2) + sample::prefix(2147483904u) + "rest");
    const auto offset = std::to_string(frames(2).size());
    CHECK(file.error() ==
          "run.osi: frame 2 at byte " + offset + ": length 2147483904 exceeds the limit of 536870912 bytes");
}

TEST_CASE("a truncated last frame says how much of it is there")
{
    const File file(frames(2) + sample::prefix(350) + std::string(17, 'x'));
    const auto offset = std::to_string(frames(2).size());
    CHECK(file.error() ==
          "run.osi: frame 2 at byte " + offset + ": the file is truncated: the frame needs 350 bytes, and 17 are left");
}

TEST_CASE("a truncated length prefix says how much of it is there")
{
    const File file(frames(1) + std::string("\5\0\0", 3));
    const auto offset = std::to_string(frames(1).size());
    CHECK(file.error() == "run.osi: frame 1 at byte " + offset +
                              ": the file is truncated: the length prefix needs 4 bytes, and 3 are left");
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
    SECTION("at the end, where it is kept")
    {
        auto options = as_sensor_view();
        options.keep_empty = true;
        const File file(framed(sensor_view(0)) + empty);
        const auto walked = walk(file.path, options);
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
    SECTION("127 times")
    {
        const File file(framed(sensor_view(0)) + std::string(508, '\0') + framed(sensor_view(1)));
        CHECK(walk(file.path).payloads.size() == 129);
    }
    SECTION("a hundred thousand times, where they are kept")
    {
        auto options = as_sensor_view();
        options.keep_empty = true;
        const File file(framed(sensor_view(0)) + std::string(400'000, '\0') + framed(sensor_view(1)));
        CHECK(walk(file.path, options).payloads.size() == 100'002);
    }
}

TEST_CASE("empty messages at the end of a trace are damage, for streams and for indexed traces")
{
    const auto zeros = GENERATE(4u, 8u, 400u, 508u, 511u);
    const File file(frames(2) + std::string(zeros, '\0'));
    CHECK(file.error() == "run.osi: frame 2 at byte " + std::to_string(frames(2).size()) + ": " +
                              std::to_string(zeros) +
                              " zero bytes up to the end of the file: a trace does not end with empty messages "
                              "(--keep-empty keeps them)");
    try {
        static_cast<void>(open_trace(file.path, as_sensor_view())->frame_count(0));
        FAIL("no damage found");
    } catch (const Error& error) {
        CHECK(error.damage() == Damage::empty_tail);
    }
}

TEST_CASE("a page of zeros between frames is damage")
{
    const auto zeros = GENERATE(512u, 4096u, 1u << 20);
    const File file(frames(2) + std::string(zeros, '\0') + frames(2));
    CHECK(file.error() == "run.osi: frame 2 at byte " + std::to_string(frames(2).size()) + ": " +
                              std::to_string(zeros) +
                              " zero bytes between two frames: too many for empty messages (--keep-empty keeps them)");
    auto options = as_sensor_view();
    options.skip_bad_frames = true;
    std::vector<SkippedBytes> skipped;
    options.on_skip = [&](const SkippedBytes& bytes) { skipped.push_back(bytes); };
    CHECK(walk(file.path, options).payloads.size() == 4);
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].bytes == zeros);
}

TEST_CASE("a tail of zeros is one error, not many empty frames")
{
    const auto zeros = GENERATE(512u, 515u, 3'000'001u);
    const File file(frames(2) + std::string(zeros, '\0'));
    CHECK(file.error() == "run.osi: frame 2 at byte " + std::to_string(frames(2).size()) + ": " +
                              std::to_string(zeros) +
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

TEST_CASE("bad frames can be passed over")
{
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
        CHECK(walked.payloads == walk(File(whole).path, options).payloads);  // a wrong length is corrected
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].frame == 2);
        CHECK(skipped[0].offset == begin);
        CHECK(skipped[0].bytes == 0);
        CHECK(file.without_folder(skipped[0].error.what()) ==
              "run.osi: frame 2 at byte " + std::to_string(begin) + ": the length " +
                  std::to_string((0x7fu << 24) + sensor_view(2).size()) + " is wrong: " +
                  std::to_string(sensor_view(2).size()) + " bytes up to the next frame are a whole message");
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
