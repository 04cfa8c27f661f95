// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/message_view.hpp>

namespace ositrace {

/// Is it the element that `[id=N]` of a FieldPath names? False for an element of a type without an id.
[[nodiscard]] bool has_element_id(const MessageView& element, std::uint64_t wanted);

}  // namespace ositrace
