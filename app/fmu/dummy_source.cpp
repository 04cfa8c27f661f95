// SPDX-License-Identifier: MPL-2.0
// DummySource: the library's dummy source in an FMU.
#include <ositrace/dummy_source.hpp>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "app/fmu/dummy_kinds.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/step_log.hpp"

namespace ositrace::fmu {

namespace {

// In a message, at least:
constexpr std::size_t least_object_bytes = 128;
constexpr std::size_t least_reflection_bytes = 20;

class DummySource final : public Model {
public:
    DummySource(Ports& ports, Nanoseconds start, MakeDummySource make);
    void step(Nanoseconds now, Nanoseconds step) override;
    void finish() override;

private:
    [[nodiscard]] DummySourceOptions options();

    Ports& ports_;
    std::size_t out_;
    StepLog log_;
    Nanoseconds now_{};
    std::unique_ptr<SensorModel> source_;
};

DummySource::DummySource(Ports& ports, Nanoseconds start, MakeDummySource make)
    : ports_(ports),
      out_(ports.variables().place_of(output_name(MessageType::sensor_view))),
      log_(ports),
      source_(make(options()))
{
    source_->initialize({}, {.now = start, .step = Nanoseconds(1), .first = {}});
    step(start, Nanoseconds(1));
}

DummySourceOptions DummySource::options()
{
    const auto count = [this](std::string_view name, std::size_t bytes_of_one) {
        const auto value = ports_.count(name);
        const auto most = default_max_message_bytes / bytes_of_one;
        if (value < 0 || static_cast<std::size_t>(value) > most)
            throw Error(Cause::usage, std::string(name) + " is " + std::to_string(value) + ", expected 0 to " +
                                          std::to_string(most) + " (a message has at most " +
                                          std::to_string(default_max_message_bytes) + " bytes)");
        return static_cast<std::uint32_t>(value);
    };
    return {.moving_objects = count("objects", least_object_bytes),
            .reflections = count("reflections", least_reflection_bytes),
            .reflection_fields = ports_.count("reflection_fields"),
            .ray_scene = ports_.flag("ray_scene"),
            .encoding = output_encoding(ports_),
            .observer = [this](PerformanceEvent event, MessageType, std::uint64_t bytes) {
                log_.add(event, now_, out_, bytes);
            }};
}

void DummySource::step(Nanoseconds now, Nanoseconds step)
{
    now_ = now;
    for (const auto& frame : source_->step({}, now, step)) ports_.put(out_, frame.bytes, frame.owner);
}

void DummySource::finish()
{
    source_->finish();
    log_.close();
}

Variables source_variables(Encoding encoding)
{
    const DummySourceOptions defaults;
    return Variables()
        .message(Causality::output, output_name(MessageType::sensor_view), MessageType::sensor_view)
        .output(std::string(valid_name), false, "an output contains a message")
        .parameter("objects", static_cast<std::int32_t>(defaults.moving_objects), "moving objects in every frame")
        .parameter("reflections", static_cast<std::int32_t>(defaults.reflections),
                   "lidar reflections in every frame; 0: no lidar")
        .parameter("reflection_fields", std::int32_t{defaults.reflection_fields},
                   "2: signal strength and time of flight; 3: also the doppler shift")
        .parameter("ray_scene", defaults.ray_scene, "true: rays that hit a scene; false: equal reflections")
        .parameter(std::string(encoding_name), std::string(row_of(encoding).name),
                   "encoding of the outputs: protobuf or flatbuffers")
        .parameter(std::string(performance_log_name), std::string(), "file for the times of every step; empty: none");
}

}  // namespace

FmuKind dummy_source_kind(std::string_view name, Encoding encoding, MakeDummySource make)
{
    return {
        .name = name,
        .description = "Writes a SensorView with a configurable number of moving objects and lidar reflections",
        .encoding = encoding,
        .step_size = 0.1,
        .variables = source_variables(encoding),
        .make = [make](Ports& ports, Nanoseconds start) { return std::make_unique<DummySource>(ports, start, make); }};
}

const FmuKind& dummy_source()
{
    static const FmuKind row = dummy_source_kind("DummySource", Encoding::protobuf, ositrace::dummy_source);
    return row;
}

const FmuKind& dummy_source_flatbuffers()
{
    static const FmuKind row =
        dummy_source_kind("DummySourceFlatBuffers", Encoding::flatbuffers, ositrace::dummy_source);
    return row;
}

}  // namespace ositrace::fmu
