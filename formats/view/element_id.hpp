// SPDX-License-Identifier: MPL-2.0
// The ids of the elements of a repeated field.
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/message_view.hpp>

namespace ositrace {

/// Where an element has its id: in a field that is a number, or that is a message with a number `value`. The field is
/// `id`, for a type without one `header.tracking_id`.
struct IdFields {
    const FieldRow* header = nullptr;  ///< the message with the field; null: the element
    const FieldRow* id = nullptr;
    const FieldRow* value = nullptr;  ///< of the message; null: the field is the number
};

/// Empty for a type without an id.
[[nodiscard]] std::optional<IdFields> id_fields(const MessageTable& table) noexcept;
/// Empty where the field is not set; an id without a value is 0.
[[nodiscard]] std::optional<std::uint64_t> id_of(const MessageView& element, const IdFields& fields);
/// Is it the element that `[id=N]` of a FieldPath names? False for an element of a type without an id.
[[nodiscard]] bool has_element_id(const MessageView& element, std::uint64_t wanted);

}  // namespace ositrace
