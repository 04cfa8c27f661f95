// SPDX-License-Identifier: MPL-2.0
#include <ositrace/scene.hpp>

#include <string>
#include <thread>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scene/decoded.hpp"

using namespace ositrace;

namespace {

std::string frame_of(const Scene& scene, std::uint64_t i)
{
    ByteBuffer bytes;
    scene.frame(i, bytes);
    return std::string(text_of(bytes.bytes()));
}

std::vector<std::string> read_all(SceneSource& source)
{
    std::vector<std::string> frames;
    Frame frame;
    while (source.read(frame)) frames.emplace_back(text_of(frame.bytes));
    return frames;
}

/// FNV-1a.
std::uint64_t hash(std::string_view text)
{
    std::uint64_t value = 0xcbf2'9ce4'8422'2325;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
    return value;
}

const std::vector<MessageType> types{MessageType::sensor_view, MessageType::ground_truth, MessageType::sensor_data};

}  // namespace

TEST_CASE("a frame depends on options and number alone")
{
    SceneOptions options;
    options.type = GENERATE(from_range(types));
    options.reflections = 500;
    const Scene one(options), other(options);
    const auto first = frame_of(one, 9);
    for (const std::uint64_t i : {80, 3, 9, 0}) static_cast<void>(frame_of(other, i));
    CHECK(frame_of(other, 9) == first);
    CHECK(frame_of(one, 10) != first);
}

TEST_CASE("frames made on several threads at once are the same")
{
    const Scene scene({});
    std::vector<std::string> made(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < made.size(); ++i) threads.emplace_back([&, i] { made[i] = frame_of(scene, i); });
    for (auto& thread : threads) thread.join();
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(made[i] == frame_of(scene, i));
}

TEST_CASE("the seed changes the scene")
{
    SceneOptions options;
    const auto one = frame_of(Scene(options), 0);
    options.seed = 2;
    CHECK(frame_of(Scene(options), 0) != one);
}

TEST_CASE("the same bytes in every build")
{
    // Recorded once. The scene uses no mathematical library, so a change here is a change of the scene: files that
    // people compare change too.
    SceneOptions options;
    options.reflections = 300;
    options.reflection_fields = 5;
    CHECK(hash(frame_of(Scene(options), 77)) == 0xd680'8423'b2eb'47cb);
    options.type = MessageType::sensor_data;
    CHECK(hash(frame_of(Scene(options), 77)) == 0xba95'64ef'aebd'd7f3);
}

TEST_CASE("frames are canonical: they come back byte-identical from FlatBuffers")
{
    SceneOptions options;
    options.type = GENERATE(from_range(types));
    options.reflection_fields = GENERATE(2, 3, 5);
    options.ray_directions = true;
    const Scene scene(options);
    const auto& root = *scene.info().channels.at(0).root;
    Transcoder there(root, {}, {Encoding::flatbuffers}), back(root, {Encoding::flatbuffers}, {});
    ByteBuffer proto, flat, again;
    for (const std::uint64_t i : {0, 1, 50}) {
        scene.frame(i, proto);
        there.transcode(proto.bytes(), flat);
        back.transcode(flat.bytes(), again);
        CHECK(text_of(again.bytes()) == text_of(proto.bytes()));
    }
    CHECK(there.dropped_unknown_fields() == 0);
}

TEST_CASE("a source reads the frames in order, whatever the number of threads")
{
    SceneOptions options;
    options.frames = 23;
    options.reflections = 400;
    const Scene scene(options);
    SceneSource source(options, GENERATE(1u, 2u, 5u));
    Frame frame;
    for (std::uint64_t i = 0; i < options.frames; ++i) {
        REQUIRE(source.read(frame));
        CHECK(frame.index == i);
        CHECK(frame.time == scene.time(i));
        CHECK(text_of(frame.bytes) == frame_of(scene, i));
    }
    CHECK_FALSE(source.read(frame));
    CHECK_FALSE(source.read(frame));
}

TEST_CASE("a source has one Protobuf channel of the scene's type")
{
    SceneOptions options;
    options.type = GENERATE(from_range(types));
    const SceneSource source(options);
    REQUIRE(source.info().channels.size() == 1);
    const auto& channel = source.info().channels[0];
    CHECK(channel.type == options.type);
    CHECK(channel.type_name == row_of(options.type).full_name);
    CHECK(channel.format == Format{});
    CHECK(channel.root == &channel.schema->root(options.type));
}

TEST_CASE("a source of no frames ends at once")
{
    SceneOptions options;
    options.frames = 0;
    SceneSource source(options);
    CHECK(read_all(source).empty());
}

TEST_CASE("a stopped source ends, and one that is not read to the end goes away")
{
    SceneOptions options;
    options.frames = 1'000'000;
    SceneSource source(options, 2);
    Frame frame;
    REQUIRE(source.read(frame));
    std::stop_source stop;
    stop.request_stop();
    while (source.read(frame, stop.get_token())) {
    }
}

TEST_CASE("invalid options are refused")
{
    SceneOptions options;
    options.type = MessageType::traffic_command;
    CHECK(error_of([&] { Scene scene(options); }) ==
          "a scene of type TrafficCommand cannot be generated (known: SensorView, GroundTruth, SensorData)");
    options = {};
    options.reflection_fields = 4;
    CHECK(error_of([&] { Scene scene(options); }) == "a reflection has 2, 3 or 5 fields, not 4");
    options = {};
    options.period = Nanoseconds(0);
    CHECK(error_of([&] { Scene scene(options); }) == "the period of a scene must be positive");
    options = {};
    options.frames = 10'000'000'000'000;
    options.period = std::chrono::hours(1);
    CHECK(error_of([&] { Scene scene(options); }) == "the scene lasts longer than 292 years");
    options = {};
    options.reflections = 15'000'001;
    CHECK(error_of([&] { Scene scene(options); }) == "more than 15000000 reflections per frame");
}
