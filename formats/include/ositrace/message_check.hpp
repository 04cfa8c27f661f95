// SPDX-License-Identifier: MPL-2.0
// Checks whether a message is broken, and returns the readable part of a broken one.
#pragma once

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// Reads the structure of a payload: every tag, length and offset down to the innermost message, no values. Fields that
/// the schema does not know are skipped; a Protobuf payload without a single one that it knows is broken. In payloads
/// of 1 MiB or more, only every 16th element of long lists of messages shorter than 64 bytes (clouds of points) is
/// checked. Throws Error (malformed, limit) with the offset in the payload and the path of the field. Cost: linear in
/// the payload's bytes, of a cloud about that of copying it. If the tables of a FlatBuffer are shared so often that a
/// walk takes 16 steps per byte, the rest is not checked.
OSITRACE_API void check_structure(Bytes payload, const MessageTable& table, Format format);

/// Of a Protobuf message that is broken at this level: its fields before the first that cannot be read; else the
/// message itself (in FlatBuffers each field breaks by itself).
[[nodiscard]] OSITRACE_API MessageView up_to_damage(const MessageView& message);

}  // namespace ositrace
