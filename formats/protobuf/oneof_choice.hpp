// SPDX-License-Identifier: MPL-2.0
// Of the fields of a oneof the last one on the wire counts, and what was read of the others before it does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace::wire {

class OneofChoice {
public:
    /// Reads `message` up to its end, or to where it is broken. Costs nothing where the type has no oneof.
    OneofChoice(Bytes message, const MessageTable& table, int depth) : table_(table), since_(table.oneofs)
    {
        if (table.oneofs == 0) return;
        const auto* at = message.data();
        const auto* const end = at + message.size();
        std::vector<const FieldRow*> last(table.oneofs);
        while (at != end) {
            const auto* const start = at;
            std::uint32_t tag = 0;
            at = read_tag(at, end, tag);
            if (at != nullptr) at = skip_field(at, end, tag, max_message_depth - depth);
            if (at == nullptr) return;
            const auto* const field = member(tag);
            if (field == nullptr || last[field->oneof - 1u] == field) continue;
            last[field->oneof - 1u] = field;
            since_[field->oneof - 1u] = start;
        }
    }
    /// Does another field of the same oneof come after this one, whose tag begins at `start`?
    [[nodiscard]] bool is_replaced(std::uint32_t tag, const std::byte* start) const noexcept
    {
        if (since_.empty()) return false;
        const auto* const field = member(tag);
        return field != nullptr && start < since_[field->oneof - 1u];
    }

private:
    [[nodiscard]] const FieldRow* member(std::uint32_t tag) const noexcept
    {
        const auto* const field = table_.find(number_of(tag));
        return field != nullptr && field->oneof != 0 && field->wire_type == wire_type_of(tag) ? field : nullptr;
    }

    const MessageTable& table_;
    std::vector<const std::byte*> since_;  ///< by oneof: where what counts begins
};

}  // namespace ositrace::wire
