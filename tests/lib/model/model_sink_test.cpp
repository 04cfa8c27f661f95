// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_sink.hpp>

#include <deque>

#include <ositrace/player.hpp>
#include <ositrace/record_sink.hpp>

#include "tests/catch.hpp"
#include "tests/lib/play/manual_clock.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using sample::as_sensor_view;
using sample::frames;

namespace {

/// Returns what it is given, writes down how it is stepped, and breaks when told to.
class Echo final : public SensorModel {
public:
    void initialize(const TraceInfo& inputs, const PlayStart& start) override
    {
        info = inputs;
        started = start.now;
        first_frames = start.first.size();
    }
    const TraceInfo& outputs() const noexcept override { return info; }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now, Nanoseconds length) override
    {
        steps.push_back({now, length});
        if (steps.size() == breaks_at) throw Error(Cause::io, "the model is gone");
        returned.assign(inputs.begin(), inputs.end());
        return returned;
    }
    void finish() override { ++finished; }

    TraceInfo info;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> steps;
    std::vector<Frame> returned;
    Nanoseconds started{-1};
    std::size_t first_frames = 0;
    std::size_t breaks_at = 0;
    int finished = 0;
};

/// A trace of ten frames, 0 s to 9 s, into models and a recording of what they return.
struct Stepped {
    File file{frames(10)};
    ManualClock clock;
    std::filesystem::path out = file.folder / "out.mcap";

    PlayReport play(std::vector<SteppedModel> models, bool with_inputs = false, PlayOptions options = {})
    {
        RecordSink record(out);
        const auto sink = step_models(std::move(models), {{&record, with_inputs}});
        FrameSink* const sinks[] = {sink.get()};
        return Player(open_trace(file.path, as_sensor_view()), sinks, clock, std::move(options)).run();
    }
    [[nodiscard]] std::vector<std::string> topics() const
    {
        std::vector<std::string> names;
        const auto trace = open_trace(out);
        for (const auto& channel : trace->info().channels) names.push_back(channel.topic);
        return names;
    }
};

}  // namespace

TEST_CASE("a step from one end of all times to the other is as long as a step can be")
{
    Echo model;
    const auto sink = step_models({{&model, "echo"}}, {});
    const TraceInfo info;
    sink->begin(info, {.now = Nanoseconds::min(), .step = 1s});
    sink->take({}, Nanoseconds::min(), info);
    sink->take({}, Nanoseconds::max(), info);
    CHECK(model.steps.back() == std::pair(Nanoseconds::max(), Nanoseconds::max()));
}

TEST_CASE("a model is stepped with every frame, and what it returns is recorded")
{
    Stepped stepped;
    Echo model;
    stepped.play({{&model, "echo"}});
    CHECK(model.started == 0s);
    REQUIRE(model.steps.size() == 10);
    CHECK(model.steps[3] == std::pair<Nanoseconds, Nanoseconds>(3s, 1s));
    CHECK(model.finished == 1);
    CHECK(stepped.topics() == std::vector<std::string>{"SensorView"});
    CHECK(open_trace(stepped.out)->frame_count() == 10);
}

TEST_CASE("inputs and what several models return stand side by side under topics of their own")
{
    Stepped stepped;
    Echo one;
    Echo other;
    stepped.play({{&one, "one"}, {&other, "other"}}, true);
    CHECK(stepped.topics() == std::vector<std::string>{"SensorView", "one.SensorView", "other.SensorView"});
    const auto trace = open_trace(stepped.out);
    for (std::uint32_t channel = 0; channel < 3; ++channel) CHECK(trace->frame_count(channel) == 10);
}

TEST_CASE("the topic of a model gives way to that of an input")
{
    Stepped stepped;
    Echo model;
    stepped.play({{&model, "echo"}}, true);
    CHECK(stepped.topics() == std::vector<std::string>{"SensorView", "echo.SensorView"});
}

TEST_CASE("a model that breaks leaves a recording of all frames before, its input of that step included")
{
    Stepped stepped;
    Echo model;
    model.breaks_at = 5;
    CHECK(error_of([&] { return stepped.play({{&model, "echo"}}, true).frames; }) == "the model is gone");
    CHECK(model.finished == 1);
    const auto trace = open_trace(stepped.out);
    CHECK(trace->frame_count(0) == 5);
    CHECK(trace->frame_count(1) == 4);
}

TEST_CASE("two frames of one time are two steps, the second of 1 ns, which is reported once")
{
    Echo model;
    std::vector<std::uint64_t> reported;
    const auto sink = step_models({{&model, "echo"}}, {}, [&](const Frame& frame) { reported.push_back(frame.index); });
    sink->begin({}, {5s, 100ms, {}});
    std::vector<Frame> step(1);
    for (const auto now : {5s, 5s, 7s, 7s}) {
        sink->take(step, now, {});
        ++step[0].index;
    }
    const std::vector<std::pair<Nanoseconds, Nanoseconds>> expected{{5s, 100ms}, {5s, 1ns}, {7s, 2s}, {7s, 1ns}};
    CHECK(model.steps == expected);
    CHECK(reported == std::vector<std::uint64_t>{1});
}

namespace {

/// Holds what it returns over two steps.
class Holding final : public SensorModel {
public:
    void initialize(const TraceInfo& inputs, const PlayStart&) override { info_ = inputs; }
    const TraceInfo& outputs() const noexcept override { return info_; }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds, Nanoseconds) override
    {
        if (steps_++ % 2 == 0) held_.assign(inputs.begin(), inputs.end());
        return held_;
    }

private:
    TraceInfo info_;
    std::vector<Frame> held_;
    int steps_ = 0;
};

}  // namespace

TEST_CASE("a message that a model holds is recorded once, or in every step on request")
{
    Stepped stepped;
    for (const bool held : {false, true}) {
        Holding model;
        stepped.out = stepped.file.folder / (held ? "held.mcap" : "once.mcap");
        RecordSink record(stepped.out);
        const auto sink = step_models({{&model, "model"}}, {{.sink = &record, .held = held}});
        FrameSink* const sinks[] = {sink.get()};
        static_cast<void>(Player(open_trace(stepped.file.path, as_sensor_view()), sinks, stepped.clock, {}).run());
        CHECK(open_trace(stepped.out)->frame_count() == (held ? 10U : 5U));
        CHECK(sink->returned() == 10);
    }
}

TEST_CASE("another message with the time of the one before is no held one")
{
    class SameTime final : public SensorModel {
    public:
        void initialize(const TraceInfo& inputs, const PlayStart&) override { info_ = inputs; }
        const TraceInfo& outputs() const noexcept override { return info_; }
        std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds, Nanoseconds) override
        {
            returned_.assign(inputs.begin(), inputs.end());
            returned_[0].time = 1s;
            return returned_;
        }
        TraceInfo info_;
        std::vector<Frame> returned_;
    } model;
    Stepped stepped;
    stepped.play({{&model, "model"}});
    CHECK(open_trace(stepped.out)->frame_count() == 10);
}

namespace {

/// Has two outputs, and returns what it is given in the second, if anything.
class TwoOutputs final : public SensorModel {
public:
    explicit TwoOutputs(bool answers) : answers_(answers) {}
    void initialize(const TraceInfo& inputs, const PlayStart&) override
    {
        info_ = inputs;
        info_.channels.push_back(info_.channels.front());
        info_.channels[0].topic = "silent";
        info_.channels[1].topic = "used";
    }
    const TraceInfo& outputs() const noexcept override { return info_; }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds, Nanoseconds) override
    {
        if (!answers_) return {};
        returned_.assign(inputs.begin(), inputs.end());
        for (auto& frame : returned_) frame.channel = 1;
        return returned_;
    }

private:
    bool answers_;
    TraceInfo info_;
    std::vector<Frame> returned_;
};

}  // namespace

TEST_CASE("an output that never returned anything is no channel of the recording")
{
    Stepped stepped;
    TwoOutputs model(true);
    SECTION("of what is returned")
    {
        stepped.play({{&model, "model"}});
        CHECK(stepped.topics() == std::vector<std::string>{"used"});
    }
    SECTION("with the inputs")
    {
        stepped.play({{&model, "model"}}, true);
        CHECK(stepped.topics() == std::vector<std::string>{"SensorView", "used"});
    }
    SECTION("so that a container of one channel does")
    {
        stepped.out = stepped.file.folder / "out.osi";
        stepped.play({{&model, "model"}});
        CHECK(open_trace(stepped.out, as_sensor_view())->frame_count() == 10);
    }
}

TEST_CASE("of models that returned nothing there is no recording")
{
    Stepped stepped;
    TwoOutputs model(false);
    stepped.play({{&model, "model"}});
    CHECK_FALSE(std::filesystem::exists(stepped.out));
}
