// SPDX-License-Identifier: MPL-2.0
// Our sensor and our host agree on a configuration before the first step.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/fmu_model.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/scene.hpp>

#include "lib/fmu/model_runner.hpp"
#include "lib/fmu/start_messages.hpp"
#include "tests/catch.hpp"

using namespace ositrace;
using namespace ositrace::fmu;
using namespace std::chrono_literals;

namespace {

/// Runs a model in this process, where nothing must crash, and keeps what passes.
class KeptExchange final : public ModelRunner, private MessageExchange {
public:
    KeptExchange(HostSetup setup, std::vector<std::string>& said)
        : host_(std::move(setup), ModelLibrary::Where::here,
                [&said](std::string_view line) { said.emplace_back(line); })
    {
    }
    void set_input(std::size_t binary, Bytes bytes) override { inputs[binary].assign(bytes.begin(), bytes.end()); }
    void run(Command command, StepTime time, std::chrono::milliseconds) override
    {
        host_.execute(command, time, *this);
    }
    Bytes output(std::size_t binary) const override { return outputs.at(binary); }
    std::chrono::nanoseconds step_entered() const noexcept override { return {}; }
    std::chrono::nanoseconds other_processor_time() const noexcept override { return {}; }
    std::uint64_t peak_process_bytes() const noexcept override { return 0; }

    std::map<std::size_t, std::vector<std::byte>> inputs, outputs;

private:
    Bytes input(std::size_t binary) override { return inputs[binary]; }
    void no_output(std::size_t binary) override { outputs[binary].clear(); }
    std::size_t take_output(std::size_t binary, const void* data, std::size_t size) override
    {
        const auto* const bytes = static_cast<const std::byte*>(data);
        outputs[binary].assign(bytes, bytes + size);
        return size;
    }
    void step_entered() override {}

    ModelHost host_;
};

BinaryUse use_of(FmuCausality causality)
{
    switch (causality) {
    case FmuCausality::input: return BinaryUse::input;
    case FmuCausality::output: return BinaryUse::output;
    case FmuCausality::parameter: return BinaryUse::initial_input;
    default: return BinaryUse::initial_output;
    }
}

}  // namespace

TEST_CASE("the dummy sensor is given the configuration that it asks for, and the static ground truth", "[fmu]")
{
    const std::string version = GENERATE("2", "3");
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    CAPTURE(version, row_of(encoding).name);
    const bool flat = encoding == Encoding::flatbuffers;
    const auto model = read_fmu_description(std::filesystem::path(OSITRACE_FMUS) / ("fmi" + version) /
                                            (flat ? "DummySensorFlatBuffers.fmu" : "DummySensor.fmu"));
    HostSetup setup{.fmi_version = static_cast<std::uint32_t>(model.fmi_version),
                    .library = flat ? OSITRACE_DUMMY_SENSOR_FLATBUFFERS : OSITRACE_DUMMY_SENSOR,
                    .resources = "/nowhere",
                    .instance_name = "DummySensor",
                    .token = model.token,
                    .start_time = 0,
                    .max_message_bytes = default_max_message_bytes,
                    .scratch = {},
                    .parameters = {},
                    .binaries = {}};
    std::map<std::string, std::size_t> places;
    for (const auto& binary : model.binaries) {
        places[binary.name] = setup.binaries.size();
        setup.binaries.push_back({binary.name, use_of(binary.causality), binary.references});
        CHECK(binary.format.encoding == encoding);
    }
    SceneSource scene({.frames = 1, .moving_objects = 3, .reflections = 0}, 1);
    Frame frame;
    REQUIRE(scene.read(frame));
    const std::vector wires{Wire{0, places.at("OSMPSensorViewIn")}};

    std::vector<std::string> said;
    KeptExchange exchange(std::move(setup), said);
    exchange.run(Command::load, {}, 1s);
    set_start_messages({model, scene.info(), {0s, 20ms, {&frame, 1}}, wires}, exchange,
                       [&](std::string_view line) { said.emplace_back(line); });
    exchange.run(Command::initialize, {}, 1s);
    CHECK(said.empty());

    const auto& configuration = exchange.inputs.at(places.at("OSMPSensorViewInConfig"));
    const MessageView view(configuration, Schema::built_in()->root(MessageType::sensor_view_configuration),
                           {.encoding = encoding});
    CHECK(as_real(view["range"]) == Approx(1.1 * DummySensorOptions{}.nominal_range));
    CHECK(as_real(view["field_of_view_horizontal"]) == Approx(1.0471975512));
    CHECK(as_integer(std::get<MessageView>(view["update_cycle_time"])["nanos"]) == 20'000'000);
    CHECK_FALSE(exchange.inputs.at(places.at("OSMPGroundTruthInit")).empty());
    exchange.run(Command::finish, {}, 1s);
}
