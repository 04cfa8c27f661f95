// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

/// The documentation/index.html of an FMU: its variables and what they mean, from its table.
[[nodiscard]] std::string documentation(const Kind& kind);

}  // namespace ositrace::fmu
