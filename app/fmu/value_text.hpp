// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// A value in XML: `true`, `3`, `2.5`, text unchanged. Not for messages.
[[nodiscard]] std::string text_of(const Value& value);

}  // namespace ositrace::fmu
