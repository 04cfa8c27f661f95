// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

/// The states that a call returns, of which FMI 2 knows six and FMI 3 the first five: `discard`.
[[nodiscard]] std::string_view state_name(unsigned state, unsigned known_states) noexcept;

/// `fatal`: nothing of the model may be called any more, not even what frees it.
class FatalAnswer : public Error {
public:
    using Error::Error;
};

/// Throws Error where a model's answer to a call is neither `ok` nor `warning`; a FatalAnswer for `fatal`.
void check_answer(unsigned state, unsigned known_states, std::string_view function);

}  // namespace ositrace::fmu
