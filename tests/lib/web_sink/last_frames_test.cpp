// SPDX-License-Identifier: MPL-2.0
#include "lib/web_sink/last_frames.hpp"

#include <chrono>
#include <memory>
#include <string>

#include <ositrace/edit/static.hpp>
#include <ositrace/recognize.hpp>

#include "lib/trace/recognition.hpp"
#include "tests/catch.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using web_sink::LastFrames;

namespace {

TraceInfo two_channels()
{
    TraceInfo info;
    for (const auto* const topic : {"one", "two"}) {
        info.channels.push_back(recognized_channel({MessageType::ground_truth, {}}, Schema::built_in()));
        info.channels.back().topic = topic;
    }
    return info;
}

Frame frame_of(const std::string& payload, std::uint32_t channel = 0)
{
    const auto owner = std::make_shared<const std::string>(payload);
    Frame frame;
    frame.bytes = bytes_of(*owner);
    frame.owner = owner;
    frame.channel = channel;
    static std::uint64_t next = 0;
    frame.index = next++;
    return frame;
}

}  // namespace

TEST_CASE("a frame is shown with the last parts of the map that it lacks")
{
    constexpr std::uint32_t stationary_object = 4, lane_boundary = 9;
    LastFrames last;
    last.add_channels(two_channels());
    const auto shown = [&] { return last.shown(10s).front(); };
    CHECK_FALSE(shown().frame);
    last.add(frame_of(ground_truth(1)), 1s);
    CHECK(shown().frame);
    CHECK_FALSE(shown().statics);
    last.add(frame_of(ground_truth(2) + field(stationary_object, "")), 2s);
    CHECK_FALSE(shown().statics);
    last.add(frame_of(ground_truth(3)), 3s);
    CHECK(shown().statics->index + 1 == shown().frame->index);
    last.add(frame_of(ground_truth(4) + field(lane_boundary, "")), 4s);
    CHECK_FALSE(shown().statics);
    last.add(frame_of(ground_truth(5) + field(stationary_object, "")), 5s);
    CHECK_FALSE(shown().statics);
    const auto fields = map_fields(shown().frame->bytes, *shown().channel);  // what has changed, and what has not
    CHECK(fields == std::vector<std::string_view>{"stationary_object", "lane_boundary"});
    last.add(frame_of(ground_truth(6)), 6s);
    REQUIRE(shown().statics);
    CHECK(shown().statics->index + 1 == shown().frame->index);
    CHECK(map_fields(shown().statics->bytes, *shown().channel) == fields);
    CHECK_FALSE(last.shown(10s)[1].statics);
}

TEST_CASE("a channel is past after five usual steps without a message, and lives again when the time goes back")
{
    LastFrames last;
    last.add_channels(two_channels());
    for (const auto time : {1s, 2s, 3s}) last.add(frame_of(ground_truth(1)), time);
    last.add(frame_of(ground_truth(1), 1), 1s);  // the only one: a map that is sent once
    CHECK_FALSE(last.shown(8s)[0].is_past);
    CHECK(last.shown(9s)[0].is_past);
    CHECK_FALSE(last.shown(9s)[1].is_past);
    last.add(frame_of(ground_truth(1)), 1s);
    CHECK_FALSE(last.shown(1s)[0].is_past);
}
