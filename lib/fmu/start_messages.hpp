// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/fmu_model.hpp>

#include "lib/fmu/model_runner.hpp"
#include "lib/fmu/wiring.hpp"

namespace ositrace::fmu {

/// The input for the OSMP parameters of a model.
struct StartMaterial {
    const FmuDescription& model;
    const TraceInfo& trace;
    const PlayStart& start;
    std::span<const Wire> wires;
};

/// Sets the parameters that carry messages: OSMPGroundTruthInit and, where the model asks for one,
/// OSMPSensorViewInConfig. Between Command::load and Command::initialize. `say` receives notes about data that the
/// trace lacks.
void set_start_messages(const StartMaterial& material, ModelRunner& runner, const OnLine& say);

}  // namespace ositrace::fmu
