// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <ositrace/frame.hpp>

#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// The channel of a message variable whose first message is `first`: FlatBuffers where it says so itself, else
/// Protobuf; its topic is the variable's name. Throws Error naming the variable when the bytes are no message of its
/// type.
[[nodiscard]] Channel input_channel(const Variable& variable, Bytes first);

}  // namespace ositrace::fmu
