// SPDX-License-Identifier: MPL-2.0
// The functions of FMI 3.0 that our FMUs have no use for: types that no variable has, states, derivatives, clocks,
// model exchange and scheduled execution. The standard wants them all to be there.
#include "app/fmu/fmi3.hpp"

using ositrace::fmu::unsupported;

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
