// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/wiring.hpp"
#include "lib/fmu/parameters.hpp"

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"

using namespace ositrace;
using fmu::connect;

namespace {

TraceInfo trace_of(std::vector<std::pair<std::string, MessageType>> channels)
{
    TraceInfo info;
    for (const auto& [topic, type] : channels) {
        info.channels.push_back(one_channel(type).channels[0]);
        info.channels.back().topic = topic;
    }
    return info;
}

FmuDescription model_with(std::vector<std::pair<std::string, MessageType>> inputs)
{
    FmuDescription model;
    for (const auto& [name, type] : inputs)
        model.binaries.push_back({.name = name, .causality = FmuCausality::input, .type = type});
    model.binaries.push_back(
        {.name = "OSMPSensorDataOut", .causality = FmuCausality::output, .type = MessageType::sensor_data});
    return model;
}

/// `topic -> variable; ...`
std::string wires_of(const TraceInfo& trace, const FmuDescription& model,
                     const std::map<std::string, std::string>& connections = {})
{
    std::string text;
    for (const auto& wire : connect(trace, model, connections))
        text +=
            (text.empty() ? "" : "; ") + trace.channels[wire.channel].topic + " -> " + model.binaries[wire.binary].name;
    return text;
}

constexpr auto sv = MessageType::sensor_view;
constexpr auto gt = MessageType::ground_truth;
constexpr auto tc = MessageType::traffic_command;

}  // namespace

TEST_CASE("channels go to inputs by message type, in order", "[fmu]")
{
    const auto model =
        model_with({{"OSMPSensorViewIn[1]", sv}, {"OSMPSensorViewIn[2]", sv}, {"OSMPTrafficCommandIn", tc}});
    CHECK(wires_of(trace_of({{"a", sv}, {"c", tc}, {"b", sv}, {"d", sv}}), model) ==
          "a -> OSMPSensorViewIn[1]; c -> OSMPTrafficCommandIn; b -> OSMPSensorViewIn[2]");
}

TEST_CASE("channels that go to no input are named at the beginning", "[fmu]")
{
    Said said;
    ReplayedModel replay(test_model(2), options_for({}, &said),
                         trace_of({{"a", sv}, {"b", sv}, {"c", gt}, {"d", gt}, {"e", tc}}));
    replay.begin();
    CHECK(said.lines() == std::vector<std::string>{"has no input for 'b', 'c', 'd' and 1 more"});
    replay.model().finish();
}

TEST_CASE("what is a part of a message is no parameter", "[fmu]")
{
    FmuDescription model = model_with({{"In", sv}});
    for (const auto* const name : {"In", "In.base.lo", "Input", "x.In", "range"})
        model.variables.push_back({.name = name, .type = "Integer", .causality = FmuCausality::parameter});
    CHECK(error_of([&] { return fmu::read_parameters(model, {{"?", "1"}}).size(); }) ==
          "has no parameter '?' (it has: Input, x.In, range)");
}

TEST_CASE("a topic that is the name of an input goes there", "[fmu]")
{
    const auto model = model_with({{"OSMPSensorViewIn[1]", sv}, {"OSMPSensorViewIn[2]", sv}});
    CHECK(wires_of(trace_of({{"Radar.OSMPSensorViewIn[2]", sv}, {"b", sv}}), model) ==
          "Radar.OSMPSensorViewIn[2] -> OSMPSensorViewIn[2]; b -> OSMPSensorViewIn[1]");
}

TEST_CASE("connections that are asked for come first", "[fmu]")
{
    const auto model = model_with({{"OSMPSensorViewIn[1]", sv}, {"OSMPSensorViewIn[2]", sv}});
    CHECK(wires_of(trace_of({{"a", sv}, {"b", sv}}), model, {{"a", "OSMPSensorViewIn[2]"}}) ==
          "a -> OSMPSensorViewIn[2]; b -> OSMPSensorViewIn[1]");
}

TEST_CASE("a connection that cannot be says why", "[fmu]")
{
    const auto model = model_with({{"OSMPSensorViewIn", sv}});
    const auto trace = trace_of({{"view", sv}, {"truth", gt}, {"view2", sv}});
    const auto refused = [&](std::map<std::string, std::string> connections) {
        return error_of([&] { return connect(trace, model, connections).size(); });
    };
    CHECK(refused({{"vew", "OSMPSensorViewIn"}}) ==
          "cannot be connected to the topic 'vew', which is not in the trace (it has: view, truth, view2) (did you "
          "mean 'view'?)");
    CHECK(refused({{"view", "OSMPSensorViewOut"}}) ==
          "has no input 'OSMPSensorViewOut' to connect (it has: OSMPSensorViewIn) (did you mean 'OSMPSensorViewIn'?)");
    CHECK(refused({{"truth", "OSMPSensorViewIn"}}) ==
          "takes SensorView in OSMPSensorViewIn, the topic 'truth' holds GroundTruth. Wrap it first: osiconvert wrap "
          "gt2sv IN -o OUT");
    CHECK(refused({{"view", "OSMPSensorViewIn"}, {"view2", "OSMPSensorViewIn"}}) ==
          "cannot connect 'view2=OSMPSensorViewIn': the topic or the variable is already connected");
}

TEST_CASE("a model with a parameter for the encoding is taken at its word", "[fmu]")
{
    auto model = model_with({{"OSMPSensorViewIn", sv}});
    fmu::follow_encoding_parameter(model, {{"encoding", "flatbuffers"}});  // no such parameter
    CHECK(model.binaries[0].format.encoding == Encoding::protobuf);
    model.variables.push_back(
        {.name = "encoding", .type = "String", .causality = FmuCausality::parameter, .start = "flatbuffers"});
    model.binaries[1].mime_type = "application/x-open-simulation-interface; type=SensorData; encoding=protobuf";
    fmu::follow_encoding_parameter(model, {});
    CHECK(model.binaries[0].format.encoding == Encoding::flatbuffers);
    CHECK(model.binaries[1].format.encoding == Encoding::protobuf);
    fmu::follow_encoding_parameter(model, {{"encoding", "protobuf"}});
    CHECK(model.binaries[0].format.encoding == Encoding::protobuf);
    fmu::follow_encoding_parameter(model, {{"encoding", "flatbuffers"}});
    CHECK(model.binaries[1].format.encoding == Encoding::flatbuffers);
}

TEST_CASE("a trace that has nothing for a model says what to do", "[fmu]")
{
    const auto model = model_with({{"OSMPSensorViewIn", sv}});
    CHECK(error_of([&] { return connect(trace_of({{"truth", gt}}), model, {}).size(); }) ==
          "takes SensorView (OSMPSensorViewIn), the trace holds GroundTruth. Wrap it first: osiconvert wrap gt2sv IN "
          "-o OUT");
    CHECK(error_of([&] { return connect(trace_of({}), model, {}).size(); }) ==
          "takes SensorView (OSMPSensorViewIn), the trace holds nothing");
    CHECK(connect(trace_of({{"truth", gt}}), model_with({}), {}).empty());  // a source needs nothing
}
