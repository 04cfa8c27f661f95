// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/schema.hpp>

namespace ositrace {

/// Do two schemas give these messages, and all messages in them, the same fields: names, numbers, kinds, order, and
/// enumerators? Then both read and write every message alike. Cost: linear in the smaller schema.
[[nodiscard]] bool same_messages(const MessageTable& one, const MessageTable& other);

}  // namespace ositrace
