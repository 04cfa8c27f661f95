// SPDX-License-Identifier: MPL-2.0
#include "app/bench/cosim/coupling.hpp"

#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench {
namespace {

Transcoder transcoder_to_protobuf(SensorDataForm form)
{
    const auto layout = form == SensorDataForm::declared ? Layout::declared : Layout::numbered;
    return {Schema::built_in()->root(MessageType::sensor_data), Format{Encoding::flatbuffers, layout}, Format{}};
}

}  // namespace

Coupling::Coupling(const CosimRow& row, const CosimCase& simulated)
    : form_(row.form), to_protobuf_(transcoder_to_protobuf(row.form))
{
    DummySourceOptions source;
    source.moving_objects = simulated.objects;
    source.reflections = simulated.reflections;
    source.ray_scene = simulated.ray_scene;
    source.observer = observe(clock_.observe_source(), source_log_);
    source_ = row.source(source);
    DummySensorOptions sensor;
    sensor.carry_input = simulated.carry_input;
    sensor.observer = observe(clock_.observe_sensor(), sensor_log_);
    sensor_ = row.sensor(sensor);
    source_->initialize({}, {.now = {}, .step = period, .first = {}});
    sensor_->initialize(source_->outputs(), {.now = {}, .step = period, .first = {}});
}

Coupling::~Coupling()
{
    try {
        source_->finish();
        sensor_->finish();
    } catch (const std::exception&) {  // an FMU that fails when it ends has been measured already
    }
}

ModelObserver Coupling::observe(ModelObserver clock, std::optional<PerformanceLog>& log)
{
    return [this, clock = std::move(clock), &log](PerformanceEvent event, MessageType type, std::uint64_t bytes) {
        clock(event, type, bytes);
        if (log) log->add(event, now_, type == MessageType::sensor_view ? 0 : 1, 0, bytes);
    };
}

Coupling::Step Coupling::step(int i)
{
    now_ = (i + 1) * period;
    clock_.begin_model();
    const auto view = source_->step({}, now_, period);
    clock_.end_source();
    const auto data = sensor_->step(view, now_, period);
    clock_.end_sensor();
    return {view.front().bytes, data.front().bytes};
}

std::size_t Coupling::run(int steps)
{
    clock_.start();
    steps_ = steps;
    std::size_t bytes = 0;
    for (int i = 0; i < steps; ++i) bytes += step(i).view.size();
    return bytes;
}

void Coupling::answer(Answer& answer, int steps)
{
    for (int i = 0; i < steps; ++i) add(answer, step(i).data);
}

void Coupling::add(Answer& answer, Bytes sensor_data)
{
    if (form_ == SensorDataForm::structs) {
        const auto protobuf = protobuf_of_sensor_data(sensor_data, flat_forms(FlatLayout::structs).binary_schema());
        return answer.add_coarse(bytes_of(without_defaults(bytes_of(protobuf))));
    }
    if (form_ != SensorDataForm::protobuf) {
        to_protobuf_.transcode(sensor_data, protobuf_);
        sensor_data = protobuf_.bytes();
    }
    const auto coarse = without_defaults(sensor_data);
    if (form_ == SensorDataForm::declared)
        answer.add_coarse(bytes_of(coarse));
    else
        answer.add(sensor_data, bytes_of(coarse));
}

void Coupling::log_to(const std::filesystem::path& source, const std::filesystem::path& sensor)
{
    const auto options = [](const std::filesystem::path& file) {
        return PerformanceLogOptions{.model_identity = file.stem().string(),
                                     .messages = {"osi3.SensorView", "osi3.SensorData"},
                                     .overwrite = true};
    };
    source_log_.emplace(source, options(source));
    sensor_log_.emplace(sensor, options(sensor));
}

void Coupling::close_logs()
{
    source_log_->close();
    sensor_log_->close();
}

}  // namespace ositrace::bench
