// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

namespace ositrace {

/// The rules of the OSI release that is built in, as RuleSet::from_text() reads them; empty when the build had no comments.
/// Generated: see cmake/OsiRules.cmake.
[[nodiscard]] std::string_view embedded_rules() noexcept;

}  // namespace ositrace
