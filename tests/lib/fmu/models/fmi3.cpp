// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include <fmi3Functions.h>

#include "test_model.hpp"

namespace {

enum Reference : fmi3ValueReference {
    view_in = 1,
    data_out = 2,
    truth = 3,
    configuration = 4,
    request = 5,
    behaviour = 6,
    at = 7,
    range = 8,
    flag = 9
};

struct Instance {
    TestModel model;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    std::map<fmi3ValueReference, std::string> binaries;  // copies, by the rules of FMI 3
};

Instance& of(fmi3Instance instance) { return *static_cast<Instance*>(instance); }

fmi3Status status_of(Answer answer)
{
    switch (answer) {
    case Answer::ok: return fmi3OK;
    case Answer::discard: return fmi3Discard;
    case Answer::error: return fmi3Error;
    case Answer::fatal: return fmi3Fatal;
    }
    return fmi3Fatal;
}

Message message_at(Instance& instance, fmi3ValueReference reference)
{
    const auto& bytes = instance.binaries[reference];
    return {bytes.data(), static_cast<std::int64_t>(bytes.size())};
}

}  // namespace

extern "C" {

const char* fmi3GetVersion() { return fmi3Version; }
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]) { return fmi3OK; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean, fmi3Boolean, const fmi3ValueReference[],
                                         size_t, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback)
{
    if (std::strcmp(token, "{test}") != 0 || resources[0] != '/' || resources[std::strlen(resources) - 1] != '/')
        return nullptr;
    auto* const instance = new Instance{{}, environment, log, {}};
    if (logging) log(environment, fmi3OK, "test", "logging is on");
    static_cast<void>(instance->model.instantiated());
    return instance;
}
void fmi3FreeInstance(fmi3Instance instance) { delete &of(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,
                                       fmi3Float64)
{
    const auto& model = of(instance).model;
    const auto text =
        "range " + std::to_string(static_cast<int>(model.range)) + ", flag " + std::to_string(model.flag ? 1 : 0);
    if (model.behaviour == "log") of(instance).log(of(instance).environment, fmi3Warning, "test", text.c_str());
    return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    of(instance).model.ground_truth = message_at(of(instance), truth);
    of(instance).model.configuration = message_at(of(instance), configuration);
    return status_of(of(instance).model.initialized());
}
fmi3Status fmi3Terminate(fmi3Instance instance) { return status_of(of(instance).model.terminated()); }

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                         const size_t sizes[], const fmi3Binary values[], size_t)
{
    for (size_t i = 0; i < count; ++i)
        of(instance).binaries[references[i]].assign(reinterpret_cast<const char*>(values[i]), sizes[i]);
    return fmi3OK;
}
/// The size of the output, whatever is asked for.
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Int32 values[], size_t)
{
    values[0] = static_cast<fmi3Int32>(of(instance).model.output.size);
    return fmi3OK;
}
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t, size_t sizes[],
                         fmi3Binary values[], size_t)
{
    const auto message = references[0] == request ? of(instance).model.request() : of(instance).model.output;
    sizes[0] = static_cast<size_t>(message.size);
    values[0] = static_cast<fmi3Binary>(message.data);
    return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Int32 values[], size_t)
{
    of(instance).model.at = values[0];
    return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Float64 values[], size_t)
{
    of(instance).model.range = values[0];
    return fmi3OK;
}
fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Boolean values[], size_t)
{
    of(instance).model.flag = values[0];
    return fmi3OK;
}
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3String values[], size_t)
{
    of(instance).model.behaviour = values[0];
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 from, fmi3Float64 duration, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached)
{
    auto& model = of(instance).model;
    model.input = message_at(of(instance), view_in);
    const auto answer = model.step(from, from + duration);
    *event = model.does("event");
    *terminate = model.does("terminate");
    *early = model.does("early");
    *reached = model.does("nan_time") ? std::nan("") : model.does("short_time") ? from : from + duration;
    return answer == Answer::ok && model.does("warning") ? fmi3Warning : status_of(answer);
}

}  // extern "C"
