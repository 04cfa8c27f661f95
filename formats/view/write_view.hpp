// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/message_view.hpp>

#include "formats/protobuf/message_writer.hpp"

namespace ositrace {

/// Writes a message that is viewed, in either encoding, as the Protobuf field `tag`: its bytes as they are, or field by
/// field. For small messages: nothing is learned on the way. Throws Error (malformed, limit).
void write_view(const FieldTag& tag, const MessageView& view, MessageWriter& to);

}  // namespace ositrace
