// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/message_view.hpp>

namespace ositrace {

/// Are two values of one kind the same: floating-point numbers by their bits; of messages only that both are there.
[[nodiscard]] bool same_value(const Value& a, const Value& b);

/// `1.5 against 1.25`, `not set against 3`: with so many digits that different numbers differ.
[[nodiscard]] std::string describe_difference(const Value& a, const Value& b);

}  // namespace ositrace
