// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <ositrace/schema.hpp>

namespace ositrace {

/// A part of a schema, in the order of the schema.
struct Selection {
    std::vector<const MessageTable*> messages;
    std::vector<const EnumTable*> enums;
};

/// The types that a top-level type consists of. Without a type: everything but google/protobuf's own messages that
/// nothing refers to. Throws Error (mismatch) when the schema does not have the type.
[[nodiscard]] Selection reachable(const Schema& schema, std::optional<MessageType> type);

}  // namespace ositrace
