// SPDX-License-Identifier: MPL-2.0
// DummySensor: the library's dummy sensor in an FMU.
#include <ositrace/dummy_sensor.hpp>

#include "app/fmu/fmu.hpp"
#include "app/fmu/input_channel.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/names.hpp"
#include "app/fmu/step_log.hpp"

namespace ositrace::fmu {

namespace {

class DummySensor final : public Model {
public:
    explicit DummySensor(Ports& ports);
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

DummySensor::DummySensor(Ports& ports)
    : ports_(ports),
      in_(ports.variables().place_of(input_name(MessageType::sensor_view))),
      out_(ports.variables().place_of(output_name(MessageType::sensor_data))),
      log_(ports),
      sensor_(ositrace::dummy_sensor(options()))
{
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

Variables variables(Encoding encoding)
{
    const DummySensorOptions defaults;
    return Variables()
        .message(Causality::input, input_name(MessageType::sensor_view), MessageType::sensor_view)
        .message(Causality::output, output_name(MessageType::sensor_data), MessageType::sensor_data)
        .output(std::string(valid_name), false, "an output holds a message")
        .parameter("nominal_range", defaults.nominal_range, "metres; the sensor sees 1.1 times as far")
        .parameter("carry_input", defaults.carry_input, "SensorData with the SensorView that it was made from")
        .parameter(std::string(encoding_name), std::string(row_of(encoding).name), "of what goes out: protobuf or flatbuffers")
        .parameter(std::string(performance_log_name), std::string(), "a file for the times of every step; empty: none");
}

Kind kind(std::string_view name, Encoding encoding)
{
    return {.name = name,
            .description = "SensorData with the objects in range and in the field of view, and every 18th lidar reflection",
            .encoding = encoding,
            .step_size = 0.1,
            .variables = variables(encoding),
            .make = [](Ports& ports, Nanoseconds) { return std::make_unique<DummySensor>(ports); }};
}

}  // namespace

const Kind& dummy_sensor()
{
    static const Kind row = kind("DummySensor", Encoding::protobuf);
    return row;
}

const Kind& dummy_sensor_flatbuffers()
{
    static const Kind row = kind("DummySensorFlatBuffers", Encoding::flatbuffers);
    return row;
}

}  // namespace ositrace::fmu
