// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// The first place where two messages differ.
struct ContentDifference {
    std::string field;  ///< path of the field, `moving_object[3].base.position.x`
    std::string text;   ///< `1.5 against 1.25`, `set against not set`, `3 elements against 4`
};

/// The first difference between two messages of one type, in order of field numbers; nullopt when there is none.
/// Exact: presence counts (an explicit zero is not an unset field), floating-point numbers are compared by their bits
/// (NaN payloads, signed zeros), elements by their order. The encodings may differ, and so may the schemas: fields are
/// paired by number. Fields that a side's schema does not know are not compared. Throws Error when a message is broken.
[[nodiscard]] OSITRACE_API std::optional<ContentDifference> first_difference(const MessageView& a,
                                                                             const MessageView& b);

[[nodiscard]] inline bool equal_content(const MessageView& a, const MessageView& b) { return !first_difference(a, b); }

}  // namespace ositrace
