// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// A value as XML has it: `true`, `3`, `2.5`, text as it is. Of everything but a message.
[[nodiscard]] std::string text_of(const Value& value);

}  // namespace ositrace::fmu
