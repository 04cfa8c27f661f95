// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Can a FlatBuffer be walked as this table: every offset inside, no unknown slots, strings that are text. Looks at
/// some thousand values. Returns what stands against it. A weak proof: tables with few fields fit much.
[[nodiscard]] std::optional<Error> refute_flat(Bytes buffer, const MessageTable& table, Layout layout);

}  // namespace ositrace
