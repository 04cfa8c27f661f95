// SPDX-License-Identifier: MPL-2.0
#include "gui/session/model_choice.hpp"

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>

#ifdef OSITRACE_FMU
#include <ositrace/fmu_model.hpp>
#endif

#include "gui/session/trace_loader.hpp"

namespace ositrace::gui {

namespace {

}  // namespace

std::string name_of(const ModelChoice& choice)
{
    return choice.fmu.empty() ? std::string("DummySensor") : choice.fmu.stem().string();
}

#ifdef OSITRACE_FMU

bool runs_fmus() noexcept { return true; }

static std::unique_ptr<SensorModel> make_fmu(const ModelChoice& choice, const std::stop_token& stop)
{
    FmuOptions options;
    options.name = name_of(choice);
    options.parameters = choice.parameters;
    options.timeout = choice.step_timeout;
    options.stop = stop;
    options.max_message_bytes = viewer_open_options({}).max_message_bytes;
    return open_fmu(choice.fmu, std::move(options));
}

static std::vector<ModelParameter> parameters_of_fmu(const std::filesystem::path& fmu)
{
    std::vector<ModelParameter> parameters;
    for (const auto& each : read_fmu_description(fmu).variables)
        if (each.causality == FmuCausality::parameter)
            parameters.push_back(
                {QString::fromUtf8(each.name), QString::fromUtf8(each.type), QString::fromUtf8(each.start)});
    return parameters;
}

#else

bool runs_fmus() noexcept { return false; }

static std::unique_ptr<SensorModel> make_fmu(const ModelChoice&, const std::stop_token&)
{
    throw Error(Cause::unsupported, "this program was built without FMUs");
}

static std::vector<ModelParameter> parameters_of_fmu(const std::filesystem::path&) { return {}; }

#endif

std::unique_ptr<SensorModel> make_model(const ModelChoice& choice, const std::stop_token& stop)
{
    if (!choice.fmu.empty()) return make_fmu(choice, stop);
    DummySensorOptions options;
    for (const auto& [name, value] : choice.parameters) set_parameter(options, name, value);
    return dummy_sensor(options);
}

std::vector<ModelParameter> parameters_of(const std::filesystem::path& fmu)
{
    if (!fmu.empty()) return parameters_of_fmu(fmu);
    std::vector<ModelParameter> parameters;
    for (const auto& each : dummy_sensor_parameters())
        parameters.push_back(
            {QString::fromUtf8(each.name), QString::fromUtf8(each.type), QString::fromUtf8(each.start)});
    return parameters;
}

}  // namespace ositrace::gui
