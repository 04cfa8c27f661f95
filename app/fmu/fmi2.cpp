// SPDX-License-Identifier: MPL-2.0
// The face of FMI 2.0: the functions of fmi2Functions.h on an Instance. A message passes as an address in two halves,
// and a size (OSMP).
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmi2Functions.h>

#include <ositrace/error.hpp>

#include "app/fmu/instance.hpp"
#include "app/fmu/model_description.hpp"

namespace {

using namespace ositrace;
using namespace ositrace::fmu;

/// What the importer set: base.lo, base.hi, size.
struct AddressParts {
    std::array<std::int32_t, 3> values{};
    bool set = false;  ///< since the last step: earlier addresses may be invalid
};

struct Component {
    Component(const char* name, const fmi2CallbackFunctions* callbacks);
    void log(LogLevel level, const std::string& text) const;
    [[nodiscard]] std::int32_t part_of_output(std::size_t place, std::uint32_t reference) const;
    void hand_over(Causality causality);

    std::string name;
    fmi2CallbackFunctions callbacks{};
    std::vector<AddressParts> parts;  ///< of what the importer sets, by place
    Instance instance;
};

/// 0 base.lo, 1 base.hi, 2 size.
std::uint32_t part_number(std::size_t place, std::uint32_t reference)
{
    return reference + 2 - this_kind().variables[place].reference;
}

bool is_message_from_importer(const Variable& variable)
{
    return variable.type && (variable.causality == Causality::input || variable.causality == Causality::parameter);
}

Component::Component(const char* instance_name, const fmi2CallbackFunctions* functions)
    : name(instance_name != nullptr ? instance_name : ""),
      parts(this_kind().variables.size()),
      instance(this_kind(), [this](LogLevel level, const std::string& text) { log(level, text); })
{
    if (functions != nullptr) callbacks = *functions;
}

void Component::log(LogLevel level, const std::string& text) const
{
    if (callbacks.logger == nullptr) return;
    std::string format;  // the importer reads it as that of printf
    for (const char c : text) format.append(c == '%' ? 2 : 1, c);
    const bool error = level == LogLevel::error;
    callbacks.logger(callbacks.componentEnvironment, name.c_str(), error ? fmi2Error : fmi2Warning,
                     error ? "logStatusError" : "logStatusWarning", format.c_str());
}

std::int32_t Component::part_of_output(std::size_t place, std::uint32_t reference) const
{
    const auto message = instance.ports().message(place);
    const auto address = message.empty() ? 0 : reinterpret_cast<std::uintptr_t>(message.data());
    switch (part_number(place, reference)) {
    case 0: return static_cast<std::int32_t>(address & 0xffffffffU);
    case 1: return static_cast<std::int32_t>(address >> 32);
    default: return static_cast<std::int32_t>(message.size());  // a message is at most 2^31 - 1 bytes long
    }
}

/// Inputs to a step, parameters to the end of the initialization.
void Component::hand_over(Causality causality)
{
    for (std::size_t place = 0; place < parts.size(); ++place) {
        const auto& variable = this_kind().variables[place];
        if (!variable.type || variable.causality != causality) continue;
        instance.set_message(place, {});
        if (!std::exchange(parts[place].set, false)) continue;
        const auto [low, high, size] = parts[place].values;
        const auto address = std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
        if (size < 0)
            throw Error(Cause::usage,
                        variable.name + ".size is " + std::to_string(size) + ", which is not the size of a message");
        if (size > 0 && address == 0)
            throw Error(Cause::usage, variable.name + ".size is " + std::to_string(size) + ", but its address is 0");
        instance.set_message(place, {reinterpret_cast<const std::byte*>(address), static_cast<std::size_t>(size)});
    }
}

Component& component(fmi2Component c) { return *static_cast<Component*>(c); }

template <class Work>
fmi2Status run(fmi2Component c, Work work)
{
    if (c == nullptr) return fmi2Error;
    return component(c).instance.run(work) ? fmi2OK : fmi2Error;
}

fmi2Status unsupported(fmi2Component c, const char* what)
{
    return run(c, [what](Instance&) { throw Error(Cause::unsupported, std::string(what) + " is not supported"); });
}

template <class T, class Out>
fmi2Status get(fmi2Component c, const fmi2ValueReference references[], size_t count, Out values[])
{
    return run(c, [&](Instance& instance) {
        for (size_t i = 0; i < count; ++i)
            values[i] = std::get<T>(instance.ports().value(instance.place_of<T>(references[i])));
    });
}

template <class T, class In>
fmi2Status set(fmi2Component c, const fmi2ValueReference references[], size_t count, const In values[])
{
    return run(c, [&](Instance& instance) {
        for (size_t i = 0; i < count; ++i) instance.set(instance.place_of<T>(references[i]), T(values[i]));
    });
}

/// An Integer variable or a part of a message.
bool is_part(fmi2ValueReference reference)
{
    const auto place = this_kind().variables.place_of(reference);
    return place && this_kind().variables[*place].type;
}

bool same(const char* a, const std::string& b) { return a != nullptr && a == b; }

}  // namespace

const char* fmi2GetTypesPlatform() { return fmi2TypesPlatform; }
const char* fmi2GetVersion() { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean)
{
    try {
        auto made = std::make_unique<Component>(name, functions);
        const bool usable = made->instance.run([&](Instance&) {
            if (type != fmi2CoSimulation) throw Error(Cause::unsupported, "this FMU is for co-simulation");
            const auto own = instantiation_token(this_kind(), FmiVersion::fmi2);
            if (!same(guid, own))
                throw Error(Cause::mismatch, "the GUID of the model description is not that of this binary, " + own);
        });
        return usable ? made.release() : nullptr;
    } catch (...) {  // no memory even for that
        return nullptr;
    }
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }
fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) { return fmi2OK; }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean, fmi2Real)
{
    return run(c, [start](Instance& instance) { instance.set_start(start); });
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    return run(c, [](Instance& instance) { instance.enter_initialization(); });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return run(c, [c](Instance& instance) {
        component(c).hand_over(Causality::parameter);
        instance.exit_initialization();
    });
}
fmi2Status fmi2Terminate(fmi2Component c)
{
    return run(c, [](Instance& instance) { instance.terminate(); });
}
fmi2Status fmi2Reset(fmi2Component c)
{
    return run(c, [c](Instance& instance) {
        instance.reset();
        component(c).parts.assign(component(c).parts.size(), {});
    });
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real step, fmi2Boolean)
{
    return run(c, [&](Instance& instance) {
        component(c).hand_over(Causality::input);
        instance.step(from, step);
    });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    return get<double>(c, vr, n, value);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean value[])
{
    return get<bool>(c, vr, n, value);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String value[])
{
    return run(c, [&](Instance& instance) {
        for (size_t i = 0; i < n; ++i)
            value[i] = std::get<std::string>(instance.ports().value(instance.place_of<std::string>(vr[i]))).c_str();
    });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer value[])
{
    for (size_t i = 0; i < n; ++i) {
        if (!is_part(vr[i])) {
            if (const auto status = get<std::int32_t>(c, vr + i, 1, value + i); status != fmi2OK) return status;
            continue;
        }
        if (c == nullptr) return fmi2Error;
        const auto place = *this_kind().variables.place_of(vr[i]);
        value[i] = is_message_from_importer(this_kind().variables[place])
                       ? component(c).parts[place].values.at(part_number(place, vr[i]))
                       : component(c).part_of_output(place, vr[i]);
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    return set<double>(c, vr, n, value);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean value[])
{
    return set<bool>(c, vr, n, value);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String value[])
{
    return set<std::string>(c, vr, n, value);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer value[])
{
    for (size_t i = 0; i < n; ++i) {
        const auto status =
            !is_part(vr[i]) ? set<std::int32_t>(c, vr + i, 1, value + i) : run(c, [&](Instance& instance) {
                const auto place = instance.place_of<Binary>(vr[i]);
                instance.require_settable(place);
                auto& parts = component(c).parts[place];
                parts.values.at(part_number(place, vr[i])) = value[i];
                parts.set = true;
            });
        if (status != fmi2OK) return status;
    }
    return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate*) { return unsupported(c, "fmi2GetFMUstate"); }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate) { return unsupported(c, "fmi2SetFMUstate"); }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate*) { return unsupported(c, "fmi2FreeFMUstate"); }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate, size_t*)
{
    return unsupported(c, "fmi2SerializedFMUstateSize");
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate, fmi2Byte[], size_t)
{
    return unsupported(c, "fmi2SerializeFMUstate");
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte[], size_t, fmi2FMUstate*)
{
    return unsupported(c, "fmi2DeSerializeFMUstate");
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2ValueReference[],
                                        size_t, const fmi2Real[], fmi2Real[])
{
    return unsupported(c, "fmi2GetDirectionalDerivative");
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                       const fmi2Real[])
{
    return unsupported(c, "fmi2SetRealInputDerivatives");
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                        fmi2Real[])
{
    return unsupported(c, "fmi2GetRealOutputDerivatives");
}
fmi2Status fmi2CancelStep(fmi2Component c) { return unsupported(c, "fmi2CancelStep"); }
fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status*)
{
    return fmi2Discard;
}  // no step is ever pending
fmi2Status fmi2GetRealStatus(fmi2Component, const fmi2StatusKind, fmi2Real*) { return fmi2Discard; }
fmi2Status fmi2GetIntegerStatus(fmi2Component, const fmi2StatusKind, fmi2Integer*) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component, const fmi2StatusKind, fmi2Boolean*) { return fmi2Discard; }
fmi2Status fmi2GetStringStatus(fmi2Component, const fmi2StatusKind, fmi2String*) { return fmi2Discard; }
