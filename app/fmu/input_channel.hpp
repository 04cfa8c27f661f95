// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <ositrace/frame.hpp>

#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// The channel of a message variable whose first message is `first`: FlatBuffers if it states so, else
/// Protobuf; its topic is the variable's name. Throws Error with the variable if the bytes are not a message of its
/// type.
[[nodiscard]] Channel input_channel(const Variable& variable, Bytes first);

}  // namespace ositrace::fmu
