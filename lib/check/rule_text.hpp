// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/rules.hpp>

namespace ositrace {

/// One line of a `\rules` block: `is_less_than_or_equal_to: 999999999`, `check_if this.type is_equal_to 2 else do_check
/// is_set`. Fills kind and parameters; a line that nothing can be made of is RuleKind::unknown.
[[nodiscard]] Rule parse_rule(std::string_view line);

/// What ASAM's checker calls a rule of a field: `is_less_than_or_equal_to_999999999`.
[[nodiscard]] std::string rule_name(std::string_view line);

[[nodiscard]] bool is_comparison(RuleKind kind) noexcept;
/// Does `value` fulfil the comparison?
[[nodiscard]] bool fulfils(double value, RuleKind comparison, double number) noexcept;

}  // namespace ositrace
