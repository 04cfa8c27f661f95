// SPDX-License-Identifier: MPL-2.0
// What is played of several channels, and of traces whose times are not as one would like them.
#include <ositrace/player.hpp>

#include <ositrace/scene.hpp>
#include <ositrace/trace_selection.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/lib/play/played.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using sample::framed;
using sample::sensor_view;
using Steps = std::vector<std::string>;

namespace {

struct Message {
    std::uint32_t channel = 0;
    int second = 0;
    std::optional<Nanoseconds> log_time = std::nullopt;
};

/// An MCAP with two channels of SensorViews, `left` and `right`.
std::shared_ptr<const Trace> two_channels(const ScratchFolder& folder, const std::vector<Message>& messages)
{
    write_file(folder / "one.osi", sample::frames(1));
    auto info = open_trace(folder / "one.osi", sample::as_sensor_view())->info();
    info.channels.push_back(info.channels.front());
    info.channels[0].topic = "left";
    info.channels[1].topic = "right";
    const auto writer = create_trace(folder / "two.mcap", info);
    for (const auto& message : messages) {
        const auto payload = sensor_view(message.second);
        Frame frame;
        frame.bytes = std::as_bytes(std::span(payload));
        frame.channel = message.channel;
        frame.log_time = message.log_time;
        writer->write(frame);
    }
    writer->close();
    return open_trace(folder / "two.mcap");
}

const std::vector<Message> in_step{{0, 0}, {1, 0}, {0, 1}, {0, 2}, {1, 2}, {0, 3}, {0, 4}, {1, 4}};

std::string without_time() { return sample::field(3, sample::field(1, 42)); }

}  // namespace

TEST_CASE("frames of several channels with the same time are one step")
{
    const ScratchFolder folder;
    Played played(two_channels(folder, in_step));
    played.play({.rate = 1});
    CHECK(played.recorder.steps == Steps{"0:0s 1:0s", "0:1s", "0:2s 1:2s", "0:3s", "0:4s 1:4s"});
    CHECK(played.recorder.first_frames == 2);
    CHECK(played.recorder.expected_step == 1s);
    CHECK(played.report.steps == 5);
    CHECK(played.report.frames == 8);
}

TEST_CASE("two frames of one channel with the same time are two steps")
{
    const ScratchFolder folder;
    Played played(two_channels(folder, {{0, 0}, {0, 1}, {0, 1}, {1, 1}, {0, 2}}));
    played.play({});
    CHECK(played.recorder.steps == Steps{"0:0s", "0:1s", "0:1s 1:1s", "0:2s"});
    CHECK(played.recorder.told == seconds({0, 1, 1, 2}));
}

TEST_CASE("of a stream each frame is a step: the next one is not waited for")
{
    const ScratchFolder folder;
    const auto trace = two_channels(folder, in_step);
    Played played;
    const auto stream = open_stream(folder / "two.mcap");
    Player(*stream, played.sinks, played.clock, {.rate = 1}).run();
    CHECK(played.recorder.steps.size() == 8);
    CHECK(played.recorder.taken.back() == Taken{4s, 4s});
}

TEST_CASE("only the channels that are selected are played, under numbers of their own")
{
    const ScratchFolder folder;
    Played played(select_topics(two_channels(folder, in_step), TopicPattern("^ri")));
    played.play({.rounds = 2});
    CHECK(played.recorder.channels == 1);
    CHECK(played.recorder.steps == Steps{"0:0s", "0:2s", "0:4s", "0:0s", "0:2s", "0:4s"});
    CHECK(error_of([&] {
              return select_topics(played.trace, TopicPattern("middle"));
          }).ends_with("no topic matches 'middle' (topics: 'right')"));
}

TEST_CASE("the time that sinks are told grows over the rounds")
{
    Played played;
    played.play({.from = 8s, .rounds = 3});
    CHECK(played.times() == seconds({8, 9, 8, 9, 8, 9}));
    CHECK(played.recorder.told == seconds({8, 9, 10, 11, 12, 13}));
}

TEST_CASE("the time that sinks are told never goes backward: behind a seek it goes on by a step")
{
    Played played;
    played.play({.rate = 1}, [](Player& player, std::size_t count) {
        if (count == 5) player.seek(1s);
        if (count == 7) player.seek(8s);
    });
    CHECK(played.times() == seconds({0, 1, 2, 3, 4, 1, 2, 8, 9}));
    CHECK(played.recorder.told == seconds({0, 1, 2, 3, 4, 5, 6, 12, 13}));
}

TEST_CASE("a seek to the end of a round begins the next with its first frame")
{
    Played played;
    played.play({.rate = 1, .rounds = 2}, [](Player& player, std::size_t count) {
        if (count == 2) player.seek(100s);
    });
    CHECK(played.times() == seconds({0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    CHECK(played.recorder.taken[2].at == 1s);
}

TEST_CASE("steps over the end of a round keep the deadlines of the next")
{
    Played played;
    played.play({.rate = 1, .from = 8s, .rounds = 2}, [](Player& player, std::size_t count) {
        if (count == 2) player.step_forward();
        if (count == 3) player.resume();
    });
    CHECK(played.times() == seconds({8, 9, 8, 9}));
    CHECK(played.recorder.taken.back().at == 2s);
}

TEST_CASE("a step back goes to the moment before, of whatever channel")
{
    const ScratchFolder folder;
    Played played(two_channels(folder, {{0, 0}, {1, 1}, {0, 2}, {1, 3}}));
    played.play({.rate = 1}, [](Player& player, std::size_t count) {
        if (count == 3) player.step_back();
        if (count == 4) player.resume();
    });
    CHECK(played.recorder.steps == Steps{"0:0s", "1:1s", "0:2s", "1:1s", "0:2s", "1:3s"});
}

TEST_CASE("a late frame is dropped when the next of its own channel is due, however far behind it stands")
{
    const ScratchFolder folder;
    Played played(
        two_channels(folder, {{0, 0}, {1, 0}, {1, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {0, 5}, {1, 5}, {0, 6}}));
    played.play({.rate = 1, .drop_late = true}, [&](Player&, std::size_t count) {
        if (count == 2) played.clock.pass(4500ms);
    });
    CHECK(played.recorder.steps == Steps{"0:0s 1:0s", "0:2s", "1:4s", "0:5s 1:5s", "0:6s"});
    CHECK(played.report.lost == 3);
}

TEST_CASE("a step of its own holds the last frame of every channel, also one from in front of the section")
{
    const ScratchFolder folder;
    const auto trace = two_channels(folder, {{0, 0}, {1, 1}, {0, 2}, {0, 4}, {1, 6}, {0, 6}});
    SECTION("from the first frame")
    {
        Played played(trace);
        played.play({.step_size = 2s});
        CHECK(played.recorder.steps == Steps{"0:0s", "0:2s 1:1s", "0:4s 1:1s", "0:6s 1:6s"});
        CHECK(played.recorder.expected_step == 2s);
    }
    SECTION("a section, twice")
    {
        Played played(trace);
        played.play({.from = 3s, .to = 7s, .rounds = 2, .step_size = 2s});
        CHECK(played.recorder.steps == Steps{"0:2s 1:1s", "0:4s 1:1s", "0:2s 1:1s", "0:4s 1:1s"});
        CHECK(played.recorder.told == seconds({3, 5, 7, 9}));
    }
    SECTION("a step that is longer than the section is one step")
    {
        Played played(trace);
        played.play({.from = 3s, .to = 5s, .step_size = 100s});
        CHECK(played.recorder.steps == Steps{"0:2s 1:1s"});
    }
    SECTION("a seek holds what is in front of its time")
    {
        Played played(trace);
        played.play({.step_size = 2s}, [](Player& player, std::size_t count) {
            if (count == 1) player.seek(4s);
        });
        CHECK(played.recorder.steps == Steps{"0:0s", "0:4s 1:1s", "0:6s 1:6s"});
    }
}

TEST_CASE("a frame whose log time runs by another clock is placed by what that clock is ahead")
{
    const ScratchFolder folder;
    Played played(two_channels(folder, {{0, 0, 1000s}, {0, 1, 1001s}, {0, 2, 1002s}, {0, 3, 1003s}}));
    played.play({.rate = 1, .from = 1s});
    CHECK(played.recorder.taken.back() == Taken{2s, 3s});
}

TEST_CASE("the times of all steps are of the clock that orders the frames")
{
    const ScratchFolder folder;
    // Log times are of another clock, OSI times go backward once, and one frame has none.
    write_file(folder / "one.osi", sample::frames(1));
    auto info = open_trace(folder / "one.osi", sample::as_sensor_view())->info();
    const auto writer = create_trace(folder / "some.mcap", info);
    auto log_time = 1000s;
    for (const auto& payload :
         {sensor_view(0), sensor_view(1), without_time(), sensor_view(3), sensor_view(1), sensor_view(2)}) {
        Frame frame;
        frame.bytes = std::as_bytes(std::span(payload));
        frame.log_time = log_time++;
        writer->write(frame);
    }
    writer->close();
    Played played(open_trace(folder / "some.mcap"));
    played.play({.rounds = 2});
    CHECK(played.recorder.step_times == seconds({0, 1, 2, 3, 1, 2, 0, 1, 2, 3, 1, 2}));
}

TEST_CASE("frames of other channels at the start of a stream are placed by the clock of the first OSI frame")
{
    const ScratchFolder folder;
    class Stream final : public FrameSource {
    public:
        TraceInfo info_;
        std::vector<Frame> frames;
        const TraceInfo& info() const noexcept override { return info_; }
        bool read(Frame& frame, std::stop_token) override
        {
            if (next_ == frames.size()) return false;
            frame = frames[next_++];
            return true;
        }
        std::uint64_t bytes_consumed() const noexcept override { return 0; }
        std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

    private:
        std::size_t next_ = 0;
    } stream;
    stream.info_ = two_channels(folder, in_step)->info();
    stream.info_.channels[1].root = nullptr;
    const auto osi = sensor_view(1);
    const std::string foreign = "{}";
    const auto add = [&](std::uint32_t channel, const std::string& payload, Nanoseconds log_time) {
        Frame frame;
        frame.channel = channel;
        frame.bytes = bytes_of(payload);
        frame.log_time = log_time;
        stream.frames.push_back(frame);
    };
    add(1, foreign, 1000s);
    add(1, foreign, 1000500ms);
    Played played;
    SECTION("up to it")
    {
        add(0, osi, 1001s);
        add(1, foreign, 1001500ms);
        Player(stream, played.sinks, played.clock).run();
        CHECK(played.recorder.step_times == std::vector<Nanoseconds>{0s, 500ms, 1s, 1500ms});
        CHECK(played.recorder.steps == Steps{"1:-", "1:-", "0:1s", "1:-"});
    }
    SECTION("without one, by the log times")
    {
        Player(stream, played.sinks, played.clock).run();
        CHECK(played.recorder.step_times == std::vector<Nanoseconds>{1000s, 1000500ms});
    }
}

TEST_CASE("frames without a time are due with the one before")
{
    Played played(framed(without_time()) + framed(sensor_view(5)) + framed(without_time()) + framed(sensor_view(6)));
    SECTION("of a trace")
    {
        played.play({.rate = 1});
        CHECK(played.recorder.steps == Steps{"0:-", "0:5s", "0:-", "0:6s"});
        CHECK(played.recorder.taken.back().at == 1s);
    }
    SECTION("of a stream")
    {
        const auto stream = open_stream(played.file.path, sample::as_sensor_view());
        Player(*stream, played.sinks, played.clock, {.rate = 1}).run();
        CHECK(played.recorder.steps.size() == 4);
        CHECK(played.recorder.taken.back().at <= 1s);
    }
}

TEST_CASE("a trace without any time is played at once, round after round")
{
    Played played(framed(without_time()) + framed(without_time()));
    played.play({.rate = 1, .rounds = 3});
    CHECK(played.report.frames == 6);
    CHECK(played.report.lateness.max == 0s);
}

TEST_CASE("frames whose times go backward are due at once, and none is lost")
{
    Played played(framed(sensor_view(5)) + framed(sensor_view(7)) + framed(sensor_view(1)) + framed(sensor_view(8)) +
                  framed(sensor_view(2)));
    played.play({.rate = 1});
    CHECK(played.times() == seconds({5, 7, 1, 8, 2}));
    CHECK(played.recorder.told == seconds({5, 7, 7, 8, 8}));
    CHECK(played.recorder.taken.back().at == 3s);
}

TEST_CASE("an empty trace begins and finishes its sinks, and rounds of nothing end")
{
    Played played(std::string{});
    played.play({.rate = 1, .rounds = 0});
    CHECK(played.report.frames == 0);
    CHECK(played.recorder.begun == 1);
    CHECK(played.recorder.finished == 1);
    SECTION("a section in which there is nothing")
    {
        Played other;
        other.play({.from = 100s, .rounds = 0});
        CHECK(other.report.frames == 0);
    }
    SECTION("with a step of its own")
    {
        Played other(std::string{});
        other.play({.step_size = 1s});
        CHECK(other.report.frames == 0);
    }
}

TEST_CASE("frames of one time are not dropped for each other, and neither are frames without a time")
{
    Played played(framed(sensor_view(1)) + framed(sensor_view(1)) + framed(without_time()) + framed(sensor_view(2)));
    played.play({.rate = 1, .drop_late = true});
    CHECK(played.recorder.steps == Steps{"0:1s", "0:1s", "0:-", "0:2s"});
    CHECK(played.report.lost == 0);
}

TEST_CASE("a single frame is played in every round")
{
    Played played(framed(sensor_view(5)));
    played.play({.rate = 1, .rounds = 3});
    CHECK(played.times() == seconds({5, 5, 5}));
}

TEST_CASE("a frame that cannot be read ends the replay behind all frames before it")
{
    const auto step_size = GENERATE(std::optional<Nanoseconds>(), std::optional<Nanoseconds>(1s));
    Played played(sample::frames(3));
    const auto whole = open_stream(played.file.path, sample::as_sensor_view());
    struct Breaking final : FrameSource {
        FrameSource& from;
        explicit Breaking(FrameSource& source) : from(source) {}
        const TraceInfo& info() const noexcept override { return from.info(); }
        bool read(Frame& frame, std::stop_token stop) override
        {
            if (from.read(frame, stop)) return true;
            throw Error(Cause::truncated, "the file ends");
        }
        std::uint64_t bytes_consumed() const noexcept override { return 0; }
        std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    } breaking(*whole);
    CHECK(error_of([&] {
              return Player(breaking, played.sinks, played.clock, {.step_size = step_size}).run().frames;
          }) == "the file ends");
    CHECK(played.times() == seconds({0, 1, 2}));
}

TEST_CASE("an invalid rate or step is refused")
{
    Played played;
    const std::string rate = "a rate is a number from 0.1 to 100";
    for (const double value : {0.0, -1.0, 0.05, 101.0, std::nan(""), HUGE_VAL})
        CHECK(error_of([&] {
                  Player(played.trace, played.sinks, played.clock, {.rate = value});
                  return 0;
              }) == rate);
    CHECK(error_of([&] {
              Player(played.trace, played.sinks, played.clock, {.step_size = 0s});
              return 0;
          }) == "a step must be longer than 0");
}

namespace {

/// Ground truths, 0.0 s to 0.9 s, with a map in the first alone.
std::shared_ptr<const Trace> map_sent_once(const std::filesystem::path& file)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = 10;
    options.moving_objects = 1;
    options.static_data = StaticData::first_frame;
    SceneSource scene(options, 1);
    const auto writer = create_trace(file, scene.info());
    for (Frame frame; scene.read(frame);) writer->write(frame);
    writer->close();
    return open_trace(file);
}

bool has_map(const Frame& frame) { return frame.bytes.size() > 10'000; }

}  // namespace

TEST_CASE("a map that was sent once is in the first frame played, of every round, and behind a seek")
{
    const ScratchFolder folder;
    const auto extension = GENERATE("osi", "mcap");
    Played played(map_sent_once(folder / (std::string("run.") + extension)));
    played.recorder.keep_frames = true;
    std::vector<CarriedPart> carried;
    PlayOptions options{.from = 500ms, .rounds = 2};
    options.on_carry = [&](const CarriedPart& part) { carried.push_back(part); };
    const auto maps = [&] {
        std::string text;
        for (const auto& frame : played.recorder.kept) text += has_map(frame) ? 'M' : '.';
        return text;
    };
    SECTION("rounds")
    {
        played.play(options);
        CHECK(maps() == "M....M....");
        REQUIRE(carried.size() == 1);
        CHECK(carried.front().frame == 5);
        CHECK(played.recorder.kept.front().time == 500ms);
    }
    SECTION("a seek")
    {
        played.play(options, [](Player& player, std::size_t count) {
            if (count == 2) player.seek(800ms);
        });
        CHECK(maps() == "M.M.M....");
    }
    SECTION("not where it is not wanted")
    {
        options.carry_static = false;
        played.play(options);
        CHECK(maps() == "..........");
    }
    SECTION("a step of its own")
    {
        options.from = 450ms;
        options.step_size = 200ms;
        options.rounds = 1;
        played.play(options);
        CHECK(maps() == "M...");
    }
}

TEST_CASE("the only frame of a channel is in the first step, of every round, and behind a seek")
{
    const ScratchFolder folder;
    const auto trace = two_channels(folder, {{0, 0}, {1, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}});
    Played played(trace);
    std::vector<CarriedPart> carried;
    PlayOptions options{.from = 2s};
    options.on_carry = [&](const CarriedPart& part) { carried.push_back(part); };
    SECTION("rounds")
    {
        options.rounds = 2;
        played.play(options);
        CHECK(played.recorder.steps == Steps{"1:0s 0:2s", "0:3s", "0:4s", "1:0s 0:2s", "0:3s", "0:4s"});
        CHECK(played.recorder.told.front() == 2s);
        CHECK(played.recorder.first_frames == 2);
        REQUIRE(carried.size() == 1);
        CHECK(carried.front().channel == 1);
        CHECK(carried.front().fields.empty());
    }
    SECTION("a seek")
    {
        options.from.reset();
        played.play(options, [](Player& player, std::size_t count) {
            if (count == 2) player.seek(3s);
        });
        CHECK(played.recorder.steps == Steps{"0:0s 1:0s", "1:0s 0:3s", "0:4s"});
    }
    SECTION("at a rate it is due with the first frame")
    {
        options.rate = 1;
        played.play(options);
        CHECK(played.recorder.taken.front() == Taken{0s, 0s});
        CHECK(played.recorder.taken.back() == Taken{2s, 4s});
        CHECK(played.report.late == 0);
    }
    SECTION("with a step of its own it is held all the time")
    {
        options.step_size = 2s;
        played.play(options);
        CHECK(played.recorder.steps == Steps{"0:2s 1:0s", "0:4s 1:0s"});
    }
    SECTION("not where it is not wanted")
    {
        options.carry_static = false;
        played.play(options);
        CHECK(played.recorder.steps == Steps{"0:2s", "0:3s", "0:4s"});
    }
    SECTION("not into nothing")
    {
        options.from = 5s;
        played.play(options);
        CHECK(played.recorder.steps.empty());
    }
}

TEST_CASE("a channel that ended before the start has no frame carried: that would be old, and look new")
{
    const ScratchFolder folder;
    Played played(two_channels(folder, {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {0, 3}}));
    played.play({.from = 2s});
    CHECK(played.recorder.steps == Steps{"0:2s", "0:3s"});
}
