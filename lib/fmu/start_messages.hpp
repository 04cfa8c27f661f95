// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/fmu.hpp>

#include "lib/fmu/model_runner.hpp"
#include "lib/fmu/wiring.hpp"

namespace ositrace::fmu {

/// What the OSMP parameters of a model are made of.
struct StartMaterial {
    const FmuDescription& model;
    const TraceInfo& trace;
    const PlayStart& start;
    std::span<const Wire> wires;
};

/// Sets the parameters that carry messages: OSMPGroundTruthInit and, where the model asks for one,
/// OSMPSensorViewInConfig. Between Command::load and Command::initialize. `say` hears what the trace cannot give.
void set_start_messages(const StartMaterial& material, ModelRunner& runner, const TakeLine& say);

}  // namespace ositrace::fmu
