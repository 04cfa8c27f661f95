// SPDX-License-Identifier: MPL-2.0
// DummySensor: the library's dummy sensor in an FMU.
#include <ositrace/dummy_sensor.hpp>

#include <numbers>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "app/fmu/dummy_kinds.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/step_log.hpp"
#include "lib/messages/osi_writer.hpp"

namespace ositrace::fmu {

namespace {

constexpr double seen_beyond_nominal = 1.1;  // as stated in dummy_sensor.hpp
constexpr double field_of_view = 60 * std::numbers::pi / 180;

/// The request for a SensorViewConfiguration: how far and how wide the sensor sees. It processes all
/// objects and lidar reflections, so it requests no kind of sensor.
void ask_for_configuration(Ports& ports)
{
    const auto encoding = encoding_named(ports.text(encoding_name));
    if (!encoding) return;  // refused at the end of the initialization
    const auto schema = Schema::built_in();
    const auto& root = schema->root(MessageType::sensor_view_configuration);
    ByteBuffer protobuf;
    scene::OsiWriter writer(protobuf, root);
    writer.version("version", schema->osi_version());
    writer.real("field_of_view_horizontal", field_of_view);
    writer.real("range", seen_beyond_nominal * ports.number("nominal_range"));
    auto message = std::make_shared<ByteBuffer>();
    if (*encoding == Encoding::protobuf)
        *message = std::move(protobuf);
    else
        Transcoder(root, {}, {.encoding = *encoding}).transcode(protobuf.bytes(), *message);
    const auto bytes = message->bytes();
    ports.put(ports.variables().place_of(configuration_request_name), bytes, std::move(message));
}

/// Checks the messages that were set before the first step. The sensor does not use them: every SensorView contains its
/// ground truth.
void check_start_messages(const Ports& ports)
{
    const auto given = [&](std::string_view name) { return ports.message(ports.variables().place_of(name)); };
    const auto& variables = ports.variables();
    if (const auto message = given(ground_truth_init_name); !message.empty())
        static_cast<void>(input_channel(variables[variables.place_of(ground_truth_init_name)], message));
    const auto message = given(configuration_name);
    if (message.empty()) return;
    const auto channel = input_channel(variables[variables.place_of(configuration_name)], message);
    const auto range = as_real(MessageView(message, *channel.root, channel.format)["range"]);
    const auto asked = seen_beyond_nominal * ports.number("nominal_range");
    if (range && *range < asked)
        ports.warn(std::string(configuration_name) + " has a range of " + std::to_string(*range) + " m, " +
                   std::to_string(asked) + " m were requested");
}

class DummySensor final : public Model {
public:
    DummySensor(Ports& ports, MakeDummySensor make);
    void step(Nanoseconds now, Nanoseconds step) override;
    void finish() override;

private:
    [[nodiscard]] DummySensorOptions options();
    void open(Bytes first, Nanoseconds now, Nanoseconds step);

    Ports& ports_;
    std::size_t in_;
    std::size_t out_;
    StepLog log_;
    Nanoseconds now_{};
    std::unique_ptr<SensorModel> sensor_;
    bool open_ = false;  ///< the first message has come, so that its encoding is known
};

DummySensor::DummySensor(Ports& ports, MakeDummySensor make)
    : ports_(ports),
      in_(ports.variables().place_of(input_name(MessageType::sensor_view))),
      out_(ports.variables().place_of(output_name(MessageType::sensor_data))),
      log_(ports),
      sensor_(make(options()))
{
    check_start_messages(ports);
}

DummySensorOptions DummySensor::options()
{
    DummySensorOptions options;
    options.nominal_range = ports_.number("nominal_range");
    options.carry_input = ports_.flag("carry_input");
    options.encoding = output_encoding(ports_);
    options.observer = [this](PerformanceEvent event, MessageType type, std::uint64_t bytes) {
        log_.add(event, now_, type == MessageType::sensor_view ? in_ : out_, bytes);
    };
    return options;
}

void DummySensor::open(Bytes first, Nanoseconds now, Nanoseconds step)
{
    TraceInfo info;
    info.channels = {input_channel(ports_.variables()[in_], first)};
    sensor_->initialize(info, {.now = now, .step = step, .first = {}});
    open_ = true;
}

void DummySensor::step(Nanoseconds now, Nanoseconds step)
{
    now_ = now;
    const auto message = ports_.message(in_);
    if (message.empty()) return ports_.put(out_, {}, nullptr);
    if (!open_) open(message, now, step);
    const Frame view{.bytes = message, .owner = nullptr};
    for (const auto& frame : sensor_->step({&view, 1}, now, step)) ports_.put(out_, frame.bytes, frame.owner);
}

void DummySensor::finish()
{
    sensor_->finish();
    log_.close();
}

Variables sensor_variables(Encoding encoding)
{
    const DummySensorOptions defaults;
    return Variables()
        .message(Causality::input, input_name(MessageType::sensor_view), MessageType::sensor_view)
        .message(Causality::output, output_name(MessageType::sensor_data), MessageType::sensor_data)
        .output(std::string(valid_name), false, "an output contains a message")
        .parameter("nominal_range", defaults.nominal_range,
                   "range in metres; the sensor detects objects within 1.1 times this")
        .parameter("carry_input", defaults.carry_input, "SensorData contains its SensorView")
        .parameter(std::string(encoding_name), std::string(row_of(encoding).name),
                   "encoding of the outputs: protobuf or flatbuffers")
        .parameter(std::string(performance_log_name), std::string(), "file for the times of every step; empty: none")
        .message(Causality::parameter, std::string(ground_truth_init_name), MessageType::ground_truth)
        .message(Causality::parameter, std::string(configuration_name), MessageType::sensor_view_configuration)
        .message(Causality::calculated_parameter, std::string(configuration_request_name),
                 MessageType::sensor_view_configuration);
}

}  // namespace

FmuKind dummy_sensor_kind(std::string_view name, Encoding encoding, MakeDummySensor make)
{
    return {
        .name = name,
        .description = "SensorData with the objects in range and in the field of view, and every 18th lidar reflection",
        .encoding = encoding,
        .step_size = 0.1,
        .variables = sensor_variables(encoding),
        .make = [make](Ports& ports, Nanoseconds) { return std::make_unique<DummySensor>(ports, make); },
        .calculate = ask_for_configuration};
}

const FmuKind& dummy_sensor()
{
    static const FmuKind row = dummy_sensor_kind("DummySensor", Encoding::protobuf, ositrace::dummy_sensor);
    return row;
}

const FmuKind& dummy_sensor_flatbuffers()
{
    static const FmuKind row =
        dummy_sensor_kind("DummySensorFlatBuffers", Encoding::flatbuffers, ositrace::dummy_sensor);
    return row;
}

}  // namespace ositrace::fmu
