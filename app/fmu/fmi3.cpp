// SPDX-License-Identifier: MPL-2.0
// The face of FMI 3.0: the functions of fmi3Functions.h on an Instance.
#include <fmi3Functions.h>

#include <memory>
#include <string>

#include <ositrace/error.hpp>

#include "app/fmu/instance.hpp"
#include "app/fmu/model_description.hpp"

namespace {

using namespace ositrace;
using namespace ositrace::fmu;

struct Fmi3Component {
    Fmi3Component(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
        : instance(this_kind(), [=](LogLevel level, const std::string& text) {
              const bool error = level == LogLevel::error;
              if (log)
                  log(environment, error ? fmi3Error : fmi3Warning, error ? "logStatusError" : "logStatusWarning",
                      text.c_str());
          })
    {
    }
    Instance instance;
};

Instance& instance_of(fmi3Instance instance) { return static_cast<Fmi3Component*>(instance)->instance; }

template <class Work>
fmi3Status run(fmi3Instance instance, Work work)
{
    if (instance == nullptr) return fmi3Error;
    return instance_of(instance).run(work) ? fmi3OK : fmi3Error;
}

fmi3Status unsupported(fmi3Instance instance, const char* what)
{
    return run(instance,
               [what](Instance&) { throw Error(Cause::unsupported, std::string(what) + " is not supported"); });
}

/// No variable is an array.
void check_count(std::size_t references, std::size_t values)
{
    if (references != values)
        throw Error(Cause::usage, std::to_string(values) + " values for " + std::to_string(references) +
                                      " variables, expected one value for each");
}

template <class T, class Out>
fmi3Status get(fmi3Instance c, const fmi3ValueReference references[], size_t count, Out values[], size_t value_count)
{
    return run(c, [&](Instance& instance) {
        check_count(count, value_count);
        for (size_t i = 0; i < count; ++i)
            values[i] = std::get<T>(instance.ports().value(instance.place_of<T>(references[i])));
    });
}

template <class T, class In>
fmi3Status set(fmi3Instance c, const fmi3ValueReference references[], size_t count, const In values[],
               size_t value_count)
{
    return run(c, [&](Instance& instance) {
        check_count(count, value_count);
        for (size_t i = 0; i < count; ++i) instance.set(instance.place_of<T>(references[i]), T(values[i]));
    });
}

bool same(const char* a, const std::string& b) { return a != nullptr && a == b; }

}  // namespace

const char* fmi3GetVersion() { return fmi3Version; }
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]) { return fmi3OK; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean event_mode_used, fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback)
{
    try {
        auto made = std::make_unique<Fmi3Component>(environment, log);
        const bool usable = made->instance.run([&](Instance&) {
            if (event_mode_used) throw Error(Cause::unsupported, "this FMU has no event mode");
            const auto own = instantiation_token(this_kind(), FmiVersion::fmi3);
            if (!same(token, own))
                throw Error(Cause::mismatch,
                            "the instantiation token of the model description is not that of this binary, " + own);
        });
        return usable ? made.release() : nullptr;
    } catch (...) {  // no memory even for that
        return nullptr;
    }
}
void fmi3FreeInstance(fmi3Instance c) { delete static_cast<Fmi3Component*>(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start, fmi3Boolean,
                                       fmi3Float64)
{
    return run(c, [start](Instance& instance) {
        instance.set_start(start);
        instance.enter_initialization();
    });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
    return run(c, [](Instance& instance) { instance.exit_initialization(); });
}
fmi3Status fmi3Terminate(fmi3Instance c)
{
    return run(c, [](Instance& instance) { instance.terminate(); });
}
fmi3Status fmi3Reset(fmi3Instance c)
{
    return run(c, [](Instance& instance) { instance.reset(); });
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { return unsupported(c, "the configuration mode"); }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { return unsupported(c, "the configuration mode"); }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return unsupported(c, "the event mode"); }

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 step, fmi3Boolean,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate_simulation, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time)
{
    if (event_handling_needed) *event_handling_needed = false;
    if (terminate_simulation) *terminate_simulation = false;
    if (early_return) *early_return = false;
    if (last_successful_time) *last_successful_time = from;
    const auto status = run(c, [=](Instance& instance) { instance.step(from, step); });
    if (status == fmi3OK && last_successful_time) *last_successful_time = from + step;
    return status;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[], size_t nv)
{
    return run(c, [&](Instance& instance) {
        check_count(n, nv);
        for (size_t i = 0; i < n; ++i)
            values[i] = vr[i] == this_kind().variables.end_of_references()
                            ? instance.time()  // the independent variable
                            : std::get<double>(instance.ports().value(instance.place_of<double>(vr[i])));
    });
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Int32 values[], size_t nv)
{
    return get<std::int32_t>(c, vr, n, values, nv);
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Boolean values[], size_t nv)
{
    return get<bool>(c, vr, n, values, nv);
}
fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3String values[], size_t nv)
{
    return run(c, [&](Instance& instance) {
        check_count(n, nv);
        for (size_t i = 0; i < n; ++i)
            values[i] = std::get<std::string>(instance.ports().value(instance.place_of<std::string>(vr[i]))).c_str();
    });
}
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[], fmi3Binary values[],
                         size_t nv)
{
    return run(c, [&](Instance& instance) {
        check_count(n, nv);
        for (size_t i = 0; i < n; ++i) {
            const auto message = instance.ports().message(instance.place_of<Binary>(vr[i]));
            sizes[i] = message.size();
            values[i] = reinterpret_cast<fmi3Binary>(message.data());
        }
    });
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[],
                          size_t nv)
{
    return set<double>(c, vr, n, values, nv);
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int32 values[], size_t nv)
{
    return set<std::int32_t>(c, vr, n, values, nv);
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Boolean values[],
                          size_t nv)
{
    return set<bool>(c, vr, n, values, nv);
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3String values[], size_t nv)
{
    return set<std::string>(c, vr, n, values, nv);
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                         const fmi3Binary values[], size_t nv)
{
    return run(c, [&](Instance& instance) {
        check_count(n, nv);
        for (size_t i = 0; i < n; ++i)
            instance.set_copy_of_message(instance.place_of<Binary>(vr[i]),
                                         {reinterpret_cast<const std::byte*>(values[i]), sizes[i]});
    });
}

// Functions without a use for our FMUs: types that no variable has, states, derivatives, clocks, model exchange and
// scheduled execution. The standard requires all of them.

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment, fmi3LogMessageCallback)
{
    return nullptr;
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback)
{
    return nullptr;
}
fmi3Status fmi3EnterEventMode(fmi3Instance c) { return unsupported(c, "fmi3EnterEventMode"); }
fmi3Status fmi3GetFloat32(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float32[], size_t)
{
    return unsupported(c, "fmi3GetFloat32");
}
fmi3Status fmi3GetInt8(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Int8[], size_t)
{
    return unsupported(c, "fmi3GetInt8");
}
fmi3Status fmi3GetUInt8(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt8[], size_t)
{
    return unsupported(c, "fmi3GetUInt8");
}
fmi3Status fmi3GetInt16(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Int16[], size_t)
{
    return unsupported(c, "fmi3GetInt16");
}
fmi3Status fmi3GetUInt16(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt16[], size_t)
{
    return unsupported(c, "fmi3GetUInt16");
}
fmi3Status fmi3GetUInt32(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt32[], size_t)
{
    return unsupported(c, "fmi3GetUInt32");
}
fmi3Status fmi3GetInt64(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Int64[], size_t)
{
    return unsupported(c, "fmi3GetInt64");
}
fmi3Status fmi3GetUInt64(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[], size_t)
{
    return unsupported(c, "fmi3GetUInt64");
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Clock[])
{
    return unsupported(c, "fmi3GetClock");
}
fmi3Status fmi3SetFloat32(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Float32[], size_t)
{
    return unsupported(c, "fmi3SetFloat32");
}
fmi3Status fmi3SetInt8(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Int8[], size_t)
{
    return unsupported(c, "fmi3SetInt8");
}
fmi3Status fmi3SetUInt8(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt8[], size_t)
{
    return unsupported(c, "fmi3SetUInt8");
}
fmi3Status fmi3SetInt16(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Int16[], size_t)
{
    return unsupported(c, "fmi3SetInt16");
}
fmi3Status fmi3SetUInt16(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt16[], size_t)
{
    return unsupported(c, "fmi3SetUInt16");
}
fmi3Status fmi3SetUInt32(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt32[], size_t)
{
    return unsupported(c, "fmi3SetUInt32");
}
fmi3Status fmi3SetInt64(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Int64[], size_t)
{
    return unsupported(c, "fmi3SetInt64");
}
fmi3Status fmi3SetUInt64(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt64[], size_t)
{
    return unsupported(c, "fmi3SetUInt64");
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Clock[])
{
    return unsupported(c, "fmi3SetClock");
}
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*)
{
    return unsupported(c, "fmi3GetNumberOfVariableDependencies");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[],
                                       fmi3DependencyKind[], size_t)
{
    return unsupported(c, "fmi3GetVariableDependencies");
}
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState*) { return unsupported(c, "fmi3GetFMUState"); }
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState) { return unsupported(c, "fmi3SetFMUState"); }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState*) { return unsupported(c, "fmi3FreeFMUState"); }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState, size_t*)
{
    return unsupported(c, "fmi3SerializedFMUStateSize");
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState, fmi3Byte[], size_t)
{
    return unsupported(c, "fmi3SerializeFMUState");
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte[], size_t, fmi3FMUState*)
{
    return unsupported(c, "fmi3DeserializeFMUState");
}
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3ValueReference[],
                                        size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetDirectionalDerivative");
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3ValueReference[],
                                    size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetAdjointDerivative");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[])
{
    return unsupported(c, "fmi3GetIntervalDecimal");
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
                                   fmi3IntervalQualifier[])
{
    return unsupported(c, "fmi3GetIntervalFraction");
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[])
{
    return unsupported(c, "fmi3GetShiftDecimal");
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[])
{
    return unsupported(c, "fmi3GetShiftFraction");
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Float64[])
{
    return unsupported(c, "fmi3SetIntervalDecimal");
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[])
{
    return unsupported(c, "fmi3SetIntervalFraction");
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Float64[])
{
    return unsupported(c, "fmi3SetShiftDecimal");
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[])
{
    return unsupported(c, "fmi3SetShiftFraction");
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return unsupported(c, "fmi3EvaluateDiscreteStates"); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*)
{
    return unsupported(c, "fmi3UpdateDiscreteStates");
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return unsupported(c, "fmi3EnterContinuousTimeMode"); }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*)
{
    return unsupported(c, "fmi3CompletedIntegratorStep");
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64) { return unsupported(c, "fmi3SetTime"); }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3SetContinuousStates");
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetContinuousStateDerivatives");
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetEventIndicators");
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetContinuousStates");
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetNominalsOfContinuousStates");
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t*)
{
    return unsupported(c, "fmi3GetNumberOfEventIndicators");
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t*)
{
    return unsupported(c, "fmi3GetNumberOfContinuousStates");
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Int32[],
                                    fmi3Float64[], size_t)
{
    return unsupported(c, "fmi3GetOutputDerivatives");
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64)
{
    return unsupported(c, "fmi3ActivateModelPartition");
}
