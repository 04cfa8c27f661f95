// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/rules.hpp>

namespace ositrace {

/// The text of the built-in rules, as RuleSet::from_text() reads it; empty if the build had no descriptor set with
/// comments. Generated: see cmake/OsiComments.cmake.
[[nodiscard]] Bytes embedded_rules() noexcept;

/// Parses one line of a `\rules` block: `is_less_than_or_equal_to: 999999999`, `check_if this.type is_equal_to 2 else
/// do_check is_set`. Sets kind and parameters; RuleKind::unknown if the
/// line is not understood.
[[nodiscard]] Rule parse_rule(std::string_view line);

/// The name of a rule in ASAM's checker: `is_less_than_or_equal_to_999999999`.
[[nodiscard]] std::string rule_name(std::string_view line);

[[nodiscard]] bool is_comparison(RuleKind kind) noexcept;
/// Is the comparison of `value` with `number` true?
[[nodiscard]] bool fulfils(double value, RuleKind comparison, double number) noexcept;

}  // namespace ositrace
