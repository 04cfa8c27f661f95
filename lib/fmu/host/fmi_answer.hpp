// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

namespace ositrace::fmu {

/// The states that a call returns, of which FMI 2 knows six and FMI 3 the first five: `discard`.
[[nodiscard]] std::string_view state_name(unsigned state, unsigned known_states) noexcept;

/// Throws Error where a model's answer to a call is neither `ok` nor `warning`.
void check_answer(unsigned state, unsigned known_states, std::string_view function);

}  // namespace ositrace::fmu
