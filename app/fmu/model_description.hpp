// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

enum class FmiVersion : std::uint8_t { fmi2, fmi3 };

/// The modelDescription.xml of an FMU, from its table of variables.
[[nodiscard]] std::string model_description(const Kind& kind, FmiVersion version);

/// GUID or instantiation token: a hash of the rest of the description, so that a binary and a description that do not
/// belong together are told apart, and the same sources give the same one.
[[nodiscard]] std::string instantiation_token(const Kind& kind, FmiVersion version);

}  // namespace ositrace::fmu
