// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "app/fmu/fmu.hpp"
#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// A value in XML: `true`, `3`, `2.5`, text unchanged. Not for messages.
[[nodiscard]] std::string text_of(const Value& value);

enum class FmiVersion : std::uint8_t { fmi2, fmi3 };

/// The modelDescription.xml of an FMU, from its table of variables.
[[nodiscard]] std::string model_description(const FmuKind& kind, FmiVersion version);

/// The documentation/index.html of an FMU: its variables and their meaning, from its table.
[[nodiscard]] std::string documentation(const FmuKind& kind);

/// GUID or instantiation token: a hash of the rest of the description. It detects a binary that does not belong to its
/// description; the same sources give the same one.
[[nodiscard]] std::string instantiation_token(const FmuKind& kind, FmiVersion version);

}  // namespace ositrace::fmu
