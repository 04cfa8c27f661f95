// SPDX-License-Identifier: MPL-2.0
#include <cstring>
#include <map>
#include <string>

#include <fmi2Functions.h>

#include "test_model.hpp"

namespace {

struct Instance {
    TestModel model;
    fmi2CallbackFunctions callbacks;
    std::string name;
    std::map<fmi2ValueReference, fmi2Integer> integers;
};

Instance& of(fmi2Component component) { return *static_cast<Instance*>(component); }

fmi2Status status_of(Answer answer)
{
    switch (answer) {
    case Answer::ok: return fmi2OK;
    case Answer::discard: return fmi2Discard;
    case Answer::error: return fmi2Error;
    case Answer::fatal: return fmi2Fatal;
    }
    return fmi2Fatal;
}

enum Reference : fmi2ValueReference { view_in = 0, data_out = 3, truth = 6, configuration = 9, request = 12, at = 20 };

Message message_at(Instance& instance, fmi2ValueReference first)
{
    const auto low = static_cast<std::uint32_t>(instance.integers[first]);
    const auto high = static_cast<std::uint32_t>(instance.integers[first + 1]);
    return {reinterpret_cast<const void*>(std::uint64_t{high} << 32 | low), instance.integers[first + 2]};
}

void put_message(Instance& instance, fmi2ValueReference first, const Message& message)
{
    const auto address = reinterpret_cast<std::uint64_t>(message.data);
    instance.integers[first] = static_cast<fmi2Integer>(address & 0xffff'ffff);
    instance.integers[first + 1] = static_cast<fmi2Integer>(address >> 32);
    instance.integers[first + 2] = static_cast<fmi2Integer>(message.size);
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() { return fmi2TypesPlatform; }
const char* fmi2GetVersion() { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) { return fmi2OK; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean logging)
{
    if (type != fmi2CoSimulation || std::strcmp(guid, "{test}") != 0 || std::strncmp(resources, "file:///", 8) != 0)
        return nullptr;
    auto* const instance = new Instance{{}, *callbacks, name, {}};
    if (logging) callbacks->logger(callbacks->componentEnvironment, name, fmi2OK, "test", "logging is on");
    static_cast<void>(instance->model.instantiated());
    return instance;
}
void fmi2FreeInstance(fmi2Component component) { delete &of(component); }

fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
    auto& instance = of(component);
    put_message(instance, request, instance.model.request());
    if (instance.model.behaviour == "log")
        instance.callbacks.logger(instance.callbacks.componentEnvironment, instance.name.c_str(), fmi2Warning, "test",
                                  "range %g, flag %d\n", instance.model.range, instance.model.flag ? 1 : 0);
    return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
    auto& instance = of(component);
    instance.model.ground_truth = message_at(instance, truth);
    instance.model.configuration = message_at(instance, configuration);
    return status_of(instance.model.initialized());
}
fmi2Status fmi2Terminate(fmi2Component component) { return status_of(of(component).model.terminated()); }
fmi2Status fmi2Reset(fmi2Component) { return fmi2Error; }

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[])
{
    for (size_t i = 0; i < count; ++i) values[i] = of(component).integers[references[i]];
    return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[])
{
    auto& instance = of(component);
    for (size_t i = 0; i < count; ++i) {
        instance.integers[references[i]] = values[i];
        if (references[i] == at) instance.model.at = values[i];
    }
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference[], size_t, const fmi2Real values[])
{
    of(component).model.range = values[0];
    return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference[], size_t, const fmi2Boolean values[])
{
    of(component).model.flag = values[0] != fmi2False;
    return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference[], size_t, const fmi2String values[])
{
    of(component).model.behaviour = values[0];
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real from, fmi2Real duration, fmi2Boolean)
{
    auto& instance = of(component);
    instance.model.input = message_at(instance, view_in);
    const auto answer = instance.model.step(from, from + duration);
    put_message(instance, data_out, instance.model.output);
    return answer == Answer::ok && instance.model.does("warning") ? fmi2Warning : status_of(answer);
}

}  // extern "C"
