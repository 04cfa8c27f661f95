// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace.hpp>

#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/lib/trace/sparse_trace.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using sample::as_sensor_view;
using sample::framed;
using sample::frames;
using sample::sensor_view;

namespace {

constexpr std::chrono::seconds second{1};

}  // namespace

TEST_CASE("a trace gives any frame, with its time")
{
    const auto padding = GENERATE(0u, 1000u, 300'000u);
    const File file(frames(50, padding));
    const auto trace = open_trace(file.path, as_sensor_view());
    const std::uint64_t step = framed(sensor_view(1, padding)).size();
    for (const std::uint64_t i : {49u, 0u, 17u, 18u, 48u}) {
        const auto frame = trace->frame(0, i);
        CHECK((text_of(frame.bytes) == sensor_view(static_cast<std::int64_t>(i), padding)));
        CHECK(frame.time == second * i);
        CHECK(frame.index == i);
        CHECK(frame.offset == i * step);
        CHECK(trace->frame_bytes(0, i) == step - 4);
    }
    CHECK(trace->frame_count() == 50);
}

TEST_CASE("small frames by the hundred thousand are found by sparse marks")
{
    const File file(frames(100'000));
    const auto trace = open_trace(file.path, as_sensor_view());
    CHECK(trace->frame_count() == 100'000);
    for (const std::uint64_t i : {0u, 1u, 1023u, 1024u, 1025u, 65'535u, 99'999u})
        CHECK(trace->frame(0, i).time == second * i);
}

TEST_CASE("a frame or channel that is not there is named")
{
    const File file(frames(3));
    const auto trace = open_trace(file.path, as_sensor_view());
    CHECK(file.without_folder(error_of([&] { (void)trace->frame(0, 3); })) ==
          "run.osi: there is no frame 3, the trace has 3");
    CHECK(file.without_folder(error_of([&] { (void)trace->frame_count(1); })) ==
          "run.osi: has one channel (0), there is no channel 1");
}

TEST_CASE("the last frame at or before a time is found")
{
    const auto padding = GENERATE(0u, 20'000u);
    const File file(frames(100, padding));
    const auto trace = open_trace(file.path, as_sensor_view());
    CHECK_FALSE(trace->frame_at(0, Nanoseconds(-1)));
    CHECK(trace->frame_at(0, Nanoseconds(0)) == 0u);
    CHECK(trace->frame_at(0, second * 41) == 41u);
    CHECK(trace->frame_at(0, second * 41 + Nanoseconds(1)) == 41u);
    CHECK(trace->frame_at(0, second * 42 - Nanoseconds(1)) == 41u);
    CHECK(trace->frame_at(0, second * 1000) == 99u);
}

TEST_CASE("frames without a time, or with a broken one, are passed over when a time is looked for")
{
    const auto untimed = framed(sample::field(3, sample::field(1, 42)));
    const auto broken = framed(sample::timestamp(std::numeric_limits<std::int64_t>::max(), 0));
    std::string contents = untimed + untimed;
    for (int i = 0; i < 20; ++i)
        contents += framed(sensor_view(i)) + (i % 3 == 0 ? untimed + broken + framed("") : untimed);
    const File file(contents);
    const auto trace = open_trace(file.path, as_sensor_view());
    for (int i = 0; i < 20; ++i) {
        const auto found = trace->frame_at(0, second * i + Nanoseconds(1));
        REQUIRE(found);
        CHECK(trace->frame(0, *found).time == second * i);
    }
    CHECK_FALSE(trace->frame_at(0, Nanoseconds(-1)));
    const File none(untimed + untimed);
    CHECK_FALSE(open_trace(none.path, as_sensor_view())->frame_at(0, second));
}

TEST_CASE("frames in front of a break are there, and the break is an error each time")
{
    const File file(frames(5) + sample::prefix(350) + std::string(17, 'x'));
    const auto trace = open_trace(file.path, as_sensor_view());
    const auto expected = "run.osi: frame 5 at byte " + std::to_string(frames(5).size()) +
                          ": the file is truncated: the frame needs 350 bytes, and 17 are left";
    CHECK(trace->frame(0, 4).time == second * 4);
    for (int i = 0; i < 2; ++i) {
        CHECK(file.without_folder(error_of([&] { (void)trace->frame_count(); })) == expected);
        CHECK(file.without_folder(error_of([&] { (void)trace->frame(0, 5); })) == expected);
    }
    CHECK(trace->frame(0, 4).time == second * 4);
}

TEST_CASE("a trace says of a broken file what a stream says")
{
    const std::string empty(4, '\0');
    const auto contents =
        GENERATE_COPY(frames(2) + std::string(17, '\0'), frames(2) + "\5", frames(2) + sample::prefix(2147483904u),
                      frames(1) + empty + framed(sensor_view(1)) + empty + "\1", frames(2) + empty);
    const File file(contents);
    std::uint64_t streamed = 0;
    const auto said = error_of([&] {
        const auto source = open_stream(file.path, as_sensor_view());
        for (Frame frame; source->read(frame);) ++streamed;
    });
    const auto trace = open_trace(file.path, as_sensor_view());
    std::uint64_t counted = streamed;
    CHECK(error_of([&] { counted = trace->frame_count(); }) == said);
    CHECK(counted == streamed);
    for (std::uint64_t i = 0; i < streamed; ++i) CHECK(trace->frame(0, i).index == i);
}

TEST_CASE("bad frames can be passed over in a trace, and its frames count on")
{
    auto contents = frames(6);
    const auto begin = frames(2).size();
    contents[begin + 3] = '\x7f';
    contents[begin + 4] = '\xff';  // a wrong length alone is corrected
    const File file(contents + std::string(1000, '\0'));
    auto options = as_sensor_view();
    options.skip_bad_frames = true;
    std::vector<std::uint64_t> skipped;
    options.on_skip = [&](const SkippedBytes& bytes) { skipped.push_back(bytes.bytes); };
    const auto trace = open_trace(file.path, options);
    CHECK(trace->frame_count() == 5);
    CHECK(trace->frame(0, 1).time == second * 1);
    CHECK(trace->frame(0, 2).time == second * 3);
    CHECK(trace->frame(0, 4).time == second * 5);
    CHECK(skipped == std::vector<std::uint64_t>{framed(sensor_view(2)).size(), 1000});
}

TEST_CASE("a cursor reads on from where it is put")
{
    const File file(frames(30, 5000));
    std::unique_ptr<TraceReader> reader;
    {
        const auto trace = open_trace(file.path, as_sensor_view());
        reader = trace->reader();  // keeps the trace
    }
    Frame frame;
    REQUIRE(reader->read(frame));
    CHECK(frame.index == 0);
    reader->seek_frame(27);
    std::vector<std::uint64_t> read;
    while (reader->read(frame)) {
        CHECK(frame.time == second * frame.index);
        read.push_back(frame.index);
    }
    CHECK(read == std::vector<std::uint64_t>{27, 28, 29});
    reader->seek_time(second * 12 + Nanoseconds(5));
    REQUIRE(reader->read(frame));
    CHECK(frame.index == 12);
    reader->seek_time(Nanoseconds(-5));
    REQUIRE(reader->read(frame));
    CHECK(frame.index == 0);
    reader->seek_frame(30);
    CHECK_FALSE(reader->read(frame));
}

TEST_CASE("a trace serves several threads while its index grows")
{
    const File file(frames(20'000));
    const auto trace = open_trace(file.path, as_sensor_view());
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (unsigned i = 0; i < 200; ++i) {
                const auto wanted = (i * 7919u + t * 104'729u) % 20'000;
                if (trace->frame(0, wanted).time != second * wanted) ++wrong;
            }
            if (trace->frame_count() != 20'000) ++wrong;
            if (trace->frame_at(0, second * 777) != 777u) ++wrong;
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("frames beyond 4 GiB are found by their prefixes alone")
{
    const SparseTrace file(300, 64u << 20);
    file.append(framed(sensor_view(300)));
    const auto trace = open_trace(file.path(), as_sensor_view());
    CHECK(trace->frame_count() == 301);
    CHECK(trace->frame(0, 300).offset == file.size());
    CHECK(trace->frame(0, 300).time == second * 300);
    CHECK(trace->frame_bytes(0, 299) == 64u << 20);
    CHECK(trace->frame_at(0, second * 290) == 290u);
    const auto reader = trace->reader();
    reader->seek_frame(300);
    Frame frame;
    REQUIRE(reader->read(frame));
    CHECK(text_of(frame.bytes) == sensor_view(300));
}

TEST_CASE("what cannot be seeked in is unpacked into the temporary folder, and leaves nothing there")
{
    const ScratchFolder folder;
    REQUIRE(::mkfifo((folder / "live.osi").c_str(), 0600) == 0);
    std::thread writer([&] { write_file(folder / "live.osi", frames(100, 5000)); });
    const auto trace = open_trace(folder / "live.osi", as_sensor_view());
    writer.join();
    CHECK(trace->frame_count() == 100);
    CHECK(trace->frame(0, 99).time == second * 99);
    CHECK(folder.names() == std::set<std::string>{"live.osi"});
}

TEST_CASE("a file that shrinks under a trace is an error")
{
    const File file(frames(10, 1000));
    const auto trace = open_trace(file.path, as_sensor_view());
    REQUIRE(trace->frame_count() == 10);
    const auto size = std::to_string(std::filesystem::file_size(file.path));
    std::filesystem::resize_file(file.path, 5000);
    CHECK(trace->frame(0, 1).time == second);
    CHECK(file.without_folder(error_of([&] { (void)trace->frame(0, 9); })) ==
          "run.osi: byte 5135: the file has shrunk from " + size + " to 5000 bytes while it was read");
}

TEST_CASE("a trace cannot be followed")
{
    const File file(frames(1));
    auto options = as_sensor_view();
    options.follow = true;
    CHECK(file.without_folder(error_of([&] { (void)open_trace(file.path, options); })) ==
          "run.osi: a followed file can only be streamed");
}
