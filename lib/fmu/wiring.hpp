// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ositrace/fmu_model.hpp>

namespace ositrace::fmu {

/// A channel of the trace and the input that its frames go to.
struct Wire {
    std::uint32_t channel = 0;
    std::size_t binary = 0;  ///< place in FmuDescription::binaries
};

/// First what `connections` (topic -> variable) asks for, then channels whose topic is the name of an input, with or
/// without a prefix, then by message type, in order. Channels and inputs may stay unconnected; Throws Error (usage) for
/// a connection that cannot be, and (mismatch) when nothing goes into a model that has inputs.
[[nodiscard]] std::vector<Wire> connect(const TraceInfo& trace, const FmuDescription& model,
                                        const std::map<std::string, std::string>& connections);

}  // namespace ositrace::fmu
