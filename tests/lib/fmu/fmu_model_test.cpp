// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include <ositrace/message_view.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// The sensor view inside a sensor data message.
std::string view_in(const Frame& sensor_data)
{
    const MessageView message(sensor_data.bytes, Schema::built_in()->root(MessageType::sensor_data), {});
    const auto views = message.repeated(*message.table().find("sensor_view"));
    return std::string(text_of(*std::get<MessageView>(views[0]).wire_bytes()));
}

}  // namespace

TEST_CASE("a model in a child process gets every frame and returns its own", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    CAPTURE(fmi);
    ReplayedModel replay(test_model(fmi), options_for({}));
    replay.begin();
    REQUIRE(replay.model().outputs().channels.size() == 1);
    CHECK(replay.model().outputs().channels[0].topic == "test_model_fmi" + std::to_string(fmi) + ".OSMPSensorDataOut");
    CHECK(replay.model().outputs().channels[0].type == MessageType::sensor_data);
    for (std::uint64_t i = 0; i < 20; ++i) {
        const auto returned = replay.step();
        REQUIRE(returned.size() == 1);
        CHECK(returned[0].time == 10ms * static_cast<std::int64_t>(i));  // a step ends at the time of its frame
        CHECK(returned[0].index == i);
        CHECK(view_in(returned[0]) == sensor_view(i));
    }
    replay.model().finish();
}

TEST_CASE("frames of a model outlive later steps and the model", "[fmu]")
{
    std::vector<Frame> kept;
    {
        ReplayedModel replay(test_model(2), options_for({}));
        replay.begin();
        for (int i = 0; i < 12; ++i) kept.push_back(replay.step().at(0));
    }
    for (std::uint64_t i = 0; i < kept.size(); ++i) CHECK(view_in(kept[i]) == sensor_view(i));
}

TEST_CASE("what a step was given is still there at the end of the next one", "[fmu]")
{
    const auto fmi = 2;  // an FMI 3 model copies
    ReplayedModel replay(test_model(fmi), options_for({{"behaviour", "lifetime"}}));
    replay.begin();
    for (std::uint64_t i = 0; i < 50; ++i) {
        const auto payload =
            sensor_view(i) + field(8, std::string(2, static_cast<char>(i)) + std::string(100'000, '\0'));
        CHECK(replay.step(payload.substr(0, sensor_view(i).size())).size() == 1);
    }
    replay.model().finish();
}

TEST_CASE("a model that returns nothing returns no frame", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    ReplayedModel replay(test_model(fmi), options_for({{"behaviour", "nothing"}}));
    CHECK(replay.play(5) == 0);
    CHECK(replay.steps() == 5);
}

TEST_CASE("a step without a frame gives the model nothing", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    const auto model = open_fmu(test_model(fmi), options_for({}));
    const auto info = one_channel(MessageType::sensor_view);
    const std::vector first{frame_of(sensor_view(0), 0, {})};
    model->initialize(info, {{}, 10ms, first});
    CHECK(model->step(first, 0ms, 10ms).front().bytes.size() > 20);
    CHECK(model->step({}, 10ms, 10ms).front().bytes.size() < 12);  // the time alone
    model->finish();
}

TEST_CASE("parameters reach the model by their types, and what it logs is heard", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    Said said;
    ReplayedModel replay(test_model(fmi),
                         options_for({{"behaviour", "log"}, {"range", "40"}, {"flag", "true"}, {"at", "-1"}}, &said));
    CHECK(replay.play(2) == 2);
    CHECK(said.lines() == std::vector<std::string>{"warning (test): range 40, flag 1"});
}

TEST_CASE("a warning that a model answers is heard, and how often, each of them on request", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    const auto heard = [&](bool verbose) {
        Said said;
        auto options = options_for({{"behaviour", "warning"}, {"at", "1"}}, &said);
        options.verbose = verbose;
        CHECK(ReplayedModel(test_model(fmi), options).play(4) == 4);
        return said.lines();
    };
    const auto warning = "answered fmi" + std::to_string(fmi) + "DoStep with 'warning'";
    CHECK(heard(false) ==
          std::vector{warning + "; more of them are counted (--verbose shows them)", warning + " 3 times"});
    CHECK(heard(true) ==
          std::vector{std::string("ok (test): logging is on"), warning, warning, warning, warning + " 3 times"});
}

TEST_CASE("a model of FMI 3 that says that a step ended at another time is heard", "[fmu]")
{
    Said said;
    CHECK(ReplayedModel(test_model(3), options_for({{"behaviour", "short_time"}, {"at", "3"}}, &said)).play(4) == 4);
    CHECK(said.lines() == std::vector<std::string>{"reached another time in fmi3DoStep than the end of the step; more "
                                                   "of them are counted (--verbose shows them)"});
}

TEST_CASE("a parameter that the model has not is refused with those that it has", "[fmu]")
{
    const auto made = [](std::map<std::string, std::string> parameters) {
        return error_of([&] { return open_fmu(test_model(2), options_for(parameters))->description().fmi_version; });
    };
    CHECK(made({{"rnge", "1"}}) ==
          "test_model_fmi2 has no parameter 'rnge' (it has: range, behaviour, at, flag) (did you mean 'range'?)");
    CHECK(made({{"nominal", "1"}}) ==
          "test_model_fmi2 has no parameter 'nominal' (it has: behaviour, at, range, flag)");
    CHECK(made({{"OSMPGroundTruthInit.size", "1"}}) ==
          "test_model_fmi2 has no parameter 'OSMPGroundTruthInit.size' (it has: behaviour, at, range, flag)");
    CHECK(made({{"range", "wide"}}) == "test_model_fmi2 takes no 'wide' for range, which is of type Real");
    CHECK(made({{"at", "2147483648"}}) == "test_model_fmi2 takes no '2147483648' for at, which is of type Integer");
    CHECK(made({{"flag", "yes"}}) == "test_model_fmi2 takes no 'yes' for flag, which is of type Boolean");
}

TEST_CASE("what a model prints comes line by line", "[fmu]")
{
    Said said;
    ReplayedModel replay(test_model(2), options_for({{"behaviour", "print"}, {"at", "3"}}, &said));
    CHECK(replay.play(5) == 5);
    CHECK(said.lines() == std::vector<std::string>{"hello from step 3", "hello from step 4"});
}

TEST_CASE("the folder that a model is unpacked to is gone behind it", "[fmu]")
{
    const ScratchFolder folder;
    const auto before = std::getenv("TMPDIR") ? std::string(std::getenv("TMPDIR")) : std::string();
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    {
        ReplayedModel replay(test_model(2), options_for({}));
        replay.begin();
        CHECK(folder.names().size() == 1);
        replay.step();
    }
    CHECK(folder.names().empty());
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

TEST_CASE("two models run side by side", "[fmu]")
{
    ReplayedModel a(test_model(2), options_for({})), b(test_model(3), options_for({}));
    a.begin();
    b.begin();
    for (int i = 0; i < 5; ++i) CHECK(text_of(a.step()[0].bytes) == text_of(b.step()[0].bytes));
}

TEST_CASE("a trace in FlatBuffers is converted for a model that wants Protobuf, and that is said once", "[fmu]")
{
    const auto& root = Schema::built_in()->root(MessageType::sensor_view);
    Said said;
    ReplayedModel replay(test_model(2), options_for({}, &said),
                         one_channel(MessageType::sensor_view, {Encoding::flatbuffers}));
    Transcoder transcoder(root, {}, {Encoding::flatbuffers});
    ByteBuffer flat;
    const auto flat_view = [&](std::uint64_t i) {
        transcoder.transcode(bytes_of(sensor_view(i)), flat);
        return std::string(text_of(flat.bytes()));
    };
    replay.begin(flat_view(0));
    for (std::uint64_t i = 0; i < 5; ++i) CHECK(view_in(replay.step(flat_view(i)).at(0)) == sensor_view(i));
    CHECK(said.lines() ==
          std::vector<std::string>{"'trace' is converted from flatbuffers to protobuf for OSMPSensorViewIn"});
}

TEST_CASE("what was prepared is what the model gets, unless another frame comes", "[fmu]")
{
    auto options = options_for({{"behaviour", "lifetime"}});
    ReplayedModel replay(test_model(2), options);
    replay.begin();
    auto& model = replay.model();
    std::vector<Frame> frames;
    for (std::uint64_t i = 0; i < 6; ++i)
        frames.push_back(frame_of(sensor_view(i), i, 10ms * static_cast<std::int64_t>(i)));
    const auto step = [&](std::size_t i) {
        return view_in(model.step(std::span(frames).subspan(i, 1), *frames[i].time, 10ms).front());
    };
    for (std::size_t i = 0; i < 3; ++i) {
        model.prepare(std::span(frames).subspan(i, 1));
        CHECK(step(i) == sensor_view(i));
    }
    model.prepare(std::span(frames).subspan(3, 1));
    CHECK(step(4) == sensor_view(4));
    CHECK(step(5) == sensor_view(5));
    model.prepare(std::span(frames).subspan(3, 1));
    CHECK(model.step({}, 60ms, 10ms).front().bytes.size() < 12);
    model.finish();
}

TEST_CASE("the processor time and the memory of a model's process are known while it runs", "[fmu]")
{
    ReplayedModel replay(test_model(2), options_for({}));
    CHECK(replay.model().other_processor_time() == 0ns);
    CHECK(replay.model().peak_process_bytes() == 0);
    replay.begin();
    CHECK(replay.model().peak_process_bytes() > 100'000);
    const auto begun = replay.model().other_processor_time();
    CHECK(begun > 0ns);
    for (int i = 0; i < 200; ++i) static_cast<void>(replay.step());
    CHECK(replay.model().other_processor_time() > begun);
    replay.model().finish();
    CHECK(replay.model().other_processor_time() == 0ns);
    CHECK(replay.model().peak_process_bytes() == 0);
}
