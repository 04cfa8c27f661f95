// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::fmu {

/// Believes a message of a model only when it looks like one of the channel's type. Throws Error (mismatch, malformed)
/// with the rest of a sentence that begins with the model's name; `variable` returned it.
void check_output(Bytes message, const Channel& channel, const std::string& variable);

}  // namespace ositrace::fmu
