// SPDX-License-Identifier: MPL-2.0
// For who shows broken messages: everybody else takes a message as a whole or not at all.
#pragma once

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// Of a Protobuf message that is broken at this level: its fields in front of the first that cannot be read; else the message itself
/// (in FlatBuffers each field breaks by itself).
[[nodiscard]] OSITRACE_API MessageView up_to_damage(const MessageView& message);

}  // namespace ositrace
