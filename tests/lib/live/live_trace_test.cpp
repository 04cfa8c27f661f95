// SPDX-License-Identifier: MPL-2.0
#include <ositrace/live_trace.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

#include <ositrace/map_finder.hpp>
#include <ositrace/scene.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

SceneOptions scene_of(StaticData statics)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = 200;
    options.moving_objects = 3;
    options.reflections = 0;
    options.static_data = statics;
    return options;
}

std::vector<Frame> frames_of(const SceneOptions& options)
{
    SceneSource scene(options, 1);
    std::vector<Frame> frames;
    for (Frame frame; scene.read(frame); frame = {}) frames.push_back(frame);
    return frames;
}

TraceInfo info_of(const SceneOptions& options, std::size_t channels = 1)
{
    auto info = SceneSource(options, 1).info();
    info.file = "live";
    while (info.channels.size() < channels) {
        info.channels.push_back(info.channels.front());
        info.channels.back().topic += '2';
    }
    return info;
}

bool equal(Bytes a, Bytes b) { return std::ranges::equal(a, b); }

}  // namespace

TEST_CASE("a live trace keeps what was appended, with its numbers and times")
{
    const auto options = scene_of(StaticData::every_frame);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options));
    for (const auto& each : sent) trace->append(each);
    CHECK(trace->frame_count() == sent.size());
    CHECK(trace->first_frame(0) == 0);
    const auto reader = trace->reader();
    Frame frame;
    for (std::size_t i = 0; i != sent.size(); ++i) {
        CHECK(equal(trace->frame(0, i).bytes, sent[i].bytes));
        CHECK(trace->frame_time(0, i) == Nanoseconds(100ms) * static_cast<std::int64_t>(i));
        REQUIRE(reader->read(frame));
        CHECK(equal(frame.bytes, sent[i].bytes));
        CHECK(frame.index == i);
    }
    CHECK_FALSE(reader->read(frame));
    CHECK(trace->frame_at(0, 1050ms) == 10);
    CHECK_FALSE(trace->frame_at(0, -1ns));
    CHECK(error_of([&] { return trace->frame(0, 200); }) == "live: frame 200 of channel 0 has not been received");
    trace->append(sent[0]);
    REQUIRE(reader->read(frame));
    CHECK(frame.index == 200);
}

TEST_CASE("the oldest frames are dropped at the limit, and the others keep their numbers")
{
    const auto options = scene_of(StaticData::never);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options), LiveLimits{.bytes = 20'000});
    std::size_t largest = 0;
    for (const auto& each : sent) {
        trace->append(each);
        largest = std::max(largest, trace->counts().bytes);
    }
    CHECK(largest <= 20'000);
    const auto first = trace->first_frame(0);
    const auto counts = trace->counts();
    CHECK(first > 100);
    CHECK(counts.received == 200);
    CHECK(counts.kept == 200 - first);
    CHECK(trace->frame_count() == 200);
    CHECK(equal(trace->frame(0, first).bytes, sent[first].bytes));
    CHECK(error_of([&] { return trace->frame(0, first - 1); }) ==
          "live: frame " + std::to_string(first - 1) + " of channel 0 was dropped: the memory for live frames is full");
    const auto times = trace->times(0, 0);
    CHECK(times.first == first);
    CHECK(times.from == first);
    CHECK(times.times.size() == 200 - first);
    CHECK(trace->times(0, 198).times == std::vector<std::optional<Nanoseconds>>{19'800ms, 19'900ms});
    Frame frame;
    REQUIRE(trace->reader()->read(frame));
    CHECK(frame.index == first);
    CHECK(trace->frame_at(0, 19'850ms) == 198);
}

TEST_CASE("the last frame of a slow channel stays, however much another one sends")
{
    const auto options = scene_of(StaticData::never);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options, 2), LiveLimits{.bytes = 20'000});
    for (const auto& each : sent) {
        auto frame = each;
        frame.channel = each.index < 2 ? 1 : 0;
        trace->append(frame);
    }
    CHECK(trace->first_frame(1) == 1);
    CHECK(trace->frame_count(1) == 2);
    CHECK(equal(trace->frame(1, 1).bytes, sent[1].bytes));
    CHECK(trace->first_frame(0) > 100);
}

TEST_CASE("a frame above the limit stays until the next one")
{
    const auto options = scene_of(StaticData::every_frame);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options), LiveLimits{.bytes = 1});
    for (const auto& each : sent) {
        trace->append(each);
        CHECK(trace->counts().kept == 1);
        CHECK(trace->first_frame(0) + 1 == trace->frame_count());
    }
    const auto few = std::make_shared<LiveTrace>(info_of(options), LiveLimits{.frames = 7});
    for (const auto& each : sent) few->append(each);
    CHECK(few->counts().kept == 7);
}

TEST_CASE("the map that was sent once is found after its frame was dropped")
{
    const auto options = scene_of(StaticData::first_frame);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options), LiveLimits{.frames = 50});
    for (const auto& each : sent) trace->append(each);
    REQUIRE(trace->first_frame(0) == 150);
    CHECK(trace->kept_map(0, 199, true) == 0);
    CHECK(equal(trace->frame(0, 0).bytes, sent[0].bytes));
    MapFinder finder(trace);
    const auto found = finder.find(0, 199, trace->frame(0, 199));
    REQUIRE(found);
    CHECK(found->number == 0);
    CHECK(equal(found->frame.bytes, sent[0].bytes));
    trace->append(sent[0]);  // a new map, which the frames before it do not have
    trace->append(sent[1]);
    CHECK(finder.find(0, 199, trace->frame(0, 199))->number == 0);
    CHECK(finder.find(0, 201, trace->frame(0, 201))->number == 200);
}

TEST_CASE("channels are added to the same frames")
{
    const auto options = scene_of(StaticData::never);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options));
    trace->append(sent[0]);
    auto other = sent[1];
    other.channel = 1;
    CHECK(error_of([&] {
              trace->append(other);
              return 0;
          }) == "live: there is no channel 1");
    const auto more = trace->with_channels(info_of(options, 2));
    more->append(other);
    CHECK(more->frame_count(1) == 1);
    CHECK(more->frame_count(0) == 1);
    CHECK(trace->info().channels.size() == 1);
    more->append(sent[2]);
    CHECK(trace->frame_count(0) == 2);
}

TEST_CASE("whoever waits is woken by a frame, by the end and by a stop")
{
    const auto options = scene_of(StaticData::never);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options));
    std::stop_source stop;
    std::thread appends([&] { trace->append(sent[0]); });
    CHECK(trace->wait(0, stop.get_token()));
    appends.join();
    std::thread stops([&] { stop.request_stop(); });
    CHECK_FALSE(trace->wait(1, stop.get_token()));
    stops.join();
    std::thread closes([&] { trace->close(); });
    CHECK_FALSE(trace->wait(1, {}));
    closes.join();
    CHECK(trace->wait(0, {}));
}

TEST_CASE("frames are read while others are appended and dropped")
{
    const auto options = scene_of(StaticData::first_frame);
    const auto sent = frames_of(options);
    const auto trace = std::make_shared<LiveTrace>(info_of(options), LiveLimits{.bytes = 30'000});
    std::atomic<bool> done = false;
    const auto read = [&] {
        std::uint64_t wrong = 0;
        const auto reader = trace->reader();
        std::optional<std::uint64_t> last;
        while (!done) {
            const auto count = trace->frame_count();
            if (count == 0) continue;
            try {
                const auto frame = trace->frame(0, count - 1);
                wrong += equal(frame.bytes, sent[(count - 1) % sent.size()].bytes) ? 0 : 1;
            } catch (const Error&) {  // it was dropped meanwhile
            }
            Frame next;
            if (!reader->read(next)) continue;
            wrong += last && next.index <= *last ? 1 : 0;
            wrong += equal(next.bytes, sent[next.index % sent.size()].bytes) ? 0 : 1;
            last = next.index;
            static_cast<void>(trace->times(0, count));
            static_cast<void>(trace->frame_at(0, 5s));
        }
        return wrong;
    };
    std::vector<std::uint64_t> wrong(2);
    std::thread one([&] { wrong[0] = read(); });
    std::thread two([&] { wrong[1] = read(); });
    for (int round = 0; round != 20; ++round)
        for (const auto& each : sent) trace->append(each);
    done = true;
    one.join();
    two.join();
    CHECK(wrong == std::vector<std::uint64_t>{0, 0});
    CHECK(trace->counts().bytes <= 30'000);
}

TEST_CASE("one waits for a frame until it arrives, the trace is closed, or a stop is requested")
{
    const auto options = scene_of(StaticData::every_frame);
    const auto sent = frames_of(options);
    LiveTrace trace(info_of(options), {.frames = 3});
    trace.append(sent[0]);
    CHECK(wait_for_frame(trace, 0, 0, {}));
    std::thread sender([&] {
        for (int i = 1; i != 10; ++i) trace.append(sent[static_cast<std::size_t>(i)]);
    });
    CHECK(wait_for_frame(trace, 0, 9, {}));
    sender.join();
    CHECK(wait_for_frame(trace, 0, 2, {}));  // dropped, but it was there
    std::stop_source stop;
    std::thread impatient([&] { stop.request_stop(); });
    CHECK_FALSE(wait_for_frame(trace, 0, 10, stop.get_token()));
    impatient.join();
    std::thread closer([&] { trace.close(); });
    CHECK_FALSE(wait_for_frame(trace, 0, 10, {}));
    closer.join();
}
