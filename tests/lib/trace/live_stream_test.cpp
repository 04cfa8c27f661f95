// SPDX-License-Identifier: MPL-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::framed;
using sample::frames;
using sample::sensor_view;

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
    void write(const std::string& bytes) const
    {
        REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == std::ssize(bytes));
    }
    void close_writing()
    {
        if (ends[1] >= 0) ::close(ends[1]);
        ends[1] = -1;
    }
    [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(ends[0]); }
};

}  // namespace

TEST_CASE("a file that shrinks while it is read ends in an error")
{
    const File file(frames(100, 1'000'000));
    const auto source = open_stream(file.path, as_sensor_view());
    Frame frame;
    REQUIRE(source->read(frame));
    std::filesystem::resize_file(file.path, 30'000'000);
    const auto error = error_of([&] {
        while (source->read(frame)) {
        }
    });
    // The size is looked at before each frame is, so that the frame across the new end is truncated; a race may also
    // find the end first.
    const bool said =
        error.find("the file is truncated") != std::string::npos || error.find("has shrunk") != std::string::npos;
    CHECK(said);
    INFO(error);
}

TEST_CASE("a followed file gives what is appended, whole frames only")
{
    const File file(frames(1));
    auto options = as_sensor_view();
    options.follow = true;
    std::vector<SkippedBytes> unfinished;
    options.on_skip = [&](const SkippedBytes& skipped) { unfinished.push_back(skipped); };
    const auto source = open_stream(file.path, options);
    std::stop_source stop;
    std::vector<std::string> payloads;
    std::atomic<std::size_t> read = 0;
    std::thread reader([&] {
        Frame frame;
        while (source->read(frame, stop.get_token())) {
            payloads.emplace_back(text_of(frame.bytes));
            ++read;
        }
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
    for (int i = 0; i < 600 && read < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
    reader.join();
    CHECK(payloads == std::vector{sensor_view(0), sensor_view(1), sensor_view(2)});
    // The bytes of the frame that a stop interrupts are reported once.
    Frame frame;
    CHECK_FALSE(source->read(frame, stop.get_token()));
    REQUIRE(unfinished.size() == 1);
    const auto whole = framed(sensor_view(0)).size() + second.size() + framed(sensor_view(2)).size();
    CHECK(unfinished.front().frame == 3);
    CHECK(unfinished.front().offset == whole);
    CHECK(unfinished.front().bytes == 20);
    CHECK(std::string(unfinished.front().error.what()) ==
          file.path.string() + ": frame 3 at byte " + std::to_string(whole) +
              ": stopped before the frame that begins here was complete");
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
    CHECK(walk(pipe.path()).error == pipe.path() + ": frame 1 at byte " +
                                         std::to_string(framed(sensor_view(0)).size()) +
                                         ": the file is truncated: the frame needs 350 bytes, and 17 are left");
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
